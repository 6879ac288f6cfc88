// Counts what passes the front end. Runs on main.

/** Every status the front end answers. */
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

/** The statuses that are ever answered. */
export type Status = keyof typeof STATUS_LINES;

/** Counts of all that has passed so far; they only grow. */
export interface PassedCounts {
  /** HTTP answers by status. */
  readonly answers: Readonly<Record<Status, number>>;
  /** Bytes of bodies and messages, without headers and frames. */
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Requests whose client left before the answer. */
  readonly aborted: number;
  readonly socketMessages: number;
}

/** The counts at one moment; all but `socketsOpen`, `inFlight` and `unsentBytes` only grow. */
export interface HttpCounts extends PassedCounts {
  readonly socketsOpen: number;
  /** Connections closed because their client did not read. */
  readonly slowReaders: number;
  /** Requests and messages that wait for an answer or to be sent. */
  readonly inFlight: number;
  /** Bytes of answers kept for slow readers. */
  readonly unsentBytes: number;
  /** See HttpGuardCounts; 0 where node:http serves. */
  readonly fullTurns: number;
  readonly acceptPauses: number;
  readonly bufferBytes: number;
  readonly bufferRefusals: number;
}

/** The counters, written by the routes. */
export class Counters {
  bytesIn = 0;
  bytesOut = 0;
  aborted = 0;
  socketMessages = 0;
  /** Nearly all answers have a field of their own: an object with number keys is a hash look-up, 60 ns. */
  #ok = 0;
  readonly #others = Object.fromEntries(Object.keys(STATUS_LINES).map((status) => [status, 0])) as Record<
    Status,
    number
  >;

  /** Counts an HTTP answer. */
  answered(status: Status): void {
    if (status === 200) this.#ok++;
    else this.#others[status]++;
  }

  /** All of them. */
  passed(): PassedCounts {
    const { bytesIn, bytesOut, aborted, socketMessages } = this;
    return { answers: { ...this.#others, 200: this.#ok }, bytesIn, bytesOut, aborted, socketMessages };
  }
}
