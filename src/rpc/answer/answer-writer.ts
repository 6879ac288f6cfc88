// Writes all responses: encodes texts one after the other into a buffer that is reused.

// Every result is first converted to a common form (`text-around-bytes.ts`). One writer then encodes it: in one go, or
// part by part if it is long. See DECISIONS.md.
import type { RpcError } from '../../rpc-errors.js';
import { answerText, type TextAroundBytes } from './text-around-bytes.js';
import { writeHexDigits } from './write-hex-digits.js';

const INITIAL_BYTES = 64 * 1024;
/**
 * A buffer that is larger than this is released after the response. Nearly all responses fit into a buffer of this
 * size. Allocating it takes some 0.1 ms.
 */
const KEPT_BYTES_MAX = 1024 * 1024;

/**
 * Writes synchronous responses. Asynchronous responses use another instance (`encodeAnswerText`, `encodeAnswerPiece`).
 */
export class AnswerWriter {
  #bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  #length = 0;

  /** Number of bytes written since `reset`. */
  get length(): number {
    return this.#length;
  }

  /** Starts a new response. A buffer that a large response has enlarged is released. */
  reset(): void {
    this.#length = 0;
    if (this.#bytes.length > KEPT_BYTES_MAX) this.#bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  }

  /** Returns the bytes written since `reset`, which are valid until the next `reset`. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Undoes everything that was written since the writer's length was `length`. */
  truncate(length: number): void {
    this.#length = length;
  }

  /** Writes all parts of an `TextAroundBytes`. */
  write({ head, bytes, form, tail }: TextAroundBytes): void {
    this.text(head);
    if (form === 'hex') this.#hex(bytes);
    else if (bytes.length > 0) this.append(bytes);
    if (tail !== '') this.text(tail);
  }

  /** Writes text as UTF-8. */
  text(text: string): void {
    this.#reserve(3 * text.length);
    this.#length += this.#bytes.write(text, this.#length);
  }

  /** Writes bytes as they are. */
  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #hex(bytes: Uint8Array): void {
    this.#reserve(2 * bytes.length);
    writeHexDigits(bytes, this.#bytes, this.#length);
    this.#length += 2 * bytes.length;
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.bytes());
    this.#bytes = larger;
  }
}

const WRITER = new AnswerWriter();

/** Encodes a short `TextAroundBytes`. */
export function encodeAnswerText(text: TextAroundBytes): Buffer {
  return Buffer.from(encodeAnswerPiece(text));
}

/** Encodes a response with only this error, for a request whose id is not known. */
export function encodeErrorWithoutId(error: RpcError): Buffer {
  return encodeAnswerText(answerText('null', error));
}

/** Encodes one part of a long `TextAroundBytes`. The bytes are valid until anything else is encoded. */
export function encodeAnswerPiece(piece: TextAroundBytes): Uint8Array {
  WRITER.reset();
  WRITER.write(piece);
  return WRITER.bytes();
}

/** Encodes short texts one after the other. Pieces that are bytes are copied as they are. */
export function concatAnswerPieces(pieces: readonly (TextAroundBytes | Uint8Array)[]): Buffer {
  WRITER.reset();
  for (const piece of pieces)
    if (piece instanceof Uint8Array) WRITER.append(piece);
    else WRITER.write(piece);
  return Buffer.from(WRITER.bytes());
}
