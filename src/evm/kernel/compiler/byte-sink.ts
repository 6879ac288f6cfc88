// A growing byte buffer that can write numbers in WebAssembly's encoding. Source: WebAssembly Core Specification,
// "Binary Format: Values".

const BYTES = 16_384;
const FORMAT = { low: 0x7f, more: 0x80, bits: 7, least: -64, most: 63 } as const;
/** 64-bit numbers below this are encoded by the faster 32-bit path. */
const SMALL = 1n << 31n;

/** A buffer that grows when it is written to. */
export class ByteSink {
  #bytes = new Uint8Array(BYTES);
  #length = 0;

  /** The bytes written so far, as a view that is valid until more are written. */
  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  get length(): number {
    return this.#length;
  }

  clear(): void {
    this.#length = 0;
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow(1);
    this.#bytes[this.#length++] = value;
  }

  bytes(values: ArrayLike<number>): void {
    if (this.#length + values.length > this.#bytes.length) this.#grow(values.length);
    this.#bytes.set(values, this.#length);
    this.#length += values.length;
  }

  /** Writes the bytes that `write` produces, after their number. */
  sized(write: (body: ByteSink) => void): void {
    const body = new ByteSink();
    write(body);
    this.unsigned(body.length);
    this.bytes(body.written);
  }

  /** Writes an unsigned number as LEB128. */
  unsigned(value: number): void {
    let rest = value;
    for (; rest > FORMAT.low; rest >>>= FORMAT.bits) this.byte((rest & FORMAT.low) | FORMAT.more);
    this.byte(rest);
  }

  /** Writes a signed 32-bit number as LEB128. */
  signed(value: number): void {
    let rest = value | 0;
    for (; rest < FORMAT.least || rest > FORMAT.most; rest >>= FORMAT.bits)
      this.byte((rest & FORMAT.low) | FORMAT.more);
    this.byte(rest & FORMAT.low);
  }

  /** Writes a signed 64-bit number as LEB128. It is passed as the unsigned number with the same bits. */
  signed64(value: bigint): void {
    if (value < SMALL) return this.signed(Number(value));
    let rest = BigInt.asIntN(64, value);
    for (; rest < -64n || rest > 63n; rest >>= 7n) this.byte(Number(rest & 0x7fn) | FORMAT.more);
    this.byte(Number(rest & 0x7fn));
  }

  #grow(more: number): void {
    const bytes = new Uint8Array(2 * this.#bytes.length + more);
    bytes.set(this.#bytes);
    this.#bytes = bytes;
  }
}
