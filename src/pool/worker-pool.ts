// The estimator pool on worker threads: admits, merges and answers jobs. This file connects the pool's components.
//
// submit -> JobsInFlight (equal jobs are merged) and Admission -> JobQueue -> Dispatcher -> WorkerHandle ->
// RunCompletion: answered, or back in the queue. TaskWatch inspects running jobs; ShadowChecks uses idle workers.
//
// A job is executed in the task with which it is sent, with two exceptions. A job that waits behind a slow job is taken
// back and sent again. What happens to the jobs of a worker that dies is explained in finish-or-rerun-jobs.ts.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../fairness/client-usage.js';
import { UsageLedger } from '../fairness/usage-ledger.js';
import { LIMITS } from '../limits/index.js';
import type { Job, JobOutcome, JobReadPosition } from '../transaction/evm-job.js';
import { preciseMonotonicMs } from '../lib/clock.js';
import type { VersionPin } from '../state/version-pins.js';
import type { ShadowSampler } from './shadow-sampler.js';
import { Admission } from './queue/admission.js';
import { CostHistory } from './queue/cost-history.js';
import { PoolCounters, type PoolStats } from './pool-counters.js';
import { Dispatcher } from './queue/dispatcher.js';
import { minimumRunMs, isPredictedLong } from './queue/time-until-first-clock-check.js';
import { JobQueue } from './queue/job-queue.js';
import { JobPacker, type PackedJob } from './packed-job.js';
import { JobsInFlight } from './jobs-in-flight.js';
import { RunCompletion } from './queue/finish-or-rerun-jobs.js';
import { ShadowChecks } from './queue/shadow-checks.js';
import type { EstimatorDamageReport } from './threads/task-server.js';
import { TaskWatch } from './queue/watch-running-tasks.js';
import { WorkerHandle } from './threads/worker-handle.js';
import type { AbortableCaller, PoolBounds, TableRef } from './pool-request-types.js';

export interface PoolOptions extends Partial<PoolBounds> {
  readonly workers: number;
  /** The module whose default export is a task server (see task-server.ts). */
  readonly workerFile: URL;
  /**
   * Returns the `workerData` of a worker thread, which is cloned. `takesLong` is false for the worker for short jobs.
   */
  readonly workerData: (takesLong: boolean) => unknown;
}

export interface PoolDeps {
  /** Returns the pin by which the main thread protects the state versions of jobs in flight from being reclaimed. */
  readonly pinOn: (table: TableRef) => VersionPin;
  /** Called with the reason of every crash, which is logged. */
  readonly onFailure: (error: Error) => void;
  /** Chooses results that idle workers check with the reference EVM. */
  readonly sampler?: ShadowSampler;
  /** Called with the workers' messages that are not results. */
  readonly onMessage?: (message: EstimatorDamageReport) => void;
  /** Accounts for what each client uses; by default the pool has its own ledger. */
  readonly ledger?: UsageLedger;
  /** Returns monotonic milliseconds; by default on the clock that all threads share. */
  readonly nowMs?: () => number;
}

const SHUT_DOWN: JobOutcome = { kind: 'failure', error: 'internal', message: 'shutting down' };

/** The estimator pool, which runs jobs on worker threads. */
export class WorkerPool {
  readonly #nowMs: () => number;
  readonly #packer = new JobPacker();
  /** The job that was encoded last. */
  #last: { readonly job: Job; readonly packed: string } | null = null;
  readonly #counts = new PoolCounters();
  readonly #costs = new CostHistory();
  readonly #ledger: UsageLedger;
  readonly #queue: JobQueue;
  readonly #jobs: JobsInFlight;
  readonly #admission: Admission;
  readonly #handles: readonly WorkerHandle[];
  readonly #dispatcher: Dispatcher;
  #idleNotice: NodeJS.Timeout | undefined;

