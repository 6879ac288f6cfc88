// A long packed job: it is stored in shared memory, from which its worker reads it. Runs on main; the estimators load
// it with their mailbox.
import { BufferPool } from '../lib/memory/buffer-pool.js';
import { droppedShared } from '../lib/memory/garbage.js';
import { LIMITS } from '../limits/index.js';
import { TIMEOUT_BYTES, packTimeoutMs } from './codec/job-envelope.js';

const POOL = new BufferPool((bytes) => new SharedArrayBuffer(bytes), LIMITS.longJobsKeptBytesMax);

/**
 * Gain: a job of 2.4 MB costs main one copy into memory that is reused; as a string, and then as a message, it took
 * three copies into newly allocated memory, and V8 collected garbage after every few. The memory is reused once the job
 * is answered and no worker reads it any more.
 */
export class LongJob {
  /** Packed bytes. */
  readonly length: number;
  readonly #buffer: SharedArrayBuffer;
  #references = 1;

  /** Copies `packed`; the copy is retained until it is released. */
  constructor(packed: Uint8Array) {
    this.length = packed.length;
    this.#buffer = POOL.take(TIMEOUT_BYTES + packed.length);
    new Uint8Array(this.#buffer).set(packed, TIMEOUT_BYTES);
  }

  /** The job as it is passed to a worker, with its limit before it. */
  withTimeout(limitMs: number): Uint8Array {
    packTimeoutMs(limitMs, Buffer.from(this.#buffer), 0);
    return new Uint8Array(this.#buffer, 0, TIMEOUT_BYTES + this.length);
  }

  /** Copies the packed bytes to `target`. */
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
    if (this.#references > 0) return;
    const { keptBytes } = POOL;
    POOL.give(this.#buffer);
    if (POOL.keptBytes === keptBytes) droppedShared(this.#buffer.byteLength);
  }
}

/**
 * Packed bytes of a job: a Latin-1 string, which is the key for finding equal jobs and is copied in 0.1 us; or a long
 * job.
 */
export type PackedJob = string | LongJob;

/** Takes the bytes of a writer as a packed job. */
export function packedJob(bytes: Buffer): PackedJob {
  return bytes.length < LIMITS.longJobBytesMin ? bytes.toString('latin1') : new LongJob(bytes);
}

/** Writes packed bytes at `at`; returns how many. */
export function writePacked(packed: PackedJob, to: Buffer, at: number): number {
  if (typeof packed === 'string') return to.write(packed, at, 'latin1');
  packed.copyTo(to, at);
  return packed.length;
}

/** Copies packed bytes into newly allocated memory. */
export function packedBytes(packed: PackedJob): Buffer {
  const bytes = Buffer.allocUnsafeSlow(packed.length);
  writePacked(packed, bytes, 0);
  return bytes;
}
