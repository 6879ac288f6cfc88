// Prices of blobs by the rules of a fork, asked about one block after another. Runs on main.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blobRules } from '../../src/chain/forks.js';
import { chainAt } from '../support/jobs.js';

void test('a price asked for between others is the same', () => {
  const chain = chainAt('cancun');
  const prices = (excesses: readonly bigint[]): bigint[] => {
    const rules = blobRules(chain, 0);
    return excesses.map((excess) => rules.blobBaseFee(excess));
  };
  // EIP-4844: e ** (excess / 3,338,477), rounded down.
  const excesses = [0n, 50_000_000n, 0n, 0n, 2_314_058n, 2_314_057n, 50_000_000n, 50_000_000n];
  assert.deepEqual(prices(excesses), [1n, 3_194_333n, 1n, 1n, 2n, 1n, 3_194_333n, 3_194_333n]);
});
