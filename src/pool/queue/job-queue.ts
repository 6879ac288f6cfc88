// Jobs that wait for a worker, sorted by when they are due.
//
//   due = admission + expected cost + the client's waiting jobs + its recent worker time
//
// A client that sends very many jobs delays mostly itself, so that other clients find a worker. Short jobs go before
// long jobs that came with them. Jobs that have waited go before those that come later, so that no job waits for ever.
// A watched call, for which no client is waiting, is due one full waiting time later.

// All jobs are in one order. See DECISIONS.md.
import { mustRunAlone, type PoolJob } from '../pool-job.js';

export interface JobQueueDeps {
  /** Worker time in milliseconds that a job is now expected to take. */
  readonly expectedMs: (job: PoolJob) => number;
}

/** The jobs that a worker may get. */
export interface WorkerCapacity {
  readonly jobs: number;
  /** Sum of the jobs' expected worker time in milliseconds. A single job may exceed it. */
  readonly ms: number;
  /** Longest expected time of a job for this worker, in milliseconds. */
  readonly longestMs: number;
}

/** The queue. Admission bounds the sum of waiting and running jobs. */
export class JobQueue {
  readonly #deps: JobQueueDeps;
  /** Sorted so that the next job is the last item, which is cheapest to remove. */
  readonly #order: PoolJob[] = [];

  constructor(deps: JobQueueDeps) {
    this.#deps = deps;
  }

  get length(): number {
    return this.#order.length;
  }

  /** Number of jobs whose expected time is at most `longestMs`. */
  count(longestMs: number): number {
    return this.#order.filter((job) => this.#deps.expectedMs(job) <= longestMs).length;
  }

  /** How many of the next jobs are expected to take `ms` milliseconds in total, at most `most`. */
  firstWithin(ms: number, most: number): number {
    let sumMs = 0;
    let count = 0;
    for (let at = this.#order.length - 1; at >= 0 && count < most; at--, count++) {
      sumMs += this.#deps.expectedMs(this.#order[at]!);
      if (sumMs > ms) break;
    }
    return count;
  }

  /** Adds a job. A job that comes back from a worker gets its old position. */
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

  /** The next jobs for this capacity that may share a task: of one table. A suspect or large job is alone. */
  take({ jobs: most, ms: mostMs, longestMs }: WorkerCapacity): readonly PoolJob[] {
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

  /** Removes the jobs that match. `matches` is called once for each job. */
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
  return !mustRunAlone(first) && !mustRunAlone(job) && job.table === first.table;
}
