// The jobs between admission and result. Equal jobs are merged into one. The state version of a job is pinned until it
// is answered.

// Jobs in flight must hold little memory, because V8 copies it at every minor garbage collection. See DECISIONS.md.
import { ERRORS } from '../rpc-errors.js';
import type { UsageLedger } from '../fairness/usage-ledger.js';
import { LIMITS } from '../limits/index.js';
import { VersionPins, type VersionPin } from '../state/version-pins.js';
import type { Job, JobReadPosition, JobOutcome } from '../transaction/evm-job.js';
import { NO_TIMEOUT_MS } from './codec/job.js';
import { keepOutcome } from './codec/outcome.js';
import type { PoolCounters } from './pool-counters.js';
import type { AdmittedJob } from './admitted-job.js';
import type { AbortableCaller, RefusalReason, TableRef } from './pool-request-types.js';

export interface JobsInFlightDeps {
  readonly ledger: UsageLedger;
  readonly counts: PoolCounters;
  /** Returns the pin by which the main thread protects the state versions of jobs in flight from being reclaimed. */
  readonly pinOn: (table: TableRef) => VersionPin;
}

/** The properties of a job that are known before the job is admitted. */
export type UnadmittedJob = Pick<AdmittedJob, 'packed' | 'client' | 'costKey' | 'owedMs' | 'dueMs' | 'isLong'>;

/** Maximum number of answered jobs whose keys stay in the map of jobs, unless more jobs than that are unanswered. */
const ANSWERED_MIN = 256;
const OVERLOADED: JobOutcome = { kind: 'failure', error: 'overload', message: ERRORS.overload.message };
const CANCELLED: JobOutcome = { kind: 'failure', error: 'execution', message: 'execution cancelled' };

/** All jobs in flight. Admission bounds their number. */
export class JobsInFlight {
  readonly #deps: JobsInFlightDeps;
  /** Jobs by their encoded bytes; `null` for a job that is already answered. */
  #byBytes = new Map<string, AdmittedJob | null>();
  /** Number of jobs in `#byBytes` that are answered. */
  #answered = 0;
  #admitted = 0;
  /** True if any of the jobs in flight has got a second caller. Becomes false when no job is in flight. */
  #hasJoined = false;
  #tables = 0;
  #table: TableRef | null = null;
  #pins: VersionPins | null = null;
  #whenEmpty: (() => void) | null = null;

  constructor(deps: JobsInFlightDeps) {
    this.#deps = deps;
  }

  /** Number of jobs that wait or run. */
  get count(): number {
    return this.#deps.ledger.jobs;
  }

  /** True if there is only one job in flight, and it has only one caller. */
  get isLone(): boolean {
    return this.count === 1 && !this.#hasJoined;
  }

  /** The state table that newly admitted jobs use. */
  get table(): TableRef | null {
    return this.#table;
  }

  /**
   * Sets the state table for new jobs, and gives it a number. The publisher's numbers are not used, because a restarted
   * publisher may start from 1 again.
   */
  setTable({ buffer, chain }: TableRef): void {
    const own = chain === undefined ? {} : { chain };
    this.#table = { generation: (this.#tables += 1), buffer, ...own };
    this.#pins = new VersionPins(this.#deps.pinOn(this.#table));
  }

  /**
   * Lets `caller` wait for the result of an equal job in flight on the same state table; returns `null` if there is
   * none.
   */
  join(packed: string, caller: AbortableCaller | undefined): Promise<JobOutcome> | null {
    const equal = this.#byBytes.get(packed) ?? null;
    if (equal === null || equal.table !== this.#table) return null;
    this.#deps.counts.merged += 1;
    this.#hasJoined = true;
    equal.isShared = true;
    if (caller === undefined) equal.callers = null;
    else equal.callers?.push(caller);
    return equal.answer;
  }

  /** Admits a job at time `nowMs`. */
  admit(job: Job, known: UnadmittedJob, caller: AbortableCaller | undefined, nowMs: number): AdmittedJob {
    const { packed, client, costKey, owedMs, dueMs, isLong } = known;
    if (this.count === 0) this.#hasJoined = false;
    let settle: AdmittedJob['settle'] = noop;
    const answer = new Promise<JobOutcome>((resolve) => (settle = resolve));
    // Written field by field, because an object built by a spread takes ten times as long to build and to read.
    const admitted: AdmittedJob = {
      packed,
      client,
      costKey,
      table: this.#table,
      order: (this.#admitted += 1),
      admittedMs: nowMs,
      dueMs,
      release: this.pin(job.position),
      timeoutMs: job.timeoutMs,
      answer,
      settle,
      callers: caller === undefined ? null : [caller],
      isShared: false,
      failures: 0,
      isLong,
      limitMs: NO_TIMEOUT_MS,
      owedMs,
      expectedMs: owedMs,
      isAnswered: false,
    };
    if (typeof packed === 'string' && packed.length <= LIMITS.mergedJobBytesMax) this.#byBytes.set(packed, admitted);
    this.#deps.ledger.admit(client, { bytes: packed.length, ms: owedMs }, nowMs);
    return admitted;
  }

  /** Pins a version of the current state table until the returned function is called, which must be done only once. */
  pin(position: JobReadPosition): () => void {
    return (position.kind === 'version' ? this.#pins?.retain(position.version) : null) ?? noop;
  }

  /**
   * Answers a job. A second result is ignored: a worker thread may return one after the job has timed out on the main
   * thread.
   */
  answer(job: AdmittedJob, outcome: JobOutcome): void {
    if (job.isAnswered) return;
    job.isAnswered = true;
    const { packed } = job;
    if (typeof packed !== 'string') packed.release();
    else if (this.#byBytes.get(packed) === job) this.#forget(packed);
    job.release();
    if (job.isShared) keepOutcome(outcome);
    job.settle(outcome);
    this.#deps.counts.completed += 1;
    this.#deps.ledger.release(job.client, { bytes: packed.length, ms: job.owedMs });
    if (this.count === 0) this.#whenEmpty?.();
  }

  /** Answers an admitted job that will not be run. */
  refuse(job: AdmittedJob, reason: RefusalReason): void {
    this.#deps.counts.refused[reason] += 1;
    this.answer(job, OVERLOADED);
  }

  /** Answers a job that no caller wants any more. */
  cancel(job: AdmittedJob): void {
    this.#deps.counts.cancelled += 1;
    this.answer(job, CANCELLED);
  }

  /** Resolves when no job is in flight. */
  async empty(): Promise<void> {
    if (this.count > 0) await new Promise<void>((resolve) => (this.#whenEmpty = resolve));
  }

  /**
   * Marks a job as answered. Keys are never deleted from the Map. Whenever a Map becomes mostly empty, V8 gives it a
   * new hash table and links the old one to it, so that a dead hash table in the old space keeps all later hash tables
   * and jobs alive. Instead, the Map itself is replaced from time to time.
   */
  #forget(packed: string): void {
    this.#byBytes.set(packed, null);
    this.#answered += 1;
    if (this.#answered < Math.max(ANSWERED_MIN, this.#byBytes.size / 2)) return;
    const left = new Map<string, AdmittedJob | null>();
    for (const [bytes, job] of this.#byBytes) if (job !== null) left.set(bytes, job);
    this.#byBytes = left;
    this.#answered = 0;
  }
}

function noop(): void {}
