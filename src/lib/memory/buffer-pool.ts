// A pool of long buffers. Runs on main; the estimators load it with their mailbox.

// Decision (2026-11, two cores): Long responses and bodies are in reused chunks, sent without a copy. One buffer per
// response cost a copy, fresh memory - which the system fills 50 times as slowly as memory in use - and V8 garbage
// collections all the time: up to 30 ms of main at a stretch, now 8. Chunks whose memory came and went made V8 mark its
// whole heap four times a second; so they keep it while they are needed. Price: up to 32 MiB stay with an idle process
// (`chunksKeptBytesMax`), and the transport has to send in pieces.
//
// Decision (2026-11, two cores): Main keeps long data outside of V8's accounting. V8 counts the memory of buffers and
// begins to mark its whole heap after every 64 MiB of new ones: next to calls with 2.4 MB of data twelve times a
// second, 15 ms each. So long bytes of params, long bodies in one piece and packed jobs are in reused buffers, jobs in
// shared memory from which their worker copies them. Gain: once in some seconds. Price: code that retains long data
// beyond their call has to copy them; a few MiB stay with an idle process; the kernel's results of long jobs are not
// checked.

/**
 * Buffer sizes are powers of two from here on: at most half of one is unused, and the unused pages are never touched.
 */
const BUFFER_BYTES_MIN = 64 * 1024;

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
