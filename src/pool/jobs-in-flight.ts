// Jobs from admission to result: equal jobs are merged into one, its version is pinned, and it is answered once. Runs
// on main.

// Decision (2026-11, two cores): Jobs in flight hold little memory: V8 copies them at every minor collection. Calls
// that wait for a result hold no parameters, and short call data share buffers. Gain: a tenth of the processor time of
// an ERC-20 estimate, as main collects garbage for 1 ms where it took 4. A young generation of 1 or 4 MB gained
// nothing.
import { ERRORS } from '../errors.js';
import type { Ledger } from '../clients/ledger.js';
import { LIMITS } from '../limits/index.js';
import { VersionPins, type VersionPin } from '../state/version-pins.js';
import type { Job, JobPosition, Outcome } from '../transaction/call-request.js';
import { NO_LIMIT_MS } from './codec/handed.js';
import type { PoolCounts } from './counts.js';
import type { PoolJob } from './pool-job.js';
import type { Asker, RefusalReason, TableRef } from './pool.js';

/** What the jobs in flight depend on. */
export interface JobsInFlightParts {
  readonly ledger: Ledger;
  readonly counts: PoolCounts;
  /** The pin that main holds on a table for the jobs in flight. */
  readonly pinOn: (table: TableRef) => VersionPin;
}

/** Properties of a job that are known before it is admitted. */
export type KnownJob = Pick<PoolJob, 'packed' | 'client' | 'costKey' | 'owedMs' | 'dueMs' | 'isLong'>;

/** Answered jobs whose keys may stay in the Map, in addition to one for each unanswered job. */
const ANSWERED_MIN = 256;
const OVERLOADED: Outcome = { kind: 'failure', error: 'overload', message: ERRORS.overload.message };
const CANCELLED: Outcome = { kind: 'failure', error: 'execution', message: 'execution cancelled' };

/** The jobs in flight; Admission bounds their number. */
export class JobsInFlight {
  readonly #parts: JobsInFlightParts;
  /** By packed bytes; `null` for a job that is answered. */
  #byBytes = new Map<string, PoolJob | null>();
  /** Jobs answered since the Map was created. */
  #answered = 0;
  #admitted = 0;
  #tables = 0;
  #table: TableRef | null = null;
  #pins: VersionPins | null = null;
  #whenEmpty: (() => void) | null = null;

  constructor(parts: JobsInFlightParts) {
    this.#parts = parts;
  }

  /** Number of waiting and running jobs. */
  get count(): number {
    return this.#parts.ledger.jobs;
  }

  /** The table of the jobs admitted from now on. */
  get table(): TableRef | null {
    return this.#table;
  }

  /** Sets that table, with a generation counted here: a restarted publisher may count its tables from 1 again. */
  setTable({ buffer, chain }: TableRef): void {
    const own = chain === undefined ? {} : { chain };
    this.#table = { generation: (this.#tables += 1), buffer, ...own };
    this.#pins = new VersionPins(this.#parts.pinOn(this.#table));
  }

  /** Lets `asker` wait for an equal job in flight on the same table; `null` if there is none. */
  join(packed: string, asker: Asker | undefined): Promise<Outcome> | null {
    const equal = this.#byBytes.get(packed) ?? null;
    if (equal === null || equal.table !== this.#table) return null;
    this.#parts.counts.merged += 1;
    if (asker === undefined) equal.askers = null;
    else equal.askers?.push(asker);
    return equal.answer;
  }

  /** Admits a job at `nowMs`. */
  admit(job: Job, known: KnownJob, asker: Asker | undefined, nowMs: number): PoolJob {
    const { packed, client, costKey, owedMs, dueMs, isLong } = known;
    let settle: PoolJob['settle'] = noop;
    const answer = new Promise<Outcome>((resolve) => (settle = resolve));
    // Field by field: an object built by a spread takes ten times as long to build and to read.
    const admitted: PoolJob = {
      packed,
      client,
      costKey,
      table: this.#table,
      order: (this.#admitted += 1),
      admittedMs: nowMs,
      dueMs,
      release: this.hold(job.position),
      timeoutMs: job.timeoutMs,
      answer,
      settle,
      askers: asker === undefined ? null : [asker],
      failures: 0,
      isLong,
      limitMs: NO_LIMIT_MS,
      owedMs,
      expectedMs: owedMs,
      isAnswered: false,
    };
    if (typeof packed === 'string' && packed.length <= LIMITS.mergedJobBytesMax) this.#byBytes.set(packed, admitted);
    this.#parts.ledger.admit(client, { bytes: packed.length, ms: owedMs }, nowMs);
    return admitted;
  }

  /** Pins a version of the current table until the returned function is called, which may happen once. */
  hold(position: JobPosition): () => void {
    return (position.kind === 'version' ? this.#pins?.hold(position.version) : null) ?? noop;
  }

  /**
   * Answers a job. A second result is ignored: a worker may still return one for a job that main has answered as timed
   * out.
   */
  answer(job: PoolJob, outcome: Outcome): void {
    if (job.isAnswered) return;
    job.isAnswered = true;
    const { packed } = job;
    if (typeof packed !== 'string') packed.release();
    else if (this.#byBytes.get(packed) === job) this.#forget(packed);
    job.release();
    job.settle(outcome);
    this.#parts.counts.completed += 1;
    this.#parts.ledger.release(job.client, { bytes: packed.length, ms: job.owedMs });
    if (this.count === 0) this.#whenEmpty?.();
  }

  /** Answers an admitted job that will not run. */
  refuse(job: PoolJob, reason: RefusalReason): void {
    this.#parts.counts.refused[reason] += 1;
    this.answer(job, OVERLOADED);
  }

  /** Answers a job whose callers have all gone. */
  cancel(job: PoolJob): void {
    this.#parts.counts.cancelled += 1;
    this.answer(job, CANCELLED);
  }

  /** Resolves when no job is in flight. */
  async empty(): Promise<void> {
    if (this.count > 0) await new Promise<void>((resolve) => (this.#whenEmpty = resolve));
  }

  /**
   * Never deletes: each time a Map becomes mostly empty V8 allocates it a new table and links the two, and a dead table
   * in old space retains all tables and jobs that came after it. Instead the Map is replaced by a new one now and then.
   */
  #forget(packed: string): void {
    this.#byBytes.set(packed, null);
    this.#answered += 1;
    if (this.#answered < Math.max(ANSWERED_MIN, this.#byBytes.size / 2)) return;
    const left = new Map<string, PoolJob | null>();
    for (const [bytes, job] of this.#byBytes) if (job !== null) left.set(bytes, job);
    this.#byBytes = left;
    this.#answered = 0;
  }
}

function noop(): void {}
