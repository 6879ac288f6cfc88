// Jobs that wait for a worker, and who is next: cheap ones first, then what nobody has tried, then dear ones, which move up
// when they have waited long; in each class the clients in turn. Runs on main.
import { LIMITS } from '../../limits.js';
import type { CostClass } from './cost-history.js';
import { JobLine } from './job-line.js';
import { isAbandoned, type PoolJob } from './pool-job.js';

/** What the queue asks. */
export interface JobQueueParts {
  readonly classOf: (job: PoolJob) => CostClass;
  /** Worker time that a job is likely to take, milliseconds. */
  readonly expectedMs: (job: PoolJob) => number;
  /** Asked of each job when its turn has come; a job that may not run leaves the queue. */
  readonly mayRun: (job: PoolJob, costClass: CostClass, nowMs: number) => boolean;
}

/** Jobs for one hand-over. */
export interface Taken {
  readonly jobs: readonly PoolJob[];
  readonly costClass: CostClass;
}

const NO_JOBS: readonly PoolJob[] = [];
const NONE: Taken = { jobs: NO_JOBS, costClass: 'cheap' };

/** The queue. Bounded by the pool, which counts waiting and running jobs together. */
export class JobQueue {
  readonly #parts: JobQueueParts;
  readonly #lines: Readonly<Record<CostClass, JobLine>> = {
    cheap: new JobLine(),
    untried: new JobLine(),
    dear: new JobLine(),
  };
  /** Pass of the client that was served last: who has been away joins here and saves up nothing. */
  #passMs = 0;
  #dearWasLast = false;

  constructor(parts: JobQueueParts) {
    this.#parts = parts;
  }

  get length(): number {
    return this.#lines.cheap.length + this.#lines.untried.length + this.#lines.dear.length;
  }

  /** Jobs that wait in one class. */
  count(costClass: CostClass): number {
    return this.#lines[costClass].length;
  }

  push(job: PoolJob): void {
    const { client } = job;
    client.passMs = Math.min(Math.max(client.passMs, this.#passMs), this.#passMs + LIMITS.clientLeadMsMax);
    this.#lines[this.#parts.classOf(job)].add(job);
  }

  /** A job that comes back from a worker stands where it stood before, and costs its client nothing. */
  putBack(job: PoolJob): void {
    job.client.passMs -= job.chargedMs;
    this.#lines[this.#parts.classOf(job)].add(job);
  }

  /**
   * The next at most `most` jobs that may share a task: of one table; a suspect and a dear job go alone. `withDear`:
   * whether the worker takes dear jobs.
   */
  take(most: number, withDear: boolean, nowMs: number): Taken {
    if (most <= 0) return NONE;
    if (withDear && this.#isDearNext(nowMs)) return this.#takeDear(nowMs);
    const jobs = this.#takeOthers(most, nowMs);
    if (jobs.length > 0) {
      if (withDear) this.#dearWasLast = false;
      return { jobs, costClass: 'cheap' };
    }
    return withDear ? this.#takeDear(nowMs) : NONE;
  }

  /** Takes out what nobody waits for. */
  takeAbandoned(): PoolJob[] {
    return this.#remove(isAbandoned);
  }

  /** Takes out what came before `sinceMs`. */
  takeOlder(sinceMs: number): readonly PoolJob[] {
    const { cheap, untried, dear } = this.#lines;
    if (!cheap.hasOlder(sinceMs) && !untried.hasOlder(sinceMs) && !dear.hasOlder(sinceMs)) return NO_JOBS;
    return this.#remove(({ admittedMs }) => admittedMs < sinceMs);
  }

  /** Takes out dear jobs, of those that would be last, until so many are left. */
  takeDearBeyond(most: number): PoolJob[] {
    let left = this.#lines.dear.length - most;
    return left <= 0 ? [] : this.#lines.dear.remove(() => left-- > 0);
  }

  takeAll(): PoolJob[] {
    return this.#remove(() => true);
  }

  #remove(matches: (job: PoolJob) => boolean): PoolJob[] {
    const { cheap, untried, dear } = this.#lines;
    return [cheap, untried, dear].flatMap((line) => line.remove(matches));
  }

  /** One that has waited long goes before the others, but not two in a row: the others are not to starve, either. */
  #isDearNext(nowMs: number): boolean {
    return !this.#dearWasLast && this.#lines.dear.hasOlder(nowMs - LIMITS.dearJobWaitMs);
  }

  #takeDear(nowMs: number): Taken {
    const { dear } = this.#lines;
    while (dear.first !== undefined) {
      const job = this.#shift(dear, 'dear', nowMs);
      if (job === null) continue;
      this.#dearWasLast = true;
      return { jobs: [job], costClass: 'dear' };
    }
    return NONE;
  }

  #takeOthers(most: number, nowMs: number): PoolJob[] {
    const jobs: PoolJob[] = [];
    for (let line = this.#nextLine(); line !== null && jobs.length < most; line = this.#nextLine()) {
      if (jobs.length > 0 && !mayShare(jobs[0]!, line.first!)) break;
      const job = this.#shift(line, 'cheap', nowMs);
      if (job !== null) jobs.push(job);
    }
    return jobs;
  }

  /** The line whose turn it is of those that are not dear; what has become dear since it came leaves them first. */
  #nextLine(): JobLine | null {
    const { cheap, untried, dear } = this.#lines;
    for (const line of [cheap, untried]) {
      while (line.first !== undefined && this.#parts.classOf(line.first) === 'dear') dear.add(line.shift());
      if (line.first !== undefined) return line;
    }
    return null;
  }

  /** Takes out the first one, which is there; `null` when it is turned away. */
  #shift(line: JobLine, costClass: CostClass, nowMs: number): PoolJob | null {
    const job = line.first!;
    const { client } = job;
    this.#passMs = Math.max(this.#passMs, client.passMs);
    job.chargedMs = this.#parts.expectedMs(job);
    line.shift();
    if (this.#parts.mayRun(job, costClass, nowMs)) return job;
    client.passMs -= job.chargedMs;
    return null;
  }
}

function mayShare(first: PoolJob, job: PoolJob): boolean {
  return first.failures === 0 && job.failures === 0 && job.table === first.table;
}
