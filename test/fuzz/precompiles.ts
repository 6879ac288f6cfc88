// Runs mutants of the precompiles' addon, one at a time, and tells in which of its precompiles the fuzzer has found each.
// `node dist/test/fuzz/precompiles.js [part of a name]`. Ends with 1 when one is not found.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ADDON } from '../../src/evm/precompiles/native/sources.js';
import type { Addon, BlstAddon } from '../../src/evm/precompiles/native.js';
import { LIBRARY_PRECOMPILES, precompileSet, type PrecompileSet } from '../../src/evm/precompiles/precompile-set.js';
import { buildAddon } from '../../src/lib/addon/build.js';
import { hunt } from '../evm/precompiles/hunt.js';
import { changeAddon, PRECOMPILE_MUTANTS, type AddonChange } from './precompile-mutants.js';

const CASES_MAX = 3000;
const SEED = 1;

const require = createRequire(import.meta.url);
const wanted = process.argv[2] ?? '';
// Below the project, so that blst is found.
const folder = mkdtempSync(join(fileURLToPath(new URL('.', import.meta.url)), 'mutants-'));
try {
  for (const [name, mutant] of Object.entries(PRECOMPILE_MUTANTS))
    if (name.includes(wanted)) await tryOut(name, mutant);
} finally {
  rmSync(folder, { recursive: true });
}

async function tryOut(name: string, mutant: AddonChange): Promise<void> {
  const mutated = compileMutant(mutant, mkdtempSync(join(folder, 'addon-')));
  for (const number of mutant.numbers) {
    const { accepted, refused, difference } = await hunt(
      [LIBRARY_PRECOMPILES, mutated],
      ['osaka', number],
      CASES_MAX,
      SEED,
    );
    const isFound = difference !== null;
    if (!isFound) process.exitCode = 1;
    const found = isFound ? `found after ${accepted + refused}` : 'NOT FOUND';
    process.stdout.write(`${found} in 0x${number.toString(16)}: ${name}\n`);
  }
}

function compileMutant(mutant: AddonChange, place: string): PrecompileSet {
  const [sources, target] = [join(place, 'sources'), join(place, 'target')];
  mkdirSync(target);
  cpSync(ADDON.sources, sources, { recursive: true });
  changeAddon(sources, mutant);
  buildAddon({ ...ADDON, sources, target, proof: '' });
  const addon = require(join(target, `${ADDON.name}.node`)) as Addon & BlstAddon;
  return precompileSet({ addon, blst: addon, wasmBls: null });
}
