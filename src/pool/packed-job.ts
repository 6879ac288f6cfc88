// Packs jobs. A large one is packed into shared memory, from which its worker reads it. Runs on main; the estimators
// load it with their mailbox.
import { ByteWriter } from '../lib/bytes/byte-reader-writer.js';
import { BufferPool } from '../lib/memory/buffer-pool.js';
import { recordDroppedSharedMemory } from '../lib/memory/garbage-collection.js';
import { LIMITS } from '../limits/index.js';
import type { Job } from '../transaction/evm-job.js';
import { TIMEOUT_BYTES, packTimeoutMs } from './codec/job-envelope.js';
import { packJob } from './codec/job.js';

const POOL = new BufferPool((bytes) => new SharedArrayBuffer(bytes), LIMITS.longJobsKeptBytesMax);

/**
 * Gain: main copies a job of 2.4 MB once, into memory that is reused; as a string, and then as a message, it took three
 * copies into newly allocated memory, and V8 collected garbage after every few. The memory is reused once the job is
 * answered and no worker reads it any more.
 */
export class LargeJob {
  /** Packed bytes. */
  readonly length: number;
  readonly #buffer: SharedArrayBuffer;
  #references = 1;

  /** `buffer` has room for a limit, and then `length` packed bytes; it is retained until it is released. */
  constructor(buffer: SharedArrayBuffer, length: number) {
    this.length = length;
    this.#buffer = buffer;
  }

  /** The job as it is passed to a worker, with its limit before it. */
  withTimeout(limitMs: number): Uint8Array {
    packTimeoutMs(limitMs, Buffer.from(this.#buffer), 0);
    return new Uint8Array(this.#buffer, 0, TIMEOUT_BYTES + this.length);
  }

  copyTo(target: Uint8Array, at: number): void {
    target.set(new Uint8Array(this.#buffer, TIMEOUT_BYTES, this.length), at);
  }

  /** Adds a reference to the memory. */
  retain(): void {
    this.#references += 1;
  }

  /** Drops a reference; after the last one the memory is reused. */
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

/** A Latin-1 string, the key for finding equal jobs, which is copied in 0.1 us; or a large job. */
export type PackedJob = string | LargeJob;

/** Packs jobs, one after the other. */
export class JobPacker {
  /** Its first buffer is full where a job becomes a large one. */
  readonly #writer = new ByteWriter(TIMEOUT_BYTES + LIMITS.longJobBytesMin - 1, {
    take: (bytes) => Buffer.from(POOL.take(bytes)),
    give: ({ buffer }) => giveBack(buffer as SharedArrayBuffer),
  });

  /** A large job has to be released. */
  pack(job: Job): PackedJob {
    const writer = this.#writer;
    writer.reset();
    writer.u32(0); // Room for the limit.
    packJob(job, writer);
    const { written } = writer;
    const length = written.length - TIMEOUT_BYTES;
    if (length < LIMITS.longJobBytesMin) return written.toString('latin1', TIMEOUT_BYTES);
    return new LargeJob(writer.detach().buffer as SharedArrayBuffer, length);
  }
}

/** Writes packed bytes at `at`; returns how many. */
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
