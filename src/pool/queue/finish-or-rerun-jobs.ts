// Handles the end of a job's run: the job is answered, run again, or fails.
//
// A job that was running when its worker thread was killed is answered as timed out. If the worker ran out of memory,
// the job is answered with an error, since it would need as much memory again. If the worker crashed for another
// reason, the job is suspected as the cause, and is run once more, alone in its task. Jobs that had not started are not
// suspected. But if no job had started, the cause is unknown, and all jobs are suspected.
import { ERRORS } from '../../rpc-errors.js';
import type { UsageLedger } from '../../fairness/usage-ledger.js';
import { LIMITS } from '../../limits/index.js';
import { isTimeoutOutcome, timeoutOutcome, type JobOutcome } from '../../transaction/evm-job.js';
import type { ShadowSampler } from '../shadow-sampler.js';
import type { CostHistory } from './cost-history.js';
import type { JobQueue } from './job-queue.js';
import type { JobTimeHistograms } from '../pool-counters.js';
import type { JobsInFlight } from '../jobs-in-flight.js';
import type { AdmittedJob } from '../admitted-job.js';
import type { RunTiming } from '../threads/run-timing.js';

interface FailedTask {
  /** The job that was running when the task failed; `null` if there was none. */
  readonly running: AdmittedJob | null;
  /** How long `running` had run, in milliseconds. */
  readonly ranMs: number;
  /** When the task failed, on the pool's clock. */
  readonly atMs: number;
  /** Jobs of the task that had not started. */
  readonly rest: readonly AdmittedJob[];
  /** True if the main thread killed the worker thread. Otherwise the worker crashed, or the task threw an exception. */
  readonly isKilled: boolean;
  /** True if the worker thread exceeded its heap limit. */
  readonly isOutOfMemory: boolean;
  /** True if the task had started a job. */
  readonly hasStarted: boolean;
}

export interface RunCompletionDeps {
  readonly jobs: JobsInFlight;
  readonly queue: JobQueue;
  readonly costs: CostHistory;
  readonly ledger: UsageLedger;
  readonly times: JobTimeHistograms;
  readonly sampler: ShadowSampler | null;
}

const OUT_OF_MEMORY: JobOutcome = { kind: 'failure', error: 'outOfMemory', message: ERRORS.outOfMemory.message };
const BROKEN: JobOutcome = { kind: 'failure', error: 'internal', message: ERRORS.internal.message };

export class RunCompletion {
  readonly #deps: RunCompletionDeps;

  constructor(deps: RunCompletionDeps) {
    this.#deps = deps;
  }

  /**
   * Handles an outcome received at `nowMs`. If the run was stopped by the short time limit of the worker reserved for
   * short jobs, the job is queued again as a long one.
   */
  outcome(job: AdmittedJob, outcome: JobOutcome, time: RunTiming, nowMs: number): void {
    const { jobs, queue, sampler, times } = this.#deps;
    const isFailedTrial = job.limitMs < job.timeoutMs && isTimeoutOutcome(outcome);
    this.#learn(job, time.tookMs, nowMs, isFailedTrial);
    if (job.isAnswered) return;
    if (isFailedTrial) {
      job.isLong = true;
      queue.push(job);
      return;
    }
    times.record(job.admittedMs, time, nowMs);
    sampler?.offer(job, outcome);
    jobs.answer(job, outcome);
  }

  /** Puts jobs that have not started back into the queue. */
  returned(jobs: readonly AdmittedJob[]): void {
    for (const job of jobs) this.#deps.queue.push(job);
  }

  /** Handles a failed task: its worker crashed or was killed, or the task threw. */
  failed({ running, ranMs, atMs, rest, isKilled, isOutOfMemory, hasStarted }: FailedTask): void {
    if (hasStarted) this.returned(rest);
    else this.#retry(rest);
    if (running === null || running.isAnswered) return;
    this.#learn(running, ranMs, atMs);
    if (isKilled) this.#deps.jobs.answer(running, timeoutOutcome(running.timeoutMs));
    else if (isOutOfMemory) this.#deps.jobs.answer(running, OUT_OF_MEMORY);
    else this.#retry([running]);
  }

  #learn({ costKey, client }: AdmittedJob, tookMs: number, nowMs: number, isFailedTrial = false): void {
    const { costs, ledger } = this.#deps;
    if (costs.expectedMs(costKey) === null) ledger.tried(client, tookMs);
    if (isFailedTrial) costs.recordTrial(costKey, tookMs);
    else costs.record(costKey, tookMs);
    ledger.use(client, tookMs, nowMs);
  }

  /**
   * Runs each job that may have crashed its worker again in a task of its own. After LIMITS.jobTriesMax such runs, a
   * job is answered with an error.
   */
  #retry(suspects: readonly AdmittedJob[]): void {
    for (const job of suspects) {
      job.failures += 1;
      if (job.failures < LIMITS.jobTriesMax) this.#deps.queue.push(job);
      else this.#deps.jobs.answer(job, BROKEN);
    }
  }
}
