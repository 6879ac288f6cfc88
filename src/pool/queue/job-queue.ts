// Jobs that wait for a worker, in one order: by when they are due. Runs on main.
//
//   due = admitted + expected cost + what the client has waiting and has used lately
//
// A flood waits behind itself, so that other clients find a worker; short jobs go before long ones that came with them; and what has
// waited goes before what comes later, so nothing starves. A job for which nobody has asked now is due a whole wait later.

// Decision (2026-11, two cores): One order for jobs (`src/pool/queue/job-queue.ts`): due = admitted + expected cost +
// what the client has waiting and has used in the last second. A flood waits behind itself, short jobs go before long
// ones that came with them, what has waited goes before what comes later. The last worker is for short jobs (0.5 ms),
// for which it is kept while they come, of several clients, and others find another worker; what it takes has 20 ms,
// then it runs in full elsewhere. What a job is expected to take is what the same function of the same contract took
// before, or the last new kind of its client; what is foreseen to be long by its bytes (foreseen-cost.ts) never gets
// there. Price: of two workers one has the longer jobs as long as others send short ones; a long job that nobody has
// seen is begun twice.
import { isAlone, type PoolJob } from '../pool-job.js';

/** Questions of the queue. */
export interface JobQueueParts {
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

  constructor(parts: JobQueueParts) {
    this.#parts = parts;
  }

  /** Jobs that wait. */
  get length(): number {
    return this.#order.length;
  }

  /** Jobs that are expected to take no longer than that. */
  count(longestMs: number): number {
    return this.#order.filter((job) => this.#parts.expectedMs(job) <= longestMs).length;
  }

  /** Adds a job; one that comes back from a worker stands where it stood before. */
  push(job: PoolJob): void {
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
    return removed;
  }
}

function isBefore(job: PoolJob, other: PoolJob): boolean {
  return job.dueMs < other.dueMs || (job.dueMs === other.dueMs && job.order < other.order);
}

function mayShare(first: PoolJob, job: PoolJob): boolean {
  return !isAlone(first) && !isAlone(job) && job.table === first.table;
}
