// A request as node:http has read it, in the form that routes take.
import type { IncomingMessage } from 'node:http';
import type { HttpRequest, Text } from '../app.js';
import { decodeLatin1 } from './text.js';

/** RFC 9112, section 3.2.2: what is behind scheme and authority is the path. */
const ABSOLUTE = /^https?:\/\/[^/?]+/i;

/** One request. It stays valid after the route; nothing may rely on that, see Request. */
export class NodeRequest implements HttpRequest {
  readonly #incoming: IncomingMessage;
  /** Left to the next route by the handler that it was given to. */
  isYielded = false;

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming;
  }

  /** In upper case. */
  get method(): string {
    return this.#incoming.method ?? '';
  }

  /** Number of its header fields. */
  get fields(): number {
    return this.#incoming.rawHeaders.length / 2;
  }

  /** See Request. */
  getHeader(lowerCaseName: Text): string {
    const wanted = decodeLatin1(lowerCaseName);
    for (const [name, value] of this.#headers()) if (name === wanted) return value;
    return '';
  }

  /** See Request. */
  getUrl(): string {
    const [target = ''] = (this.#incoming.url ?? '').replace(ABSOLUTE, '').split('?', 1);
    return target.startsWith('/') ? target : '/';
  }

  /** See Request. */
  forEach(visit: (name: string, value: string) => void): void {
    for (const [name, value] of this.#headers()) visit(name, value);
  }

  /** See Request. */
  setYield(isYielded: boolean): HttpRequest {
    this.isYielded = isYielded;
    return this;
  }

  /** Node.js has them in one list, names and values in turn. */
  *#headers(): Generator<[name: string, value: string]> {
    const { rawHeaders } = this.#incoming;
    for (let i = 0; i + 1 < rawHeaders.length; i += 2) yield [rawHeaders[i]!.toLowerCase(), rawHeaders[i + 1]!];
  }
}
