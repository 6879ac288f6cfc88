// Sends waiting jobs to worker threads.
//
// The last worker is reserved for short jobs. While short jobs arrive from more than one client, it gets longer jobs
// only if all other workers are blocked. A job may run on it only briefly (LIMITS.trialMs). If the job needs more
// time, it is stopped and runs again, from the start, on another worker. A job that is predicted to be long
// (time-until-first-clock-check.ts) is never sent to it, because the expensive steps of such a job cannot be
// interrupted by the time limit. So a short job waits for this worker at most about LIMITS.trialMs, whatever the other
// jobs do. If the pool has only one worker, it runs all jobs.
import { LIMITS } from '../../limits/index.js';
import type { Admission } from './admission.js';
import { RecentMinimum } from './recent-minimum.js';
import { ResultSpin } from './spin-for-result.js';
import type { PoolBounds } from '../pool-request-types.js';
import { NO_TIMEOUT_MS } from '../codec/job.js';
import type { JobQueue, WorkerCapacity } from './job-queue.js';
import { isAbandoned, type AdmittedJob } from '../admitted-job.js';
import type { ShadowChecks } from './shadow-checks.js';
import type { TaskWatch, TaskWatchDeps } from './watch-running-tasks.js';
import type { WorkerHandle } from '../threads/worker-handle.js';

export interface DispatcherDeps extends Omit<TaskWatchDeps, 'costs' | 'onChecked'> {
  readonly queue: JobQueue;
  readonly admission: Admission;
  readonly watch: TaskWatch;
  readonly checks: ShadowChecks | null;
}

/**
 * If at least this many jobs wait, a worker is woken immediately, because so many jobs keep it busy until the next ones
 * arrive.
 */
const JOBS_A_TRIP = 8;
/**
 * If the waiting jobs are expected to take less than this in total, one worker gets all of them, because waking another
 * worker would take longer. See DECISIONS.md.
 */
const TRIP_MS = 0.15;

/** Decides when jobs are sent to workers, how many, and to which worker. */
export class Dispatcher {
  readonly #bounds: PoolBounds;
  readonly #deps: DispatcherDeps;
  /**
   * Indices of the workers in the order in which they get jobs. The worker with the highest index comes first, because
   * it is the one that gets short jobs.
   */
  readonly #order: readonly number[];
  readonly #attention: ResultSpin;
  /** Expected run time, in milliseconds, of the shortest job that was admitted recently. */
  readonly #shortest = new RecentMinimum(LIMITS.clientAloneMs);
  #tick: NodeJS.Immediate | null = null;
  #isClosed = false;

  constructor(bounds: PoolBounds, deps: DispatcherDeps) {
    this.#bounds = bounds;
    this.#deps = deps;
    this.#order = Array.from(deps.handles.keys()).toReversed();
    this.#attention = new ResultSpin(deps.handles, deps.jobs);
  }

