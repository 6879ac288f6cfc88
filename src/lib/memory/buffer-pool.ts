// A pool of long buffers. Runs on main; the estimators load it with their mailbox.

// Long responses and bodies are in reused chunks, sent without a copy. See DECISIONS.md.
//
// Main keeps long data outside of V8's accounting. See DECISIONS.md.

/**
 * Buffer sizes are powers of two from here on: at most half of one is unused, and the unused pages are never touched.
 */
export const BUFFER_BYTES_MIN = 64 * 1024;

/**
 * Retains buffers for reuse. Memory that is fresh from the system is filled several times as slowly as memory in use,
 * and buffers that come and go make V8 collect garbage all the time, as it counts memory outside of its heap. Price:
 * the retained memory.
 */
export class BufferPool<Memory extends ArrayBuffer | SharedArrayBuffer> {
  readonly #create: (bytes: number) => Memory;
  readonly #keptBytesMax: number;
  readonly #kept = new Map<number, Memory[]>();
  #keptBytes = 0;

  /** `create` allocates a buffer of so many bytes; `keptBytesMax`: bytes of unused buffers to retain. */
  constructor(create: (bytes: number) => Memory, keptBytesMax: number) {
    this.#create = create;
    this.#keptBytesMax = keptBytesMax;
  }

  /** Bytes of the unused buffers. */
  get keptBytes(): number {
    return this.#keptBytes;
  }

  /** A buffer of at least so many bytes, with any contents. */
  take(bytes: number): Memory {
    const size = sizeFor(bytes);
    const kept = this.#kept.get(size)?.pop();
    if (kept === undefined) return this.#create(size);
    this.#keptBytes -= size;
    return kept;
  }

  /** Returns a buffer to the pool, once; it must not be used any more. If the pool is full it is left to V8. */
  give(buffer: Memory): void {
    const size = buffer.byteLength;
    if (this.#keptBytes + size > this.#keptBytesMax) return;
    this.#keptBytes += size;
    const alike = this.#kept.get(size);
    if (alike === undefined) this.#kept.set(size, [buffer]);
    else alike.push(buffer);
  }
}

function sizeFor(bytes: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(bytes, BUFFER_BYTES_MIN)));
}
