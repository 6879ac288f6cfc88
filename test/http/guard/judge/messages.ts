// Splits the bytes of a connection into messages, one at a time, in a form that every parser reads as RFC 9112 defines;
// invalid bytes become a request that is refused. Bare JSON becomes a WebSocket. The portable equivalent of
// http-guard/request-framer.h, and its reference in tests.
import { Chunks } from './chunks.js';
import { Frames } from './frames.js';
import { areValueBytes, Head, HEAD_BYTES_MAX } from './head.js';
import { isOpening, isSpace, Values } from './values.js';

/** Most WebSocket frames that are passed on together. */
const FRAMES_MAX = 32;
/**
 * Precedes bare JSON; with this protocol an empty message means that no more follow, see
 * src/http/routes/websocket-route.ts.
 */
const HANDSHAKE = Buffer.from(
  'GET / HTTP/1.1\r\nhost: -\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n' +
    'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\nsec-websocket-protocol: values\r\n\r\n',
);
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
/** A close frame with the code of a protocol error (RFC 6455, section 7.4.1). */
const PROTOCOL_ERROR = Buffer.from([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xea]);
const CRLF = Buffer.from('\r\n');
const LF = 0x0a;

/** Result of a step. If nothing was emitted, more bytes are needed. */
export interface Step {
  /** Number of input bytes that were consumed. */
  readonly consumed: number;
  /** Bytes for the next parser. */
  readonly emitted: readonly Buffer[];
  /** The message is complete: the remaining bytes belong to the next one. */
  readonly isWhole: boolean;
}

/** The message stream of one connection. */
export class Messages {
  #state: 'first' | 'head' | 'length' | 'chunks' | 'frames' | 'values' | 'ignored' | 'refused';
  #head = new Head();
  /** Bytes of the head whose lines have been read. */
  #readBytes = 0;
  #left = 0;
  #chunks = new Chunks();
  readonly #frames = new Frames();
  readonly #values = new Values();
  #isHandshake = false;
  #isBare = false;
  #owesPong = false;

  /** `mayBeBare`: the first byte decides between HTTP and bare JSON. */
  constructor(mayBeBare = false) {
    this.#state = mayBeBare ? 'first' : 'head';
  }

  /** The connection speaks JSON, one value after the other. */
  get isBare(): boolean {
    return this.#isBare;
  }

  /** The last emitted message requests a WebSocket. */
  get isHandshake(): boolean {
    return this.#isHandshake;
  }

  /**
   * The handshake has been accepted: from here on the connection consists of WebSocket frames, or is converted to them.
   */
  upgrade(): void {
    this.#isHandshake = false;
    this.#state = this.#isBare ? 'values' : 'frames';
  }

  /** A ping has been sent, which a JSON client does not see: the next step emits its pong. */
  pinged(): void {
    this.#owesPong = this.#state === 'values';
  }

  /** The client has closed its side: emits a last message that says so, if responses may be outstanding. */
  end(): Buffer | null {
    if (this.#state !== 'values') return null;
    this.#state = 'ignored';
    return this.#values.end();
  }

  /** Emits the next message, or its next part. */
  step(bytes: Buffer): Step {
    if (this.#owesPong) {
      this.#owesPong = false;
      return { consumed: 0, emitted: [PONG], isWhole: true };
    }
    switch (this.#state) {
      case 'first':
        return this.#readFirst(bytes);
      case 'head':
        return this.#readHead(bytes);
      case 'length':
        return this.#readLength(bytes, { consumed: 0, emitted: [], isWhole: false });
      case 'chunks':
        return this.#readChunks(bytes, { consumed: 0, emitted: [], isWhole: false });
      case 'frames': {
        const count = this.#frames.take(bytes, FRAMES_MAX);
        if (count === 0 && this.#frames.isUnmasked(bytes)) {
          this.#state = 'ignored';
          return { consumed: bytes.length, emitted: [PROTOCOL_ERROR], isWhole: true };
        }
        return { consumed: count, emitted: count === 0 ? [] : [bytes.subarray(0, count)], isWhole: true };
      }
      case 'values': {
        const { consumed, emitted, isFault } = this.#values.take(bytes, FRAMES_MAX);
        if (isFault) this.#state = 'refused';
        return { consumed, emitted, isWhole: true };
      }
      default:
        return { consumed: bytes.length, emitted: [], isWhole: false };
    }
  }

  /** Skips white space before the first significant byte, up to the maximum length of a head. */
  #readFirst(bytes: Buffer): Step {
    let at = 0;
    while (at < bytes.length && isSpace(bytes[at]!)) at++;
    if (at === bytes.length && at <= HEAD_BYTES_MAX) return { consumed: 0, emitted: [], isWhole: false };
    if (at === bytes.length || !isOpening(bytes[at]!)) {
      this.#state = 'head';
      return this.#readHead(bytes);
    }
    // Nothing is a message until the handshake is accepted.
    this.#state = 'ignored';
    this.#isHandshake = true;
    this.#isBare = true;
    return { consumed: at, emitted: [HANDSHAKE], isWhole: true };
  }

