// Follows a pre-confirmation feed over one connection, and decodes each of its messages to an event.
import { preciseMs, systemClock, type Clock } from '../../lib/clock.js';
import { LIMITS } from '../../limits/index.js';
import { ReconnectingWebSocket, type WebSocketTimeouts } from '../../upstream/transport/reconnecting-websocket.js';
import type { SourceEvent } from '../stream-events.js';

const TUNING: WebSocketTimeouts = {
  pingMs: LIMITS.feedPingMs,
  pingsUnansweredMax: LIMITS.feedPingsUnansweredMax,
  livedMs: LIMITS.feedLivedMs,
  handshakeMsMax: LIMITS.feedHandshakeMsMax,
  retryMsMin: LIMITS.feedRetryMsMin,
  retryMsMax: LIMITS.feedRetryMsMax,
  retryAfterMsMax: LIMITS.feedRetryAfterMsMax,
  messageBytesMax: LIMITS.feedFrameBytesMax,
};

/** Address of a feed. */
interface FeedConnectionOptions {
  /** A ws: or wss: URL. */
  readonly url: string;
  readonly tuning?: Partial<WebSocketTimeouts>;
}

export interface IncrementPosition {
  readonly block: number;
  readonly index: number;
}

/** A format of feeds over WebSocket. */
export interface StreamFormat {
  /** Decodes a message: `gap` if it cannot be read, `down` if the server refuses, `null` for no event. */
  readonly decode: (message: Uint8Array) => SourceEvent | null;
  /** A message that is sent on each connection, for servers that must be asked. */
  readonly greeting?: string;
  /** The address at which a server resends what comes after a position; absent if the format cannot. */
  readonly resumed?: (url: string, position: IncrementPosition) => string;
}

/** A message as it arrived. */
export interface MessageArrival {
  readonly message: Uint8Array;
  /** When it came: by `preciseMs`, and by the clock. */
  readonly arrivedMs: number;
  readonly arrivedAtMs: number;
}

export interface FeedConnectionCallbacks {
  readonly onEvent: (event: SourceEvent, arrival: MessageArrival) => void;
  /** Called when the connection is open. */
  readonly onUp?: () => void;
  /** The connection was lost, or not opened: events may be missing. The next attempt comes after `retryMs`. */
  readonly onDown: (reason: string, retryMs: number) => void;
  /** By default the machine's clock. */
  readonly clock?: Pick<Clock, 'now' | 'wall'>;
  /** Returns a number from 0 to below 1; by default `Math.random`. */
  readonly random?: () => number;
}

/** Connects at once, and again after every loss, until the connection is closed. */
export function connectToFeed(
  format: StreamFormat,
  { url, tuning }: FeedConnectionOptions,
  deps: FeedConnectionCallbacks,
): ReconnectingWebSocket {
  const { onEvent, onUp, onDown, clock = systemClock, random = Math.random } = deps;
  const address = new StreamAddress(url, format);
  const connection = new ReconnectingWebSocket(
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

/** Chooses the next address to connect to, at which a server may resend what was missed. */
class StreamAddress {
  readonly #url: string;
  readonly #resumed: StreamFormat['resumed'];
  #newest: IncrementPosition | null = null;
  /** True if the last address requested a position, and no connection was opened since. */
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

  /** The next address: the plain one if the last was refused, by a server that may not accept its parameters. */
  next(): string {
    const position = this.#isRefused ? null : this.#newest;
    this.#isRefused = position !== null && this.#resumed !== undefined;
    return position === null || this.#resumed === undefined ? this.#url : this.#resumed(this.#url, position);
  }
}
