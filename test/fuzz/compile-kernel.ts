// Compiles a copy of the kernel's sources with the compiler and the options of the build, but for its optimizations,
// which take more time than they save.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Not imported by its name: its types would change those of this program's globals. */
const COMPILER = pathToFileURL(createRequire(import.meta.url).resolve('assemblyscript/dist/asc.js')).href;

/** A stream as the compiler takes it; its text is all that has been written to it. */
interface Stream {
  toString(): string;
}

/** Parts of the compiler that are used. */
interface Compiler {
  createMemoryStream(): Stream;
  main(options: readonly string[], streams: { readonly stderr: Stream }): Promise<{ readonly error: Error | null }>;
}

/**
 * Compiles the kernel whose sources lie in `folder`; answers where its WebAssembly lies. Throws what the compiler says
 * when it refuses. A process's first time takes several times as long as the others.
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

/** Options of the build, so that both do the same. */
function buildOptions(): string[] {
  const build = readFileSync(join(ROOT, 'src/evm/kernel/build.ts'), 'utf8');
  const [, options] = /OPTIONS = '([^']+)'/.exec(build) ?? [];
  if (options === undefined) throw new Error('the options of the build are not where they were');
  return options.replace('-O3', '-O0').split(' ');
}
