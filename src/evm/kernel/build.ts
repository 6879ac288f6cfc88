// Generates the kernel's sources and compiles them from AssemblyScript to WebAssembly, unless nothing has changed. The
// modules are written to the directory that contains the compiled form of this file. Also compiles the kernel's Keccak
// as a separate module for the rest of the program. Used only by `npm run build`.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inputsDigest, buildIfChanged } from '../../lib/skip-up-to-date-builds.js';
import { writeKernelSources } from './generate-sources.js';

const SOURCES = fileURLToPath(new URL('sources/', import.meta.url));
const TARGETS = [
  ['kernel.ts', new URL('kernel.wasm', import.meta.url)],
  ['hashes/keccak.ts', new URL('../../lib/bytes/keccak.wasm', import.meta.url)],
] as const;
const require = createRequire(import.meta.url);
const COMPILER = require.resolve('assemblyscript/bin/asc.js');
const { version }: { version: string } = require('assemblyscript/package.json');
const OPTIONS = '-O3 --noAssert --runtime stub --enable simd --importMemory --importTable --use abort='.split(' ');

rmSync(SOURCES, { recursive: true, force: true });
writeKernelSources(SOURCES);
buildIfChanged(
  TARGETS.map(([, target]) => fileURLToPath(target)),
  inputsDigest([version, OPTIONS.join(' ')], [SOURCES]),
  () => TARGETS.forEach(([source, target]) => compile(source, fileURLToPath(target))),
);

/**
 * Runs the AssemblyScript compiler as a separate process, because its types would change the globals of this program.
 */
function compile(source: string, target: string): void {
  const args = [COMPILER, join(SOURCES, source), '--baseDir', SOURCES, '--outFile', target, ...OPTIONS];
  if (spawnSync(process.execPath, args, { stdio: 'inherit' }).status !== 0)
    throw new Error(`${source} does not compile`);
}
