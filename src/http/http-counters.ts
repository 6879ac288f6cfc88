// Counters of the HTTP front end.
import { STATUS_CODES } from 'node:http';
import type { GuardCounts } from './server-interface.js';

/** All HTTP statuses that the server sends. */
const STATUSES = [200, 204, 400, 403, 404, 405, 408, 411, 413, 415, 417, 426, 429, 431, 500, 501, 503, 505] as const;

export type HttpStatusCode = (typeof STATUSES)[number];

/** Returns the status line without the protocol version, such as `200 OK`. */
export function statusLineOf(status: HttpStatusCode): string {
  return `${status} ${STATUS_CODES[status]}`;
}

/**
 * All counters of the HTTP server at one moment. Those of the HTTP guard (`GuardCounts`) are 0 if node:http is used.
 * Only `socketsOpen`, `inFlight`, `unsentBytes` and `bufferBytes` can decrease.
 */
export interface HttpCounts extends CumulativeHttpCounts, GuardCounts {
  readonly socketsOpen: number;
  /** Connections that were closed because their client read too slowly. */
  readonly slowReaders: number;
  /** HTTP requests and WebSocket messages whose response is not sent yet. */
  readonly inFlight: number;
  /** Response bytes buffered for slow readers. */
  readonly unsentBytes: number;
}

/** The counters of the HTTP server, which its routes increment. They only increase from the start of the program on. */
export class HttpCounters {
  /**
   * Bytes of received request bodies and WebSocket messages, without HTTP heads and framing. `bytesOut`: the same for
   * responses and messages that were sent.
   */
  bytesIn = 0;
  bytesOut = 0;
  /** Requests whose client disconnected before the response. */
  aborted = 0;
  socketMessages = 0;
  /** Status 200 has a field of its own: an object with numeric keys costs a hash look-up of 60 ns. */
  #ok = 0;
  readonly #others = Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<HttpStatusCode, number>;

  answered(status: HttpStatusCode): void {
    if (status === 200) this.#ok++;
    else this.#others[status]++;
  }

  /** Returns a copy of the counters. `answers` are the HTTP responses by status. */
  passed() {
    const { bytesIn, bytesOut, aborted, socketMessages } = this;
    return { answers: { ...this.#others, 200: this.#ok }, bytesIn, bytesOut, aborted, socketMessages };
  }
}

type CumulativeHttpCounts = Readonly<ReturnType<HttpCounters['passed']>>;
