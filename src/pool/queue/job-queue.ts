// Jobs that wait for a worker, in one order: by when they are due. Runs on main.
//
//   due = admitted + expected cost + what the client has waiting and has used lately
//
// A flood waits behind itself, so that other clients find a worker; short jobs go before long ones that came with them; and what has
// waited goes before what comes later, so nothing starves. A job for which nobody has asked now is due a whole wait later.
// A job that is likely to have long data waits beside the order until there is room for it.

// Decision (2026-11, two cores): One order for jobs (`src/pool/queue/job-queue.ts`): due = admitted + expected cost +
// what the client has waiting and has used in the last second. A flood waits behind itself, short jobs go before long
// ones that came with them, what has waited goes before what comes later. The last worker is for short jobs (0.5 ms),
// for which it is kept while they come, of several clients, and others find another worker; what it takes has 20 ms,
// then it runs in full elsewhere. What a job is expected to take is what the same function of the same contract took
// before, or the last new kind of its client. Price: of two workers one has the longer jobs as long as others send
// short ones; a long job that nobody has seen is begun twice.
import { BulkyJobs } from './bulky-jobs.js';
import type { Client } from '../../clients/client.js';
import { isAlone, type PoolJob } from '../pool-job.js';

/** Questions of the queue. */
export interface JobQueueParts {
  /** True if the job is likely to have long data. */
  readonly isBulky: (job: PoolJob) => boolean;
  /** True if there is room for long data of a client. */
  readonly mayHaveData: (client: Client) => boolean;
  /** Worker time that a job is likely to take by what is known now, milliseconds. */
  readonly expectedMs: (job: PoolJob) => number;
}

/** Room of a worker. */
export interface Room {
  readonly jobs: number;
  /** Worker time that they may be expected to take, milliseconds; a single job may take more. */
  readonly ms: number;
  /** Jobs that are expected to take longer are not for this worker. */
  readonly longestMs: number;
}

/** The queue. Admission bounds it, by waiting and running jobs together. */
export class JobQueue {
  readonly #parts: JobQueueParts;
  /** The next job is the last item, as that is cheap to remove. */
  readonly #order: PoolJob[] = [];
  readonly #bulky: BulkyJobs;

  constructor(parts: JobQueueParts) {
    this.#parts = parts;
    this.#bulky = new BulkyJobs(parts.mayHaveData);
  }

  /** All jobs, those that wait for room included. */
  get length(): number {
    return this.ready + this.#bulky.length;
  }

  /** Jobs that a worker may have now. */
  get ready(): number {
    return this.#order.length;
  }

  /** Jobs that are expected to take no longer than that. */
  count(longestMs: number): number {
    return this.#order.filter((job) => this.#parts.expectedMs(job) <= longestMs).length;
  }

  /** Adds a new job. */
  push(job: PoolJob): void {
    if (this.#parts.isBulky(job)) this.#bulky.add(job);
    else this.putBack(job);
  }

  /** Lets jobs that are likely to have long data join the others where there is room for it. */
  letBulky(): void {
    if (this.#bulky.length === 0) return;
    for (const job of this.#bulky.ready()) this.putBack(job);
  }

  /** A job that comes back from a worker stands where it stood before. */
  putBack(job: PoolJob): void {
    let low = 0;
    let high = this.#order.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(job, this.#order[middle]!)) low = middle + 1;
      else high = middle;
    }
    this.#order.splice(low, 0, job);
  }

  /** Removes the next jobs that fit `room` and may share a task: they are of one table; a suspect and a long one go alone. */
  take({ jobs: most, ms: mostMs, longestMs }: Room): readonly PoolJob[] {
    const jobs: PoolJob[] = [];
    let sumMs = 0;
    for (let at = this.#order.length - 1; at >= 0 && jobs.length < most; at--) {
      const job = this.#order[at]!;
      const expectedMs = this.#parts.expectedMs(job);
      if (expectedMs > longestMs) continue;
      sumMs += expectedMs;
      if (jobs.length > 0 && (sumMs > mostMs || !mayShare(jobs[0]!, job))) break;
      this.#order.splice(at, 1);
      job.expectedMs = expectedMs;
      jobs.push(job);
    }
    return jobs;
  }

  /** Removes the jobs that match; asks about each once. */
  remove(matches: (job: PoolJob) => boolean): PoolJob[] {
    const all = this.#order.splice(0);
    const removed: PoolJob[] = [];
    for (const job of all) (matches(job) ? removed : this.#order).push(job);
    return [...removed, ...this.#bulky.remove(matches)];
  }
}

function isBefore(job: PoolJob, other: PoolJob): boolean {
  return job.dueMs < other.dueMs || (job.dueMs === other.dueMs && job.order < other.order);
}

function mayShare(first: PoolJob, job: PoolJob): boolean {
  return !isAlone(first) && !isAlone(job) && job.table === first.table;
}
