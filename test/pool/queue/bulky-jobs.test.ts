// Jobs with long data join the others one at a time for each client, where there is room. Runs on main.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BulkyJobs } from '../../../src/pool/queue/bulky-jobs.js';
import type { Client } from '../../../src/clients/client.js';
import { Ledger } from '../../../src/clients/ledger.js';
import type { PoolJob } from '../../../src/pool/pool-job.js';

const ledger = new Ledger();
const [A, B] = [ledger.of('a'), ledger.of('b')];

interface TestJob {
  readonly client: Client;
  readonly admittedMs: number;
  isAnswered: boolean;
}

/** Jobs of these clients, admitted at 0, 1, 2 and so on. */
function jobsOf(...clients: readonly Client[]): TestJob[] {
  return clients.map((client, admittedMs) => ({ client, admittedMs, isAnswered: false }));
}

function bulky(jobs: readonly TestJob[], mayHaveData: (client: Client) => boolean = () => true): BulkyJobs {
  const all = new BulkyJobs(mayHaveData);
  for (const job of jobs) all.add(job as PoolJob);
  return all;
}

void test('the next job of a client waits until the one before is answered', () => {
  const jobs = jobsOf(A, A, B);
  const waiting = bulky(jobs);
  assert.deepEqual(waiting.ready(), [jobs[0], jobs[2]]);
  assert.deepEqual([waiting.ready(), waiting.length], [[], 1]);
  jobs[0]!.isAnswered = true;
  assert.deepEqual(waiting.ready(), [jobs[1]]);
  assert.equal(waiting.length, 0);
  const [later] = jobsOf(A);
  waiting.add(later as PoolJob);
  assert.deepEqual(waiting.ready(), []);
  jobs[1]!.isAnswered = true;
  assert.deepEqual(waiting.ready(), [later]);
});

void test('a client for whose data there is no room waits, the others do not', () => {
  const full = new Set([A]);
  const jobs = jobsOf(A, B);
  const waiting = bulky(jobs, (client) => !full.has(client));
  assert.deepEqual(waiting.ready(), [jobs[1]]);
  full.clear();
  assert.deepEqual(waiting.ready(), [jobs[0]]);
});

void test('jobs that are too old or not wanted are removed', () => {
  const jobs = jobsOf(A, B, A);
  const waiting = bulky(jobs);
  assert.deepEqual(
    waiting.remove(({ admittedMs }) => admittedMs < 2),
    [jobs[0], jobs[1]],
  );
  assert.equal(waiting.length, 1);
  assert.deepEqual(waiting.ready(), [jobs[2]]);
});