  /** Starts the worker threads, and waits until each has loaded its module. Rejects if one of them cannot. */
  static async start(options: PoolOptions, deps: PoolDeps): Promise<WorkerPool> {
    const pool = new WorkerPool(options, deps);
    try {
      await Promise.all(pool.#handles.map((handle) => handle.warmUp()));
    } catch (error) {
      await pool.close();
      throw error;
    }
    return pool;
  }

  private constructor(options: PoolOptions, deps: PoolDeps) {
    const bounds = { ...LIMITS, ...options };
    const { pinOn, sampler, nowMs = preciseMonotonicMs } = deps;
    this.#nowMs = nowMs;
    this.#ledger = deps.ledger ?? new UsageLedger();
    const counts = this.#counts;
    const costs = this.#costs;
    const ledger = this.#ledger;
    const jobs = (this.#jobs = new JobsInFlight({ ledger, counts, pinOn }));
    const queue = (this.#queue = new JobQueue(({ client, costKey, isLong }) =>
      isLong ? LIMITS.estimateMsMax : (costs.expectedMs(costKey) ?? client.triedMs),
    ));
    const admission = (this.#admission = new Admission(bounds, options.workers, { ledger, queue, jobs }));
    const onCapacity = (): void => this.#dispatcher.dispatch();
    const results = new RunCompletion({ jobs, queue, costs, ledger, times: counts.times, sampler: sampler ?? null });
    const onCrash = (error: Error): void => {
      counts.crashes += 1;
      deps.onFailure(error);
    };
    const { onMessage = noop } = deps;
    const handles = (this.#handles = Array.from({ length: options.workers }, (_, index) => {
      const workerData = options.workerData(index < options.workers - 1);
      return new WorkerHandle({ ...bounds, workerData }, { nowMs, results, onCrash, onCapacity, onMessage });
    }));
    const watch = new TaskWatch(bounds, { handles, jobs, costs, ledger, counts, nowMs, onChecked: onCapacity });
    const checks = sampler === undefined ? null : new ShadowChecks({ sampler, handles, jobs, watch, onCapacity });
    const dispatched = { queue, ledger, handles, admission, jobs, counts, watch, checks, nowMs };
    this.#dispatcher = new Dispatcher(bounds, dispatched);
  }

  get stats(): PoolStats {
    const queue = this.#queue;
    const queued = queue.length;
    const short = queue.count(LIMITS.shortJobMs);
    return Object.assign({}, this.#counts, {
      refused: { ...this.#counts.refused },
      queued,
      waiting: { short, longer: queued - short },
      running: this.#jobs.count - queued,
    });
  }

