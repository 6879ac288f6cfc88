// Writes responses and error pages to HTTP connections.
import { ChunkedBuffer } from '../../lib/bytes/chunked-buffer.js';
import type { EncodedRpcResponse } from '../../rpc/answer/request-response-types.js';
import type { HttpCaller } from '../client-identifier.js';
import type { HttpResponse } from '../server-interface.js';
import { endEmptyResponse, encodeResponseHead } from '../encoded-heads.js';
import type { ResponseHead, HeaderBlock, HeaderField } from '../encoded-heads.js';
import type { InFlightCounter } from '../in-flight-counter.js';
import { PiecewiseResponse } from './piecewise-response.js';
import type { CachedResponseHead, ResponseHeadsByStatus } from './response-heads.js';
import { statusLineOf, type HttpStatusCode, type HttpCounters } from '../http-counters.js';
import type { WriteBacklogLimiter } from './write-backlog.js';

/**
 * Longer responses are passed to uWebSockets.js in pieces. If a response is passed as a whole, uWebSockets.js buffers a
 * copy of all bytes that the socket does not accept.
 */
const WHOLE_BYTES_MAX = 64 * 1024;
/** A response that does not come from the service, such as an error page. */
export interface StaticResponse {
  readonly status: HttpStatusCode;
  readonly head: ResponseHead;
  readonly body: string;
}

/** Creates a static response, whose head is encoded once. Headers are pairs of name and value. */
export function createStaticResponse(
  status: HttpStatusCode,
  body: string,
  headers: readonly HeaderField[],
): StaticResponse {
  return { status, head: encodeResponseHead(statusLineOf(status), headers), body };
}

/** Creates a static response of JSON text. */
export function createJsonResponse(status: HttpStatusCode, json: string, headers: HeaderField[] = []): StaticResponse {
  return createStaticResponse(status, json, [['Content-Type', 'application/json'], ...headers]);
}

export function createTextResponse(
  status: HttpStatusCode,
  text: string,
  headers: readonly HeaderField[] = [],
): StaticResponse {
  return createStaticResponse(status, `${text}\n`, [['Content-Type', 'text/plain; charset=utf-8'], ...headers]);
}

interface ResponderDeps {
  readonly heads: ResponseHeadsByStatus;
  readonly counters: HttpCounters;
  readonly inFlight: InFlightCounter;
  /** Counts the response bytes that are buffered for slow readers. */
  readonly unsent: WriteBacklogLimiter;
}

/**
 * Writes responses to HTTP connections. Outside of a route handler or data handler, its methods must be called within
 * `response.cork`.
 */
export class Responder {
  readonly #deps: ResponderDeps;
  /** The head of status 200 has a field of its own, because a look-up by status takes 60 ns. */
  readonly #okHead: CachedResponseHead;
  /** True while the service shuts down. Every response then closes its connection. */
  #closing = false;

  constructor(deps: ResponderDeps) {
    this.#deps = deps;
    this.#okHead = deps.heads[200];
  }

  /** From now on, each connection is closed with its next response. */
  closeConnections(): void {
    this.#closing = true;
  }

  /** Sends the service's answer to a request. `further` are headers that depend on the request. */
  answer(response: HttpResponse, answer: EncodedRpcResponse, caller: HttpCaller, further: HeaderBlock | null): void {
    const { counters, heads } = this.#deps;
    counters.answered(answer.status);
    counters.bytesOut += answer.bytes.length;
    const head = answer.status === 200 ? this.#okHead : heads[answer.status];
    response.writeStatus(head.at(answer.position));
    if (further !== null) response.writeHeader(further.name, further.value);
    if (answer.status === 204) endEmptyResponse(response, null, this.#closing);
    else this.#body(response, answer, caller);
  }

  /** Sends a static response. `close` also ends the connection, for a request that was not read to its end. */
  page(response: HttpResponse, content: StaticResponse, further: HeaderBlock | null = null, close = false): void {
    this.#deps.counters.answered(content.status);
    response.writeStatus(content.head);
    if (further !== null) response.writeHeader(further.name, further.value);
    response.end(content.body, close || this.#closing);
  }

  /** Sends only the status and headers of a static response: for HEAD, and for responses without a body. */
  head(response: HttpResponse, content: StaticResponse, further: HeaderBlock | null = null): void {
    this.#deps.counters.answered(content.status);
    response.writeStatus(content.head);
    if (further !== null) response.writeHeader(further.name, further.value);
    endEmptyResponse(response, content.status === 204 ? null : Buffer.byteLength(content.body), this.#closing);
  }

  #body(response: HttpResponse, { bytes }: EncodedRpcResponse, caller: HttpCaller): void {
    if (bytes instanceof ChunkedBuffer) return this.#long(response, bytes, caller);
    if (this.#closing || bytes.length <= WHOLE_BYTES_MAX) response.end(bytes, this.#closing);
    else this.#offer(response, new PiecewiseResponse(bytes), caller);
  }

  #long(response: HttpResponse, bytes: ChunkedBuffer, caller: HttpCaller): void {
    if (!this.#closing) return this.#offer(response, new PiecewiseResponse(bytes), caller);
    response.end(bytes.toBytes(), true);
    bytes.release();
  }

  /**
   * Writes as much as the socket accepts. The rest stays in memory, within the limits of the write backlog, until the
   * client has read more.
   */
  #offer(response: HttpResponse, sending: PiecewiseResponse, caller: HttpCaller): void {
    if (sending.go(response) === 'done') return sending.end();
    sending.keep();
    this.#sendLater(response, sending, caller.client);
  }

  #sendLater(response: HttpResponse, sending: PiecewiseResponse, client: string): void {
    const { unsent, inFlight, counters } = this.#deps;
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
