// Follows a stream: one connection, and the event of each of its messages.
import { preciseMs, systemClock, type Clock } from '../../lib/clock.js';
import { LIMITS } from '../../limits/index.js';
import { Connection, type ConnectionTimeouts } from '../../upstream/transport/connection.js';
import type { SourceEvent } from '../stream.js';

const TUNING: ConnectionTimeouts = {
  pingMs: LIMITS.feedPingMs,
  pingsUnansweredMax: LIMITS.feedPingsUnansweredMax,
  livedMs: LIMITS.feedLivedMs,
  handshakeMsMax: LIMITS.feedHandshakeMsMax,
  retryMsMin: LIMITS.feedRetryMsMin,
  retryMsMax: LIMITS.feedRetryMsMax,
  retryAfterMsMax: LIMITS.feedRetryAfterMsMax,
  messageBytesMax: LIMITS.feedFrameBytesMax,
};

/** Address of a stream. */
export interface StreamOptions {
  /** ws: or wss: */
  readonly url: string;
  readonly tuning?: Partial<ConnectionTimeouts>;
}

/** Position of an increment in a stream. */
export interface IncrementPosition {
  readonly block: number;
  readonly index: number;
}

/** A format of streams, spoken over a WebSocket. */
export interface StreamFormat {
  /**
   * The event of one message; a `gap` if it cannot be read, `down` if the server refuses to send anything, `null`:
   * none.
   */
  readonly decode: (message: Uint8Array) => SourceEvent | null;
  /** Sent on each connection, to a server that has to be asked. */
  readonly greeting?: string;
  /** The address at which a server resends what comes after a position; absent: the format has no such feature. */
  readonly resumed?: (url: string, position: IncrementPosition) => string;
}

/** A message as it arrived. */
export interface Arrival {
  readonly message: Uint8Array;
  /** When it came: by `preciseMs`, and by the clock. */
  readonly arrivedMs: number;
  readonly arrivedAtMs: number;
}

/** Called with everything that a stream sends. */
export interface StreamDeps {
  readonly onEvent: (event: SourceEvent, arrival: Arrival) => void;
  /** The connection is open. */
  readonly onUp?: () => void;
  /**
   * The connection was lost, or could not be opened: events may be missing from here on. The next attempt is after
   * `retryMs`.
   */
  readonly onDown: (reason: string, retryMs: number) => void;
  /** Default: the machine's. */
  readonly clock?: Pick<Clock, 'now' | 'wall'>;
  /** From 0 to below 1. Default: `Math.random`. */
  readonly random?: () => number;
}

/** Connects at once, and again after every loss, until the connection is closed. */
export function followStream(format: StreamFormat, { url, tuning }: StreamOptions, deps: StreamDeps): Connection {
  const { onEvent, onUp, onDown, clock = systemClock, random = Math.random } = deps;
  const address = new StreamAddress(url, format);
  const connection = new Connection(
    { url: () => address.next(), tuning: { ...TUNING, ...tuning } },
    {
      onMessage: (message, arrivedAtMs) => {
        const arrivedMs = preciseMs();
        const event = format.decode(message);
        if (event === null) return;
        if (event.kind === 'down') return connection.restart(event.reason);
        address.report(event);
        onEvent(event, { message, arrivedMs, arrivedAtMs });
      },
      onUp: () => {
        address.up();
        if (format.greeting !== undefined) connection.send(format.greeting);
        onUp?.();
      },
      onDown,
      clock,
      random,
    },
  );
  return connection;
}

/** The next address to connect to: a server may resend what was missed. */
class StreamAddress {
  readonly #url: string;
  readonly #resumed: StreamFormat['resumed'];
  #newest: IncrementPosition | null = null;
  /** The last address was a resuming one, and no connection was opened since. */
  #isRefused = false;

  constructor(url: string, { resumed }: StreamFormat) {
    this.#url = url;
    this.#resumed = resumed;
  }

  report(event: SourceEvent): void {
    if ('increment' in event) this.#newest = { block: event.block, index: event.increment.index };
  }

  up(): void {
    this.#isRefused = false;
  }

  /** The plain address after one that was refused, by a server that may not accept the parameters. */
  next(): string {
    const position = this.#isRefused ? null : this.#newest;
    this.#isRefused = position !== null && this.#resumed !== undefined;
    return position === null || this.#resumed === undefined ? this.#url : this.#resumed(this.#url, position);
  }
}
