// Connects to one address of a pre-confirmation feed, and decodes each message to an event.
import { preciseMonotonicMs, systemClock } from '../../lib/clock.js';
import { LIMITS } from '../../limits/index.js';
import {
  ReconnectingWebSocket,
  type WebSocketTimeouts,
  type ReconnectingWebSocketDeps,
} from '../../upstream/transport/reconnecting-websocket.js';
import type { SourceEvent } from '../pre-confirmation-stream-events.js';

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

/** The address of a feed, and timeouts that differ from the defaults. */
interface FeedConnectionOptions {
  /** A ws: or wss: URL. */
  readonly url: string;
  readonly tuning?: Partial<WebSocketTimeouts>;
}

export interface IncrementPosition {
  readonly block: number;
  readonly index: number;
}

/** A message format of pre-confirmation feeds over WebSocket. */
export interface StreamFormat {
  /**
   * Decodes a message. Returns a `gap` event if the message cannot be decoded, a `down` event if the server refuses the
   * subscription, and `null` if the message is to be ignored.
   */
  readonly decode: (message: Uint8Array) => SourceEvent | null;
  /** A message that is sent on each new connection, for servers that send nothing before a client subscribes. */
  readonly greeting?: string;
  /**
   * Returns the URL for a connection on which the server first resends the messages after `position`. Missing if the
   * format does not support this.
   */
  readonly resumed?: (url: string, position: IncrementPosition) => string;
}

/** A message with its times of arrival. */
export interface ArrivedMessage {
  readonly message: Uint8Array;
  /**
   * `arrivedMs`: time of arrival in fractional milliseconds by `preciseMonotonicMs`. `arrivedAtMs`: the same by
   * `clock.now`.
   */
  readonly arrivedMs: number;
  readonly arrivedAtMs: number;
}

export interface FeedConnectionCallbacks
  extends
    Pick<ReconnectingWebSocketDeps, 'onDown'>,
    Partial<Pick<ReconnectingWebSocketDeps, 'onUp' | 'clock' | 'random'>> {
  readonly onEvent: (event: SourceEvent, arrival: ArrivedMessage) => void;
}

/** Connects at once, and again after each loss, until the returned connection is closed. */
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
        const arrivedMs = preciseMonotonicMs();
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

/**
 * Chooses the address for the next connection. An address can contain the position of the last message, so that the
 * server resends the messages that were missed.
 */
class StreamAddress {
  readonly #url: string;
  readonly #resumed: StreamFormat['resumed'];
  #newest: IncrementPosition | null = null;
  /** True if the last address contained a position, and no connection to it was established. */
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

  /**
   * Returns the address for the next connection. If the connection to an address with a position has failed, the next
   * address has none, because the server may not accept URL parameters.
   */
  next(): string {
    const position = this.#isRefused ? null : this.#newest;
    this.#isRefused = position !== null && this.#resumed !== undefined;
    return position === null || this.#resumed === undefined ? this.#url : this.#resumed(this.#url, position);
  }
}
