// A writer of little-endian bytes into a growing buffer, and a reader that checks bounds. Used to encode jobs for the
// pool and messages for replicas.

const LIMB_BITS = 64n;
const LIMBS_MAX = 255;
const UTF8 = new TextDecoder();

/** Provides the larger buffer that a writer needs when it has to grow, and receives the buffer that it has outgrown. */
export interface WriterBufferPool {
  readonly take: (bytes: number) => Buffer;
  readonly give: (outgrown: Buffer) => void;
}

const NEW_MEMORY: WriterBufferPool = { take: (bytes) => Buffer.allocUnsafeSlow(bytes), give: () => undefined };

/** Appends to one buffer that grows and is reused, so that once it is large enough nothing is allocated per message. */
export class ByteWriter {
  readonly #memory: WriterBufferPool;
  readonly #first: Buffer;
  #bytes: Buffer;
  /**
   * Numbers are written through this view, which V8 compiles to a single store. Buffer's methods for 64-bit numbers are
   * slower, because they are written in JavaScript.
   */
  #view: DataView;
  #length = 0;

  /** `capacityBytes`: length of the first buffer. */
  constructor(capacityBytes: number, memory = NEW_MEMORY) {
    this.#memory = memory;
    this.#first = Buffer.allocUnsafeSlow(capacityBytes);
    this.#bytes = this.#first;
    this.#view = viewOf(this.#bytes);
  }

  /** Discards all bytes written so far. */
  reset(): void {
    this.#length = 0;
  }

  /** Hands the buffer over to the caller. The writer starts again with its first buffer. */
  detach(): Buffer {
    const bytes = this.#bytes;
    this.#bytes = this.#first;
    this.#view = viewOf(this.#bytes);
    this.reset();
    return bytes;
  }

  /** The bytes written since the last reset. Bytes that are written after the next reset overwrite them. */
  get written(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  u8(value: number): void {
    const at = this.#advance(1);
    this.#view.setUint8(at, value);
  }

  u32(value: number): void {
    const at = this.#advance(4);
    this.#view.setUint32(at, value, true);
  }

  /** Writes any JavaScript number, without loss. */
  number(value: number): void {
    const at = this.#advance(8);
    this.#view.setFloat64(at, value, true);
  }

  /**
   * Writes an unsigned integer as a count of 64-bit limbs and the limbs, low limb first. Gas, nonces and most fees have
   * one limb; converting 32 bytes by way of hexadecimal would take 281 ns. Throws for a negative number or one over
   * 2^16320, which is a bug.
   */
  integer(value: bigint): void {
    if (value < 0n) throw new RangeError('negative integer');
    const countAt = this.#length;
    this.u8(0);
    let limbs = 0;
    for (let rest = value; rest > 0n; rest >>= LIMB_BITS) {
      const at = this.#advance(8);
      this.#view.setBigUint64(at, BigInt.asUintN(64, rest), true);
      limbs += 1;
    }
    if (limbs > LIMBS_MAX) throw new RangeError('integer too large');
    this.#bytes[countAt] = limbs;
  }

  /** Writes the length, then the bytes. */
  bytes(value: Uint8Array): void {
    this.u32(value.length);
    const at = this.#advance(value.length);
    this.#bytes.set(value, at);
  }

  /** Writes bytes without their length, which the reader knows. */
  fixed(value: Uint8Array): void {
    const at = this.#advance(value.length);
    this.#bytes.set(value, at);
  }

  /** Writes the length, then the text as UTF-8. */
  text(value: string): void {
    const length = Buffer.byteLength(value);
    this.u32(length);
    const at = this.#advance(length);
    this.#bytes.write(value, at);
  }

  /** Reserves this many bytes and returns their offset. The buffer and its view may be replaced. */
  #advance(bytes: number): number {
    const start = this.#length;
    this.#length += bytes;
    if (this.#length > this.#bytes.length) this.#grow(start);
    return start;
  }

  #grow(used: number): void {
    const larger = this.#memory.take(Math.max(this.#length, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, used);
    if (this.#bytes !== this.#first) this.#memory.give(this.#bytes);
    this.#bytes = larger;
    this.#view = viewOf(larger);
  }
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * Reads data that ByteWriter has written. Byte strings are views of the source. Throws RangeError at the end of the
 * source.
 */
export class ByteReader {
  #source: Uint8Array;
  #view: DataView;
  #end: number;
  #offset = 0;

  constructor(source: Uint8Array) {
    // Creates a plain Uint8Array: `slice` of a Buffer would be a view, where decoding needs a copy.
    this.#source = new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
    this.#view = new DataView(source.buffer, source.byteOffset, source.byteLength);
    this.#end = source.byteLength;
  }

  /**
   * Copies these bytes and reads the copy from its start from now on. The copy overwrites the previous source; if it
   * does not fit there, a larger array becomes the source and is reused.
   */
  load(bytes: Uint8Array): void {
    if (bytes.length > this.#source.length) {
      this.#source = new Uint8Array(2 * bytes.length);
      this.#view = new DataView(this.#source.buffer);
    }
    this.#source.set(bytes);
    this.#end = bytes.length;
    this.#offset = 0;
  }

  rewind(): void {
    this.#offset = 0;
  }

  /** Number of bytes read so far. */
  get offset(): number {
    return this.#offset;
  }

  u8(): number {
    return this.#view.getUint8(this.#advance(1));
  }

  u32(): number {
    return this.#view.getUint32(this.#advance(4), true);
  }

  number(): number {
    return this.#view.getFloat64(this.#advance(8), true);
  }

  integer(): bigint {
    const limbs = this.u8();
    const start = this.#advance(8 * limbs);
    let value = 0n;
    for (let limb = limbs - 1; limb >= 0; limb--) {
      value = (value << LIMB_BITS) | this.#view.getBigUint64(start + 8 * limb, true);
    }
    return value;
  }

  /** Reads bytes that `ByteWriter.bytes` wrote, as a view of the source. */
  bytes(): Uint8Array {
    const length = this.u32();
    const start = this.#advance(length);
    return this.#source.subarray(start, start + length);
  }

  /** Reads bytes that `ByteWriter.fixed` wrote, as a view of the source. */
  fixed(length: number): Uint8Array {
    const start = this.#advance(length);
    return this.#source.subarray(start, start + length);
  }

  text(): string {
    return UTF8.decode(this.bytes().slice()); // A copy, because TextDecoder refuses shared memory.
  }

  #advance(bytes: number): number {
    const start = this.#offset;
    if (start + bytes > this.#end) throw new RangeError('packed bytes end too early');
    this.#offset = start + bytes;
    return start;
  }
}
