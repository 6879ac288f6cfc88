// Whether a run has had a core for its time: one whose thread has lost its core says nothing about its job. Runs on the
// estimators.

/**
 * A look at the thread's time serves runs that begin this soon after it: one in 2 ms was 4 % of the time of a worker with
 * short jobs, among which a look takes longer than by itself. Price: what the thread sleeps after the look counts as lost, far
 * less than half of a trial.
 */
const LOOK_MS = 5;

/** Judges runs of one thread, one at a time. */
export class CoreTime {
  readonly #threadMs: () => number;
  #lookedMs = -Infinity;
  #threadMsThen = 0;

  /** `threadMs`: milliseconds for which the thread has had a core, NaN where nobody knows. */
  constructor(threadMs: () => number) {
    this.#threadMs = threadMs;
  }

  /** Notes that a run begins. */
  begin(nowMs: number): void {
    if (nowMs - this.#lookedMs < LOOK_MS) return;
    this.#lookedMs = nowMs;
    this.#threadMsThen = this.#threadMs();
  }

  /** Whether the run that began at `beganMs` and took `tookMs` until now was without a core for at least half of that. */
  wasLost(beganMs: number, tookMs: number): boolean {
    const hadMs = this.#threadMs() - this.#threadMsThen - (beganMs - this.#lookedMs);
    return hadMs < tookMs / 2;
  }
}
