// A place at a worker: a lane and the task that runs in it, which may be waiting there for further jobs. Knows which of its
// jobs are answered, which one is running and since when. Runs on main.
import type { Outcome } from '../evm/call.js';
import { LIMITS } from '../limits.js';
import { MainLane } from './lane.js';
import type { TableRef, Task } from './task.js';
import type { PoolJob } from './waiting.js';

/** As many of these as there are workers; each has at most one task. */
export class Slot {
  #lane = new MainLane();
  #kill = new AbortController();
  /** Jobs of the task that have no answer, in order: an answered one is forgotten at once, as tasks may be long. */
  #jobs: PoolJob[] = [];
  #answered = 0;
  /** Of all jobs of the task; undefined when it has had none. */
  #table: TableRef | null | undefined;
  #busy = false;
  #progressSeen = 0;
  #sinceMs = 0;

  /** A task has not ended. */
  get busy(): boolean {
    return this.#busy;
  }

  /** The task has jobs without an answer. */
  get working(): boolean {
    return this.#jobs.length > 0;
  }

  /**
   * Jobs that may be handed to it now. A task that has answered some takes further ones before it runs out of them, so that
   * worker and main need not wait for each other; not one by one, as every hand-over wakes somebody.
   */
  get room(): number {
    if (!this.#busy) return LIMITS.jobsPerTaskMax;
    if (this.#lane.isClosed) return 0;
    const room = LIMITS.laneBacklogMax - (this.#answered + this.#jobs.length - this.#lane.begun);
    return !this.working || (this.#answered > 0 && room >= LIMITS.laneBacklogMax / 2) ? room : 0;
  }

  /** Ends the task and, when it has begun, its worker. */
  get killSignal(): AbortSignal {
    return this.#kill.signal;
  }

  get killed(): boolean {
    return this.#kill.signal.aborted;
  }

  /** Jobs begun by now. */
  get begun(): number {
    return this.#lane.begun;
  }

  /** The job that has begun and has no answer; null between jobs. */
  get runningJob(): PoolJob | null {
    return this.#lane.begun > this.#answered ? this.#jobs[0]! : null;
  }

  /** Takes up jobs of one table; answers the message for the worker. */
  start(jobs: readonly PoolJob[], nowMs: number): Task {
    this.#busy = true;
    this.#jobs = [...jobs];
    this.#answered = 0;
    this.#table = jobs[0]?.table;
    this.#progressSeen = 0;
    this.#sinceMs = nowMs;
    this.#lane.open(jobs.length);
    return {
      table: this.#table ?? null,
      lane: this.#lane.buffer,
      jobs: joined(jobs),
      count: jobs.length,
      isCheck: false,
    };
  }

  /** Lets the reference judge a job that has been answered: nobody waits for it, so it is not one of the slot's jobs. */
  startCheck(job: PoolJob, nowMs: number): Task {
    return { ...this.start([], nowMs), table: job.table, jobs: joined([job]), count: 1, isCheck: true };
  }

  /**
   * Gives a task further jobs; false when it cannot have them: they are of another table, one has to
   * be alone in its task, the lane is full or closed.
   */
  goOn(jobs: readonly PoolJob[], nowMs: number): boolean {
    const [first] = jobs;
    if (first === undefined || first.failures > 0 || first.table !== this.#table) return false;
    if (!this.#lane.post(jobs.map(({ packed }) => packed))) return false;
    if (!this.working) this.#sinceMs = nowMs;
    this.#jobs.push(...jobs);
    return true;
  }

  /** Resolves when there may be new answers, or the task has ended. */
  bell(): Promise<void> {
    return this.#lane.bell();
  }

  /** Hands every new answer to `settle`. */
  collect(settle: (job: PoolJob, outcome: Outcome) => void): void {
    for (let outcome = this.#lane.next(); outcome !== null; outcome = this.#lane.next()) {
      this.#answered += 1;
      settle(this.#jobs.shift()!, outcome);
    }
  }

  /** How long nothing has moved, milliseconds: the time of the running job, or the wait for the worker. After `collect`. */
  stalledMs(nowMs: number): number {
    const progress = this.#lane.begun + this.#answered;
    if (progress !== this.#progressSeen) {
      this.#progressSeen = progress;
      this.#sinceMs = nowMs;
    }
    return nowMs - this.#sinceMs;
  }

  /** Takes back the jobs that have not begun; each is handed out once. */
  takeBack(): readonly PoolJob[] {
    const begun = this.#lane.close();
    return this.#jobs.splice(begun - this.#answered);
  }

  /** Jobs of this task, but those taken back, that have no answer. */
  unanswered(): readonly PoolJob[] {
    return this.#jobs;
  }

  kill(): void {
    this.#kill.abort();
  }

  /** The task is over. */
  end(): void {
    this.#busy = false;
    this.#jobs = [];
    this.#answered = 0;
    this.#lane.ring();
  }

  /** The task is over and its worker dead or suspect: the lane may still be written to, so a fresh one takes its place. */
  endFailed(): void {
    this.end();
    this.#lane = new MainLane();
    this.#kill = new AbortController();
  }
}

function joined(jobs: readonly PoolJob[]): ArrayBuffer {
  let length = 0;
  for (const job of jobs) length += job.packed.length;
  const bytes = Buffer.from(new ArrayBuffer(length));
  let offset = 0;
  for (const job of jobs) offset += bytes.write(job.packed, offset, 'latin1');
  return bytes.buffer;
}
