// Outcome of a surge: its requests, and the recovery time. Pure.
import { type Course, sumOf, sumWindows, type Window } from '../load/timeline.js';
import type { Pace } from '../load/schedule.js';
import type { Surge } from './results.js';
import { spreadOf } from './statistics.js';

/** `null` if the load is not a surge. */
export function surgeOf(pace: Pace, turns: readonly Course[]): Surge | null {
  if (pace.kind !== 'surge' || turns.length === 0) return null;
  const { windowMs } = turns[0]!;
  const windows = sumWindows(turns.map((turn) => turn.windows));
  const { result, refusal, failure } = sumOf(windows.slice(pace.fromMs / windowMs, pace.toMs / windowMs));
  const all = Math.max(1, result + refusal + failure);
  return {
    answered: result / all,
    refused: refusal / all,
    neither: failure / all,
    fullAfterMs: spreadOf(turns.map((turn) => fullAfterMs(turn, pace.toMs))),
    windowMs,
    windows: windows.map((window) => perSecond(window, windowMs * turns.length)),
  };
}

/** From the end of the surge until the last window in which a request had no result. */
function fullAfterMs({ windows, windowMs }: Course, toMs: number): number {
  const last = windows.findLastIndex(({ refusal, failure }) => refusal + failure > 0);
  return Math.max(0, (last + 1) * windowMs - toMs);
}

/** `ms`: total over all turns. */
export function perSecond({ result, refusal, failure }: Window, ms: number): Window {
  const factor = 1000 / ms;
  return { result: result * factor, refusal: refusal * factor, failure: failure * factor };
}
