// Encodes a job for a worker: the time limit of its run, then the packed job.
//
//   handed  u32 limit of the run in ms, job
//   task    handed; again for every further job
import type { ByteReader } from '../../lib/bytes/bytes.js';
import type { Job } from '../../transaction/call-request.js';
import { unpackJob } from './job.js';

/** A limit beyond every time-out; the largest number that V8 stores without allocating an object. */
export const NO_TIMEOUT_MS = 0x7fff_ffff;

/** Bytes of a packed limit. */
export const TIMEOUT_BYTES = 4;

/** Writes the limit of a run before its job; returns the offset at which the job begins. */
export function packTimeoutMs(limitMs: number, to: Buffer, at: number): number {
  return to.writeUInt32LE(limitMs, at);
}

/** Decodes the next job for a worker: its time-out is at most the limit of the run. */
export function unpackEnvelope(from: ByteReader): Job {
  return unpackJob(from, from.u32());
}
