// Long byte sequences that are stored in a list of reused chunks, so that growing never moves bytes.
import { LIMITS } from '../../limits/index.js';

/** Length of a chunk. It is so long that sending a response needs few system calls. */
const CHUNK_BYTES = 128 * 1024;
/** Byte sequences from this length on are stored in chunks, so that at most half of the memory is unused. */
export const CHUNKED_BYTES_MIN = CHUNK_BYTES / 2;
/** Maximum number of chunks whose memory is freed at a time. Freeing one takes some 20 us. */
const TRIMMED_CHUNKS_MAX = 32;

/**
 * A pool of chunks for long byte sequences. Memory that is new from the operating system takes 50 times as long to fill
 * as memory in use (23 ms instead of 0.4 ms for 25 MB), and allocating and dropping buffers makes V8 collect garbage
 * all the time. So chunks are retained: some for good, others until they have been unused for a while. The memory of
 * the latter is returned to the operating system, even if the process is idle by then. With this pool, next to
 * responses of 50 MB, V8 marks its whole heap at most once in a second; without it, four times.
 */
export class ChunkPool {
  readonly #keptMax: number;
  readonly #kept: Uint8Array[] = [];
  /** Chunks whose memory was freed. Their objects are reused. */
  readonly #empty: Uint8Array[] = [];
  /** The smallest number of retained chunks since the last `trim`: this many were not needed in that time. */
  #unused = 0;
  #trimTimer: NodeJS.Timeout | null = null;

  /** `keptBytesMax`: at most this many bytes of unused chunks are never freed. */
  constructor(keptBytesMax: number) {
    this.#keptMax = Math.floor(keptBytesMax / CHUNK_BYTES);
  }

  /** Takes a chunk, which may contain any bytes. */
  take(): Uint8Array {
    const kept = this.#kept.pop();
    this.#unused = Math.min(this.#unused, this.#kept.length);
    if (kept !== undefined) return kept;
    const chunk = this.#empty.pop() ?? new Uint8Array(new ArrayBuffer(0, { maxByteLength: CHUNK_BYTES }));
    resizable(chunk).resize(CHUNK_BYTES);
    return chunk;
  }

  /** Returns a chunk to the pool. The chunk must not be used any more. */
  release(chunk: Uint8Array): void {
    this.#kept.push(chunk);
    if (this.#kept.length > this.#keptMax)
      this.#trimTimer ??= setInterval(() => this.trim(), LIMITS.chunksIdleMs).unref();
  }

  /** Frees some chunks that were not needed since the last call. A timer calls this while there are such chunks. */
  trim(): void {
    const excess = Math.min(this.#unused, this.#kept.length - this.#keptMax, TRIMMED_CHUNKS_MAX);
    for (const chunk of this.#kept.splice(0, Math.max(0, excess))) {
      resizable(chunk).resize(0);
      this.#empty.push(chunk);
    }
    this.#unused = this.#kept.length;
    if (this.#kept.length > this.#keptMax || this.#trimTimer === null) return;
    clearInterval(this.#trimTimer);
    this.#trimTimer = null;
  }
}

function resizable(chunk: Uint8Array): ArrayBuffer {
  return chunk.buffer as ArrayBuffer;
}

const POOL = new ChunkPool(LIMITS.chunksKeptBytesMax);

/** A growing byte sequence whose bytes are never moved until it is released. */
export class ChunkedBuffer {
  readonly #pool: ChunkPool;
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  constructor(pool: ChunkPool = POOL) {
    this.#pool = pool;
  }

  /** Length in bytes. */
  get length(): number {
    return this.#length;
  }

  /** Returns the memory that a sequence of this length takes. */
  static allocatedBytes(length: number): number {
    return Math.ceil(length / CHUNK_BYTES) * CHUNK_BYTES;
  }

  /** The bytes in order, in several pieces, which are valid until `release`. */
  get chunks(): readonly Uint8Array[] {
    return this.#chunks.map((chunk, i) => chunk.subarray(0, Math.min(CHUNK_BYTES, this.#length - i * CHUNK_BYTES)));
  }

  /** Appends a copy of `bytes`, in chunks from the pool. */
  append(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length;) {
      const at = this.#length % CHUNK_BYTES;
      if (at === 0) this.#chunks.push(this.#pool.take());
      const chunk = this.#chunks.at(-1)!;
      const count = Math.min(bytes.length - from, CHUNK_BYTES - at);
      chunk.set(count === bytes.length ? bytes : bytes.subarray(from, from + count), at);
      this.#length += count;
      from += count;
    }
  }

  /** Copies all bytes to one array. */
  toBytes(): Uint8Array {
    return Buffer.concat(this.chunks, this.#length);
  }

  /**
   * Moves the first chunk into `target` at offset `at`, where there must be enough space. Returns the chunk's length.
   */
  moveFirst(target: Uint8Array, at: number): number {
    const count = Math.min(CHUNK_BYTES, this.#length);
    target.set(this.#chunks[0]!.subarray(0, count), at);
    this.releaseFirst();
    return count;
  }

  /**
   * Frees the first chunk, so that the next one becomes the first. Useful for bytes that are read once, chunk by chunk.
   */
  releaseFirst(): void {
    this.#pool.release(this.#chunks.shift()!);
    this.#length = Math.max(0, this.#length - CHUNK_BYTES);
  }

  /** Frees all chunks. The bytes must not be used any more. */
  release(): void {
    for (const chunk of this.#chunks) this.#pool.release(chunk);
    this.#chunks.length = 0;
    this.#length = 0;
  }
}

/** Copies `bytes`, into chunks if they are long. */
export function copyIntoChunksIfLong(bytes: Uint8Array): Uint8Array | ChunkedBuffer {
  if (bytes.length < CHUNKED_BYTES_MIN) return new Uint8Array(bytes);
  const long = new ChunkedBuffer();
  long.append(bytes);
  return long;
}

/** Copies a short sequence into one array; returns a long one as it is. */
export function flattenIfShort(bytes: ChunkedBuffer): Uint8Array | ChunkedBuffer {
  if (bytes.length >= CHUNKED_BYTES_MIN) return bytes;
  const short = bytes.toBytes();
  bytes.release();
  return short;
}

/** Frees the memory of a byte sequence that is in chunks. */
export function releaseChunks(bytes: Uint8Array | ChunkedBuffer): void {
  if (bytes instanceof ChunkedBuffer) bytes.release();
}
