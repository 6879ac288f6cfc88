// Jobs that wait for a worker, ordered by when they are due.
//
//   due = admitted + expected cost + what the client has waiting and has used lately
//
// A flood waits behind itself, so that other clients find a worker; short jobs go before long ones that came with them;
// and what has waited goes before what comes later, so nothing starves. A job that no caller has requested now is due
// one full waiting time later.

// Jobs have one order (`src/pool/queue/job-queue.ts`): due = admitted + expected cost + what the client has waiting and
// has used in the last second. See DECISIONS.md.
import { isUnshared, type PoolJob } from '../pool-job.js';

/** What the queue depends on. */
export interface JobQueueDeps {
  /** Worker time that a job is currently expected to take, milliseconds. */
  readonly expectedMs: (job: PoolJob) => number;
}

/** Capacity of a worker. */
export interface QueueCapacity {
  readonly jobs: number;
  /** Sum of the jobs' expected worker time, milliseconds; a single job may exceed it. */
  readonly ms: number;
  /** Longest expected time of a job for this worker. */
  readonly longestMs: number;
}

/** The queue. Admission bounds it, by the sum of waiting and running jobs. */
export class JobQueue {
  readonly #deps: JobQueueDeps;
  /** Sorted so that the next job is the last item, which is cheap to remove. */
  readonly #order: PoolJob[] = [];

  constructor(deps: JobQueueDeps) {
    this.#deps = deps;
  }

  /** Number of waiting jobs. */
  get length(): number {
    return this.#order.length;
  }

  /** Number of jobs whose expected time is at most `longestMs`. */
  count(longestMs: number): number {
    return this.#order.filter((job) => this.#deps.expectedMs(job) <= longestMs).length;
  }

  /** How many of the next jobs, `most` at most, are expected to take so many milliseconds in all. */
  firstWithin(ms: number, most: number): number {
    let sumMs = 0;
    let count = 0;
    for (let at = this.#order.length - 1; at >= 0 && count < most; at--, count++) {
      sumMs += this.#deps.expectedMs(this.#order[at]!);
      if (sumMs > ms) break;
    }
    return count;
  }

  /** Adds a job; one that comes back from a worker gets its old position. */
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

  /**
   * Removes the next jobs that fit `room` and may share a task: all of one table; a suspect and a long job go alone.
   */
  take({ jobs: most, ms: mostMs, longestMs }: QueueCapacity): readonly PoolJob[] {
    const jobs: PoolJob[] = [];
    let sumMs = 0;
    for (let at = this.#order.length - 1; at >= 0 && jobs.length < most; at--) {
      const job = this.#order[at]!;
      const expectedMs = this.#deps.expectedMs(job);
      if (expectedMs > longestMs) continue;
      sumMs += expectedMs;
      if (jobs.length > 0 && (sumMs > mostMs || !mayShare(jobs[0]!, job))) break;
      this.#order.splice(at, 1);
      job.expectedMs = expectedMs;
      jobs.push(job);
    }
    return jobs;
  }

  /** Removes the jobs that match; calls `matches` once for each. */
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
  return !isUnshared(first) && !isUnshared(job) && job.table === first.table;
}
