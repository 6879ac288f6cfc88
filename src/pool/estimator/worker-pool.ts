// The estimator pool on piscina: admits, merges, groups and bounds jobs, watches the running ones, and tries again what a
// dying worker took with it. Runs on main.
//
// A job is executed in the task it is sent with, unless a task in front of it is slow (then it is taken back and sent
// again) or its worker dies. The worker's mailbox tells who was running: that job is the suspect, answered as timed out
// when main killed the worker, tried once more and alone when the worker crashed. Jobs that had not begun are never
// blamed.
//
// The last worker takes no dear jobs, and what it takes has little time there (LIMITS.trialMs): a job that needs more comes
// back, is dear from then on and runs in full elsewhere. So cheap jobs find a worker within that time, whatever the others
// do. A pool of one worker does both.
import { setTimeout as sleep } from 'node:timers/promises';
import { isTimeout, timedOut, type Job, type Outcome } from '../../transaction/call-request.js';
import { ERRORS, type ErrorName } from '../../errors.js';
import { LIMITS } from '../../limits.js';
import { ByteReader, ByteWriter } from '../../lib/bytes.js';
import { type Client, ClientShares } from './client-shares.js';
import { type CostClass, CostHistory } from './cost-history.js';
import { VersionPins, type VersionPin } from '../../state/version-pins.js';
import { jobOf, type Answered, type ShadowSampler } from '../shadow-sampler.js';
import { JobQueue } from './job-queue.js';
import { NO_LIMIT_MS, packJob, unpackOutcome } from './codec.js';
import { isAbandoned, type PoolJob } from './pool-job.js';
import type { Asker, EstimatorPool, PoolStats, RefusalReason } from './pool.js';
import { WorkerHandle } from './worker-handle.js';
import type { FromEstimator, TableRef } from './task.js';

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
  readonly timeoutGraceMs?: number;
  readonly killGraceMs?: number;
  readonly heapMiBMax?: number;
}

/** What the pool is built from. */
export interface PoolParts {
  /** The pin that main holds on a table for the jobs in flight. */
  readonly pinOn: (table: TableRef) => VersionPin;
  /** Called with every crash and kill, for the log. */
  readonly onFailure: (error: Error) => void;
  /** Chooses answers that idle workers let the reference judge. */
  readonly sampler?: ShadowSampler;
  /** Called with what workers say besides their answers. */
  readonly onMessage?: (message: FromEstimator) => void;
}

const SCRATCH_BYTES = 64 * 1024;
const BROKEN = failure('internal', ERRORS.internal.message);
const SHUT_DOWN = failure('internal', 'shutting down');
const OVERLOADED = failure('overload', ERRORS.overload.message);
const CANCELLED = failure('execution', 'execution cancelled');

