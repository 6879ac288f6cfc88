// The cost history of jobs: what is remembered about which kind of job.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Job } from '../../../src/transaction/evm-job.js';
import { LIMITS } from '../../../src/limits/index.js';
import { CostHistory } from '../../../src/pool/queue/cost-history.js';
import { jobWith } from '../jobs.js';

/** A job that calls this function of this contract; `null` creates a contract. */
function calling(to: number | null, selector: number, more: Partial<Job> = {}): Job {
  const { call, ...job } = jobWith(Uint8Array.of(selector, 0, 0, 0, 9), more);
  return { ...job, call: { ...call, to: to === null ? null : new Uint8Array(20).fill(to) } };
}

void test('the cost of a function is unknown until it was called, then known for any arguments', () => {
  const costs = new CostHistory();
  const [slow, fast] = [calling(1, 1), calling(1, 2)].map((job) => costs.keyOf(job));
  assert.equal(costs.expectedMs(slow!), null);
  for (let call = 0; call < 9; call++) costs.record(slow!, 1000);
  for (let call = 0; call < 9; call++) costs.record(fast!, 0.1);
  assert.ok(costs.expectedMs(slow!)! > 500);
  assert.ok(costs.expectedMs(fast!)! < 0.2);
  assert.equal(costs.expectedMs(costs.keyOf(calling(1, 3))), null);
  assert.equal(costs.expectedMs(costs.keyOf(calling(2, 1))), null);
  const longer = jobWith(Uint8Array.of(1, 0, 0, 0, 8, 7, 6), {});
  const same = { ...longer, call: { ...longer.call, to: new Uint8Array(20).fill(1) } };
  assert.equal(costs.keyOf(same), slow);
});

void test('an interrupted run hardly changes a known cost; a failed trial sets an unknown one', () => {
  const costs = new CostHistory();
  const [unlucky, long] = [costs.keyOf(calling(1, 1)), costs.keyOf(calling(2, 1))];
  costs.record(unlucky, 0.1);
  costs.record(unlucky, 16);
  assert.ok(costs.expectedMs(unlucky)! < 2);
  costs.recordTrial(long, LIMITS.trialMs);
  assert.equal(costs.expectedMs(long), LIMITS.trialMs);
  costs.recordTrial(unlucky, LIMITS.trialMs);
  assert.ok(costs.expectedMs(unlucky)! < LIMITS.trialMs / 2, 'one long call does not make long what was short before');
});

void test('a kind that is long once and short many times counts as long for a while, not for ever', () => {
  const costs = new CostHistory();
  const key = costs.keyOf(calling(1, 1));
  costs.record(key, 5000);
  for (let call = 0; call < 10; call++) costs.record(key, 0.1);
  assert.ok(costs.expectedMs(key)! > LIMITS.trialMs);
  for (let call = 0; call < 50; call++) costs.record(key, 0.1);
  assert.ok(costs.expectedMs(key)! < LIMITS.shortJobMs);
});

void test("code in a job's state override counts as the code of its contract", () => {
  const costs = new CostHistory();
  const over = (address: number, code: number, selector = 1): Job =>
    calling(address, selector, {
      stateOverride: [{ address: new Uint8Array(20).fill(address), code: Uint8Array.of(code) }],
    });
  const key = costs.keyOf(over(1, 7));
  assert.equal(costs.keyOf(over(2, 7, 5)), key, 'at any address, with any function');
  assert.notEqual(costs.keyOf(over(1, 8)), key);
  assert.notEqual(costs.keyOf(calling(1, 1)), key);
  assert.equal(costs.keyOf(calling(null, 1)), costs.keyOf(calling(null, 1)));
});

void test('new keys replace the oldest ones', () => {
  const costs = new CostHistory();
  const keys = Array.from({ length: 3 * LIMITS.costsKeptMax }, (_, key) => key + 1);
  for (const key of keys) costs.record(key, 1);
  assert.equal(costs.expectedMs(keys.at(-1)!), 0.5);
  assert.equal(costs.expectedMs(keys[0]!), null);
});
