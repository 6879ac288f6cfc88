// Outcome of a surge: its requests, and how soon all was as before. Pure.
import { sumOf, sumWindows, type Window, WINDOW_MS } from '../load/timeline.js';
import type { Pace } from '../load/schedule.js';
import type { Surge } from './results.js';
import { spreadOf } from './statistics.js';

/** `turns`: the windows of each turn; `null` where the load is no surge. */
export function surgeOf(pace: Pace, turns: readonly (readonly Window[])[]): Surge | null {
  if (pace.kind !== 'surge') return null;
  const windows = sumWindows(turns);
  const { result, refusal, failure } = sumOf(windows.slice(pace.fromMs / WINDOW_MS, pace.toMs / WINDOW_MS));
  const all = Math.max(1, result + refusal + failure);
  return {
    answered: result / all,
    refused: refusal / all,
    neither: failure / all,
    fullAfterMs: spreadOf(turns.map((turn) => fullAfterMs(turn, pace.toMs))),
    windowMs: WINDOW_MS,
    windows: windows.map((window) => perSecond(window, turns.length)),
  };
}

/** From the end of the surge until the last window in which a request had no result. */
function fullAfterMs(windows: readonly Window[], toMs: number): number {
  const last = windows.findLastIndex(({ refusal, failure }) => refusal + failure > 0);
  return Math.max(0, (last + 1) * WINDOW_MS - toMs);
}

function perSecond({ result, refusal, failure }: Window, turns: number): Window {
  const factor = 1000 / WINDOW_MS / turns;
  return { result: result * factor, refusal: refusal * factor, failure: failure * factor };
}
