// Inspects the running tasks every LIMITS.mailboxPollMs. This bounds how long a job delays the jobs behind it in its
// worker, how long callers wait for it, and how long it runs.
import type { UsageLedger } from '../../fairness/usage-ledger.js';
import { LIMITS } from '../../limits/index.js';
import { timeoutOutcome } from '../../transaction/evm-job.js';
import type { PoolBounds } from '../pool-request-types.js';
import type { CostHistory } from './cost-history.js';
import type { PoolCounters } from '../pool-counters.js';
import type { JobsInFlight } from '../jobs-in-flight.js';
import type { AdmittedJob } from '../admitted-job.js';
import type { WorkerHandle } from '../threads/worker-handle.js';

export interface TaskWatchDeps {
  readonly handles: readonly WorkerHandle[];
  readonly jobs: JobsInFlight;
  readonly costs: CostHistory;
  readonly ledger: UsageLedger;
  readonly counts: PoolCounters;
  /** Returns milliseconds on the pool's clock. */
  readonly nowMs: () => number;
  /** Called after each inspection. */
  readonly onChecked: () => void;
}

/** Inspects running tasks by a timer, which runs as long as a task has work or jobs wait for a worker. */
export class TaskWatch {
  readonly #bounds: PoolBounds;
  readonly #deps: TaskWatchDeps;
  #timer: NodeJS.Timeout | null = null;

  constructor(bounds: PoolBounds, deps: TaskWatchDeps) {
    this.#bounds = bounds;
    this.#deps = deps;
  }

  /** Starts the timer: inspects after LIMITS.mailboxPollMs, and then repeatedly as long as tasks have work. */
  start(): void {
    this.#timer ??= setTimeout(() => this.#check(), LIMITS.mailboxPollMs);
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #check(): void {
    this.#timer = null;
    const { handles, nowMs, onChecked } = this.#deps;
    const now = nowMs();
    for (const handle of handles) if (handle.task.isRunning) this.#inspect(handle, now);
    if (handles.some(({ task }) => task.isRunning && !task.isLingering)) this.start();
    onChecked();
  }

  #inspect(handle: WorkerHandle, nowMs: number): void {
    const stalledMs = handle.stalledMs(nowMs);
    const { task } = handle;
    const isBlocking = stalledMs > LIMITS.slowJobMs && task.isWorking && task.started > 0;
    if (isBlocking || task.hasOlder(nowMs - this.#bounds.queuedJobMsMax)) handle.reclaim();
    const { runningJob } = task;
    if (runningJob !== null) this.#inspectJob(runningJob, stalledMs);
    if (stalledMs > this.#killMs(runningJob?.timeoutMs ?? LIMITS.estimateMsMax)) this.#kill(handle);
  }

  /**
   * Inspects one running job. If a job of unknown cost has run for longer than LIMITS.trialMs, that time is recorded as
   * its cost before it ends. If a job has exceeded its time-out, it is answered, even if its worker hangs.
   */
  #inspectJob(job: AdmittedJob, ranMs: number): void {
    const { costs, jobs, ledger } = this.#deps;
    const isNew = costs.expectedMs(job.costKey) === null;
    if (isNew && ranMs > LIMITS.trialMs) {
      costs.record(job.costKey, ranMs);
      ledger.tried(job.client, ranMs);
    }
    if (ranMs > job.timeoutMs + this.#bounds.timeoutGraceMs) jobs.answer(job, timeoutOutcome(job.timeoutMs));
  }

  /** Returns the milliseconds without progress after which a worker is killed. */
  #killMs(timeoutMs: number): number {
    return Math.max(2 * timeoutMs, timeoutMs + this.#bounds.killGraceMs);
  }

  #kill(handle: WorkerHandle): void {
    this.#deps.counts.kills += 1;
    handle.kill();
  }
}
