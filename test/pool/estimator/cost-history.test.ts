// What is remembered of jobs' costs, and the classes that follow. Runs on main.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Job } from '../../../src/transaction/call-request.js';
import { LIMITS } from '../../../src/limits.js';
import { CostHistory } from '../../../src/pool/estimator/cost-history.js';
import { jobWith } from './jobs.js';

/** A job that calls this function of this contract; `null` creates one. */
function calling(to: number | null, selector: number, more: Partial<Job> = {}): Job {
  const { call, ...job } = jobWith(Uint8Array.of(selector, 0, 0, 0, 9), more);
  return { ...job, call: { ...call, to: to === null ? null : new Uint8Array(20).fill(to) } };
}

void test('a function that was never called is untried; a known one is known with any arguments', () => {
  const costs = new CostHistory();
  const [slow, fast] = [calling(1, 1), calling(1, 2)].map((job) => costs.keyOf(job));
  assert.equal(costs.classOf(slow!), 'untried');
  for (let call = 0; call < 9; call++) costs.record(slow!, 1000);
  for (let call = 0; call < 9; call++) costs.record(fast!, 0.1);
  assert.equal(costs.classOf(slow!), 'dear');
  assert.equal(costs.classOf(fast!), 'cheap');
  assert.equal(costs.classOf(costs.keyOf(calling(1, 3))), 'untried');
  assert.equal(costs.classOf(costs.keyOf(calling(2, 1))), 'untried');
  const longer = jobWith(Uint8Array.of(1, 0, 0, 0, 8, 7, 6), {});
  const same = { ...longer, call: { ...longer.call, to: new Uint8Array(20).fill(1) } };
  assert.equal(costs.keyOf(same), slow);
});

void test('one interrupted run does not make a job dear, a failed trial of a new kind does', () => {
  const costs = new CostHistory();
  const [unlucky, dear] = [costs.keyOf(calling(1, 1)), costs.keyOf(calling(2, 1))];
  costs.record(unlucky, 0.1);
  costs.record(unlucky, 200);
  assert.equal(costs.classOf(unlucky), 'cheap');
  costs.recordTrial(dear, LIMITS.trialMs);
  assert.equal(costs.classOf(dear), 'dear');
  costs.recordTrial(unlucky, LIMITS.trialMs);
  assert.equal(costs.classOf(unlucky), 'cheap', 'one dear call does not make dear what was cheap before');
});

void test('a job that is dear once and cheap many times stays dear for a while, not for ever', () => {
  const costs = new CostHistory();
  const key = costs.keyOf(calling(1, 1));
  costs.record(key, 5000);
  for (let call = 0; call < 10; call++) costs.record(key, 0.1);
  assert.equal(costs.classOf(key), 'dear');
  for (let call = 0; call < 50; call++) costs.record(key, 0.1);
  assert.equal(costs.classOf(key), 'cheap');
});

void test('code that a job brings along counts as its contract', () => {
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

void test('the newest keys replace older ones', () => {
  const costs = new CostHistory();
  const keys = Array.from({ length: 3 * LIMITS.costsKeptMax }, (_, key) => key + 1);
  for (const key of keys) costs.record(key, 1);
  assert.equal(costs.expectedMs(keys.at(-1)!), 0.5);
  assert.equal(costs.expectedMs(keys[0]!), null);
});

void test('what had long data is likely to have it again, until it has not', () => {
  const costs = new CostHistory();
  const key = costs.keyOf(calling(1, 1));
  assert.equal(costs.isBulky(key), null);
  costs.record(key, 1);
  assert.equal(costs.isBulky(key), false);
  for (const isBulky of [true, false]) {
    costs.recordData(key, isBulky);
    assert.equal(costs.isBulky(key), isBulky);
  }
});
