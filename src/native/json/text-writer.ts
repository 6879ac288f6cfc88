// Writes text and hex digits into a buffer that is reused.
import { writeHexDigits } from './write-hex-digits.js';

const INITIAL_BYTES = 64 * 1024;
/**
 * A buffer that is larger than this is released after the text. Nearly all texts fit into a buffer of this size.
 * Allocating it takes some 0.1 ms.
 */
const KEPT_BYTES_MAX = 1024 * 1024;
/** Up to this many characters, ASCII is written by a loop: 20 ns for eight characters, where a call of Buffer takes 75. */
const SHORT_MAX = 10;

/** Appends to one buffer that grows and is reused. */
export class TextWriter {
  #bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  #length = 0;

  /** Number of bytes written since `reset`. */
  get length(): number {
    return this.#length;
  }

  /** Starts a new text. A buffer that a large text has enlarged is released. */
  reset(): void {
    this.#length = 0;
    if (this.#bytes.length > KEPT_BYTES_MAX) this.#bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  }

  /** Returns the bytes written since `reset`, which are valid until the next `reset`. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Undoes everything that was written since the writer's length was `length`. */
  truncate(length: number): void {
    this.#length = length;
  }

  /** Writes text as UTF-8. */
  text(text: string): void {
    this.#reserve(3 * text.length);
    if (text.length > SHORT_MAX || !this.#ascii(text)) this.#length += this.#bytes.write(text, this.#length);
  }

  /** Writes bytes as they are. */
  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Writes two lower-case hex digits for each byte. */
  hex(bytes: Uint8Array): void {
    this.#reserve(2 * bytes.length);
    writeHexDigits(bytes, this.#bytes, this.#length);
    this.#length += 2 * bytes.length;
  }

  /** Writes text, unless a character is not ASCII; returns whether it has. */
  #ascii(text: string): boolean {
    const to = this.#bytes;
    for (let i = 0, at = this.#length; i < text.length; i++, at++) {
      const code = text.charCodeAt(i);
      if (code > 0x7f) return false;
      to[at] = code;
    }
    this.#length += text.length;
    return true;
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.bytes());
    this.#bytes = larger;
  }
}
