// Compiles a copy of the kernel's sources with the build's compiler and options, except for the optimizers, which take
// more time than they save.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Not imported by name, because its types would change this program's global types. */
const COMPILER = pathToFileURL(createRequire(import.meta.url).resolve('assemblyscript/dist/asc.js')).href;

/** A stream as the compiler expects it; `text` is all that was written to it. */
interface Stream {
  toString(): string;
}

/** The parts of the compiler that are used. */
interface Compiler {
  createMemoryStream(): Stream;
  main(options: readonly string[], streams: { readonly stderr: Stream }): Promise<{ readonly error: Error | null }>;
}

/**
 * Compiles the kernel whose sources are in `folder`; returns the path of its WebAssembly. Throws the compiler's
 * messages if it fails. The first compilation in a process takes several times as long as later ones.
 */
export async function compileKernel(folder: string): Promise<string> {
  const compiler = (await import(COMPILER)) as Compiler;
  const target = join(folder, 'kernel.wasm');
  const stderr = compiler.createMemoryStream();
  const options = [join(folder, 'kernel.ts'), '--baseDir', folder, '--outFile', target, ...buildOptions()];
  const { error } = await compiler.main(options, { stderr });
  if (error !== null) throw new Error(`${error.message}\n${stderr.toString()}`);
  return target;
}

/** The build's options, so that both compile the same way. */
function buildOptions(): string[] {
  const build = readFileSync(join(ROOT, 'src/evm/kernel/build.ts'), 'utf8');
  const [, options] = /OPTIONS = '([^']+)'/.exec(build) ?? [];
  if (options === undefined) throw new Error('the options of the build are not where they were');
  return options.replace('-O3', '-O0').split(' ');
}
