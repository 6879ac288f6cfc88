// Jobs that may wait, and for how long. Runs on main.
import type { Client } from '../../clients/client.js';
import type { Ledger } from '../../clients/ledger.js';
import { LIMITS } from '../../limits/index.js';
import type { PoolBounds } from '../bounds.js';
import type { JobQueue } from './job-queue.js';
import type { JobsInFlight } from '../jobs-in-flight.js';
import { isAbandoned } from '../pool-job.js';
import type { RefusalReason } from '../pool.js';

/** Parts that admission is built from. */
export interface AdmissionParts {
  readonly ledger: Ledger;
  readonly queue: JobQueue;
  readonly jobs: JobsInFlight;
}

/** Refuses jobs; which ones is said at RefusalReason. */
export class Admission {
  readonly #bounds: PoolBounds;
  readonly #parts: AdmissionParts;
  /** Worker time that the jobs of one client may be expected to take: with more some would wait too long for certain. */
  readonly #owedMsMax: number;
  /** When the queue is looked through again. */
  #nextLookMs = -Infinity;
  #isOpen = true;

  /** `workers`: that run the jobs. */
  constructor(bounds: PoolBounds, workers: number, parts: AdmissionParts) {
    this.#bounds = bounds;
    this.#parts = parts;
    this.#owedMsMax = workers * bounds.queuedJobMsMax;
  }

  /** True if jobs are admitted at all. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Refuses every job from now on. */
  close(): void {
    this.#isOpen = false;
  }

  /** Reason for which a job of `bytes` packed bytes is refused; `null` when it is not. */
  refusal(client: Client, bytes: number): RefusalReason | null {
    const { ledger } = this.#parts;
    if (!this.#isOpen) return 'closed';
    if (!ledger.hasRoom(bytes, this.#bounds)) return 'full';
    if (!ledger.isWithin(client, bytes, this.#bounds)) return 'share';
    return client.name !== null && client.owedMs > this.#owedMsMax ? 'time' : null;
  }

  /**
   * Ends waiting jobs that nobody waits for, and refuses those that have waited too long. Looks at all that waits, so once in a
   * while: for each job that is refused at an overload it took a fifth of main.
   */
  sweep(nowMs: number): void {
    if (nowMs < this.#nextLookMs) return;
    this.#nextLookMs = nowMs + LIMITS.queueLookMs;
    const { queue, jobs } = this.#parts;
    const sinceMs = nowMs - this.#bounds.queuedJobMsMax;
    for (const job of queue.remove((each) => each.admittedMs < sinceMs || isAbandoned(each))) {
      if (isAbandoned(job)) jobs.cancel(job);
      else jobs.refuse(job, 'late');
    }
  }
}
