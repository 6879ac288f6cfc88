// Which jobs may wait, and which may still run when their turn has come. Runs on main.
import { LIMITS } from '../../limits.js';
import type { PoolBounds } from './bounds.js';
import type { Client, ClientShares } from './client-shares.js';
import type { QueueClass } from './cost-history.js';
import type { JobQueue } from './job-queue.js';
import type { JobsInFlight } from './jobs-in-flight.js';
import { isAbandoned, type PoolJob } from './pool-job.js';
import type { RefusalReason } from './pool.js';

/** What admission is built from. */
export interface AdmissionParts {
  readonly shares: ClientShares;
  readonly queue: JobQueue;
  readonly jobs: JobsInFlight;
}

/** Refuses jobs; which ones is said at RefusalReason. */
export class Admission {
  readonly #bounds: PoolBounds;
  readonly #parts: AdmissionParts;
  /** Dear jobs that may wait: half of the room is kept for jobs that leave it sooner. */
  readonly #dearJobsMax: number;
  /** When jobs that nobody waits for are looked for again. */
  #nextLookMs = -Infinity;
  #isOpen = true;

  constructor(bounds: PoolBounds, parts: AdmissionParts) {
    this.#bounds = bounds;
    this.#parts = parts;
    this.#dearJobsMax = bounds.queuedJobsMax / 2;
  }

  /** Whether jobs are admitted at all. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Refuses every job from now on. */
  close(): void {
    this.#isOpen = false;
  }

  /** Why a job of `bytes` packed bytes is refused; `null` when it is not. */
  refusal(client: Client, costClass: QueueClass, bytes: number, nowMs: number): RefusalReason | null {
    const { shares, queue } = this.#parts;
    if (!this.#isOpen) return 'closed';
    const isPatient = costClass === 'dear' || costClass === 'watched';
    if (isPatient && shares.isOverBudget(client, nowMs)) return 'time';
    if (!shares.hasRoom(bytes)) return 'full';
    if (!shares.isWithin(client, bytes)) return 'share';
    return costClass === 'dear' && queue.count('dear') >= this.#dearJobsMax ? 'dear' : null;
  }

  /** Ends waiting jobs that nobody waits for, and dear ones beyond their half that were not known to be dear. */
  makeRoom(nowMs: number): void {
    const { queue, jobs } = this.#parts;
    this.#endAbandoned(nowMs);
    for (const job of queue.takeDearBeyond(this.#dearJobsMax)) jobs.refuse(job, 'dear');
  }

  /** Looks at all that waits, so not for each job that is refused: at an overload that took a fifth of main. */
  #endAbandoned(nowMs: number): void {
    if (nowMs < this.#nextLookMs) return;
    this.#nextLookMs = nowMs + LIMITS.abandonedLookMs;
    const { queue, jobs } = this.#parts;
    for (const job of queue.takeAbandoned()) jobs.cancel(job);
  }

  /** Refuses what has waited too long. */
  refuseLate(nowMs: number): void {
    const { queue, jobs } = this.#parts;
    for (const job of queue.takeOlder(nowMs - this.#bounds.queuedJobMsMax)) jobs.refuse(job, 'late');
  }

  /**
   * Whether a job whose turn has come may run; answers it when it may not. A dear job that others have joined is not refused
   * for what its client has used, nor one that may be cheap.
   */
  mayRun(job: PoolJob, costClass: QueueClass, nowMs: number): boolean {
    const { shares, jobs } = this.#parts;
    const isRefusable = costClass === 'dear' && job.askers?.length === 1;
    if (isAbandoned(job)) jobs.cancel(job);
    else if (isRefusable && shares.isOverBudget(job.client, nowMs)) jobs.refuse(job, 'time');
    return !job.isAnswered;
  }
}
