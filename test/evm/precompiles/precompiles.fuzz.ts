// The addon's precompiles compared with the library's, for valid and hostile inputs: gas, output and failure.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LOADED_NATIVE_PRECOMPILES } from '../../../src/evm/precompiles/native-precompiles.js';
import {
  ETHEREUMJS_PRECOMPILES,
  NATIVE_FIRST_PRECOMPILES,
} from '../../../src/evm/precompiles/precompile-implementations.js';
import { HOSTILE_CASES } from './hostile-inputs.js';
import { findDifference } from './find-difference.js';
import { rounds } from '../../support/rounds.js';

const SEED = Number(process.env['SEED'] ?? 1);
/** A slow precompile with fewer cases than this runs all of them. */
const FEW = 24;
/** Forks whose rules for the precompile differ; by default the last one. */
const FORKS: ReadonlyMap<number, readonly string[]> = new Map([[0x05, ['istanbul', 'prague', 'osaka']]]);

const skip = LOADED_NATIVE_PRECOMPILES.bls === null ? LOADED_NATIVE_PRECOMPILES.reason : false;

for (const [number, cases] of HOSTILE_CASES) {
  for (const fork of FORKS.get(number) ?? ['osaka']) {
    void test(`precompile 0x${number.toString(16)} in ${fork}`, { skip }, async () => {
      const { accepted, refused, difference } = await findDifference(
        ETHEREUMJS_PRECOMPILES,
        [NATIVE_FIRST_PRECOMPILES],
        [fork, number],
        rounds(Math.max(FEW, cases / 10)),
        SEED,
      );
      assert.equal(difference, null);
      assert.ok(accepted > refused / 4 && refused > 0, `${accepted} accepted, ${refused} refused`);
    });
  }
}
