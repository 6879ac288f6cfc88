// A TCP connection for tests that choose every byte.
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { until } from '../support/patience.js';

export interface Reply {
  readonly status: number;
  /** Names are in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** A connection that stores what it sent and received, byte for byte. */
export class Wire {
  readonly socket: Socket;
  isEnded = false;
  #pieces: Buffer[] = [];

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (piece) => this.#pieces.push(piece));
    socket.on('error', () => (this.isEnded = true));
    socket.on('end', () => (this.isEnded = true));
    socket.on('close', () => (this.isEnded = true));
  }

  static open(port: number): Promise<Wire> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      socket.once('error', reject);
      socket.once('connect', () => resolve(new Wire(socket)));
    });
  }

  /** All bytes received so far. */
  received(): Buffer {
    const all = Buffer.concat(this.#pieces);
    this.#pieces = [all];
    return all;
  }

  send(bytes: string | Uint8Array): void {
    this.socket.write(bytes);
  }

  /** The first `count` responses, once they are complete. */
  async replies(count: number): Promise<readonly Reply[]> {
    await until(() => parse(this.received()).length >= count || this.isEnded);
    return parse(this.received());
  }

  async reply(): Promise<Reply> {
    const [reply] = await this.replies(1);
    if (reply === undefined) throw new Error('closed without a reply');
    return reply;
  }

  /** Resolves when the other side has closed; returns everything received. */
  async ended(): Promise<string> {
    await until(() => this.isEnded);
    return this.received().toString('latin1');
  }

  close(): void {
    this.socket.destroy();
  }
}

/** A request as text; `headers` are whole lines. */
export function request(method: string, path: string, headers: readonly string[], body = ''): string {
  return [`${method} ${path} HTTP/1.1`, 'Host: test', ...headers, '', body].join('\r\n');
}

/** A well-formed POST. */
export function post(body: string, headers: readonly string[] = []): string {
  const own = ['Content-Type: application/json', `Content-Length: ${body.length}`];
  return request('POST', '/', [...own, ...headers], body);
}

/** The complete responses in `bytes`; those without Content-Length have no body. */
function parse(bytes: Buffer): Reply[] {
  const replies: Reply[] = [];
  let at = 0;
  for (;;) {
    const headEnd = bytes.indexOf('\r\n\r\n', at);
    if (headEnd < 0) return replies;
    const [statusLine, ...lines] = bytes.toString('latin1', at, headEnd).split('\r\n');
    const headers = new Map(lines.map((line) => header(line)));
    const bodyEnd = headEnd + 4 + Number(headers.get('content-length') ?? 0);
    if (bodyEnd > bytes.length) return replies;
    const body = bytes.toString('latin1', headEnd + 4, bodyEnd);
    replies.push({ status: Number(statusLine?.split(' ')[1]), headers, body });
    at = bodyEnd;
  }
}

function header(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}
