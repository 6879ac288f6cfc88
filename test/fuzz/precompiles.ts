// Runs mutants of the precompiles' addon, one at a time, and reports in which precompiles the fuzzer detects each with
// as many inputs as `npm test` tries. `node dist/test/fuzz/precompiles.js [part of a name]`. Exits with 1 if one is not
// detected.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BlsFunctions, NonBlsFunctions } from '../../src/native/precompiles/function-types.js';
import {
  ETHEREUMJS_PRECOMPILES,
  createPrecompileImplementations,
} from '../../src/evm/precompiles/precompile-implementations.js';
import { HOSTILE_CASES } from '../evm/precompiles/hostile-inputs.js';
import { findDifference } from '../evm/precompiles/find-difference.js';
import { loadMutant } from './addon-change.js';
import { PRECOMPILE_MUTANTS, type PrecompileMutant } from './precompile-mutants.js';

const SEED = 1;
const wanted = process.argv[2] ?? '';
// Inside the project, so that packages are found.
const folder = mkdtempSync(join(fileURLToPath(new URL('.', import.meta.url)), 'mutants-'));
try {
  for (const [name, mutant] of Object.entries(PRECOMPILE_MUTANTS))
    if (name.includes(wanted)) await tryOut(name, mutant);
} finally {
  rmSync(folder, { recursive: true });
}

async function tryOut(name: string, mutant: PrecompileMutant): Promise<void> {
  const addon = loadMutant('precompiles', mutant, mkdtempSync(join(folder, 'mutant-'))) as NonBlsFunctions &
    BlsFunctions;
  const mutated = createPrecompileImplementations({ general: addon, bls: addon });
  for (const number of mutant.numbers) {
    const cases = HOSTILE_CASES.get(number)!;
    const { accepted, refused, difference } = await findDifference(
      ETHEREUMJS_PRECOMPILES,
      [mutated],
      ['osaka', number],
      cases,
      SEED,
    );
    const isFound = difference !== null;
    if (!isFound) process.exitCode = 1;
    const found = isFound ? `found after ${accepted + refused}` : 'NOT FOUND';
    process.stdout.write(`${found} in 0x${number.toString(16)}: ${name}\n`);
  }
}
