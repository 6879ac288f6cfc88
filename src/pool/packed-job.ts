// Packs jobs into bytes. A large job is packed into shared memory, from which its worker thread reads it. Runs on the
// main thread; estimator threads load this file only because their mailbox does.
import { ByteWriter } from '../lib/bytes/byte-reader-writer.js';
import { BufferPool } from '../lib/memory/buffer-pool.js';
import { recordDroppedSharedMemory } from '../lib/memory/garbage-collection.js';
import { LIMITS } from '../limits/index.js';
import type { Job } from '../transaction/evm-job.js';
import { TIMEOUT_BYTES, packJob, packTimeoutMs } from './codec/job.js';

const POOL = new BufferPool((bytes) => new SharedArrayBuffer(bytes), LIMITS.longJobsKeptBytesMax);

/**
 * A job that is packed into shared memory, which is reused once the job is answered and no worker thread reads it any
 * more. The gain, measured with jobs of 2.4 MB: the main thread copies a job once, into reused memory. Sent as a string
 * in a message, a job is copied three times into newly allocated memory, and V8 collects garbage after every few jobs.
 */
export class SharedMemoryJob {
  /** Number of packed bytes. */
  readonly length: number;
  readonly #buffer: SharedArrayBuffer;
  #references = 1;

  /**
   * `buffer` has room for a time limit and then `length` packed bytes. This object is its first user, see `release`.
   */
  constructor(buffer: SharedArrayBuffer, length: number) {
    this.length = length;
    this.#buffer = buffer;
  }

  /** Returns the packed job with its time limit in front, as a worker thread gets it. */
  withTimeout(limitMs: number): Uint8Array {
    packTimeoutMs(limitMs, Buffer.from(this.#buffer), 0);
    return new Uint8Array(this.#buffer, 0, TIMEOUT_BYTES + this.length);
  }

  copyTo(target: Uint8Array, at: number): void {
    target.set(new Uint8Array(this.#buffer, TIMEOUT_BYTES, this.length), at);
  }

  /** Counts one more user of the memory. */
  retain(): void {
    this.#references += 1;
  }

  /** Counts one user of the memory less. After the last one, the memory is reused. */
  release(): void {
    this.#references -= 1;
    if (this.#references === 0) giveBack(this.#buffer);
  }
}

function giveBack(buffer: SharedArrayBuffer): void {
  const { keptBytes } = POOL;
  POOL.give(buffer);
  if (POOL.keptBytes === keptBytes) recordDroppedSharedMemory(buffer.byteLength);
}

/**
 * A packed job: either a Latin-1 string, which is also the key for finding equal jobs and is copied in 0.1 us; or a
 * large job.
 */
export type PackedJob = string | SharedMemoryJob;

/** Packs jobs into bytes, one after the other. */
export class JobPacker {
  /**
   * The writer's first buffer has room for the largest job that becomes a string. A longer one becomes a
   * `SharedMemoryJob`.
   */
  readonly #writer = new ByteWriter(TIMEOUT_BYTES + LIMITS.longJobBytesMin - 1, {
    take: (bytes) => Buffer.from(POOL.take(bytes)),
    give: ({ buffer }) => giveBack(buffer as SharedArrayBuffer),
  });

  /** Packs a job. If the result is a `SharedMemoryJob`, the caller must release it. */
  pack(job: Job): PackedJob {
    const writer = this.#writer;
    writer.reset();
    writer.u32(0); // Room for the time limit.
    packJob(job, writer);
    const { written } = writer;
    const length = written.length - TIMEOUT_BYTES;
    if (length < LIMITS.longJobBytesMin) return written.toString('latin1', TIMEOUT_BYTES);
    return new SharedMemoryJob(writer.detach().buffer as SharedArrayBuffer, length);
  }
}

/** Writes the packed bytes at `at`; returns the number of bytes. */
export function writePackedJob(packed: PackedJob, to: Buffer, at: number): number {
  if (typeof packed === 'string') return to.write(packed, at, 'latin1');
  packed.copyTo(to, at);
  return packed.length;
}

/** Copies packed bytes into newly allocated memory. */
export function copyPackedJob(packed: PackedJob): Buffer {
  const bytes = Buffer.allocUnsafeSlow(packed.length);
  writePackedJob(packed, bytes, 0);
  return bytes;
}
