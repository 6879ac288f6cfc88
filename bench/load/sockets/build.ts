// Builds the addon of the load generator's sockets on Linux if its sources have changed. Runs before a bench.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inputsDigest, buildIfChanged } from '../../../src/lib/skip-up-to-date-builds.js';
import { compileAddon } from '../../../src/native/compile-addon.js';

const SOURCES = fileURLToPath(new URL('../../../../bench/load/sockets/', import.meta.url));
const TARGET = fileURLToPath(new URL('.', import.meta.url));

/** Builds the addon, or logs why it cannot be built. */
export function buildSockets(): void {
  if (process.platform !== 'linux') return;
  try {
    buildIfChanged([join(TARGET, 'sockets.node')], inputsDigest([process.arch], [SOURCES]), make);
  } catch (error) {
    console.warn(`sockets of the load generator not built (${(error as Error).message}); using node:net`);
  }
}

function make(): void {
  const proof = 'addon.use(new Uint8Array(8), new Int32Array(3)); addon.wait(0)';
  const problem = compileAddon({ name: 'sockets', sources: SOURCES, target: TARGET, proof });
  if (problem !== null) throw new Error(problem);
}
