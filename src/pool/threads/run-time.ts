// When a worker ran a job; sent along with the result.
import type { ByteReader, ByteWriter } from '../../lib/bytes/bytes.js';

/** One run, in milliseconds including fractions, on the clock that all threads share. */
export interface RunTime {
  readonly startedMs: number;
  readonly tookMs: number;
}

/** Appends the times after an outcome. */
export function packRunTime({ startedMs, tookMs }: RunTime, to: ByteWriter): void {
  to.number(startedMs);
  to.number(tookMs);
}

/** Decodes what `packRunTime` has written. */
export function unpackRunTime(from: ByteReader): RunTime {
  return { startedMs: from.number(), tookMs: from.number() };
}