  /**
   * Must be called when a job has been added to the queue. It is sent at the end of the event-loop tick, or at once if
   * enough jobs wait. `isWatched`: the job runs a watched call, for which no client waits.
   */
  added({ owedMs, admittedMs }: AdmittedJob, isWatched: boolean): void {
    if (!isWatched) this.#shortest.record(owedMs, admittedMs);
    if (this.#isWorthATrip(admittedMs)) this.dispatch();
    this.dispatchLater();
  }

  /**
   * Must be called when a request was merged with an equal job that is queued or running. More equal requests are
   * probably about to be read. So waiting jobs are sent to idle workers now, which run them while the main thread reads
   * those requests.
   */
  joined(): void {
    const { queue, handles } = this.#deps;
    if (queue.length > 0 && handles.some(({ isIdle }) => isIdle)) this.dispatch();
  }

  /**
   * Sends the waiting jobs at the end of the event-loop tick, so that the jobs of all requests of the tick are sent
   * together.
   */
  dispatchLater(): void {
    this.#tick ??= setImmediate(() => this.#endTick());
  }

  /** Sends waiting jobs to all workers with free capacity. */
  dispatch(): void {
    if (this.#isClosed) return;
    const { queue, admission, watch, checks, nowMs } = this.#deps;
    if (queue.length > 0) this.#supplyAll(nowMs());
    if (queue.length > 0) watch.start();
    else if (admission.isOpen) checks?.startOne();
  }

  /** Stops sending jobs, and stops watching the running tasks. */
  close(): void {
    this.#isClosed = true;
    this.#deps.watch.stop();
    if (this.#tick !== null) clearImmediate(this.#tick);
  }

  #endTick(): void {
    this.#tick = null;
    this.dispatch();
    if (!this.#attention.waitAwake()) return;
    const { handles, nowMs } = this.#deps;
    const now = nowMs();
    for (const handle of handles) handle.collect(now);
    this.dispatch();
  }

  /**
   * True if so many jobs wait that it is worth waking a worker before the event-loop tick ends. Otherwise jobs are sent
   * together at the end of the tick. When the first job was always sent at once, a batch of 20 `eth_estimateGas` took
   * 1.2 times the processor time and 1.6 times as long, and a single `eth_estimateGas` of an ERC-20 transfer or a swap
   * took 1.06 times as long (one connection, median).
   */
  #isWorthATrip(nowMs: number): boolean {
    const { queue, handles } = this.#deps;
    if (queue.length < JOBS_A_TRIP) return false;
    const taskMs = this.#taskMs(nowMs);
    return handles.some((handle) => handle.capacity(taskMs) >= JOBS_A_TRIP);
  }

  /** Returns the limit for the total expected run time, in milliseconds, of the jobs that a worker has at a time. */
  #taskMs(nowMs: number): number {
    const ms = JOBS_A_TRIP * this.#shortest.at(nowMs);
    return Math.max(LIMITS.dispatchedMsMin, Math.min(LIMITS.dispatchedMsMax, ms));
  }

  #supplyAll(nowMs: number): void {
    const { queue, admission, handles } = this.#deps;
    admission.sweep(nowMs);
    const isIdle = (index: number): boolean => handles[index]!.isIdle;
    const idle = this.#order.filter(isIdle);
    // Idle workers get jobs first, then busy workers that have free capacity.
    for (const index of idle) if (queue.length > 0) this.#supply(index, nowMs);
    for (const index of this.#order) if (queue.length > 0 && !idle.includes(index)) this.#supply(index, nowMs);
  }

  #supply(index: number, nowMs: number): void {
    const { queue, handles, counts, watch } = this.#deps;
    const handle = handles[index]!;
    const isForShort = index > 0 && index === handles.length - 1;
    const longestMs = isForShort ? this.#longestMs(handle, nowMs) : Infinity;
    const jobs = queue
      .take(this.#capacityOf(handle, longestMs, this.#taskMs(nowMs)))
      .filter((job) => this.#isWanted(job));
    if (jobs.length === 0) return;
    for (const job of jobs) job.limitMs = isForShort ? LIMITS.trialMs : NO_TIMEOUT_MS;
    if (!handle.dispatch(jobs, nowMs)) return;
    watch.start();
    counts.tasks += 1;
    counts.taskJobs += jobs.length;
  }

  /**
   * Returns the maximum expected run time, in milliseconds, of a job on the worker for short jobs. It is higher if no
   * short job has arrived recently, if there is only one client, or if all other workers are blocked, for example by
   * calls that use all of their gas.
   */
  #longestMs(own: WorkerHandle, nowMs: number): number {
    const { ledger, handles } = this.#deps;
    const doShortOnesCome = this.#shortest.at(nowMs) <= LIMITS.shortJobMs && !ledger.isOneAlone(nowMs);
    const isKept = doShortOnesCome && handles.some((other) => other !== own && !other.isBlocked(nowMs));
    return isKept ? LIMITS.shortJobMs : LIMITS.longerJobMs;
  }

  /**
   * Returns how many jobs a worker may get, and for how many milliseconds. It gets an equal share of the waiting jobs,
   * so that no worker is idle, but at least as many jobs as make it worthwhile to wake the worker (TRIP_MS and
   * JOBS_A_TRIP).
   */
  #capacityOf(handle: WorkerHandle, longestMs: number, taskMs: number): WorkerCapacity {
    const { queue, handles } = this.#deps;
    const share = Math.max(Math.ceil(queue.length / handles.length), queue.firstWithin(TRIP_MS, JOBS_A_TRIP));
    const jobs = Math.min(share, handle.capacity(taskMs), this.#bounds.jobsPerTaskMax);
    return { jobs, ms: taskMs - handle.task.expectedMs, longestMs };
  }

  /** True if the job still has to run. If its callers have all disconnected, cancels it and returns false. */
  #isWanted(job: AdmittedJob): boolean {
    if (isAbandoned(job)) this.#deps.jobs.cancel(job);
    return !job.isAnswered;
  }
}
