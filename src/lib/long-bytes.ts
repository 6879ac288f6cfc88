// Bytes that are too many to be moved: a row of chunks that are used again. Runs on main.
import { LIMITS } from '../limits.js';
import { HEX_PAIRS } from './hex.js';

/** Length of a chunk: long enough for few system calls an answer. */
const CHUNK_BYTES = 128 * 1024;
/** Bytes from this length on are kept in chunks: at most half of the memory is left empty. */
const LONG_BYTES_MIN = CHUNK_BYTES / 2;
/** Bytes whose digits are made in one go; both scratch arrays stay in the processor's cache. */
const HEX_BYTES = 16 * 1024;
const PAIRS_SCRATCH = new Uint16Array(HEX_BYTES);
const HEX_SCRATCH = new Uint8Array(PAIRS_SCRATCH.buffer);

/**
 * Chunks for long bytes. Memory that is fresh from the system is filled 50 times as slowly as memory in use (23 ms against
 * 0.4 ms for 25 MB), and buffers that come and go make V8 collect all the time. So some chunks are kept; the memory of the
 * others goes back to the system at once, also in a process that is idle from then on.
 */
export class ChunkPool {
  readonly #keptMax: number;
  readonly #kept: Uint8Array[] = [];
  /** Chunks without memory: the objects are used again. */
  readonly #empty: Uint8Array[] = [];

  /** `keptBytesMax`: bytes kept for the next ones. */
  constructor(keptBytesMax: number) {
    this.#keptMax = Math.floor(keptBytesMax / CHUNK_BYTES);
  }

  /** A chunk with any contents. */
  take(): Uint8Array {
    const kept = this.#kept.pop();
    if (kept !== undefined) return kept;
    const chunk = this.#empty.pop() ?? new Uint8Array(new ArrayBuffer(0, { maxByteLength: CHUNK_BYTES }));
    resizable(chunk).resize(CHUNK_BYTES);
    return chunk;
  }

  /** Takes a chunk back; its bytes must not be used any more. */
  give(chunk: Uint8Array): void {
    if (this.#kept.length < this.#keptMax) this.#kept.push(chunk);
    else {
      resizable(chunk).resize(0);
      this.#empty.push(chunk);
    }
  }
}

function resizable(chunk: Uint8Array): ArrayBuffer {
  return chunk.buffer as ArrayBuffer;
}

const POOL = new ChunkPool(LIMITS.chunksKeptBytesMax);

/** Bytes that grow without being moved, until they are released. */
export class LongBytes {
  /** Most bytes that `appendHex` takes at once. */
  static readonly hexBytesMax = HEX_BYTES;
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

  /** Two hex digits for each of at most `hexBytesMax` bytes. */
  appendHex(bytes: Uint8Array): void {
    for (let i = 0; i < bytes.length; i++) PAIRS_SCRATCH[i] = HEX_PAIRS[bytes[i]!]!;
    this.append(HEX_SCRATCH.subarray(0, 2 * bytes.length));
  }

  /** A copy in one piece. */
  toBytes(): Uint8Array {
    return Buffer.concat(this.parts, this.#length);
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

/** The same bytes, in one piece where they are not long. */
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
