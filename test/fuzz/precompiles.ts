// Runs mutants of the precompiles' addon and of those in WebAssembly, one at a time, and tells in which of its precompiles the
// fuzzer has found each, by as many inputs as `npm test` tries. `node dist/test/fuzz/precompiles.js [part of a name]`. Ends
// with 1 when one is not found.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ADDON } from '../../src/evm/precompiles/native/sources.js';
import type { BlsFunctions, GeneralFunctions } from '../../src/evm/precompiles/functions.js';
import { LIBRARY_PRECOMPILES, precompileSet, type PrecompileSet } from '../../src/evm/precompiles/precompile-set.js';
import { HOSTILE_CASES } from '../evm/precompiles/hostile-inputs.js';
import { hunt } from '../evm/precompiles/hunt.js';
import { loadMutant } from './addon-change.js';
import { PRECOMPILE_MUTANTS, type PrecompileMutant } from './precompile-mutants.js';
import { loadWasmMutant } from './wasm-change.js';
import { WASM_MUTANTS } from './wasm-mutants.js';

const SEED = 1;
const NOTHING = { general: null, bls: null };

/** Makes the precompiles with the bug in a folder of its own. */
type Make = (mutant: PrecompileMutant, folder: string) => Promise<PrecompileSet>;

const wanted = process.argv[2] ?? '';
// Below the project, so that packages are found.
const folder = mkdtempSync(join(fileURLToPath(new URL('.', import.meta.url)), 'mutants-'));
try {
  await tryAll('WebAssembly', WASM_MUTANTS, async (mutant, place) =>
    precompileSet(NOTHING, await loadWasmMutant(mutant, place)),
  );
  await tryAll('the addon', PRECOMPILE_MUTANTS, async (mutant, place) => {
    const addon = loadMutant(ADDON, mutant, place) as GeneralFunctions & BlsFunctions;
    return precompileSet({ general: addon, bls: addon }, NOTHING);
  });
} finally {
  rmSync(folder, { recursive: true });
}

async function tryAll(where: string, mutants: Readonly<Record<string, PrecompileMutant>>, make: Make): Promise<void> {
  for (const [name, mutant] of Object.entries(mutants)) {
    const title = `${where}: ${name}`;
    if (title.includes(wanted)) await tryOut(title, mutant, await make(mutant, mkdtempSync(join(folder, 'mutant-'))));
  }
}

async function tryOut(title: string, { numbers }: PrecompileMutant, mutated: PrecompileSet): Promise<void> {
  for (const number of numbers) {
    const cases = HOSTILE_CASES.get(number)!;
    const { accepted, refused, difference } = await hunt(
      LIBRARY_PRECOMPILES,
      [mutated],
      ['osaka', number],
      cases,
      SEED,
    );
    const isFound = difference !== null;
    if (!isFound) process.exitCode = 1;
    const found = isFound ? `found after ${accepted + refused}` : 'NOT FOUND';
    process.stdout.write(`${found} in 0x${number.toString(16)}: ${title}\n`);
  }
}
