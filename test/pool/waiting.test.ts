// Which waiting jobs share a task. Runs on main.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Asker } from '../../src/pool/pool.js';
import type { TableRef } from '../../src/pool/task.js';
import { type PoolJob, Waiting } from '../../src/pool/waiting.js';

const TABLE: TableRef = { generation: 1, buffer: new SharedArrayBuffer(8) };
const LATER: TableRef = { generation: 2, buffer: new SharedArrayBuffer(8) };

function job(packed: string, more: Partial<PoolJob> = {}): PoolJob {
  const answer = Promise.resolve({ kind: 'gas', gas: 0n } as const);
  const ends = { release: () => undefined, settle: () => undefined };
  return { packed, table: TABLE, admittedMs: 0, timeoutMs: 1, answer, ...ends, askers: null, failures: 0, ...more };
}

function waitingFor(...jobs: PoolJob[]): Waiting {
  const waiting = new Waiting();
  for (const one of jobs) waiting.push(one);
  return waiting;
}

function names(jobs: readonly PoolJob[]): string {
  return jobs.map(({ packed }) => packed).join('');
}

void test('jobs leave in order, as many as are asked for; those put back go first', () => {
  const waiting = waitingFor(job('a'), job('b'), job('c'), job('d'));
  const taken = waiting.take(3);
  assert.equal(names(taken), 'abc');
  waiting.putBack(taken.slice(1));
  assert.equal(waiting.length, 3);
  assert.equal(names(waiting.take(9)), 'bcd');
  assert.equal(names(waiting.take(9)), '');
});

void test('a suspect has a task of its own, wherever it stands', () => {
  const waiting = waitingFor(job('a', { failures: 1 }), job('b'), job('c', { failures: 1 }), job('d'));
  const tasks = [1, 2, 3, 4].map(() => names(waiting.take(9)));
  assert.deepEqual(tasks, ['a', 'b', 'c', 'd']);
});

void test('jobs of different tables do not share a task', () => {
  const waiting = waitingFor(job('a'), job('b'), job('c', { table: LATER }), job('d', { table: LATER }), job('e'));
  const tasks = [1, 2, 3].map(() => names(waiting.take(9)));
  assert.deepEqual(tasks, ['ab', 'cd', 'e']);
});

void test('a job is abandoned when all who asked for it are gone', () => {
  const here: Asker = { aborted: false };
  const gone: Asker = { aborted: true };
  const waiting = waitingFor(
    job('a', { askers: [gone, gone] }),
    job('b', { askers: [gone, here] }),
    job('c'),
    job('d', { askers: [gone] }),
  );
  assert.equal(names(waiting.takeAbandoned()), 'ad');
  assert.equal(names(waiting.takeAbandoned()), '');
  assert.equal(names(waiting.takeAll()), 'bc');
});

void test('what came too long ago is taken out of the front', () => {
  const waiting = waitingFor(...[3, 5, 8, 9].map((admittedMs) => job(`${admittedMs}`, { admittedMs })));
  assert.equal(names(waiting.takeOlder(3)), '');
  assert.equal(names(waiting.takeOlder(8)), '35');
  assert.equal(names(waiting.takeAll()), '89');
});