  #readHead(bytes: Buffer): Step {
    let skipped = 0;
    // RFC 9112, section 2.2: empty lines before a request are skipped.
    while (!this.#head.isBegun && bytes.subarray(skipped, skipped + 2).equals(CRLF)) skipped += 2;
    const message = bytes.subarray(skipped);
    const status = this.#readLines(message);
    if (status === 'more') return { consumed: skipped, emitted: [], isWhole: false };
    if (status !== 0) return this.#refused(status, bytes.length);
    return this.#begin(message, skipped);
  }

  /** Reads lines up to the end of the head: returns 0, the status of the refusal, or `more` if bytes are missing. */
  #readLines(message: Buffer): number | 'more' {
    for (;;) {
      const rest = message.subarray(this.#readBytes);
      const length = rest.indexOf(LF);
      if (length < 0) {
        if (this.#readBytes + rest.length > HEAD_BYTES_MAX) return 431;
        return areValueBytes(rest.toString('latin1').replace(/\r$/, '')) ? 'more' : 400;
      }
      if (this.#readBytes + length + 1 > HEAD_BYTES_MAX) return 431;
      const line = rest.toString('latin1', 0, length);
      if (!line.endsWith('\r')) return 400;
      this.#readBytes += length + 1;
      const isEnd = line === '\r' && this.#head.isBegun;
      const status = isEnd ? this.#head.end() : this.#head.take(line.slice(0, -1));
      if (isEnd || status !== 0) return status;
    }
  }

  /** The head is complete; `message` starts with it. */
  #begin(message: Buffer, skipped: number): Step {
    const head = this.#head;
    const [text, readBytes] = [Buffer.from(head.text(), 'latin1'), this.#readBytes];
    this.#head = new Head();
    this.#readBytes = 0;
    if (text.length > HEAD_BYTES_MAX) return this.#refused(431, skipped + message.length);
    this.#isHandshake = head.isHandshake;
    const step = { consumed: skipped + readBytes, emitted: [text], isWhole: head.body === 'none' };
    if (head.body === 'none') return step;
    const rest = message.subarray(readBytes);
    this.#state = head.body;
    this.#left = head.length;
    this.#chunks = new Chunks();
    return head.body === 'length' ? this.#readLength(rest, step) : this.#readChunks(rest, step);
  }

  #readLength(bytes: Buffer, { consumed, emitted }: Step): Step {
    const piece = bytes.subarray(0, this.#left);
    this.#left -= piece.length;
    const isWhole = this.#left === 0;
    if (isWhole) this.#state = 'head';
    return { consumed: consumed + piece.length, emitted: piece.length === 0 ? emitted : [...emitted, piece], isWhole };
  }

  /** Data become one chunk, whose size always has the same number of digits. */
  #readChunks(bytes: Buffer, step: Step): Step {
    const { outcome, consumed, data } = this.#chunks.take(bytes);
    if (outcome === 'fault') {
      // The next parser is in the middle of a body: an invalid chunk makes it refuse the request.
      this.#state = 'refused';
      return {
        consumed: step.consumed + bytes.length,
        emitted: [...step.emitted, Buffer.from('z\r\n')],
        isWhole: true,
      };
    }
    const size = data.reduce((sum, { length }) => sum + length, 0);
    const chunk = size === 0 ? [] : [Buffer.from(`${size.toString(16).padStart(5, '0')}\r\n`), ...data, CRLF];
    const end = outcome === 'end' ? [Buffer.from('0\r\n\r\n')] : [];
    if (outcome === 'end') this.#state = 'head';
    return {
      consumed: step.consumed + consumed,
      emitted: [...step.emitted, ...chunk, ...end],
      isWhole: outcome === 'end',
    };
  }

  /** Emits a request in place of an invalid one: its route responds with the status and closes. */
  #refused(status: number, consumed: number): Step {
    this.#state = 'refused';
    return { consumed, emitted: [Buffer.from(`GET /!${status} HTTP/1.1\r\nhost: -\r\n\r\n`, 'latin1')], isWhole: true };
  }
}
