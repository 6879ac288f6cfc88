// Outcomes of requests in the course of a turn, by windows of their intended starts: a load that is too much for a
// while, and how long it takes until it is forgotten. Runs in the generator and in the bench.

/** Verdict on an answer: a result for each call; a refusal of all of them; anything else, also none. */
export type Verdict = 'result' | 'refusal' | 'failure';

/** Requests that were meant to start in one window. */
export type Window = Readonly<Record<Verdict, number>>;

export const WINDOW_MS = 100;

export class Timeline {
  readonly #windows: Record<Verdict, number>[] = [];

  /** Counts a request by its intended start, milliseconds from the beginning of the turn. */
  add(intendedMs: number, verdict: Verdict): void {
    const place = Math.floor(intendedMs / WINDOW_MS);
    while (this.#windows.length <= place) this.#windows.push({ result: 0, refusal: 0, failure: 0 });
    this.#windows[place]![verdict]++;
  }

  get windows(): readonly Window[] {
    return this.#windows;
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
