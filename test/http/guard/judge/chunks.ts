// Decodes a chunked body (RFC 9112, section 7.1), without its framing, extensions and trailers: the portable equivalent
// of http-guard/chunked-body.h, and its reference in tests.
import { areValueBytes, HEAD_BYTES_MAX, isToken } from './head.js';

/** Most hex digits of a chunk size. */
const SIZE_DIGITS_MAX = 13;
const CR = 0x0d;
const LF = 0x0a;

/** State of the body. */
export type ChunksOutcome = 'more' | 'end' | 'fault';

type State = 'size' | 'space' | 'extension' | 'data' | 'data end' | 'name' | 'value' | 'end' | 'fault';

/** One body. */
export class Chunks {
  #state: State = 'size';
  /** CR has arrived, and LF must come next. */
  #isLineEnding = false;
  #digits = '';
  #left = 0;
  #nameLength = 0;
  /** Bytes of extensions and trailers, limited like a head. */
  #besideBytes = 0;

  /** Reads until the body ends or no bytes are left. */
  take(bytes: Buffer): {
    readonly outcome: ChunksOutcome;
    readonly consumed: number;
    readonly data: readonly Buffer[];
  } {
    const data: Buffer[] = [];
    let at = 0;
    while (at < bytes.length && this.#state !== 'end' && this.#state !== 'fault') {
      if (this.#state === 'data') {
        const piece = bytes.subarray(at, at + this.#left);
        data.push(piece);
        at += piece.length;
        this.#left -= piece.length;
        if (this.#left === 0) this.#state = 'data end';
      } else this.#state = this.#next(bytes[at++]!);
    }
    const outcome = this.#state === 'end' || this.#state === 'fault' ? this.#state : 'more';
    return { outcome, consumed: at, data };
  }

  #next(byte: number): State {
    if (this.#isLineEnding) {
      this.#isLineEnding = false;
      return byte === LF ? this.#lineEnded() : 'fault';
    }
    if (byte === CR && this.#mayEnd()) {
      this.#isLineEnding = true;
      return this.#state;
    }
    return this.#inLine(String.fromCharCode(byte));
  }

  #mayEnd(): boolean {
    if (this.#state === 'size') return this.#digits !== '';
    if (this.#state === 'name') return this.#nameLength === 0;
    return this.#state !== 'space';
  }

  #lineEnded(): State {
    switch (this.#state) {
      case 'data end':
        return 'size';
      case 'name':
        return 'end';
      case 'value':
        this.#nameLength = 0;
        return 'name';
      default:
        this.#left = parseInt(this.#digits, 16);
        this.#digits = '';
        return this.#left > 0 ? 'data' : 'name';
    }
  }

  #inLine(character: string): State {
    if (this.#state === 'data end') return 'fault';
    if (this.#state === 'size' && /[0-9a-f]/i.test(character)) {
      this.#digits += character;
      return this.#digits.length > SIZE_DIGITS_MAX ? 'fault' : 'size';
    }
    if (++this.#besideBytes > HEAD_BYTES_MAX) return 'fault';
    return this.#beside(character);
  }

  #beside(character: string): State {
    if (this.#state === 'extension' || this.#state === 'value') return areValueBytes(character) ? this.#state : 'fault';
    if (this.#state === 'name') {
      if (character === ':' && this.#nameLength > 0) return 'value';
      this.#nameLength++;
      return isToken(character) ? 'name' : 'fault';
    }
    if (this.#state === 'size' && this.#digits === '') return 'fault';
    if (character === ';') return 'extension';
    return character === ' ' || character === '\t' ? 'space' : 'fault';
  }
}
