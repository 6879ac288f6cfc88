// A request as node:http has read it, in the form that routes take. Runs on main.
import type { IncomingMessage } from 'node:http';
import type { Request, Text } from '../app.js';
import { textOf } from './text.js';

/** One request. It stays valid after the route; nothing may rely on that, see Request. */
export class NodeRequest implements Request {
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

  /** See Request. */
  getHeader(lowerCaseName: Text): string {
    const wanted = textOf(lowerCaseName);
    for (const [name, value] of this.#headers()) if (name === wanted) return value;
    return '';
  }

  /** See Request. */
  getUrl(): string {
    return this.#incoming.url?.split('?', 1)[0] ?? '';
  }

  /** See Request. */
  forEach(visit: (name: string, value: string) => void): void {
    for (const [name, value] of this.#headers()) visit(name, value);
  }

  /** See Request. */
  setYield(isYielded: boolean): Request {
    this.isYielded = isYielded;
    return this;
  }

  /** Node.js has them in one list, names and values in turn. */
  *#headers(): Generator<[name: string, value: string]> {
    const { rawHeaders } = this.#incoming;
    for (let i = 0; i + 1 < rawHeaders.length; i += 2) yield [rawHeaders[i]!.toLowerCase(), rawHeaders[i + 1]!];
  }
}
