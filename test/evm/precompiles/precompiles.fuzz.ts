// The precompiles of the addon, and those in WebAssembly, answer what the library's do, for right and hostile inputs: gas,
// output, failure.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIBRARY_PRECOMPILES, NATIVE_PRECOMPILES, precompileSet } from '../../../src/evm/precompiles/precompile-set.js';
import { createWasmBls, createWasmGeneral } from '../../../src/evm/precompiles/wasm/functions.js';
import { HOSTILE_NUMBERS } from './hostile-inputs.js';
import { hunt } from './hunt.js';

const SEED = Number(process.env['SEED'] ?? 1);
/** Times as many cases: FUZZ_SCALE=50 for a longer run. */
const SCALE = Number(process.env['FUZZ_SCALE'] ?? 1);
/** The library takes milliseconds for each. */
const CASES: ReadonlyMap<number, number> = new Map([
  [0x05, 2500],
  [0x06, 300],
  [0x07, 100],
  [0x08, 24],
  [0x09, 300],
  [0x0a, 60],
  [0x0b, 100],
  [0x0c, 60],
  [0x0d, 100],
  [0x0e, 40],
  [0x0f, 24],
  [0x10, 60],
  [0x11, 40],
  [0x100, 150],
]);
/** Forks whose rules for the precompile differ; else the last one. */
const FORKS: ReadonlyMap<number, readonly string[]> = new Map([[0x05, ['istanbul', 'prague', 'osaka']]]);

const NOTHING = { general: null, bls: null };
const WASM = { general: await createWasmGeneral(), bls: await createWasmBls() };
const SETS = [NATIVE_PRECOMPILES, precompileSet(NOTHING, WASM)];

for (const number of HOSTILE_NUMBERS) {
  for (const fork of FORKS.get(number) ?? ['osaka']) {
    void test(`0x${number.toString(16)} in ${fork}`, async () => {
      const cases = CASES.get(number)! * SCALE;
      const { accepted, refused, difference } = await hunt(LIBRARY_PRECOMPILES, SETS, [fork, number], cases, SEED);
      assert.equal(difference, null);
      assert.ok(accepted > refused / 4 && refused > 0, `${accepted} accepted, ${refused} refused`);
    });
  }
}
