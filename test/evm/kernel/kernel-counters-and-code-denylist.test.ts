// Counters shared by threads: counts add up, and a code denylisted on one thread is denylisted on all.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KernelCounters } from '../../../src/evm/kernel/kernel-counters-and-code-denylist.js';
import { LIMITS } from '../../../src/limits/index.js';

const hash = (number: number): Uint8Array => new Uint8Array(32).fill(0xee).fill(number, 31);

test('counts of several threads add up', () => {
  const main = new KernelCounters();
  const others = [new KernelCounters(main.buffer), new KernelCounters(main.buffer)];
  for (const other of others) other.add('executions');
  assert.equal(main.add('executions'), 3);
  others[0]!.add('moved-precompile');
  assert.equal(main.count('executions'), 3);
  assert.deepEqual(Object.fromEntries(main.fallbacks()), {
    fork: 0,
    bounds: 0,
    'moved-precompile': 1,
    denylisted: 0,
    full: 0,
    trap: 0,
    memory: 0,
  });
  assert.deepEqual([main.count('checks'), main.count('skipped'), main.count('mismatches')], [0, 0, 0]);
});

test('counts continue beyond 32 bits', () => {
  const counters = new KernelCounters();
  for (let times = 0; times < 5; times++) counters.add('traces', 2 ** 30);
  assert.equal(counters.count('traces'), 5 * 2 ** 30);
  assert.equal(counters.add('traces', 3), 5 * 2 ** 30 + 3);
  assert.deepEqual([counters.count('executions'), counters.count('memory')], [0, 0]);
});

test('code is denylisted by its whole hash, once, on every thread', () => {
  const main = new KernelCounters();
  const other = new KernelCounters(main.buffer);
  assert.ok(!other.isDenylisted(hash(0)));
  for (const number of [1, 2, 1]) main.denylist(hash(number));
  assert.equal(other.denylisted, 2);
  assert.ok(other.isDenylisted(hash(1)) && other.isDenylisted(hash(2)));
  assert.ok(!other.isDenylisted(hash(3)));
  assert.ok(!other.isDenylisted(new Uint8Array(32)));
});

test('when the denylist is full, all code is denylisted', () => {
  const counters = new KernelCounters();
  for (let number = 0; number < LIMITS.denylistedCodesMax; number++) counters.denylist(hash(number));
  assert.ok(!counters.isDenylisted(hash(200)));
  counters.denylist(hash(200));
  assert.ok(counters.isDenylisted(hash(200)) && counters.isDenylisted(hash(201)));
  counters.denylist(hash(202));
  assert.equal(counters.denylisted, LIMITS.denylistedCodesMax);
});