/** EstimatorPool on worker threads. */
export class WorkerPool implements EstimatorPool {
  readonly #parts: PoolParts;
  readonly #queuedJobsMax: number;
  readonly #queuedJobMsMax: number;
  readonly #jobsPerTaskMax: number;
  readonly #timeoutGraceMs: number;
  readonly #killGraceMs: number;
  readonly #handles: readonly WorkerHandle[];
  readonly #shares: ClientShares;
  readonly #costs = new CostHistory();
  readonly #waiting = new JobQueue({
    classOf: (job) => this.#classOf(job),
    expectedMs: ({ costKey }) => this.#costs.expectedMs(costKey) ?? 0,
    isWanted: (job, costClass) => this.#isWanted(job, costClass),
  });
  readonly #heard = new Set<WorkerHandle>();
  readonly #inFlight = new Map<string, PoolJob>();
  readonly #packer = new ByteWriter(SCRATCH_BYTES);
  readonly #counts = { completed: 0, merged: 0, cancelled: 0, crashes: 0, kills: 0, tasks: 0, taskJobs: 0 };
  readonly #refused: Record<RefusalReason, number> = { full: 0, dear: 0, share: 0, time: 0, late: 0, closed: 0 };
  readonly #settle = (job: PoolJob, outcome: Outcome, tookMs: number): void => this.#settled(job, outcome, tookMs);
  #tables = 0;
  #table: TableRef | null = null;
  #pins: VersionPins | null = null;
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
    const bytesMax = options.queuedJobBytesMax ?? LIMITS.queuedJobBytesMax;
    this.#shares = new ClientShares({ jobsMax: this.#queuedJobsMax, bytesMax });
    this.#queuedJobMsMax = options.queuedJobMsMax ?? LIMITS.queuedJobMsMax;
    this.#jobsPerTaskMax = options.jobsPerTaskMax ?? LIMITS.jobsPerTaskMax;
    this.#timeoutGraceMs = options.timeoutGraceMs ?? LIMITS.timeoutGraceMs;
    this.#killGraceMs = options.killGraceMs ?? LIMITS.killGraceMs;
    const { workerFile, workerData } = options;
    const worker = { workerFile, workerData, heapMiB: options.heapMiBMax ?? LIMITS.estimatorHeapMiBMax };
    const handleParts = {
      onCrash: (error: Error) => this.#crashed(error),
      onReady: () => this.#dispatch(),
      onMessage: (message: FromEstimator) => parts.onMessage?.(message),
    };
    this.#handles = Array.from({ length: options.workers }, () => new WorkerHandle(worker, handleParts));
  }

  get stats(): PoolStats {
    const waiting = this.#waiting;
    const queued = waiting.length;
    const classes = { cheap: waiting.count('cheap'), untried: waiting.count('untried'), dear: waiting.count('dear') };
    const running = this.#shares.jobs - queued;
    return { queued, waiting: classes, running, refused: { ...this.#refused }, ...this.#counts };
  }

  setTable({ buffer }: TableRef): void {
    this.#table = { generation: (this.#tables += 1), buffer };
    this.#pins = new VersionPins(this.#parts.pinOn(this.#table));
  }

  submit(job: Job, asker?: Asker): Promise<Outcome> | null {
    this.#packer.reset();
    packJob(job, this.#packer);
    const packed = this.#packer.written.toString('latin1');
    const equal = this.#inFlight.get(packed) ?? null;
    if (equal !== null && equal.table === this.#table) return this.#join(equal, asker);
    const client = this.#shares.of(asker?.client);
    const costKey = this.#costs.keyOf(job);
    const refusal = this.#refusal(client, this.#costs.classOf(costKey), packed.length);
    if (refusal === null) return this.#admit(job, { packed, client, costKey }, asker);
    this.#refused[refusal] += 1;
    return null;
  }

  async drain(timeoutMs: number): Promise<boolean> {
    this.#open = false;
    if (this.#shares.jobs === 0) return true;
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
    for (const handle of this.#handles) for (const job of handle.unanswered()) this.#answer(job, SHUT_DOWN);
    await Promise.all(this.#handles.map((handle) => handle.close()));
  }

  async #warmUp(): Promise<void> {
    await Promise.all(this.#handles.map((handle) => handle.warmUp()));
  }

  #join(equal: PoolJob, asker: Asker | undefined): Promise<Outcome> {
    this.#counts.merged += 1;
    if (asker === undefined) equal.askers = null;
    else equal.askers?.push(asker);
    return equal.answer;
  }

  /** Why a job is refused at once; `null` when it is not. */
  #refusal(client: Client, costClass: CostClass, bytes: number): RefusalReason | null {
    if (!this.#open) return 'closed';
    const refusal = this.#lackOfRoom(client, costClass, bytes);
    // Looked for once a turn, as it costs a walk over the queue.
    if (refusal === null || refusal === 'time' || this.#turn !== null) return refusal;
    this.#makeRoom();
    this.#nextTurn();
    return this.#lackOfRoom(client, costClass, bytes);
  }

  #lackOfRoom(client: Client, costClass: CostClass, bytes: number): RefusalReason | null {
    const shares = this.#shares;
    if (costClass === 'dear' && shares.isOverBudget(client, performance.now())) return 'time';
    if (!shares.hasRoom(bytes)) return 'full';
    if (!shares.isWithin(client, bytes)) return 'share';
    return costClass === 'dear' && this.#waiting.count('dear') >= this.#dearJobsMax ? 'dear' : null;
  }

  /** Dear jobs that may wait: the other half is for those that leave it sooner. */
  get #dearJobsMax(): number {
    return this.#queuedJobsMax / 2;
  }

  /** What nobody waits for any more makes room, and dear jobs beyond their half, which were not known to be dear. */
  #makeRoom(): void {
    for (const job of this.#waiting.takeAbandoned()) this.#cancel(job);
    for (const job of this.#waiting.takeDearBeyond(this.#dearJobsMax)) this.#refuse(job, 'dear');
  }

  #admit(job: Job, known: Pick<PoolJob, 'packed' | 'client' | 'costKey'>, asker: Asker | undefined): Promise<Outcome> {
    const { packed, client, costKey } = known;
    let settle: PoolJob['settle'] = noop;
    const answer = new Promise<Outcome>((resolve) => (settle = resolve));
    // Field by field: a spread makes an object that takes ten times as long to make and to read.
    const admitted: PoolJob = {
      packed,
      client,
      costKey,
      table: this.#table,
      admittedMs: performance.now(),
      release: this.#hold(job),
      timeoutMs: job.timeoutMs,
      answer,
      settle,
      askers: asker === undefined ? null : [asker],
      failures: 0,
      trials: 0,
      limitMs: NO_LIMIT_MS,
      chargedMs: 0,
      isAnswered: false,
    };
    if (packed.length <= LIMITS.mergedJobBytesMax) this.#inFlight.set(packed, admitted);
    this.#shares.admit(client, packed.length);
    this.#waiting.push(admitted);
    if (this.#isWorthATrip()) this.#dispatch();
    if (this.#waiting.length > 0) this.#nextTurn();
    return answer;
  }

  #hold({ position }: Job): () => void {
    return (position.kind === 'version' ? this.#pins?.hold(position.version) : null) ?? noop;
  }

  /** Once: a job that was told that its time is up may be answered by its worker later. */
  #answer(job: PoolJob, outcome: Outcome): void {
    if (job.isAnswered) return;
    job.isAnswered = true;
    if (this.#inFlight.get(job.packed) === job) this.#inFlight.delete(job.packed);
    job.release();
    job.settle(outcome);
    this.#counts.completed += 1;
    this.#shares.release(job.client, job.packed.length);
    if (this.#shares.jobs === 0) this.#whenEmpty?.();
  }

  #refuse(job: PoolJob, reason: RefusalReason): void {
    this.#refused[reason] += 1;
    this.#answer(job, OVERLOADED);
  }

  #cancel(job: PoolJob): void {
    this.#counts.cancelled += 1;
    this.#answer(job, CANCELLED);
  }

  /** A worker's answer. A run that was broken off at its trial is none: the job is run again. */
  #settled(job: PoolJob, outcome: Outcome, tookMs: number): void {
    this.#learn(job, tookMs);
    if (job.limitMs < job.timeoutMs && isTimeout(outcome) && !job.isAnswered) {
      job.trials += 1;
      this.#waiting.putBack([job]);
      return;
    }
    if (job.isAnswered) return;
    this.#parts.sampler?.offer(job, outcome);
    this.#answer(job, outcome);
  }

  /** Takes in what a run took, and charges the client the difference to what was expected. */
  #learn(job: PoolJob, tookMs: number): void {
    this.#costs.record(job.costKey, tookMs);
    job.client.passMs += tookMs - job.chargedMs;
    job.chargedMs = 0;
    this.#shares.use(job.client, tookMs, performance.now());
  }

  #classOf(job: PoolJob): CostClass {
    return job.trials < LIMITS.trialMs.length ? this.#costs.classOf(job.costKey) : 'dear';
  }

  /** Asked when a job's turn has come. One that others have joined is not refused for what its client has used. */
  #isWanted(job: PoolJob, costClass: CostClass): boolean {
    const isRefusable = costClass === 'dear' && job.askers?.length === 1;
    if (isAbandoned(job)) this.#cancel(job);
    else if (isRefusable && this.#shares.isOverBudget(job.client, performance.now())) this.#refuse(job, 'time');
    return !job.isAnswered;
  }

  #refuseLate(nowMs: number): void {
    for (const job of this.#waiting.takeOlder(nowMs - this.#queuedJobMsMax)) this.#refuse(job, 'late');
  }

  /** Whether a worker should have the jobs before the turn of the event loop ends: the first one, or a group of them. */
  #isWorthATrip(): boolean {
    const { length } = this.#waiting;
    if (length >= JOBS_A_TRIP) return this.#handles.some((handle) => handle.room >= JOBS_A_TRIP);
    return length === 1 && this.#turn === null && this.#handles.some((handle) => handle.idle);
  }

  /** Jobs are collected until the end of the turn of the event loop, those of all its requests together. */
  #nextTurn(): void {
    this.#turn ??= setImmediate(() => {
      this.#turn = null;
      this.#dispatch();
    });
  }

  /**
   * Sends waiting jobs to workers with room: each takes its share of the queue, so that none idles beside a full task.
   */
  #dispatch(): void {
    if (this.#closed) return;
    const nowMs = performance.now();
    this.#refuseLate(nowMs);
    for (const [place, handle] of this.#handles.entries()) {
      if (this.#waiting.length === 0) break;
      if (handle.room > 0) this.#supply(handle, place, nowMs);
    }
    if (this.#waiting.length > 0) this.#look();
    this.#checkWhenIdle();
  }

  /** The last worker takes no dear jobs unless it is the only one, and limits the others while there are more. */
  #supply(handle: WorkerHandle, place: number, nowMs: number): void {
    const isLast = place === this.#handles.length - 1;
    const share = Math.ceil(this.#waiting.length / this.#handles.length);
    const most = Math.min(share, handle.room, this.#jobsPerTaskMax);
    const { jobs, costClass } = this.#waiting.take(most, !isLast || place === 0, nowMs);
    const isTrial = isLast && costClass !== 'dear' && this.#shares.jobs > jobs.length;
    for (const job of jobs) job.limitMs = isTrial ? LIMITS.trialMs[job.trials]! : NO_LIMIT_MS;
    if (jobs.length > 0) this.#hand(handle, jobs);
  }

  /** A task that waits for jobs gets them; where it cannot have them it is ended, and the next one will. */
  #hand(handle: WorkerHandle, jobs: readonly PoolJob[]): void {
    if (!handle.busy) return void this.#run(handle, jobs);
    if (handle.goOn(jobs, performance.now())) {
      this.#counts.tasks += 1;
      this.#counts.taskJobs += jobs.length;
      return;
    }
    this.#waiting.putBack([...handle.takeBack(), ...jobs]);
  }

  async #run(handle: WorkerHandle, jobs: readonly PoolJob[]): Promise<void> {
    const task = handle.start(jobs, performance.now());
    this.#counts.tasks += 1;
    this.#counts.taskJobs += jobs.length;
    this.#look();
    void this.#listen(handle);
    const ending = await handle.send(task);
    if (this.#closed) return;
    if ('last' in ending) this.#finish(handle, ending.last);
    else this.#fail(handle, ending.error);
    this.#dispatch();
  }

  /** Takes answers as they come, as long as there is a task; one listener a worker. */
  async #listen(handle: WorkerHandle): Promise<void> {
    if (this.#heard.has(handle)) return;
    this.#heard.add(handle);
    while (handle.busy) {
      await handle.bell();
      if (this.#closed) return;
      handle.collect(this.#settle);
      this.#dispatch();
    }
    this.#heard.delete(handle);
  }

  /** One check at a time, where a worker has nothing to do and no job waits; one that waits for jobs is let go for it. */
  #checkWhenIdle(): void {
    const { sampler } = this.#parts;
    if (sampler === undefined || this.#isChecking || !this.#open || this.#waiting.length > 0) return;
    const handle = this.#handles.find(({ ready, busy }) => ready && !busy);
    if (handle === undefined && sampler.isDue) this.#handles.find(({ working }) => !working)?.takeBack();
    const answered = handle === undefined ? null : sampler.take();
    if (answered === null) return;
    if (answered.job.table === this.#table) void this.#check(handle!, answered, sampler);
    else sampler.skip();
  }

  /** The version is held once more if it is still kept; if not, the worker will say so. */
  async #check(handle: WorkerHandle, answered: Answered, sampler: ShadowSampler): Promise<void> {
    this.#isChecking = true;
    const release = this.#hold(jobOf(answered));
    this.#look();
    const ending = await handle.send(handle.startCheck(answered.job, performance.now()));
    release();
    this.#isChecking = false;
    if (this.#closed) return;
    if ('last' in ending) {
      handle.end();
      sampler.judge(answered, ending.last);
    } else {
      this.#fail(handle, ending.error);
      sampler.skip();
    }
    this.#dispatch();
  }

  /** A task that ended: `last` is the answer that was too long for the mailbox. */
  #finish(handle: WorkerHandle, last: ArrayBuffer | null): void {
    handle.collect(this.#settle);
    const { runningJob } = handle;
    if (last !== null && runningJob !== null) {
      const answer = new ByteReader(new Uint8Array(last));
      this.#settled(runningJob, unpackOutcome(answer), answer.number());
    }
    this.#waiting.putBack(handle.takeBack());
    handle.end();
  }

  #fail(handle: WorkerHandle, error: unknown): void {
    handle.collect(this.#settle);
    const { runningJob, killed, begun } = handle;
    const ranMs = handle.stalledMs(performance.now());
    const rest = handle.takeBack();
    handle.endFailed();
    if (!killed) this.#crashed(error instanceof Error ? error : new Error(String(error)));
    if (begun === 0) this.#retry(rest);
    else this.#waiting.putBack(rest);
    if (runningJob === null || runningJob.isAnswered) return;
    this.#learn(runningJob, ranMs);
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

  /** Looks at the running tasks every LIMITS.mailboxLookMs as long as there are any, or jobs wait for a worker. */
  #look(): void {
    this.#watch ??= setTimeout(() => {
      this.#watch = null;
      const now = performance.now();
      for (const handle of this.#handles) if (handle.busy) this.#inspect(handle, now);
      if (this.#handles.some((handle) => handle.busy)) this.#look();
      this.#dispatch();
    }, LIMITS.mailboxLookMs);
  }

  /** Takes the answers that are there, and bounds how long the running job holds up others, is waited for, and runs. */
  #inspect(handle: WorkerHandle, nowMs: number): void {
    handle.collect(this.#settle);
    const stalledMs = handle.stalledMs(nowMs);
    const holdsUp = stalledMs > LIMITS.slowJobMs && handle.working && handle.begun > 0;
    if (holdsUp || handle.hasOlder(nowMs - this.#queuedJobMsMax)) this.#waiting.putBack(handle.takeBack());
    const { runningJob } = handle;
    if (runningJob !== null) this.#inspectJob(runningJob, stalledMs);
    const timeoutMs = runningJob?.timeoutMs ?? LIMITS.estimateMsMax;
    if (stalledMs <= Math.max(2 * timeoutMs, timeoutMs + this.#killGraceMs)) return;
    this.#counts.kills += 1;
    handle.kill();
  }

  /** What a job of a new kind takes is known before it ends. Its own answer does not wait for a worker that hangs. */
  #inspectJob(job: PoolJob, ranMs: number): void {
    const isNew = this.#costs.expectedMs(job.costKey) === null;
    if (isNew && ranMs > LIMITS.trialMs[1]) this.#costs.record(job.costKey, ranMs);
    if (ranMs > job.timeoutMs + this.#timeoutGraceMs) this.#answer(job, timedOut(job.timeoutMs));
  }
}

/** Enough for a worker to be busy until the next ones come. */
const JOBS_A_TRIP = 8;

function failure(error: ErrorName, message: string): Outcome {
  return { kind: 'failure', error, message };
}

function noop(): void {}
