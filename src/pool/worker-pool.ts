// The estimator pool on piscina: admits, merges, groups and bounds jobs, watches the running ones, and tries again what a
// dying worker took with it. Runs on main.
//
// A job is executed in the task it is sent with, unless a task in front of it is slow (then it is taken back and sent
// again) or its worker dies. The worker's lane tells who was running: that job is the suspect, answered as timed out when
// main killed the worker, tried once more and alone when the worker crashed. Jobs that had not begun are never blamed.
import { setTimeout as sleep } from 'node:timers/promises';
import { Piscina } from 'piscina';
import type { Job, Outcome } from '../evm/call.js';
import { ERRORS, type ErrorName } from '../errors.js';
import { LIMITS } from '../limits.js';
import { ByteReader, ByteWriter } from './bytes.js';
import { HeldVersions, type VersionPin } from './held-versions.js';
import { jobOf, type Answered, type KernelChecks } from './kernel-checks.js';
import { packJob, unpackOutcome } from './packing.js';
import type { Asker, EstimatorPool, PoolStats } from './pool.js';
import { Slot } from './slot.js';
import type { FromEstimator, TableRef, Task } from './task.js';
import { type PoolJob, Waiting } from './waiting.js';

/** Bounds default to LIMITS. */
export interface PoolOptions {
  readonly workers: number;
  /** The module whose default export is a task server (see task.ts). */
  readonly workerFile: URL;
  /** Handed to every worker as `workerData`; cloned. */
  readonly workerData: unknown;
  readonly queuedJobsMax?: number;
  readonly queuedJobBytesMax?: number;
  readonly queuedJobMsMax?: number;
  readonly jobsPerTaskMax?: number;
  /** Time after which a running job is killed with its worker; a job that may run for longer has twice its own time. */
  readonly killMs?: number;
  readonly heapMiBMax?: number;
}

/** What the pool is built from. */
export interface PoolParts {
  /** The pin that main holds on a table for the jobs in flight. */
  readonly pinOn: (table: TableRef) => VersionPin;
  /** Told of every crash and kill, for the log. */
  readonly onFailure: (error: Error) => void;
  /** Chooses answers that idle workers let the reference judge. */
  readonly checks?: KernelChecks;
  /** Told what workers say besides their answers. */
  readonly onMessage?: (message: FromEstimator) => void;
}

/** How a task ended: with an answer, or with an exception or the end of its worker. */
type Ending = { readonly last: ArrayBuffer | null } | { readonly error: unknown };

const SCRATCH_BYTES = 64 * 1024;
const BROKEN = failure('internal', ERRORS.internal.message);
const SHUT_DOWN = failure('internal', 'shutting down');
const OVERLOADED = failure('overload', ERRORS.overload.message);
const CANCELLED = failure('execution', 'execution cancelled');
const SECOND_MS = 1000;

