// A minimal HTTP/1.1 response parser for the load generator. Runs in the generator.

const HEAD_END = Buffer.from('\r\n\r\n');
const NOTHING = Buffer.alloc(0);
const BODY_BYTES_MAX = 256 * 1024 * 1024;

/** Called for each complete response. `head`: status line and headers; `body` is valid until the call returns. */
export type OnAnswer = (status: number, body: Buffer, head: string) => void;

/** Throws if the bytes are not HTTP. */
export class HttpParser {
  readonly #onAnswer: OnAnswer;
  #rest: Buffer = NOTHING;
  /** Minimum number of bytes before the next parsing attempt. */
  #needed = 0;

  constructor(onAnswer: OnAnswer) {
    this.#onAnswer = onAnswer;
  }

  /** `bytes` may be reused after this returns. */
  feed(bytes: Buffer): void {
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    let at = 0;
    if (all.length >= this.#needed) {
      this.#needed = 0;
      for (let end = this.#parse(all, 0); end !== null; end = this.#parse(all, at)) at = end;
    }
    this.#needed = Math.max(0, this.#needed - at);
    this.#rest = at === all.length ? NOTHING : Buffer.from(all.subarray(at));
  }

  /** Parses the response at `at`; returns the offset of the next one, `null` while it is incomplete. */
  #parse(all: Buffer, at: number): number | null {
    const headEnd = all.indexOf(HEAD_END, at);
    if (headEnd < 0) return null;
    const head = all.toString('latin1', at, headEnd);
    const from = headEnd + HEAD_END.length;
    const status = Number(head.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length !== undefined) return this.#whole(all, status, head, from, from + Number(length));
    if (/\r\ntransfer-encoding: *chunked/i.test(head)) return this.#chunked(all, status, head, from);
    if (status === 204 || status === 304) return this.#whole(all, status, head, from, from);
    throw new Error(`an answer without a length: ${head.slice(0, 100)}`);
  }

  #whole(all: Buffer, status: number, head: string, from: number, end: number): number | null {
    if (!(end - from <= BODY_BYTES_MAX)) throw new Error(`an answer of ${end - from} bytes`);
    if (end > all.length) {
      this.#needed = end;
      return null;
    }
    this.#onAnswer(status, all.subarray(from, end), head);
    return end;
  }

  #chunked(all: Buffer, status: number, head: string, from: number): number | null {
    const chunks: Buffer[] = [];
    for (let at = from; ;) {
      const lineEnd = all.indexOf('\r\n', at);
      if (lineEnd < 0) return null;
      const size = Number.parseInt(all.toString('latin1', at, lineEnd), 16);
      if (!(size <= BODY_BYTES_MAX)) throw new Error('a chunk without a size');
      const end = lineEnd + 2 + size + 2;
      if (end > all.length) return null;
      if (size === 0) {
        this.#onAnswer(status, Buffer.concat(chunks), head);
        return end;
      }
      chunks.push(all.subarray(lineEnd + 2, end - 2));
      at = end;
    }
  }
}
