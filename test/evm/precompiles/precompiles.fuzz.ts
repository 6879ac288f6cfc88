// The addon's precompiles answer what the library's do, for right and hostile inputs: gas, output, failure.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NATIVE } from '../../../src/evm/precompiles/native.js';
import { LIBRARY_PRECOMPILES, NATIVE_PRECOMPILES } from '../../../src/evm/precompiles/precompile-set.js';
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

for (const number of HOSTILE_NUMBERS) {
  const skip = NATIVE_PRECOMPILES.native.has(number) ? false : NATIVE.reason;
  for (const fork of FORKS.get(number) ?? ['osaka']) {
    void test(`0x${number.toString(16)} in ${fork}`, { skip }, async () => {
      const sets = [LIBRARY_PRECOMPILES, NATIVE_PRECOMPILES] as const;
      const { accepted, refused, difference } = await hunt(sets, [fork, number], CASES.get(number)! * SCALE, SEED);
      assert.equal(difference, null);
      assert.ok(accepted > refused / 4 && refused > 0, `${accepted} accepted, ${refused} refused`);
    });
  }
}
