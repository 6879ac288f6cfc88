// Compiles the kernel, AssemblyScript, to WebAssembly into the folder of this file's compiled form, and its Keccak by itself
// for everyone else. Runs in `npm run build` only.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const SOURCES = 'src/evm/kernel/assembly/';
const TARGETS = [
  ['kernel.ts', new URL('kernel.wasm', import.meta.url)],
  ['keccak.ts', new URL('../../lib/keccak.wasm', import.meta.url)],
] as const;
const COMPILER = createRequire(import.meta.url).resolve('assemblyscript/bin/asc.js');
const OPTIONS = '-O3 --noAssert --runtime stub --enable simd --importMemory --use abort='.split(' ');

for (const [source, target] of TARGETS) process.exitCode ||= compile(SOURCES + source, fileURLToPath(target));

/** The compiler is a program of its own: its types would change those of this one's globals. */
function compile(source: string, target: string): number {
  const args = [COMPILER, source, '--baseDir', ROOT, '--outFile', target, ...OPTIONS];
  return spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' }).status ?? 1;
}
