// A packed job that is long: it lies in shared memory, from which its worker reads it. Runs on main; the estimators
// load it with their mailbox.
import { BufferPool } from '../lib/memory/buffer-pool.js';
import { leftShared } from '../lib/memory/garbage.js';
import { LIMITS } from '../limits/index.js';
import { LIMIT_BYTES, packLimit } from './codec/handed.js';

const POOL = new BufferPool((bytes) => new SharedArrayBuffer(bytes), LIMITS.longJobsKeptBytesMax);

/**
 * Gain: a job of 2.4 MB takes main one copy into memory that is there; as text, and then as a message, it took three into
 * memory that is fresh from the system, and V8 collected after every few. The memory is used again when the job is answered
 * and no worker has it any more.
 */
export class LongJob {
  /** Packed bytes. */
  readonly length: number;
  readonly #buffer: SharedArrayBuffer;
  #holds = 1;

  /** A copy of `packed`; held until it is released. */
  constructor(packed: Uint8Array) {
    this.length = packed.length;
    this.#buffer = POOL.take(LIMIT_BYTES + packed.length);
    new Uint8Array(this.#buffer).set(packed, LIMIT_BYTES);
  }

  /** The job as it is handed to a worker, its limit in front. */
  handed(limitMs: number): Uint8Array {
    packLimit(limitMs, Buffer.from(this.#buffer), 0);
    return new Uint8Array(this.#buffer, 0, LIMIT_BYTES + this.length);
  }

  /** Copies the packed bytes to `target`. */
  copyTo(target: Uint8Array, at: number): void {
    target.set(new Uint8Array(this.#buffer, LIMIT_BYTES, this.length), at);
  }

  /** Holds the memory once more. */
  hold(): void {
    this.#holds += 1;
  }

  /** Gives up one hold; after the last one the memory is used again. */
  release(): void {
    this.#holds -= 1;
    if (this.#holds > 0) return;
    const { keptBytes } = POOL;
    POOL.give(this.#buffer);
    if (POOL.keptBytes === keptBytes) leftShared(this.#buffer.byteLength);
  }
}

/** Packed bytes of a job: Latin-1 text, by which equal jobs are found and which is copied in 0.1 us, or long ones. */
export type PackedJob = string | LongJob;

/** Packs what a writer has. */
export function packedJob(bytes: Buffer): PackedJob {
  return bytes.length < LIMITS.longJobBytesMin ? bytes.toString('latin1') : new LongJob(bytes);
}

/** Writes packed bytes at `at`; answers how many. */
export function writePacked(packed: PackedJob, to: Buffer, at: number): number {
  if (typeof packed === 'string') return to.write(packed, at, 'latin1');
  packed.copyTo(to, at);
  return packed.length;
}

/** Packed bytes in memory of their own. */
export function packedBytes(packed: PackedJob): Buffer {
  const bytes = Buffer.allocUnsafeSlow(packed.length);
  writePacked(packed, bytes, 0);
  return bytes;
}
