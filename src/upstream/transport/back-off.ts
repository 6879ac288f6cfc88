// Pauses between attempts that double, with jitter, so that many clients do not come back at once.
// Runs on the publisher.

/** Half to all of `firstMs`, doubled with every failure before (`failures` from 0) up to `mostMs`. `random`: 0 to 1. */
export function pauseMs(failures: number, firstMs: number, mostMs: number, random: number): number {
  const level = Math.min(firstMs * 2 ** Math.min(failures, 30), mostMs);
  return level * (0.5 + random / 2);
}

/** `Retry-After` (RFC 9110, 10.2.3), seconds or a date, as milliseconds from `nowMs`, the wall clock; `null` where it is neither. */
export function retryAfterMs(value: string | null | undefined, nowMs: number): number | null {
  if (value === null || value === undefined) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}
