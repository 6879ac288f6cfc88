// Writes responses and error pages to HTTP connections. Runs on main.
import { LongBytes } from '../../lib/bytes/long-bytes.js';
import type { Answer } from '../../rpc/answer/answer.js';
import type { HttpAsker } from '../client.js';
import type { Response } from '../app.js';
import { endEmpty, responseHead, writeBlock } from '../head.js';
import type { Head, HeaderBlock } from '../head.js';
import type { InFlight } from '../in-flight.js';
import { Sending } from './sending.js';
import type { AnswerHead, AnswerHeads } from './headers.js';
import { STATUS_LINES } from '../counters.js';
import type { Status, Counters } from '../counters.js';
import type { Unsent } from './unsent.js';

/**
 * Larger responses are passed to the kernel piece by piece; smaller ones are copied whole, so a connection buffers at
 * most one such copy.
 */
const WHOLE_BYTES_MAX = 64 * 1024;
/** A response that does not come from the service, such as an error page. */
export interface Page {
  readonly status: Status;
  readonly head: Head;
  readonly body: string;
}

/** A page whose head is encoded once; headers are pairs of name and value. */
export function page(status: Status, body: string, headers: readonly (readonly [string, string])[]): Page {
  return { status, head: responseHead(STATUS_LINES[status], headers), body };
}

/** A short text as a page. */
export function textPage(status: Status, text: string, headers: readonly (readonly [string, string])[] = []): Page {
  return page(status, `${text}\n`, [['Content-Type', 'text/plain; charset=utf-8'], ...headers]);
}

/** What every response needs. */
export interface ResponderParts {
  readonly heads: AnswerHeads;
  readonly counters: Counters;
  readonly inFlight: InFlight;
  /** Response bytes buffered for slow readers. */
  readonly unsent: Unsent;
}

/** Every method ends the response. Outside of a route or data handler they must be called corked. */
export class Responder {
  readonly #parts: ResponderParts;
  /** The head of status 200 has its own field for the same reason as the counter in `Counters`. */
  readonly #okHead: AnswerHead;
  /** True while the service drains: every response then closes its connection. */
  #closing = false;

  constructor(parts: ResponderParts) {
    this.#parts = parts;
    this.#okHead = parts.heads[200];
  }

  /** Closes every connection with its next response. */
  closeConnections(): void {
    this.#closing = true;
  }

  /** Sends a response of the service; `further` are headers that depend on the request. */
  answer(response: Response, answer: Answer, asker: HttpAsker, further: HeaderBlock | null): void {
    const { counters, heads } = this.#parts;
    counters.answered(answer.status);
    counters.bytesOut += answer.bytes.length;
    const head = answer.status === 200 ? this.#okHead : heads[answer.status];
    response.writeStatus(head.at(answer.position));
    if (further !== null) writeBlock(response, further);
    if (answer.status === 204) endEmpty(response, null, this.#closing);
    else this.#body(response, answer, asker);
  }

  /** Sends a page; `close` also ends the connection, for a request that was not read to its end. */
  page(response: Response, content: Page, further: HeaderBlock | null = null, close = false): void {
    this.#parts.counters.answered(content.status);
    response.writeStatus(content.head);
    if (further !== null) writeBlock(response, further);
    response.end(content.body, close || this.#closing);
  }

  /** Sends only the status and headers of a page: for HEAD, and for pages without a body. */
  head(response: Response, content: Page, further: HeaderBlock | null = null): void {
    this.#parts.counters.answered(content.status);
    response.writeStatus(content.head);
    if (further !== null) writeBlock(response, further);
    endEmpty(response, content.status === 204 ? null : Buffer.byteLength(content.body), this.#closing);
  }

  #body(response: Response, { bytes }: Answer, asker: HttpAsker): void {
    if (bytes instanceof LongBytes) return this.#long(response, bytes, asker);
    if (this.#closing || bytes.length <= WHOLE_BYTES_MAX) response.end(bytes, this.#closing);
    else this.#offer(response, new Sending(bytes), asker);
  }

  #long(response: Response, bytes: LongBytes, asker: HttpAsker): void {
    if (!this.#closing) return this.#offer(response, new Sending(bytes), asker);
    response.end(bytes.toBytes(), true);
    bytes.release();
  }

  /** Writes as much as the kernel accepts; the rest is buffered, within a bound, until the client has read. */
  #offer(response: Response, sending: Sending, asker: HttpAsker): void {
    if (sending.go(response) === 'done') return sending.end();
    sending.keep();
    this.#sendLater(response, sending, asker.client);
  }

  #sendLater(response: Response, sending: Sending, client: string): void {
    const { unsent, inFlight, counters } = this.#parts;
    const backlog = unsent.open(client, () => response.close());
    const end = (): void => {
      unsent.set(backlog, 0);
      sending.end();
      inFlight.leave();
    };
    inFlight.enter();
    response.onAborted(() => {
      counters.aborted++;
      end();
    });
    response.onWritable(() => {
      const state = sending.go(response);
      if (state === 'done') end();
      else unsent.set(backlog, sending.restBytes);
      return state !== 'blocked';
    });
    unsent.set(backlog, sending.restBytes);
  }
}
