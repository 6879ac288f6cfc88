// Encodes a job for a worker: the time limit of its run, then the packed job.
//
//   handed  u32 time limit in ms, packed job
//   task    handed, once for each job of the task
import type { ByteReader } from '../../lib/bytes/byte-reader-writer.js';
import type { Job } from '../../transaction/evm-job.js';
import { unpackJob } from './job.js';

/**
 * A time limit that is longer than every time-out. It is the largest number that V8 stores without allocating an
 * object.
 */
export const NO_TIMEOUT_MS = 0x7fff_ffff;

/** Bytes of an encoded time limit. */
export const TIMEOUT_BYTES = 4;

/** Writes the time limit of a job in front of the job. Returns the offset at which the job starts. */
export function packTimeoutMs(limitMs: number, to: Buffer, at: number): number {
  return to.writeUInt32LE(limitMs, at);
}

/** Decodes the next job for a worker thread. The job's time-out is reduced to the time limit in front of it. */
export function unpackEnvelope(from: ByteReader): Job {
  return unpackJob(from, from.u32());
}
