// When a worker thread ran a job, and for how long. Sent to the main thread with the result.
import type { ByteReader, ByteWriter } from '../../lib/bytes/byte-reader-writer.js';

/** Start and duration of one run, in milliseconds including fractions, on the clock that all threads share. */
export interface RunTiming {
  readonly startedMs: number;
  readonly tookMs: number;
}

/** Appends start and duration after an encoded outcome. */
export function packRunTiming({ startedMs, tookMs }: RunTiming, to: ByteWriter): void {
  to.number(startedMs);
  to.number(tookMs);
}

export function unpackRunTiming(from: ByteReader): RunTiming {
  return { startedMs: from.number(), tookMs: from.number() };
}
