// Compiles a copy of the kernel's sources with the compiler and the options of the build, but for its optimizations, which
// take more time than they save. Runs in tests only.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const COMPILER = createRequire(import.meta.url).resolve('assemblyscript/bin/asc.js');

/**
 * Compiles the kernel whose sources lie in `folder`; answers where its WebAssembly lies. Throws what the compiler says
 * when it refuses.
 */
export function compileKernel(folder: string): string {
  const target = join(folder, 'kernel.wasm');
  const options = [join(folder, 'kernel.ts'), '--baseDir', folder, '--outFile', target, ...buildOptions()];
  const { status, stderr } = spawnSync(process.execPath, [COMPILER, ...options], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return target;
}

/** As the build says, so that both do the same. */
function buildOptions(): string[] {
  const build = readFileSync(join(ROOT, 'src/evm/kernel/build.ts'), 'utf8');
  const [, options] = /OPTIONS = '([^']+)'/.exec(build) ?? [];
  if (options === undefined) throw new Error('the options of the build are not where they were');
  return options.replace('-O3', '-O0').split(' ');
}
