// Dispatches waiting jobs to workers.
//
// The last worker is reserved for short jobs. While short jobs arrive, and from more than one client, it accepts no
// others as long as another worker can take those. A job may only run there briefly (LIMITS.trialMs): if it needs
// longer, it comes back and runs in full on another worker. A job that is predicted to be long (predicted-cost.ts) is
// never sent there, because its expensive steps cannot be interrupted by the time limit. Short jobs thus find a worker
// within that time, whatever the other jobs do. If the pool has one worker, that worker runs everything.
import type { UsageLedger } from '../../fairness/usage-ledger.js';
import { LIMITS } from '../../limits/index.js';
import type { Admission } from './admission.js';
import { ResultSpin } from './spin-for-result.js';
import type { PoolBounds } from '../pool-bounds.js';
import { NO_TIMEOUT_MS } from '../codec/job-envelope.js';
import type { PoolCounters } from '../pool-counters.js';
import type { JobQueue, WorkerCapacity } from './job-queue.js';
import type { JobsInFlight } from '../jobs-in-flight.js';
import { isAbandoned, type PoolJob } from '../pool-job.js';
import type { ShadowChecks } from './shadow-checks.js';
import type { TaskWatch } from './watch-running-tasks.js';
import type { WorkerHandle } from '../threads/worker-handle.js';

export interface DispatcherDeps {
  readonly queue: JobQueue;
  readonly ledger: UsageLedger;
  readonly handles: readonly WorkerHandle[];
  readonly admission: Admission;
  readonly jobs: JobsInFlight;
  readonly counts: PoolCounters;
  readonly watch: TaskWatch;
  readonly checks: ShadowChecks | null;
  /** Milliseconds on the pool's clock. */
  readonly nowMs: () => number;
}

/** So many jobs are worth waking a worker for at once: they keep it busy until the next ones arrive. */
const JOBS_A_TRIP = 8;
/** Jobs that are expected to take less than this in total are not worth waking another worker for. See DECISIONS.md. */
const TRIP_MS = 0.15;

/** Decides when jobs are sent to workers, how many, and to which worker. */
export class Dispatcher {
  readonly #bounds: PoolBounds;
  readonly #deps: DispatcherDeps;
  /** Indices of the workers, the last worker first, because short jobs go there. */
  readonly #order: readonly number[];
  readonly #attention: ResultSpin;
  /** When the last short job was admitted. */
  #shortMs = -Infinity;
  #tick: NodeJS.Immediate | null = null;
  #isClosed = false;

  constructor(bounds: PoolBounds, deps: DispatcherDeps) {
    this.#bounds = bounds;
    this.#deps = deps;
    this.#order = Array.from(deps.handles.keys()).toReversed();
    this.#attention = new ResultSpin(deps.handles, deps.jobs);
  }

  /** True if jobs will be dispatched at the end of this event-loop tick. */
  get isDue(): boolean {
    return this.#tick !== null;
  }

  /** A job has joined the queue, to be dispatched by the tick's end. `isWatched`: no client waits for it. */
  added({ owedMs, admittedMs }: PoolJob, isWatched: boolean): void {
    if (!isWatched && owedMs <= LIMITS.shortJobMs) this.#shortMs = admittedMs;
    if (this.#isWorthATrip()) this.dispatch();
    this.dispatchLater();
  }

  /**
   * Must be called when a request has joined a job in flight: many callers are sending the same one. Waiting jobs then
   * go to idle workers, which run them while main reads the other requests.
   */
  joined(): void {
    const { queue, handles } = this.#deps;
    if (queue.length > 0 && handles.some(({ isIdle }) => isIdle)) this.dispatch();
  }

  /** Dispatches at the end of the event-loop tick, so that the jobs of all its requests are sent together. */
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

  /** Stops dispatching and watching tasks. */
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
   * True if a worker should get jobs before the event-loop tick ends, because there are enough for a group. Otherwise
   * the first job is sent with the other jobs of its tick. Sending it at once made a batch of 20 estimates take 1.2
   * times the processor time and 1.6 times as long, and a single ERC-20 estimate or swap 1.06 times as long (one
   * connection, median).
   */
  #isWorthATrip(): boolean {
    const { queue, handles } = this.#deps;
    return queue.length >= JOBS_A_TRIP && handles.some(({ capacity }) => capacity >= JOBS_A_TRIP);
  }

  #supplyAll(nowMs: number): void {
    const { queue, admission, handles } = this.#deps;
    admission.sweep(nowMs);
    const isIdle = (index: number): boolean => handles[index]!.isIdle;
    const idle = this.#order.filter(isIdle);
    // Idle workers are supplied before busy ones that may get more.
    for (const index of idle) if (queue.length > 0) this.#supply(index, nowMs);
    for (const index of this.#order) if (queue.length > 0 && !idle.includes(index)) this.#supply(index, nowMs);
  }

  #supply(index: number, nowMs: number): void {
    const { queue, handles, counts, watch } = this.#deps;
    const handle = handles[index]!;
    const isForShort = index > 0 && index === handles.length - 1;
    const longestMs = isForShort ? this.#longestMs(handle, nowMs) : Infinity;
    const jobs = queue.take(this.#capacityOf(handle, longestMs)).filter((job) => this.#isWanted(job));
    if (jobs.length === 0) return;
    for (const job of jobs) job.limitMs = isForShort ? LIMITS.trialMs : NO_TIMEOUT_MS;
    if (!handle.dispatch(jobs, nowMs)) return;
    watch.start();
    counts.tasks += 1;
    counts.taskJobs += jobs.length;
  }

  /**
   * Longest expected time of jobs for the worker for short jobs, in milliseconds. It is longer while all other workers
   * are blocked, for example by calls that use all of their gas.
   */
  #longestMs(own: WorkerHandle, nowMs: number): number {
    const { ledger, handles } = this.#deps;
    const doShortOnesCome = nowMs - this.#shortMs <= LIMITS.clientAloneMs && !ledger.isOneAlone(nowMs);
    const isKept = doShortOnesCome && handles.some((other) => other !== own && !other.isBlocked(nowMs));
    return isKept ? LIMITS.shortJobMs : LIMITS.longerJobMs;
  }

  /** Each worker's share of the queue, so that none is idle: at least what is worth waking it for. */
  #capacityOf(handle: WorkerHandle, longestMs: number): WorkerCapacity {
    const { queue, handles } = this.#deps;
    const share = Math.max(Math.ceil(queue.length / handles.length), queue.firstWithin(TRIP_MS, JOBS_A_TRIP));
    return { jobs: Math.min(share, handle.capacity, this.#bounds.jobsPerTaskMax), ms: handle.capacityMs, longestMs };
  }

  /** True if a caller still waits for the job. Otherwise the job is cancelled. */
  #isWanted(job: PoolJob): boolean {
    if (isAbandoned(job)) this.#deps.jobs.cancel(job);
    return !job.isAnswered;
  }
}
