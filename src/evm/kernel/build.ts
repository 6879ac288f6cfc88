// Generates the kernel's sources and compiles them, AssemblyScript, to WebAssembly into the folder of this file's
// compiled form, and by itself its Keccak for everyone else. Runs in `npm run build` only.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeKernelSources } from './generate.js';

const SOURCES = fileURLToPath(new URL('sources/', import.meta.url));
const TARGETS = [
  ['kernel.ts', new URL('kernel.wasm', import.meta.url)],
  ['keccak.ts', new URL('../../lib/keccak.wasm', import.meta.url)],
] as const;
const COMPILER = createRequire(import.meta.url).resolve('assemblyscript/bin/asc.js');
const OPTIONS = '-O3 --noAssert --runtime stub --enable simd --importMemory --importTable --use abort='.split(' ');

rmSync(SOURCES, { recursive: true, force: true });
writeKernelSources(SOURCES);
for (const [source, target] of TARGETS) process.exitCode ||= compile(source, fileURLToPath(target));

/** The compiler is a program of its own: its types would change those of this one's globals. */
function compile(source: string, target: string): number {
  const args = [COMPILER, join(SOURCES, source), '--baseDir', SOURCES, '--outFile', target, ...OPTIONS];
  return spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
}
