// Uses idle worker threads to check results of the kernel with the reference EVM, one result at a time.
import { unpackAnsweredJob, type AnsweredJob, type ShadowSampler } from '../shadow-sampler.js';
import type { JobsInFlight } from '../jobs-in-flight.js';
import type { TaskWatch } from './watch-running-tasks.js';
import type { WorkerHandle } from '../threads/worker-handle.js';

export interface ShadowChecksDeps {
  readonly sampler: ShadowSampler;
  readonly handles: readonly WorkerHandle[];
  readonly jobs: JobsInFlight;
  readonly watch: TaskWatch;
  /** Called when a check has ended, so that its worker may have capacity for jobs. */
  readonly onCapacity: () => void;
}

export class ShadowChecks {
  readonly #deps: ShadowChecksDeps;
  #isChecking = false;

  constructor(deps: ShadowChecksDeps) {
    this.#deps = deps;
  }

  /**
   * Starts a check if a result waits for one and a worker has no task. If every worker has a task, but one of them only
   * waits for more jobs, ends that task, so that the next call can start the check. Called while no job waits.
   */
  startOne(): void {
    const { sampler, handles, jobs } = this.#deps;
    if (this.#isChecking || !sampler.isDue) return;
    const handle = handles.find(({ isFree }) => isFree);
    if (handle === undefined) return handles.find(({ task }) => !task.isWorking)?.reclaim();
    const answered = sampler.take()!;
    if (answered.job.table === jobs.table) void this.#check(handle, answered);
    else sampler.skip();
  }

  /**
   * Checks a result on a worker. Pins the job's state version for the check, if it is still retained. If it is not, the
   * worker reports that, and the check is skipped.
   */
  async #check(handle: WorkerHandle, answered: AnsweredJob): Promise<void> {
    const { sampler, jobs, watch, onCapacity } = this.#deps;
    this.#isChecking = true;
    const release = jobs.pin(unpackAnsweredJob(answered).position);
    watch.start();
    const ending = await handle.check(answered.job);
    release();
    this.#isChecking = false;
    if ('reference' in ending) sampler.compare(answered, ending.reference);
    else sampler.skip();
    onCapacity();
  }
}
