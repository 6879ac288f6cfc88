// How much heap jobs in flight leave behind once they are answered.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getHeapSpaceStatistics } from 'node:v8';
import type { Client } from '../../src/fairness/client-usage.js';
import { UsageLedger } from '../../src/fairness/usage-ledger.js';
import { collectYoungGarbage } from '../../src/lib/memory/garbage-collection.js';
import { PoolCounters } from '../../src/pool/pool-counters.js';
import { JobQueue } from '../../src/pool/queue/job-queue.js';
import { JobsInFlight } from '../../src/pool/jobs-in-flight.js';
import type { AdmittedJob } from '../../src/pool/admitted-job.js';
import { jobWith } from './jobs.js';

const IN_FLIGHT = 64;
const JOBS_A_COLLECTION = 6000;
const COLLECTIONS = 20;
const PACKED_BYTES = 200;
/** A job that is in flight during a minor collection is copied; of other jobs hardly anything is: 24 bytes, or 158. */
const BYTES_LEFT_MAX = 60;
const JOB = jobWith(new Uint8Array());

function oldSpaceBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')!.space_used_size;
}

/** Takes jobs from admission through the queue to their results, with `inFlight` of them at a time. */
class Flight {
  readonly #inFlight: number;
  readonly #jobs: JobsInFlight;
  readonly #client: Client;
  readonly #queue = new JobQueue(() => 0);
  readonly #running: AdmittedJob[] = [];
  #count = 0;

  constructor(inFlight: number) {
    this.#inFlight = inFlight;
    const ledger = new UsageLedger();
    const pin = { pin: () => true, unpin: () => undefined };
    this.#jobs = new JobsInFlight({ ledger, counts: new PoolCounters(), pinOn: () => pin });
    this.#jobs.setTable({ generation: 1, buffer: new SharedArrayBuffer(8) });
    this.#client = ledger.of('one');
  }

  run(): void {
    for (let i = 0; i < JOBS_A_COLLECTION; i++) {
      this.#queue.push(this.#admit());
      this.#running.push(...this.#queue.take({ jobs: 1, ms: Infinity, longestMs: Infinity }));
      if (this.#running.length >= this.#inFlight) {
        this.#jobs.answer(this.#running.shift()!, { kind: 'gas', gas: 21_000n });
      }
    }
    collectYoungGarbage();
  }

  #admit(): AdmittedJob {
    const packed = Buffer.alloc(PACKED_BYTES, `${this.#count++} `).toString('latin1');
    return this.#jobs.admit(
      JOB,
      { packed, client: this.#client, costKey: 1, owedMs: 1, dueMs: this.#count, isLong: false },
      undefined,
      0,
    );
  }
}

for (const inFlight of [1, IN_FLIGHT]) {
  test(`answered jobs do not survive a minor garbage collection, with ${inFlight} in flight`, () => {
    const flight = new Flight(inFlight);
    for (let i = 0; i < 10; i++) flight.run();
    // Memory freed by a full collection in the meantime does not count.
    let moved = 0;
    for (let i = 0; i < COLLECTIONS; i++) {
      const before = oldSpaceBytes();
      flight.run();
      moved += Math.max(0, oldSpaceBytes() - before);
    }
    const movedPerJob = moved / (COLLECTIONS * JOBS_A_COLLECTION);
    assert.ok(movedPerJob < BYTES_LEFT_MAX, `${movedPerJob.toFixed(0)} bytes of each job outlast it`);
  });
}

/** Jobs in flight, and a function that admits one with these bytes. */
function createFlight(): { readonly jobs: JobsInFlight; readonly admit: (packed: string) => AdmittedJob } {
  const ledger = new UsageLedger();
  const pin = { pin: () => true, unpin: () => undefined };
  const jobs = new JobsInFlight({ ledger, counts: new PoolCounters(), pinOn: () => pin });
  const admit = (packed: string): AdmittedJob =>
    jobs.admit(
      JOB,
      { packed, client: ledger.of(undefined), costKey: 1, owedMs: 1, dueMs: 0, isLong: false },
      undefined,
      0,
    );
  return { jobs, admit };
}

test('equal jobs in flight are merged, and answered ones are forgotten however many there were', () => {
  const { jobs, admit } = createFlight();
  const long = Array.from({ length: 300 }, (_, at) => admit(`long ${at}`));
  for (let at = 0; at < 2000; at++) {
    const job = admit(`short ${at % 700}`);
    assert.equal(jobs.join(`short ${at % 700}`, undefined), job.answer);
    jobs.answer(job, { kind: 'gas', gas: 21_000n });
    assert.equal(jobs.join(`short ${at % 700}`, undefined), null);
    assert.equal(jobs.join(`long ${at % 300}`, undefined), long[at % 300]!.answer);
  }
});

test('a job is the lone one until another is admitted or a caller joins it, and again once none is in flight', () => {
  const { jobs, admit } = createFlight();
  const first = admit('one');
  assert.ok(jobs.isLone);
  const second = admit('two');
  assert.ok(!jobs.isLone);
  jobs.answer(second, { kind: 'gas', gas: 21_000n });
  assert.ok(jobs.isLone);
  void jobs.join('one', undefined);
  assert.ok(!jobs.isLone);
  jobs.answer(first, { kind: 'gas', gas: 21_000n });
  admit('one');
  assert.ok(jobs.isLone);
});
