// Writes RLP from its last item to its first (yellow paper appendix B): the length of a list is known when its prefix
// is written, so that nothing has to be measured first or copied. Runs on every thread.

/** Input of RLP: byte strings, unsigned integers without leading zeros, and lists. */
export type RlpInput = Uint8Array | number | bigint | readonly RlpInput[];

const CHUNK_BYTES = 6;
const CHUNK_BITS = 48n;
/** Payloads from this length on are preceded by their length. */
const LONG_MIN = 56;
const FIRST_BYTES = 1024;

/** Reused for every item; its memory grows as needed. */
export class RlpWriter {
  #bytes = new Uint8Array(FIRST_BYTES);
  /** Offset of the first item. */
  #at = FIRST_BYTES;

  /** The encoding of an item, newly allocated. `type`: a byte before it (EIP-2718); 0: none. */
  encode(item: RlpInput, type = 0): Uint8Array {
    this.#at = this.#bytes.length;
    this.#prepend(item);
    if (type !== 0) this.#byte(type);
    return this.#bytes.slice(this.#at);
  }

  /** Bytes written. */
  get #length(): number {
    return this.#bytes.length - this.#at;
  }

  #prepend(item: RlpInput): void {
    if (item instanceof Uint8Array) return this.#string(item);
    if (typeof item === 'number' || typeof item === 'bigint') return this.#integer(item);
    const before = this.#length;
    for (let index = item.length - 1; index >= 0; index--) this.#prepend(item[index]!);
    this.#prefix(0xc0, this.#length - before);
  }

  #string(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length);
    this.#at -= bytes.length;
    this.#bytes.set(bytes, this.#at);
    if (bytes.length !== 1 || bytes[0]! >= 0x80) this.#prefix(0x80, bytes.length);
  }

  #integer(value: number | bigint): void {
    const before = this.#length;
    let rest = value;
    for (; rest > Number.MAX_SAFE_INTEGER; rest = BigInt(rest) >> CHUNK_BITS)
      this.#chunk(Number(BigInt.asUintN(CHUNK_BYTES * 8, BigInt(rest))), CHUNK_BYTES);
    this.#chunk(Number(rest), 0);
    const length = this.#length - before;
    if (length !== 1 || this.#bytes[this.#at]! >= 0x80) this.#prefix(0x80, length);
  }

  #prefix(kind: 0x80 | 0xc0, length: number): void {
    if (length < LONG_MIN) return this.#byte(kind + length);
    const before = this.#length;
    this.#chunk(length, 0);
    this.#byte(kind + LONG_MIN - 1 + this.#length - before);
  }

  /** An integer without leading zeros, but padded to at least `leastBytes` bytes. */
  #chunk(value: number, leastBytes: number): void {
    let rest = value;
    for (let bytes = 0; rest > 0 || bytes < leastBytes; bytes++, rest = Math.floor(rest / 256)) this.#byte(rest % 256);
  }

  #byte(value: number): void {
    this.#makeRoom(1);
    this.#bytes[--this.#at] = value;
  }

  #makeRoom(count: number): void {
    if (this.#at >= count) return;
    const larger = new Uint8Array(2 * (this.#length + count));
    const at = larger.length - this.#length;
    larger.set(this.#bytes.subarray(this.#at), at);
    this.#bytes = larger;
    this.#at = at;
  }
}
