// A stream that is followed: one connection, and each of its messages as news.
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

/** Place of an increment in a stream. */
export interface StreamPlace {
  readonly block: number;
  readonly index: number;
}

/** A format of streams, spoken over a WebSocket. */
export interface StreamFormat {
  /**
   * News of one message; a `gap` where it cannot be read, `down` where the server refuses to tell anything, `null`: it
   * has none.
   */
  readonly decode: (message: Uint8Array) => SourceEvent | null;
  /** Said on each connection, for a server that has to be asked. */
  readonly greeting?: string;
  /**
   * The address at which a server that can tells again what comes behind a place; absent: the format has no such thing.
   */
  readonly resumed?: (url: string, place: StreamPlace) => string;
}

/** A message as it arrived. */
export interface Arrival {
  readonly message: Uint8Array;
  /** When it came: by `preciseMs`, and by the clock. */
  readonly arrivedMs: number;
  readonly arrivedAtMs: number;
}

/** Called with all that a stream says. */
export interface StreamDeps {
  readonly onEvent: (event: SourceEvent, arrival: Arrival) => void;
  /** The connection stands. */
  readonly onUp?: () => void;
  /**
   * The connection is lost, or could not be made: news may be missing from here on. The next try comes after `retryMs`.
   */
  readonly onDown: (reason: string, retryMs: number) => void;
  /** Default: the machine's. */
  readonly clock?: Pick<Clock, 'now' | 'wall'>;
  /** From 0 to below 1. Default: `Math.random`. */
  readonly random?: () => number;
}

/** Connects at once, and again after every loss, until the connection is closed. */
export function followStream(format: StreamFormat, { url, tuning }: StreamOptions, deps: StreamDeps): Connection {
  const { onEvent: onNews, onUp, onDown, clock = systemClock, random = Math.random } = deps;
  const way = new Way(url, format);
  const connection = new Connection(
    { url: () => way.next(), tuning: { ...TUNING, ...tuning } },
    {
      onMessage: (message, arrivedAtMs) => {
        const arrivedMs = preciseMs();
        const event = format.decode(message);
        if (event === null) return;
        if (event.kind === 'down') return connection.restart(event.reason);
        way.report(event);
        onNews(event, { message, arrivedMs, arrivedAtMs });
      },
      onUp: () => {
        way.up();
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

/** The next address to connect to: a server may tell again what was missed. */
class Way {
  readonly #url: string;
  readonly #resumed: StreamFormat['resumed'];
  #newest: StreamPlace | null = null;
  /** The last address was refused, or led nowhere. */
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

  /** The plain address after one that was refused, by a server that may not take what is asked for. */
  next(): string {
    const place = this.#isRefused ? null : this.#newest;
    this.#isRefused = place !== null && this.#resumed !== undefined;
    return place === null || this.#resumed === undefined ? this.#url : this.#resumed(this.#url, place);
  }
}
