// Compiles the kernel, AssemblyScript, to WebAssembly into the folder of this file's compiled form. Runs in `npm run build`
// only.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const SOURCE = 'src/evm/kernel/assembly/kernel.ts';
const TARGET = fileURLToPath(new URL('kernel.wasm', import.meta.url));
const COMPILER = createRequire(import.meta.url).resolve('assemblyscript/bin/asc.js');
const OPTIONS = '-O3 --noAssert --runtime stub --enable simd --importMemory --use abort='.split(' ');

// The compiler is a program of its own: its types would change those of this one's globals.
const { status } = spawnSync(process.execPath, [COMPILER, SOURCE, '--baseDir', ROOT, '--outFile', TARGET, ...OPTIONS], {
  cwd: ROOT,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
