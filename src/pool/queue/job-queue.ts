// Jobs that wait for a worker thread, sorted by due time.
//
//   due = admission + expected cost + expected cost of the client's unanswered jobs + its recent worker time
//
// A client that sends very many jobs delays mostly itself, so that other clients find a worker. Short jobs go before
// long jobs that arrived at the same time. A job that has waited goes before jobs that arrive later, so that no job
// waits for ever. A watched call, for which no client is waiting, is due LIMITS.queuedJobMsMax later.

// All jobs are in one queue, whatever their length. See DECISIONS.md.
import { mustRunAlone, type AdmittedJob } from '../admitted-job.js';

/** How many jobs, and which, a worker may get at the moment. */
export interface WorkerCapacity {
  readonly jobs: number;
  /** Maximum sum of the jobs' expected worker times, in milliseconds. A single job may exceed it. */
  readonly ms: number;
  /** Maximum expected time of one job for this worker, in milliseconds. */
  readonly longestMs: number;
}

/** The queue of waiting jobs. Admission bounds the number of waiting and running jobs together. */
export class JobQueue {
  readonly #expectedMs: (job: AdmittedJob) => number;
  /** Jobs in reverse order: the next job is the last item, which is cheapest to remove. */
  readonly #order: AdmittedJob[] = [];

  /** `expectedMs` returns the worker time in milliseconds that a job is expected to take, by what is known now. */
  constructor(expectedMs: (job: AdmittedJob) => number) {
    this.#expectedMs = expectedMs;
  }

  get length(): number {
    return this.#order.length;
  }

  /** Returns the number of jobs whose expected time is at most `longestMs`. */
  count(longestMs: number): number {
    return this.#order.filter((job) => this.#expectedMs(job) <= longestMs).length;
  }

  /** Returns the number of next jobs that together are expected to take at most `ms` milliseconds; at most `most`. */
  firstWithin(ms: number, most: number): number {
    let sumMs = 0;
    let count = 0;
    for (let at = this.#order.length - 1; at >= 0 && count < most; at--, count++) {
      sumMs += this.#expectedMs(this.#order[at]!);
      if (sumMs > ms) break;
    }
    return count;
  }

  /** Adds a job. A job that returns from a worker without a result gets its old position. */
  push(job: AdmittedJob): void {
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
   * Removes and returns the next jobs that fit this capacity and may share a task: jobs of one state table. A job that
   * must run alone is returned alone.
   */
  take({ jobs: most, ms: mostMs, longestMs }: WorkerCapacity): readonly AdmittedJob[] {
    const jobs: AdmittedJob[] = [];
    let sumMs = 0;
    for (let at = this.#order.length - 1; at >= 0 && jobs.length < most; at--) {
      const job = this.#order[at]!;
      const expectedMs = this.#expectedMs(job);
      if (expectedMs > longestMs) continue;
      sumMs += expectedMs;
      if (jobs.length > 0 && (sumMs > mostMs || !mayShare(jobs[0]!, job))) break;
      this.#order.splice(at, 1);
      job.expectedMs = expectedMs;
      jobs.push(job);
    }
    return jobs;
  }

  /** Removes and returns the jobs for which `matches` returns true. It is called once for each job. */
  remove(matches: (job: AdmittedJob) => boolean): AdmittedJob[] {
    const all = this.#order.splice(0);
    const removed: AdmittedJob[] = [];
    for (const job of all) (matches(job) ? removed : this.#order).push(job);
    return removed;
  }
}

function isBefore(job: AdmittedJob, other: AdmittedJob): boolean {
  return job.dueMs < other.dueMs || (job.dueMs === other.dueMs && job.order < other.order);
}

function mayShare(first: AdmittedJob, job: AdmittedJob): boolean {
  return !mustRunAlone(first) && !mustRunAlone(job) && job.table === first.table;
}
