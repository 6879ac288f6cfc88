// The order of waiting jobs, and which of them are dequeued together.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageLedger } from '../../../src/fairness/usage-ledger.js';
import { LIMITS } from '../../../src/limits/index.js';
import { SharedMemoryJob } from '../../../src/pool/packed-job.js';
import { JobQueue, type WorkerCapacity } from '../../../src/pool/queue/job-queue.js';
import type { AdmittedJob } from '../../../src/pool/admitted-job.js';
import type { TableRef } from '../../../src/pool/pool-request-types.js';

const TABLE: TableRef = { generation: 1, buffer: new SharedArrayBuffer(8) };
const LATER: TableRef = { generation: 2, buffer: new SharedArrayBuffer(8) };
const ALL: WorkerCapacity = { jobs: 99, ms: Infinity, longestMs: Infinity };
const ONE: WorkerCapacity = { ...ALL, jobs: 1 };

const client = new UsageLedger().of(undefined);
let clock = 0;

/** A job that is newer than all previous ones, and due at once. */
function job(packed: string, more: Partial<AdmittedJob> = {}): AdmittedJob {
  clock += 1;
  return {
    packed,
    table: TABLE,
    client,
    costKey: 1,
    order: clock,
    admittedMs: clock,
    dueMs: clock,
    release: () => undefined,
    timeoutMs: 1,
    answer: Promise.resolve({ kind: 'gas', gas: 0n } as const),
    settle: () => undefined,
    callers: null,
    isShared: false,
    failures: 0,
    isLong: false,
    limitMs: 0,
    owedMs: 0,
    expectedMs: 0,
    isAnswered: false,
    ...more,
  };
}

function nameOf({ packed }: AdmittedJob): string {
  return typeof packed === 'string' ? packed : 'long';
}

/** A queue whose expected run times are in the jobs' names: `5 a` takes 5 ms. */
function queueOf(
  jobs: readonly AdmittedJob[],
  expectedMs = (each: AdmittedJob) => Number.parseFloat(nameOf(each)) || 0,
): JobQueue {
  const queue = new JobQueue(expectedMs);
  for (const one of jobs) queue.push(one);
  return queue;
}

function names(jobs: readonly AdmittedJob[]): string {
  return jobs.map(nameOf).join(' ');
}

/** Dequeues all jobs, for a worker with this capacity each time. */
function dequeueAll(queue: JobQueue, room = ALL): string[] {
  const groups: string[] = [];
  for (let jobs = queue.take(room); jobs.length > 0; jobs = queue.take(room)) groups.push(names(jobs));
  return groups;
}

void test('jobs are dequeued by due time, and by age when due together', () => {
  const queue = queueOf([
    job('c', { dueMs: 9 }),
    job('a', { dueMs: 1 }),
    job('d', { dueMs: 9 }),
    job('b', { dueMs: 5 }),
  ]);
  assert.deepEqual(dequeueAll(queue, ONE), ['a', 'b', 'c', 'd']);
});

void test('as many jobs are dequeued as requested; those pushed back regain their position', () => {
  const queue = queueOf([job('a'), job('b'), job('c'), job('d')]);
  const jobs = queue.take({ ...ALL, jobs: 3 });
  assert.equal(names(jobs), 'a b c');
  for (const one of jobs.slice(1).toReversed()) queue.push(one);
  assert.equal(queue.length, 3);
  assert.deepEqual(dequeueAll(queue), ['b c d']);
});

void test('jobs dequeued together fit the expected time, but at least one is dequeued', () => {
  const queue = queueOf(['2 a', '2 b', '2 c', '9 d', '1 e'].map((name) => job(name)));
  assert.deepEqual(dequeueAll(queue, { ...ALL, ms: 4 }), ['2 a 2 b', '2 c', '9 d', '1 e']);
});

void test('a worker for short jobs skips longer ones, by the cost known when it dequeues', () => {
  const known = new Map<string, number>();
  const queue = queueOf([job('a'), job('b'), job('c')], (each) => known.get(nameOf(each)) ?? 0);
  known.set('a', 2).set('b', 2);
  assert.equal(queue.count(1), 1);
  const short = { ...ALL, longestMs: 1 };
  assert.deepEqual(dequeueAll(queue, short), ['c']);
  known.set('b', 0);
  assert.deepEqual(dequeueAll(queue, short), ['b']);
  const [left] = queue.take(ALL);
  assert.equal(left!.expectedMs, 2);
});

void test('a job that may have killed its worker gets a task of its own', () => {
  const queue = queueOf([job('a', { failures: 1 }), job('b'), job('c', { failures: 1 }), job('d')]);
  assert.deepEqual(dequeueAll(queue), ['a', 'b', 'c', 'd']);
});

void test('jobs of different tables do not share a task', () => {
  const queue = queueOf([job('a'), job('b'), job('c', { table: LATER }), job('d', { table: LATER }), job('e')]);
  assert.deepEqual(dequeueAll(queue), ['a b', 'c d', 'e']);
});

void test('a long job gets a task of its own', () => {
  const long = new SharedMemoryJob(new SharedArrayBuffer(2 * LIMITS.longJobBytesMin), LIMITS.longJobBytesMin);
  const queue = queueOf([job('a'), job('b', { packed: long }), job('c')]);
  assert.deepEqual(dequeueAll(queue), ['a', 'long', 'c']);
});

void test('jobs that match a condition are removed', () => {
  const queue = queueOf([job('a'), job('c'), job('b')]);
  assert.equal(names(queue.remove((each) => nameOf(each) !== 'a').toReversed()), 'c b');
  assert.deepEqual(dequeueAll(queue), ['a']);
});

void test('how many of the next jobs fit a time', () => {
  const queue = queueOf([job('0.1 a'), job('0.1 b'), job('1 c'), job('0.1 d')]);
  assert.equal(queue.firstWithin(0.05, 8), 0);
  assert.equal(queue.firstWithin(0.15, 8), 1);
  assert.equal(queue.firstWithin(0.5, 8), 2, 'the third takes longer');
  assert.equal(queue.firstWithin(5, 8), 4, 'there are no more');
  assert.equal(queue.firstWithin(5, 3), 3);
});
