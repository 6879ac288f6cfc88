// Jobs that wait for a worker: cheap ones go first, then untried ones, then dear ones; both of these move up when they have
// waited long. Watched ones, for which nobody has asked now, take what is left. In each class the clients take turns, and a
// client's short jobs go first. What is likely to have long data waits beside the classes until there is room for it. Runs on
// main.
import { LIMITS } from '../../limits.js';
import { BulkyJobs } from './bulky-jobs.js';
import type { Client } from './client-shares.js';
import type { QueueClass } from './cost-history.js';
import { JobLine } from './job-line.js';
import { isAbandoned, isAlone, type PoolJob } from './pool-job.js';

/** What the queue asks. */
export interface JobQueueParts {
  /** What the job is likely to cost. */
  readonly classOf: (job: PoolJob) => QueueClass;
  /** Whether the job is likely to have long data. */
  readonly isBulky: (job: PoolJob) => boolean;
  /** Whether there is room for long data of a client. */
  readonly mayHaveData: (client: Client) => boolean;
  /** Worker time that a job is likely to take, milliseconds. */
  readonly expectedMs: (job: PoolJob) => number;
  /** Asked about each job when its turn has come; a job that may not run leaves the queue. */
  readonly mayRun: (job: PoolJob, nowMs: number) => boolean;
}

/** What a worker can have. */
export interface Room {
  readonly jobs: number;
  /** Worker time that they may be expected to take, milliseconds; a single job may take more. */
  readonly ms: number;
  /** Whether it is for short jobs, and for those of which nothing is known. */
  readonly onlyShort: boolean;
}

/** Jobs for one hand-over. */
export interface Taken {
  readonly jobs: readonly PoolJob[];
  readonly costClass: QueueClass;
}

/** Where jobs are taken from: a line, or the short ones in it. */
interface Source {
  readonly line: JobLine;
  readonly onlyShort: boolean;
}

const NO_JOBS: readonly PoolJob[] = [];
const NONE: Taken = { jobs: NO_JOBS, costClass: 'cheap' };

/** The queue. Admission bounds it, by waiting and running jobs together. */
export class JobQueue {
  readonly #parts: JobQueueParts;
  readonly #lines: Readonly<Record<QueueClass, JobLine>>;
  readonly #bulky: BulkyJobs;
  readonly #allLines: readonly Pick<JobLine, 'hasOlder' | 'remove'>[];
  /** When the last short job was admitted. */
  #shortMs = -Infinity;
  /** Pass of the client that was served last: a client that comes back joins here and has saved up nothing. */
  #passMs = 0;
  #dearWasLast = false;
  #untriedWasLast = false;