  /** Sets the state table for the jobs that are submitted from now on. */
  setTable(table: TableRef): void {
    this.#jobs.setTable(table);
    clearTimeout(this.#idleNotice);
    this.#idleNotice = setTimeout(() => this.#noticeIdle(), LIMITS.tableNoticeMs).unref();
  }

  /**
   * Submits a job; returns `null` if it is refused at once (see RefusalReason). The promise never rejects: every
   * failure is an outcome. The job's state version is pinned until the promise resolves. A job fails with
   * - `overload` if it waits longer than LIMITS.queuedJobMsMax;
   * - `execution` if its caller goes away before it runs, so that it is not run;
   * - `internal` if it crashes its worker thread twice, or the pool is closed.
   */
  submit(job: Job, caller?: AbortableCaller): Promise<JobOutcome> | null {
    const packed = this.#packed(job);
    const joined = typeof packed === 'string' ? this.#jobs.join(packed, caller) : null;
    if (joined !== null) {
      this.#dispatcher.joined();
      return joined;
    }
    const nowMs = this.#nowMs();
    const client = this.#ledger.of(caller?.client);
    if (!this.#isAdmitted(client, packed.length, nowMs)) {
      if (typeof packed !== 'string') packed.release();
      return null;
    }
    const costKey = this.#costs.keyOf(job);
    const foreseen = minimumRunMs(job);
    const owedMs = Math.max(this.#costs.expectedMs(costKey) ?? client.triedMs, foreseen);
    const isWatched = job.isWatched === true;
    const waitMs = isWatched ? LIMITS.queuedJobMsMax : 0;
    const dueMs = nowMs + owedMs + this.#ledger.aheadMs(client, nowMs) + waitMs;
    const admitted = this.#jobs.admit(
      job,
      { packed, client, costKey, owedMs, dueMs, isLong: isPredictedLong(foreseen) },
      caller,
      nowMs,
    );
    this.#queue.push(admitted);
    this.#dispatcher.added(admitted, isWatched);
    return admitted.answer;
  }

  /** Encodes a job. If it equals the last job, the same string is returned, whose hash V8 already knows. */
  #packed(job: Job): PackedJob {
    if (this.#last !== null && isSameCall(job, this.#last.job)) return this.#last.packed;
    const packed = this.#packer.pack(job);
    this.#last = typeof packed === 'string' ? { job, packed } : null;
    return packed;
  }

  /** Refuses new jobs and waits for the jobs in flight. Resolves to false if some are left after `timeoutMs`. */
  async drain(timeoutMs: number): Promise<boolean> {
    this.#admission.close();
    const timer = new AbortController();
    const late = sleep(timeoutMs, false, { signal: timer.signal });
    const drained = await Promise.race([this.#jobs.empty().then(() => true), late]);
    if (drained) timer.abort();
    return drained;
  }

  /** Terminates the worker threads. Jobs without a result fail. */
  async close(): Promise<void> {
    clearTimeout(this.#idleNotice);
    this.#admission.close();
    this.#dispatcher.close();
    for (const job of this.#queue.remove(() => true)) this.#jobs.answer(job, SHUT_DOWN);
    for (const { task } of this.#handles) for (const job of task.unanswered) this.#jobs.answer(job, SHUT_DOWN);
    await Promise.all(this.#handles.map((handle) => handle.close()));
  }

  /** Makes idle workers free the memory that earlier jobs have left in use. */
  releaseMemory(): void {
    for (const handle of this.#handles) handle.releaseMemory();
  }

  /** Tells idle workers the state table in use. Busy workers get it with their jobs. */
  #noticeIdle(): void {
    for (const handle of this.#handles) handle.useTable(this.#jobs.table!);
  }

  /** True if a job may be admitted. A refusal is counted. */
  #isAdmitted(client: Client, bytes: number, nowMs: number): boolean {
    let refusal = this.#admission.refusal(client, bytes);
    if (refusal !== null && refusal !== 'closed') {
      this.#admission.sweep(nowMs);
      refusal = this.#admission.refusal(client, bytes);
    }
    if (refusal !== null) this.#counts.refused[refusal] += 1;
    return refusal === null;
  }
}

function noop(): void {}

/**
 * True if both jobs have the same call object and are equal otherwise. `parseCallNatively` returns the same object for
 * the same call.
 */
function isSameCall(job: Job, last: Job): boolean {
  return job.call === last.call && isPlain(job) && isPlain(last) && job.kind === last.kind && isSameSettings(job, last);
}

function isSameSettings({ position, gasCap, timeoutMs }: Job, last: Job): boolean {
  return isSamePosition(position, last.position) && gasCap === last.gasCap && timeoutMs === last.timeoutMs;
}

function isSamePosition(one: JobReadPosition, other: JobReadPosition): boolean {
  return one.kind === 'version' && other.kind === 'version' && one.version === other.version;
}

/** True for an estimate or a call that a client has sent without overrides. */
function isPlain({ kind, stateOverride, blockOverride, isWatched }: Job): boolean {
  const isSingle = kind === 'estimate' || kind === 'call';
  return isSingle && stateOverride.length === 0 && blockOverride === null && isWatched === undefined;
}
