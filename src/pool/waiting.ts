// Jobs that wait for a worker, in order. Runs on main.
import type { Outcome } from '../evm/call.js';
import type { Asker } from './pool.js';
import type { TableRef } from './task.js';

/** A job in the pool's hands. */
export interface PoolJob {
  /** Packed bytes as a string of Latin-1: the key of the jobs in flight, copied to a task in 0.1 us. */
  readonly packed: string;
  readonly table: TableRef | null;
  /** `performance.now()` when it came. */
  readonly admittedMs: number;
  /** Ends the pin on its version. */
  readonly release: () => void;
  readonly timeoutMs: number;
  readonly answer: Promise<Outcome>;
  readonly settle: (outcome: Outcome) => void;
  /** Those who wait for it; `null` when one of them cannot go. */
  askers: Asker[] | null;
  /** Tasks that failed with this job as their suspect. */
  failures: number;
}

/** The queue. Bounded by the pool, which counts waiting and running jobs together. */
export class Waiting {
  #jobs: PoolJob[] = [];

  get length(): number {
    return this.#jobs.length;
  }

  push(job: PoolJob): void {
    this.#jobs.push(job);
  }

  /** Jobs that come back from a worker go first, as they have waited longest. */
  putBack(jobs: readonly PoolJob[]): void {
    this.#jobs.unshift(...jobs);
  }

  /** The next at most `most` jobs that may share a task: of one table; a suspect goes alone. */
  take(most: number): PoolJob[] {
    const first = this.#jobs[0];
    const end = first === undefined ? 0 : first.failures > 0 ? 1 : this.#together(first, most);
    return this.#jobs.splice(0, end);
  }

  /** Takes out what nobody waits for. */
  takeAbandoned(): PoolJob[] {
    const abandoned = this.#jobs.filter(isAbandoned);
    if (abandoned.length > 0) this.#jobs = this.#jobs.filter((job) => !isAbandoned(job));
    return abandoned;
  }

  /** Takes out what came before `sinceMs`: the front of the queue, where the oldest jobs are. */
  takeOlder(sinceMs: number): PoolJob[] {
    let end = 0;
    while (end < this.#jobs.length && this.#jobs[end]!.admittedMs < sinceMs) end++;
    return this.#jobs.splice(0, end);
  }

  takeAll(): PoolJob[] {
    return this.#jobs.splice(0);
  }

  #together(first: PoolJob, most: number): number {
    const size = Math.min(most, this.#jobs.length);
    for (let at = 1; at < size; at++) {
      const job = this.#jobs[at]!;
      if (job.failures > 0 || job.table !== first.table) return at;
    }
    return size;
  }
}

function isAbandoned({ askers }: PoolJob): boolean {
  return askers !== null && askers.every((asker) => asker.aborted);
}
