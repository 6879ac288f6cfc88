// Main's attention to the answers of its workers. In a turn of the event loop that brings jobs, main looks for answers at the
// end by itself, and waits there, awake, for the answer to a job that is the only one. Runs on main.
//
// Gain: to wake main costs a worker a call of the system and main a turn of its event loop, and what is answered in the
// turn in which it came needs no pause of its connection (see src/http/later.ts). Price: where the answer comes late, main
// has looked in vain for up to 60 us; it does so the more seldom the more often that was so.
import { LIMITS } from '../../limits.js';
import type { WorkerHandle } from './worker-handle.js';

/** How main sees to one worker. */
export type Attended = Pick<WorkerHandle, 'attend' | 'leave' | 'hasAnswer'>;

/** After so many waits in vain in a row main waits for one job in 256, twice as few with each of them. */
const DOUBLINGS_MAX = 8;

/** Between `begin` and `end` no worker wakes main. */
export class Attention {
  readonly #workers: readonly Attended[];
  readonly #jobs: { readonly count: number };
  /** Waits in vain since the last one that was not, up to DOUBLINGS_MAX. */
  #vain = 0;
  /** Jobs that will not be waited for. */
  #skips = 0;

  /** `jobs`: those in flight. */
  constructor(workers: readonly Attended[], jobs: { readonly count: number }) {
    this.#workers = workers;
    this.#jobs = jobs;
  }

  /** Main is going to call `end` in this turn of the event loop. */
  begin(): void {
    for (const worker of this.#workers) worker.attend();
  }

  /** Takes the answers that are there; workers wake main for further ones. */
  end(): void {
    if (this.#jobs.count === 1 && !this.#skip()) this.#wait();
    for (const worker of this.#workers) worker.leave();
  }

  #skip(): boolean {
    if (this.#skips === 0) return false;
    this.#skips -= 1;
    return true;
  }

  /** A loop: a function for each look would be three quarters of main's garbage where one estimate is asked for at a time. */
  #hasAnswer(): boolean {
    for (const worker of this.#workers) if (worker.hasAnswer) return true;
    return false;
  }

  #wait(): void {
    for (let looks = 0; looks < LIMITS.answerLooksMax; looks++) {
      if (this.#hasAnswer()) {
        this.#vain = 0;
        return;
      }
    }
    this.#vain = Math.min(this.#vain + 1, DOUBLINGS_MAX);
    this.#skips = 2 ** this.#vain - 1;
  }
}
