// Converts the JSON values of a connection to WebSocket frames (RFC 6455, section 5.2): the portable equivalent of
// http-guard/bare-json-to-websocket.h, and its reference in tests.

/** Largest payload of a frame; a longer value continues in further frames. */
const FRAME_BYTES_MAX = 0xffff;
const BINARY = 2;
const LAST = 0x80;
const MASKED = 0x80;
const NO_MASK = Buffer.alloc(4);
/** Says that no more values follow. */
const END = Buffer.from([LAST | BINARY, MASKED, 0, 0, 0, 0]);
/** Ends an incomplete value. */
const CUT = Buffer.from([LAST, MASKED, 0, 0, 0, 0]);

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Braces differ from square brackets in this bit only. */
const BRACE_BIT = 0x20;
const OPEN = 0x5b;
const CLOSED = 0x5d;

/** Whether a byte is white space (RFC 8259, section 2). */
export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Whether a byte starts an object or an array. */
export function isOpening(byte: number): boolean {
  return (byte & ~BRACE_BIT) === OPEN;
}

/** The values of one connection. Each ends where its brackets are balanced; errors inside are left to the reader. */
export class Values {
  /** Number of open brackets. */
  #depth = 0;
  #isString = false;
  #isEscaped = false;
  /** A part of the value has been emitted. */
  #isBegun = false;

  /** Emits at most `framesMax` frames. A byte that cannot start a value is emitted by itself, as the last one. */
  take(bytes: Buffer, framesMax: number): { consumed: number; emitted: readonly Buffer[]; isFault: boolean } {
    const emitted: Buffer[] = [];
    let at = 0;
    for (let frames = 0; frames < framesMax; frames++) {
      while (this.#depth === 0 && at < bytes.length && isSpace(bytes[at]!)) at++;
      if (at === bytes.length) break;
      if (this.#depth === 0 && !isOpening(bytes[at]!)) {
        emitted.push(...this.#frame(bytes.subarray(at, at + 1)), END);
        return { consumed: bytes.length, emitted, isFault: true };
      }
      const part = bytes.subarray(at, this.#end(bytes, at));
      emitted.push(...this.#frame(part));
      at += part.length;
    }
    return { consumed: at, emitted, isFault: false };
  }

  /** No more values follow; an incomplete one is ended as it is. */
  end(): Buffer {
    return this.#isBegun ? Buffer.concat([CUT, END]) : END;
  }

  /** End of the value, or of the part that fits a frame. */
  #end(bytes: Buffer, start: number): number {
    const end = Math.min(bytes.length, start + FRAME_BYTES_MAX);
    for (let at = start; at < end;) {
      this.#read(bytes[at++]!);
      if (this.#depth === 0) return at;
    }
    return end;
  }

  #read(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (this.#isString) {
      this.#isEscaped = byte === BACKSLASH;
      this.#isString = byte !== QUOTE;
    } else if (byte === QUOTE) this.#isString = true;
    else if (isOpening(byte)) this.#depth++;
    else if ((byte & ~BRACE_BIT) === CLOSED) this.#depth--;
  }

  #frame(payload: Buffer): readonly Buffer[] {
    const isLast = this.#depth === 0;
    const first = (this.#isBegun ? 0 : BINARY) | (isLast ? LAST : 0);
    this.#isBegun = !isLast;
    const { length } = payload;
    const header = length < 126 ? [first, MASKED | length] : [first, MASKED | 126, length >> 8, length & 0xff];
    return [Buffer.from(header), NO_MASK, payload];
  }
}
