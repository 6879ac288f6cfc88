// A request that node:http has read, in the form that routes use.
import type { IncomingMessage } from 'node:http';
import type { HttpRequest, TextOrBytes } from '../server-interface.js';
import { decodeLatin1 } from './text-conversion.js';

/** Matches scheme and authority of a request target. The path comes after them (RFC 9112, section 3.2.2). */
const ABSOLUTE = /^https?:\/\/[^/?]+/i;

/** One request. This object stays valid after the route's handler, but nothing may rely on that; see HttpRequest. */
export class NodeRequest implements HttpRequest {
  readonly #incoming: IncomingMessage;
  /** True if the handler has left the request to the next matching route. */
  isYielded = false;

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming;
  }

  /** The method in upper case. */
  get method(): string {
    return this.#incoming.method ?? '';
  }

  /** Number of header fields in the request. */
  get fields(): number {
    return this.#incoming.rawHeaders.length / 2;
  }

  getHeader(lowerCaseName: TextOrBytes): string {
    const wanted = decodeLatin1(lowerCaseName);
    for (const [name, value] of this.#headers()) if (name === wanted) return value;
    return '';
  }

  getUrl(): string {
    const [target = ''] = (this.#incoming.url ?? '').replace(ABSOLUTE, '').split('?', 1);
    return target.startsWith('/') ? target : '/';
  }

  forEach(visit: (name: string, value: string) => void): void {
    for (const [name, value] of this.#headers()) visit(name, value);
  }

  setYield(isYielded: boolean): HttpRequest {
    this.isYielded = isYielded;
    return this;
  }

  /** Yields the headers. Node.js has them in one list, in which names and values alternate. */
  *#headers(): Generator<[name: string, value: string]> {
    const { rawHeaders } = this.#incoming;
    for (let i = 0; i + 1 < rawHeaders.length; i += 2) yield [rawHeaders[i]!.toLowerCase(), rawHeaders[i + 1]!];
  }
}
