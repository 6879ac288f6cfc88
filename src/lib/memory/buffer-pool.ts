// A pool of long buffers for the main thread. Estimator threads load this file only because their mailbox does.

// Long responses and bodies are stored in reused chunks and are sent without a copy. See DECISIONS.md.
//
// The main thread puts long data into memory that V8 does not account for. See DECISIONS.md.

/**
 * Size of the smallest buffer. Larger ones are powers of two: at most half of a buffer is unused, and unused pages are
 * never touched.
 */
export const POOLED_BUFFER_BYTES_MIN = 64 * 1024;

/**
 * Retains unused buffers for reuse. Memory that is new from the operating system takes several times as long to fill as
 * memory in use. Allocating and dropping buffers makes V8 collect garbage all the time, because it counts memory
 * outside of its heap. The price is the retained memory.
 */
export class BufferPool<Memory extends ArrayBuffer | SharedArrayBuffer> {
  readonly #create: (bytes: number) => Memory;
  readonly #keptBytesMax: number;
  readonly #kept = new Map<number, Memory[]>();
  #keptBytes = 0;

  /** `create` allocates a buffer of the size that is passed to it. At most `keptBytesMax` unused bytes are retained. */
  constructor(create: (bytes: number) => Memory, keptBytesMax: number) {
    this.#create = create;
    this.#keptBytesMax = keptBytesMax;
  }

  /** Bytes of the unused buffers that are retained. */
  get keptBytes(): number {
    return this.#keptBytes;
  }

  /** Takes a buffer of at least this many bytes, which may contain anything. */
  take(bytes: number): Memory {
    const size = sizeFor(bytes);
    const kept = this.#kept.get(size)?.pop();
    if (kept === undefined) return this.#create(size);
    this.#keptBytes -= size;
    return kept;
  }

  /**
   * Returns a buffer to the pool. It must not be used any more. If the pool is full, the buffer is left to the garbage
   * collector.
   */
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
  return 2 ** Math.ceil(Math.log2(Math.max(bytes, POOLED_BUFFER_BYTES_MIN)));
}