/** EstimatorPool on worker threads. */
export class WorkerPool implements EstimatorPool {
  readonly #parts: PoolParts;
  readonly #piscina: Piscina<Task, ArrayBuffer | null>;
  readonly #queuedJobsMax: number;
  readonly #queuedJobBytesMax: number;
  readonly #queuedJobMsMax: number;
  readonly #jobsPerTaskMax: number;
  readonly #killMs: number;
  readonly #slots: readonly Slot[];
  readonly #waiting = new Waiting();
  readonly #heard = new Set<Slot>();
  readonly #inFlight = new Map<string, PoolJob>();
  readonly #packer = new ByteWriter(SCRATCH_BYTES);
  readonly #counts = { completed: 0, refused: 0, merged: 0, cancelled: 0, crashes: 0, kills: 0, tasks: 0, taskJobs: 0 };
  readonly #settle = (job: PoolJob, outcome: Outcome): void => {
    this.#parts.checks?.offer(job, outcome);
    this.#answer(job, outcome);
  };
  #outstanding = 0;
  #outstandingBytes = 0;
  #tables = 0;
  #table: TableRef | null = null;
  #held: HeldVersions | null = null;
  #turn: NodeJS.Immediate | null = null;
  #watch: NodeJS.Timeout | null = null;
  #open = true;
  #closed = false;
  #isChecking = false;
  #whenEmpty: (() => void) | null = null;

  /** Starts the workers and waits until each has loaded its module. Rejects when one cannot. */
  static async start(options: PoolOptions, parts: PoolParts): Promise<WorkerPool> {
    const pool = new WorkerPool(options, parts);
    try {
      await pool.#warmUp();
    } catch (error) {
      await pool.close();
      throw error;
    }
    return pool;
  }

  private constructor(options: PoolOptions, parts: PoolParts) {
    this.#parts = parts;
    this.#queuedJobsMax = options.queuedJobsMax ?? LIMITS.queuedJobsMax;
    this.#queuedJobBytesMax = options.queuedJobBytesMax ?? LIMITS.queuedJobBytesMax;
    this.#queuedJobMsMax = options.queuedJobMsMax ?? LIMITS.queuedJobMsMax;
    this.#jobsPerTaskMax = options.jobsPerTaskMax ?? LIMITS.jobsPerTaskMax;
    this.#killMs = options.killMs ?? LIMITS.estimateKillMsMax;
    this.#slots = Array.from({ length: options.workers }, () => new Slot());
    this.#piscina = new Piscina({
      filename: options.workerFile.href,
      workerData: options.workerData,
      minThreads: options.workers,
      maxThreads: options.workers,
      recordTiming: false,
      resourceLimits: { maxOldGenerationSizeMb: options.heapMiBMax ?? LIMITS.estimatorHeapMiBMax },
    });
    this.#piscina.on('error', (error: Error) => this.#crashed(error));
    this.#piscina.on('message', (message: FromEstimator) => parts.onMessage?.(message));
  }

  get stats(): PoolStats {
    const queued = this.#waiting.length;
    return { queued, running: this.#outstanding - queued, ...this.#counts };
  }

  setTable({ buffer }: TableRef): void {
    this.#table = { generation: (this.#tables += 1), buffer };
    this.#held = new HeldVersions(this.#parts.pinOn(this.#table));
  }

  submit(job: Job, asker?: Asker): Promise<Outcome> | null {
    this.#packer.reset();
    packJob(job, this.#packer);
    const packed = this.#packer.written.toString('latin1');
    const equal = this.#inFlight.get(packed) ?? null;
    if (equal !== null && equal.table === this.#table) return this.#join(equal, asker);
    if (!this.#hasRoom(packed.length)) {
      this.#counts.refused += 1;
      return null;
    }
    return this.#admit(job, packed, asker);
  }

  async drain(timeoutMs: number): Promise<boolean> {
    this.#open = false;
    if (this.#outstanding === 0) return true;
    const timer = new AbortController();
    const empty = new Promise<boolean>((resolve) => (this.#whenEmpty = () => resolve(true)));
    const late = sleep(timeoutMs, false, { signal: timer.signal });
    const drained = await Promise.race([empty, late]);
    if (drained) timer.abort();
    return drained;
  }

  async close(): Promise<void> {
    this.#open = false;
    this.#closed = true;
    if (this.#turn !== null) clearImmediate(this.#turn);
    if (this.#watch !== null) clearTimeout(this.#watch);
    for (const job of this.#waiting.takeAll()) this.#answer(job, SHUT_DOWN);
    for (const slot of this.#slots) for (const job of slot.unanswered()) this.#answer(job, SHUT_DOWN);
    await this.#piscina.destroy();
  }

  /** One empty task a worker: loading the module is not left to the first question. */
  async #warmUp(): Promise<void> {
    const tasks = this.#slots.map((slot) => this.#piscina.run(slot.start([], performance.now())));
    await Promise.all(tasks);
    for (const slot of this.#slots) slot.end();
  }

  #join(equal: PoolJob, asker: Asker | undefined): Promise<Outcome> {
    this.#counts.merged += 1;
    if (asker === undefined) equal.askers = null;
    else equal.askers?.push(asker);
    return equal.answer;
  }

  /** When full, what nobody waits for any more makes room: looked for once a turn, as it costs a walk over the queue. */
  #hasRoom(bytes: number): boolean {
    if (!this.#open) return false;
    if (!this.#fits(bytes) && this.#turn === null) {
      this.#dropAbandoned();
      this.#nextTurn();
    }
    return this.#fits(bytes);
  }

  #fits(bytes: number): boolean {
    return this.#outstanding < this.#queuedJobsMax && this.#outstandingBytes + bytes <= this.#queuedJobBytesMax;
  }

  #admit(job: Job, packed: string, asker: Asker | undefined): Promise<Outcome> {
    const { timeoutMs } = job;
    let settle: PoolJob['settle'] = noop;
    const answer = new Promise<Outcome>((resolve) => (settle = resolve));
    const release = this.#hold(job);
    const askers = asker === undefined ? null : [asker];
    const table = this.#table;
    const admittedMs = performance.now();
    const admitted: PoolJob = { packed, table, admittedMs, release, timeoutMs, answer, settle, askers, failures: 0 };
    if (packed.length <= LIMITS.mergedJobBytesMax) this.#inFlight.set(packed, admitted);
    this.#outstanding += 1;
    this.#outstandingBytes += packed.length;
    this.#waiting.push(admitted);
    if (this.#isWorthATrip()) this.#dispatch();
    if (this.#waiting.length > 0) this.#nextTurn();
    return answer;
  }

  #hold({ position }: Job): () => void {
    return (position.kind === 'version' ? this.#held?.hold(position.version) : null) ?? noop;
  }

  #answer(job: PoolJob, outcome: Outcome): void {
    if (this.#inFlight.get(job.packed) === job) this.#inFlight.delete(job.packed);
    job.release();
    job.settle(outcome);
    this.#counts.completed += 1;
    this.#outstanding -= 1;
    this.#outstandingBytes -= job.packed.length;
    if (this.#outstanding === 0) this.#whenEmpty?.();
  }

  #dropAbandoned(): void {
    for (const job of this.#waiting.takeAbandoned()) {
      this.#counts.cancelled += 1;
      this.#answer(job, CANCELLED);
    }
  }

  #refuseLate(): void {
    for (const job of this.#waiting.takeOlder(performance.now() - this.#queuedJobMsMax)) {
      this.#counts.refused += 1;
      this.#answer(job, OVERLOADED);
    }
  }

  /** Whether a worker should have the jobs before the turn of the event loop ends: the first one, or a group of them. */
  #isWorthATrip(): boolean {
    const { length } = this.#waiting;
    if (length >= JOBS_A_TRIP) return this.#slots.some((slot) => slot.room >= JOBS_A_TRIP);
    return length === 1 && this.#turn === null && this.#slots.some((slot) => !slot.working);
  }

  /** Jobs are collected until the end of the turn of the event loop, those of all its requests together. */
  #nextTurn(): void {
    this.#turn ??= setImmediate(() => {
      this.#turn = null;
      this.#dispatch();
    });
  }

  /** Sends waiting jobs to slots with room: each takes its share of the queue, so that no worker idles beside a full task. */
  #dispatch(): void {
    if (this.#closed) return;
    this.#dropAbandoned();
    this.#refuseLate();
    for (const slot of this.#slots) {
      if (this.#waiting.length === 0) break;
      const share = Math.ceil(this.#waiting.length / this.#slots.length);
      const jobs = this.#waiting.take(Math.min(share, slot.room, this.#jobsPerTaskMax));
      if (jobs.length > 0) this.#hand(slot, jobs);
    }
    this.#checkWhenIdle();
  }

  /** A task that waits for jobs gets them; where it cannot have them it is ended, and the next one will. */
  #hand(slot: Slot, jobs: readonly PoolJob[]): void {
    if (!slot.busy) return void this.#run(slot, jobs);
    if (slot.goOn(jobs, performance.now())) {
      this.#counts.tasks += 1;
      this.#counts.taskJobs += jobs.length;
      return;
    }
    this.#waiting.putBack([...slot.takeBack(), ...jobs]);
  }

  async #run(slot: Slot, jobs: readonly PoolJob[]): Promise<void> {
    const task = slot.start(jobs, performance.now());
    this.#counts.tasks += 1;
    this.#counts.taskJobs += jobs.length;
    this.#look();
    void this.#listen(slot);
    const ending = await this.#send(slot, task);
    if (this.#closed) return;
    if ('last' in ending) this.#finish(slot, ending.last);
    else this.#fail(slot, ending.error);
    this.#dispatch();
  }

  /** Takes answers as they come, as long as there is a task; one listener a slot. */
  async #listen(slot: Slot): Promise<void> {
    if (this.#heard.has(slot)) return;
    this.#heard.add(slot);
    while (slot.busy) {
      await slot.bell();
      if (this.#closed) return;
      slot.collect(this.#settle);
      this.#dispatch();
    }
    this.#heard.delete(slot);
  }

  #send(slot: Slot, task: Task): Promise<Ending> {
    return this.#piscina.run(task, { transferList: [task.jobs], signal: slot.killSignal }).then(
      (last) => ({ last }),
      (error: unknown) => ({ error }),
    );
  }

  /** One check at a time, where a worker has nothing to do and no job waits; one that waits for jobs is let go for it. */
  #checkWhenIdle(): void {
    const { checks } = this.#parts;
    if (checks === undefined || this.#isChecking || !this.#open || this.#waiting.length > 0) return;
    const slot = this.#slots.find(({ busy }) => !busy);
    if (slot === undefined && checks.isDue) this.#slots.find(({ working }) => !working)?.takeBack();
    const answered = slot === undefined ? null : checks.take();
    if (answered === null) return;
    if (answered.job.table === this.#table) void this.#check(slot!, answered, checks);
    else checks.skip();
  }

  /** The version is held once more if it is still kept; if not, the worker will say so. */
  async #check(slot: Slot, answered: Answered, checks: KernelChecks): Promise<void> {
    this.#isChecking = true;
    const release = this.#hold(jobOf(answered));
    this.#look();
    const ending = await this.#send(slot, slot.startCheck(answered.job, performance.now()));
    release();
    this.#isChecking = false;
    if (this.#closed) return;
    if ('last' in ending) {
      slot.end();
      checks.judge(answered, ending.last);
    } else {
      this.#fail(slot, ending.error);
      checks.skip();
    }
    this.#dispatch();
  }

  /** A task that ended: `last` is the answer that was too long for the lane. */
  #finish(slot: Slot, last: ArrayBuffer | null): void {
    slot.collect(this.#settle);
    const { runningJob } = slot;
    if (last !== null && runningJob !== null) {
      this.#settle(runningJob, unpackOutcome(new ByteReader(new Uint8Array(last))));
    }
    this.#waiting.putBack(slot.takeBack());
    slot.end();
  }

  #fail(slot: Slot, error: unknown): void {
    slot.collect(this.#settle);
    const { runningJob, killed, begun } = slot;
    const rest = slot.takeBack();
    slot.endFailed();
    if (!killed) this.#crashed(error instanceof Error ? error : new Error(String(error)));
    if (begun === 0) this.#retry(rest);
    else this.#waiting.putBack(rest);
    if (runningJob === null) return;
    if (killed) this.#answer(runningJob, timedOut(runningJob.timeoutMs));
    else this.#retry([runningJob]);
  }

  /** Gives suspects another try, each alone in its task; one that failed too often fails for good. */
  #retry(suspects: readonly PoolJob[]): void {
    for (const job of suspects) job.failures += 1;
    this.#waiting.putBack(suspects.filter((job) => job.failures < LIMITS.jobTriesMax));
    for (const job of suspects) if (job.failures >= LIMITS.jobTriesMax) this.#answer(job, BROKEN);
  }

  #crashed(error: Error): void {
    this.#counts.crashes += 1;
    this.#parts.onFailure(error);
  }

  /** Looks at the running tasks every LIMITS.laneLookMs as long as there are any. */
  #look(): void {
    this.#watch ??= setTimeout(() => {
      this.#watch = null;
      const now = performance.now();
      for (const slot of this.#slots) if (slot.busy) this.#inspect(slot, now);
      if (this.#slots.some((slot) => slot.busy)) this.#look();
      this.#dispatch();
    }, LIMITS.laneLookMs);
  }

  /** Takes the answers that are there; frees what waits behind a slow job; kills what does not end. */
  #inspect(slot: Slot, nowMs: number): void {
    slot.collect(this.#settle);
    const stalledMs = slot.stalledMs(nowMs);
    if (stalledMs > LIMITS.slowJobMs && slot.working && slot.begun > 0) this.#waiting.putBack(slot.takeBack());
    if (stalledMs <= this.#patienceMs(slot)) return;
    this.#counts.kills += 1;
    slot.kill();
  }

  /** A worker that has no job running may be starting: how long that takes is not the jobs' affair. */
  #patienceMs({ runningJob }: Slot): number {
    return runningJob === null ? LIMITS.estimateKillMsMax : Math.max(this.#killMs, 2 * runningJob.timeoutMs);
  }
}

/** Enough for a worker to be busy until the next ones come. */
const JOBS_A_TRIP = 8;

function failure(error: ErrorName, message: string): Outcome {
  return { kind: 'failure', error, message };
}

/** go-ethereum's text, its durations included: `5s`, `1.5s`, `200ms`. */
function timedOut(timeoutMs: number): Outcome {
  const duration = timeoutMs < SECOND_MS ? `${timeoutMs}ms` : `${timeoutMs / SECOND_MS}s`;
  return failure('execution', `execution aborted (timeout = ${duration})`);
}

function noop(): void {}
