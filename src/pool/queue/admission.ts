// Decides which jobs are admitted to the queue, and how long they may wait there.
import type { Client } from '../../fairness/client-usage.js';
import type { UsageLedger } from '../../fairness/usage-ledger.js';
import { LIMITS } from '../../limits/index.js';
import type { PoolBounds } from '../pool-request-types.js';
import type { JobQueue } from './job-queue.js';
import type { JobsInFlight } from '../jobs-in-flight.js';
import { isAbandoned } from '../admitted-job.js';
import type { RefusalReason } from '../pool-request-types.js';

export interface AdmissionDeps {
  readonly ledger: UsageLedger;
  readonly queue: JobQueue;
  readonly jobs: JobsInFlight;
}

export class Admission {
  readonly #bounds: PoolBounds;
  readonly #deps: AdmissionDeps;
  /** Maximum expected worker time of one client's unanswered jobs. Beyond it, some would certainly wait too long. */
  readonly #owedMsMax: number;
  /** Earliest time of the next scan of the queue. */
  #nextCheckMs = -Infinity;
  #isOpen = true;

  constructor(bounds: PoolBounds, workers: number, deps: AdmissionDeps) {
    this.#bounds = bounds;
    this.#deps = deps;
    this.#owedMsMax = workers * bounds.queuedJobMsMax;
  }

  /** True if jobs are admitted at all. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  close(): void {
    this.#isOpen = false;
  }

  /** Returns why a job of `bytes` encoded bytes is refused; `null` if it is admitted. */
  refusal(client: Client, bytes: number): RefusalReason | null {
    const { ledger } = this.#deps;
    if (!this.#isOpen) return 'closed';
    if (!ledger.hasCapacity(bytes, this.#bounds)) return 'full';
    if (!ledger.isWithin(client, bytes, this.#bounds)) return 'share';
    return client.name !== null && client.owedMs > this.#owedMsMax ? 'time' : null;
  }

  /**
   * Cancels waiting jobs whose callers have gone away, and refuses jobs that have waited too long. This scans the whole
   * queue, so its rate is limited: scanning for every job that was refused under overload took a fifth of the main
   * thread's time.
   */
  sweep(nowMs: number): void {
    if (nowMs < this.#nextCheckMs) return;
    this.#nextCheckMs = nowMs + LIMITS.queuePollMs;
    const { queue, jobs } = this.#deps;
    const sinceMs = nowMs - this.#bounds.queuedJobMsMax;
    for (const job of queue.remove((each) => each.admittedMs < sinceMs || isAbandoned(each))) {
      if (isAbandoned(job)) jobs.cancel(job);
      else jobs.refuse(job, 'late');
    }
  }
}
