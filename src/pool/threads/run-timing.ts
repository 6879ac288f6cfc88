// When a worker ran a job; sent along with the result.
import type { ByteReader, ByteWriter } from '../../lib/bytes/byte-reader-writer.js';

/** One run, in milliseconds including fractions, on the clock that all threads share. */
export interface RunTiming {
  readonly startedMs: number;
  readonly tookMs: number;
}

/** Appends the times after an outcome. */
export function packRunTiming({ startedMs, tookMs }: RunTiming, to: ByteWriter): void {
  to.number(startedMs);
  to.number(tookMs);
}

export function unpackRunTiming(from: ByteReader): RunTiming {
  return { startedMs: from.number(), tookMs: from.number() };
}
