// Counters of the HTTP front end.
import type { GuardCounts } from './server-interface.js';

/** Status lines of all HTTP statuses that the server sends. */
export const STATUS_LINES = {
  200: '200 OK',
  204: '204 No Content',
  400: '400 Bad Request',
  403: '403 Forbidden',
  404: '404 Not Found',
  405: '405 Method Not Allowed',
  408: '408 Request Timeout',
  411: '411 Length Required',
  413: '413 Payload Too Large',
  415: '415 Unsupported Media Type',
  417: '417 Expectation Failed',
  429: '429 Too Many Requests',
  426: '426 Upgrade Required',
  431: '431 Request Header Fields Too Large',
  500: '500 Internal Server Error',
  501: '501 Not Implemented',
  503: '503 Service Unavailable',
  505: '505 HTTP Version Not Supported',
} as const;

export type HttpStatusCode = keyof typeof STATUS_LINES;

/** Counters that only increase from the start of the program on. */
interface CumulativeHttpCounts {
  /** HTTP responses by status. */
  readonly answers: Readonly<Record<HttpStatusCode, number>>;
  /**
   * Bytes of received request bodies and WebSocket messages, without HTTP heads and framing. `bytesOut`: the same for
   * responses and messages that were sent.
   */
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Requests whose client disconnected before the response. */
  readonly aborted: number;
  readonly socketMessages: number;
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

/** The counters of the HTTP server, which its routes increment. */
export class HttpCounters {
  bytesIn = 0;
  bytesOut = 0;
  aborted = 0;
  socketMessages = 0;
  /** Status 200 has a field of its own: an object with numeric keys costs a hash look-up of 60 ns. */
  #ok = 0;
  readonly #others = Object.fromEntries(Object.keys(STATUS_LINES).map((status) => [status, 0])) as Record<
    HttpStatusCode,
    number
  >;

  answered(status: HttpStatusCode): void {
    if (status === 200) this.#ok++;
    else this.#others[status]++;
  }

  /** Returns a copy of the counters that only increase. */
  passed(): CumulativeHttpCounts {
    const { bytesIn, bytesOut, aborted, socketMessages } = this;
    return { answers: { ...this.#others, 200: this.#ok }, bytesIn, bytesOut, aborted, socketMessages };
  }
}
