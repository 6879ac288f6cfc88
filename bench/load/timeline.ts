// Course of a turn: outcomes and times of requests by windows of their intended starts. Runs in the generator and in
// the bench.
import { Times } from './histogram.js';

/** Verdict on a response: a result for each call; a rejection of all of them; anything else, including none. */
export type Verdict = 'result' | 'refusal' | 'failure';

/** Requests that were meant to start in one window. */
export type Window = Readonly<Record<Verdict, number>>;

/** The course of one turn. Times of results in milliseconds, 0 where a window has none. */
export interface Course {
  readonly windowMs: number;
  readonly windows: readonly Window[];
  readonly p50: readonly number[];
  readonly p99: readonly number[];
}

export const NO_COURSE: Course = { windowMs: 100, windows: [], p50: [], p99: [] };
const WINDOW_MS = 100;
/** Maximum number of windows per turn: their length doubles until this many suffice. */
const WINDOWS_MAX = 120;

export class Timeline {
  readonly #windowMs: number;
  readonly #windows: Record<Verdict, number>[] = [];
  readonly #times: Times[] = [];

  /** `durationMs`: of the turn. */
  constructor(durationMs: number) {
    const doublings = Math.ceil(Math.log2(Math.max(1, durationMs / WINDOW_MS / WINDOWS_MAX)));
    this.#windowMs = WINDOW_MS * 2 ** doublings;
  }

  /** Counts a request by its intended start, milliseconds from the start of the turn; `tookMs` from there. */
  add(intendedMs: number, verdict: Verdict, tookMs: number): void {
    const index = Math.floor(intendedMs / this.#windowMs);
    while (this.#windows.length <= index) {
      this.#windows.push({ result: 0, refusal: 0, failure: 0 });
      this.#times.push(new Times());
    }
    this.#windows[index]![verdict]++;
    if (verdict === 'result') this.#times[index]!.add(tookMs);
  }

  get course(): Course {
    const [p50, p99] = [50, 99].map((at) => this.#times.map((times) => times.percentile(at)));
    return { windowMs: this.#windowMs, windows: this.#windows, p50: p50!, p99: p99! };
  }
}

/** Sums the windows of several turns by index. */
export function sumWindows(turns: readonly (readonly Window[])[]): Window[] {
  const length = Math.max(0, ...turns.map((windows) => windows.length));
  return Array.from({ length }, (_, index) => sumOf(turns.flatMap((windows) => windows[index] ?? [])));
}

/** Sums these windows. */
export function sumOf(windows: readonly Window[]): Window {
  const sum = { result: 0, refusal: 0, failure: 0 };
  for (const { result, refusal, failure } of windows) {
    sum.result += result;
    sum.refusal += refusal;
    sum.failure += failure;
  }
  return sum;
}
