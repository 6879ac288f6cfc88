// Output for a client that speaks bare JSON: of everything sent to a WebSocket only the messages, one per line. The
// portable equivalent of http-guard/websocket-to-json-lines.h.

const HEAD_END = '\r\n\r\n';
const ACCEPTED = 'HTTP/1.1 101';
const NEWLINE = Buffer.from('\n');
const LAST = 0x80;
/** Opcodes of control frames (RFC 6455, section 5.5), and the smallest of them. */
const GOODBYE = 8;
const PING = 9;
const CONTROL_MIN = 8;

/** Events that a JSON client does not see. */
export interface LinesEvents {
  pinged(): void;
  closed(): void;
}

/** One connection. */
export class Lines {
  readonly #events: LinesEvents;
  #state: 'head' | 'refusal' | 'header' | 'payload' = 'head';
  /** The start of an HTTP head or of a frame's header. */
  #partial: Buffer = Buffer.alloc(0);
  #left = 0;
  #isLast = false;
  #isControl = false;

  constructor(events: LinesEvents) {
    this.#events = events;
  }

  /** The part of these bytes that goes to the client: the body of a refused handshake, otherwise the messages. */
  take(bytes: Buffer): readonly Buffer[] {
    const made: Buffer[] = [];
    for (let rest = bytes; rest.length > 0;) rest = this.#step(rest, made);
    return made;
  }

  #step(bytes: Buffer, made: Buffer[]): Buffer {
    if (this.#state === 'payload') return this.#payload(bytes, made);
    if (this.#state === 'refusal') {
      made.push(bytes);
      return bytes.subarray(bytes.length);
    }
    const head = Buffer.concat([this.#partial, bytes]);
    const size = this.#state === 'head' ? this.#head(head) : this.#header(head);
    this.#partial = size === 0 ? head : Buffer.alloc(0);
    return size === 0 ? bytes.subarray(bytes.length) : head.subarray(size);
  }

  /** Length of the HTTP head; 0 if it is incomplete. */
  #head(bytes: Buffer): number {
    const end = bytes.indexOf(HEAD_END);
    if (end < 0) return 0;
    this.#state = bytes.toString('latin1', 0, ACCEPTED.length) === ACCEPTED ? 'header' : 'refusal';
    return end + HEAD_END.length;
  }

  /** Length of the frame's header; 0 if it is incomplete. */
  #header(bytes: Buffer): number {
    const length = bytes.length < 2 ? 0 : bytes[1]!;
    const size = length === 127 ? 10 : length === 126 ? 4 : 2;
    if (bytes.length < size) return 0;
    this.#left = size === 2 ? length : size === 4 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
    const opcode = bytes[0]! & 0x0f;
    this.#isLast = bytes[0]! >= LAST;
    this.#isControl = opcode >= CONTROL_MIN;
    if (opcode === PING) this.#events.pinged();
    if (opcode === GOODBYE) this.#events.closed();
    this.#state = this.#left > 0 ? 'payload' : 'header';
    return size;
  }

  #payload(bytes: Buffer, made: Buffer[]): Buffer {
    const piece = bytes.subarray(0, this.#left);
    this.#left -= piece.length;
    if (!this.#isControl) made.push(piece);
    if (this.#left === 0) {
      this.#state = 'header';
      if (!this.#isControl && this.#isLast) made.push(NEWLINE);
    }
    return bytes.subarray(piece.length);
  }
}
