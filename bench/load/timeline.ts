// Course of a turn: outcomes and times of requests by windows of their intended starts. Runs in the generator and in
// the bench.
import { Times } from './histogram.js';

/** Verdict on an answer: a result for each call; a refusal of all of them; anything else, also none. */
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
/** Windows of a turn at most: they double in length until so many are enough. */
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

  /** Counts a request by its intended start, milliseconds from the beginning of the turn; `tookMs` from there. */
  add(intendedMs: number, verdict: Verdict, tookMs: number): void {
    const place = Math.floor(intendedMs / this.#windowMs);
    while (this.#windows.length <= place) {
      this.#windows.push({ result: 0, refusal: 0, failure: 0 });
      this.#times.push(new Times());
    }
    this.#windows[place]![verdict]++;
    if (verdict === 'result') this.#times[place]!.add(tookMs);
  }

  get course(): Course {
    const [p50, p99] = [50, 99].map((at) => this.#times.map((times) => times.percentile(at)));
    return { windowMs: this.#windowMs, windows: this.#windows, p50: p50!, p99: p99! };
  }
}

/** Equal windows of several turns together. */
export function sumWindows(turns: readonly (readonly Window[])[]): Window[] {
  const length = Math.max(0, ...turns.map((windows) => windows.length));
  return Array.from({ length }, (_, place) => sumOf(turns.flatMap((windows) => windows[place] ?? [])));
}

/** All of these windows together. */
export function sumOf(windows: readonly Window[]): Window {
  const sum = { result: 0, refusal: 0, failure: 0 };
  for (const { result, refusal, failure } of windows) {
    sum.result += result;
    sum.refusal += refusal;
    sum.failure += failure;
  }
  return sum;
}
