// Buffers of many lengths, used again. Runs on main.

/** Buffers shorter than this cost less to make than to keep. */
const POOLED_BYTES_MIN = 64 * 1024;

/**
 * Buffers of powers of two in length. Fresh memory is filled 50 times as slowly as memory in use, and a body that grows
 * needs it twice.
 */
export class BufferPool {
  readonly #keptBytesMax: number;
  readonly #free = new Map<number, Uint8Array[]>();
  #keptBytes = 0;

  constructor(keptBytesMax: number) {
    this.#keptBytesMax = keptBytesMax;
  }

  /** A buffer of exactly `length` bytes with any contents. */
  take(length: number): Uint8Array {
    const buffer = this.#free.get(length)?.pop();
    if (buffer === undefined) return new Uint8Array(length);
    this.#keptBytes -= length;
    return buffer;
  }

  /** A buffer of at least `length` bytes with any contents. */
  takeAtLeast(length: number): Uint8Array {
    return this.take(2 ** Math.ceil(Math.log2(length)));
  }

  /** Takes a buffer back; its bytes must not be used any more. */
  give(buffer: Uint8Array): void {
    const { length } = buffer;
    if (length < POOLED_BYTES_MIN || this.#keptBytes + length > this.#keptBytesMax) return;
    this.#keptBytes += length;
    const free = this.#free.get(length);
    if (free === undefined) this.#free.set(length, [buffer]);
    else free.push(buffer);
  }
}