  constructor(parts: JobQueueParts) {
    this.#parts = parts;
    const line = (): JobLine => new JobLine((job) => this.#isShort(job));
    this.#lines = { cheap: line(), untried: line(), dear: line(), watched: line() };
    this.#bulky = new BulkyJobs(parts.mayHaveData);
    this.#allLines = [...Object.values(this.#lines), this.#bulky];
  }

  /** All jobs, those that wait for room included. */
  get length(): number {
    return this.ready + this.#bulky.length;
  }

  /** Jobs in all classes: a worker may have them now. */
  get ready(): number {
    const { cheap, untried, dear, watched } = this.#lines;
    return cheap.length + untried.length + dear.length + watched.length;
  }

  /** Whether a short cheap job waits. */
  get hasShort(): boolean {
    return this.#lines.cheap.hasShort;
  }

  /** When the last short job was admitted, by the pool's clock. */
  get lastShortMs(): number {
    return this.#shortMs;
  }

  /** Jobs in one class. */
  count(costClass: QueueClass): number {
    return this.#lines[costClass].length;
  }

  /** Adds a new job. */
  push(job: PoolJob): void {
    const { client } = job;
    client.passMs = Math.min(Math.max(client.passMs, this.#passMs), this.#passMs + LIMITS.clientLeadMsMax);
    if (!job.isWatched && this.#isShort(job)) this.#shortMs = job.admittedMs;
    if (this.#parts.isBulky(job)) this.#bulky.add(job);
    else this.#lines[this.#parts.classOf(job)].add(job);
  }

  /** Lets jobs that are likely to have long data join the others where there is room for it. */
  letBulky(): void {
    if (this.#bulky.length === 0) return;
    for (const job of this.#bulky.ready()) this.#lines[this.#parts.classOf(job)].add(job);
  }

  /** A job that comes back from a worker stands where it stood before, and costs its client nothing. */
  putBack(job: PoolJob): void {
    job.client.passMs -= job.chargedMs;
    this.#lines[this.#parts.classOf(job)].add(job);
  }

  /**
   * Removes the next jobs that fit `room` and may share a task: they are of one table; a suspect, a long and a dear job go alone.
   * `withDear`: whether the worker takes dear jobs.
   */
  take(room: Room, withDear: boolean, nowMs: number): Taken {
    if (room.jobs <= 0) return NONE;
    if (withDear && this.#isDearNext(nowMs)) return this.#takeDear(nowMs);
    const jobs = this.#takeSoon(room, nowMs);
    if (jobs.length > 0) {
      if (withDear) this.#dearWasLast = false;
      return { jobs, costClass: 'cheap' };
    }
    return withDear ? this.#takePatient(room, nowMs) : NONE;
  }

  /** Removes the jobs that nobody waits for. */
  takeAbandoned(): PoolJob[] {
    return this.#remove(isAbandoned);
  }

  /** Removes the jobs that were admitted before `sinceMs`. */
  takeOlder(sinceMs: number): readonly PoolJob[] {
    if (!this.#allLines.some((line) => line.hasOlder(sinceMs))) return NO_JOBS;
    return this.#remove(({ admittedMs }) => admittedMs < sinceMs);
  }

  /** Removes those dear jobs that would be last, until `most` are left. */
  takeDearBeyond(most: number): PoolJob[] {
    let left = this.#lines.dear.length - most;
    return left <= 0 ? [] : this.#lines.dear.remove(() => left-- > 0);
  }

  /** Removes all jobs. */
  takeAll(): PoolJob[] {
    return this.#remove(() => true);
  }

  #isShort(job: PoolJob): boolean {
    return this.#parts.expectedMs(job) <= LIMITS.shortJobMs;
  }

  #remove(matches: (job: PoolJob) => boolean): PoolJob[] {
    return this.#allLines.flatMap((line) => line.remove(matches));
  }

  /** Cheap jobs, then untried ones; or a single untried one that has waited long, never two such in a row. */
  #takeSoon(room: Room, nowMs: number): PoolJob[] {
    const { cheap, untried } = this.#lines;
    const isUntriedNext = !this.#untriedWasLast && untried.hasOlder(nowMs - LIMITS.untriedJobWaitMs);
    this.#untriedWasLast = isUntriedNext;
    const anyUntried = { line: untried, onlyShort: false };
    const jobs = isUntriedNext ? this.#takeOf([anyUntried], { ...room, jobs: 1 }, nowMs) : [];
    if (jobs.length > 0) return jobs;
    return this.#takeOf([{ line: cheap, onlyShort: room.onlyShort }, anyUntried], room, nowMs);
  }

  /** A dear job, or else a few watched ones: whoever asks meanwhile waits for them. */
  #takePatient(room: Room, nowMs: number): Taken {
    const taken = this.#takeDear(nowMs);
    if (taken.jobs.length > 0) return taken;
    const few = Math.min(room.jobs, LIMITS.watchedJobsPerTaskMax);
    const jobs = this.#takeOf([{ line: this.#lines.watched, onlyShort: false }], { ...room, jobs: few }, nowMs);
    return jobs.length > 0 ? { jobs, costClass: 'watched' } : this.#takeDear(nowMs);
  }

  /** Whether a dear job that has waited long goes first; never two in a row, so that the others do not starve. */
  #isDearNext(nowMs: number): boolean {
    return !this.#dearWasLast && this.#lines.dear.hasOlder(nowMs - LIMITS.dearJobWaitMs);
  }

  #takeDear(nowMs: number): Taken {
    const { dear } = this.#lines;
    while (dear.length > 0) {
      const job = this.#shift({ line: dear, onlyShort: false }, nowMs);
      if (job === null) continue;
      this.#dearWasLast = true;
      return { jobs: [job], costClass: 'dear' };
    }
    return NONE;
  }

  #takeOf(sources: readonly Source[], { jobs: most, ms: mostMs }: Room, nowMs: number): PoolJob[] {
    const jobs: PoolJob[] = [];
    let sumMs = 0;
    for (let from = this.#nextOf(sources); from !== null && jobs.length < most; from = this.#nextOf(sources)) {
      const next = from.line.next(from.onlyShort)!;
      sumMs += this.#parts.expectedMs(next);
      if (jobs.length > 0 && (sumMs > mostMs || !this.#mayFollow(jobs.at(-1)!, next, from))) break;
      const job = this.#shift(from, nowMs);
      if (job !== null) jobs.push(job);
    }
    return jobs;
  }

  /** The first of these that has a job; jobs that have become dear since they came are moved. */
  #nextOf(sources: readonly Source[]): Source | null {
    const { dear } = this.#lines;
    for (const source of sources) {
      const { line, onlyShort } = source;
      let next = line.next(onlyShort);
      for (; next !== undefined && this.#parts.classOf(next) === 'dear'; next = line.next(onlyShort)) {
        dear.add(line.shift(onlyShort));
      }
      if (next !== undefined) return source;
    }
    return null;
  }

  /** Whether a job may be handed over behind `last`: a short cheap one does not wait behind a longer one. */
  #mayFollow(last: PoolJob, job: PoolJob, { line }: Source): boolean {
    const isHeldUp = line === this.#lines.cheap && last.chargedMs > LIMITS.shortJobMs && this.#isShort(job);
    return mayShare(last, job) && !isHeldUp;
  }

  /** Removes the next job, which exists; `null` when it may not run. */
  #shift({ line, onlyShort }: Source, nowMs: number): PoolJob | null {
    const job = line.next(onlyShort)!;
    const { client } = job;
    this.#passMs = Math.max(this.#passMs, client.passMs);
    job.chargedMs = this.#parts.expectedMs(job);
    line.shift(onlyShort);
    if (this.#parts.mayRun(job, nowMs)) return job;
    client.passMs -= job.chargedMs;
    return null;
  }
}

function mayShare(first: PoolJob, job: PoolJob): boolean {
  return !isAlone(first) && !isAlone(job) && job.table === first.table;
}
