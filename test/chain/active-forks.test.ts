// Blob prices by fork, over consecutive blocks, and chain descriptions that differ in future forks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blobRules } from '../../src/chain/active-forks.js';
import { isSameChainUntil, type ChainDescription } from '../../src/chain/chain-description.js';
import { opChainAt } from '../execution/op/blocks.js';
import { chainAt } from '../support/jobs.js';

void test('a blob price does not depend on prices computed before it', () => {
  const chain = chainAt('cancun');
  const prices = (excesses: readonly bigint[]): bigint[] => {
    const rules = blobRules(chain, 0);
    return excesses.map((excess) => rules.blobBaseFee(excess));
  };
  // EIP-4844: e ** (excess / 3,338,477), rounded down.
  const excesses = [0n, 50_000_000n, 0n, 0n, 2_314_058n, 2_314_057n, 50_000_000n, 50_000_000n];
  assert.deepEqual(prices(excesses), [1n, 3_194_333n, 1n, 1n, 2n, 1n, 3_194_333n, 3_194_333n]);
});

/** The time up to which two descriptions agree. */
const until = (a: ChainDescription, b: ChainDescription): string =>
  [9n, 10n, 19n, 20n].filter((timestamp) => isSameChainUntil(a, b, timestamp)).join();

void test('descriptions are equal up to the first fork that only one of them has', () => {
  const cancun = chainAt('cancun');
  const withFork = (name: string, timestamp: number, target = 3): ChainDescription => ({
    ...cancun,
    forks: [...cancun.forks, { name, block: null, timestamp }],
    blobSchedule: { ...cancun.blobSchedule, [name]: { target, max: 9, baseFeeUpdateFraction: 1 } },
  });
  assert.equal(until(cancun, cancun), '9,10,19,20');
  assert.equal(until(cancun, withFork('prague', 10)), '9');
  assert.equal(until(withFork('prague', 10), withFork('osaka', 10)), '9');
  assert.equal(until(withFork('prague', 20), withFork('prague', 20, 4)), '9,10,19');
  assert.equal(until(withFork('prague', 10), withFork('prague', 20)), '9');
  assert.equal(until(cancun, { ...withFork('prague', 20), foreign: [] }), '');
  const op = opChainAt('granite');
  assert.equal(until(op, { ...op, op: { ...op.op!, holocene: 20 } }), '9,10,19');
  assert.equal(until(op, { ...op, op: { ...op.op!, elasticity: 7 } }), '');
});
