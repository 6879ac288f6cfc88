// Bytes that are too many to be moved: a row of chunks that are used again. Runs on main.
import { LIMITS } from '../../limits/index.js';

/** Length of a chunk: long enough for few system calls an answer. */
const CHUNK_BYTES = 128 * 1024;
/** Bytes from this length on are kept in chunks: at most half of the memory is left empty. */
export const LONG_BYTES_MIN = CHUNK_BYTES / 2;
/** Chunks whose memory goes back to the system in one go: some 20 us each. */
const TRIMMED_CHUNKS_MAX = 32;

/**
 * Chunks for long bytes. Memory that is fresh from the system is filled 50 times as slowly as memory in use (23 ms against
 * 0.4 ms for 25 MB), and buffers that come and go make V8 collect all the time; so does a chunk whose memory comes and goes.
 * So chunks are kept: some for good, others until nobody has needed them for a while. The memory of those goes back to the
 * system, also in a process that is idle from then on. Gain: beside answers of 50 MB V8 marks its whole heap once in a
 * second or less, where it did so four times.
 */
export class ChunkPool {
  readonly #keptMax: number;
  readonly #kept: Uint8Array[] = [];
  /** Chunks without memory: the objects are used again. */
  readonly #empty: Uint8Array[] = [];
  /** The fewest that were kept since the last look: so many nobody has needed. */
  #unused = 0;
  #looks: NodeJS.Timeout | null = null;

  /** `keptBytesMax`: bytes kept for good. */
  constructor(keptBytesMax: number) {
    this.#keptMax = Math.floor(keptBytesMax / CHUNK_BYTES);
  }

  /** A chunk with any contents. */
  take(): Uint8Array {
    const kept = this.#kept.pop();
    this.#unused = Math.min(this.#unused, this.#kept.length);
    if (kept !== undefined) return kept;
    const chunk = this.#empty.pop() ?? new Uint8Array(new ArrayBuffer(0, { maxByteLength: CHUNK_BYTES }));
    resizable(chunk).resize(CHUNK_BYTES);
    return chunk;
  }

  /** Takes a chunk back; its bytes must not be used any more. */
  give(chunk: Uint8Array): void {
    this.#kept.push(chunk);
    if (this.#kept.length > this.#keptMax) this.#looks ??= setInterval(() => this.trim(), LIMITS.chunksIdleMs).unref();
  }

  /** Gives back the memory of some chunks that nobody has needed since the last time. Called by a timer while there are any. */
  trim(): void {
    const excess = Math.min(this.#unused, this.#kept.length - this.#keptMax, TRIMMED_CHUNKS_MAX);
    for (const chunk of this.#kept.splice(0, Math.max(0, excess))) {
      resizable(chunk).resize(0);
      this.#empty.push(chunk);
    }
    this.#unused = this.#kept.length;
    if (this.#kept.length <= this.#keptMax) this.#stopLooking();
  }

  #stopLooking(): void {
    if (this.#looks !== null) clearInterval(this.#looks);
    this.#looks = null;
  }
}

function resizable(chunk: Uint8Array): ArrayBuffer {
  return chunk.buffer as ArrayBuffer;
}

const POOL = new ChunkPool(LIMITS.chunksKeptBytesMax);

/** Bytes that grow without being moved, until they are released. */
export class LongBytes {
  readonly #pool: ChunkPool;
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  constructor(pool: ChunkPool = POOL) {
    this.#pool = pool;
  }

  /** Bytes. */
  get length(): number {
    return this.#length;
  }

  /** Memory that so many bytes take. */
  static heldBytes(length: number): number {
    return Math.ceil(length / CHUNK_BYTES) * CHUNK_BYTES;
  }

  /** The bytes in order, in parts that are valid until the release. */
  get parts(): readonly Uint8Array[] {
    return this.#chunks.map((chunk, i) => chunk.subarray(0, Math.min(CHUNK_BYTES, this.#length - i * CHUNK_BYTES)));
  }

  /** Adds a copy of `bytes`; takes chunks from the pool as it grows. */
  append(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length;) {
      const at = this.#length % CHUNK_BYTES;
      const chunk = this.#chunkAt(at);
      const count = Math.min(bytes.length - from, CHUNK_BYTES - at);
      chunk.set(count === bytes.length ? bytes : bytes.subarray(from, from + count), at);
      this.#length += count;
      from += count;
    }
  }

  /** A copy in one piece. */
  toBytes(): Uint8Array {
    return Buffer.concat(this.parts, this.#length);
  }

  /** Moves the first part to `target` at `at`, where there is room for it; answers its length. */
  moveFirst(target: Uint8Array, at: number): number {
    const count = Math.min(CHUNK_BYTES, this.#length);
    target.set(this.#chunks[0]!.subarray(0, count), at);
    this.releaseFirst();
    return count;
  }

  /** Gives the memory of the first part back, and makes the next one the first: for bytes that are read once, part by part. */
  releaseFirst(): void {
    this.#pool.give(this.#chunks.shift()!);
    this.#length = Math.max(0, this.#length - CHUNK_BYTES);
  }

  /** Gives the memory back; nothing of the bytes may be used any more. */
  release(): void {
    for (const chunk of this.#chunks) this.#pool.give(chunk);
    this.#chunks.length = 0;
    this.#length = 0;
  }

  /** The chunk to be written at `at`: the last one, or a new one. */
  #chunkAt(at: number): Uint8Array {
    if (at === 0) this.#chunks.push(this.#pool.take());
    return this.#chunks.at(-1)!;
  }
}

/** A copy of `bytes`, in chunks where they are long. */
export function copyBytes(bytes: Uint8Array): Uint8Array | LongBytes {
  if (bytes.length < LONG_BYTES_MIN) return new Uint8Array(bytes);
  const long = new LongBytes();
  long.append(bytes);
  return long;
}

/** Bytes in one piece where they are not long, else as they are. */
export function shrinkBytes(bytes: LongBytes): Uint8Array | LongBytes {
  if (bytes.length >= LONG_BYTES_MIN) return bytes;
  const short = bytes.toBytes();
  bytes.release();
  return short;
}

/** Gives the memory of long bytes back. */
export function releaseBytes(bytes: Uint8Array | LongBytes): void {
  if (bytes instanceof LongBytes) bytes.release();
}
