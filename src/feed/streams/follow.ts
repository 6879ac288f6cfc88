// A stream that is followed: one connection, and each of its messages as news. Runs on the publisher.
import { preciseMs, systemClock, type Clock } from '../../lib/time/clock.js';
import { LIMITS } from '../../limits/index.js';
import { Connection, type ConnectionTuning } from '../../upstream/transport/connection.js';
import type { StreamNews } from '../stream.js';

const TUNING: ConnectionTuning = {
  pingMs: LIMITS.feedPingMs,
  pingsUnansweredMax: LIMITS.feedPingsUnansweredMax,
  livedMs: LIMITS.feedLivedMs,
  handshakeMsMax: LIMITS.feedHandshakeMsMax,
  retryMsMin: LIMITS.feedRetryMsMin,
  retryMsMax: LIMITS.feedRetryMsMax,
  retryAfterMsMax: LIMITS.feedRetryAfterMsMax,
  messageBytesMax: LIMITS.feedFrameBytesMax,
};

/** Where a stream is. */
export interface StreamOptions {
  /** ws: or wss: */
  readonly url: string;
  readonly tuning?: Partial<ConnectionTuning>;
}

/** A format of streams, spoken over a WebSocket. */
export interface StreamFormat {
  /** News of one message; a `gap` where it cannot be read. */
  readonly decode: (message: Uint8Array) => StreamNews;
}

/** Called with all that a stream says. */
export interface StreamParts {
  /** `arrivedMs`: when its message came, by `preciseMs`. */
  readonly onNews: (news: StreamNews, arrivedMs: number) => void;
  /** The connection stands. */
  readonly onUp?: () => void;
  /** The connection is lost, or could not be made: news may be missing from here on. The next try comes after `retryMs`. */
  readonly onDown: (reason: string, retryMs: number) => void;
  /** A message as it arrived, before it is decoded: for a record. */
  readonly onMessage?: (message: Uint8Array, arrivedAtMs: number) => void;
  /** Default: the machine's. */
  readonly clock?: Pick<Clock, 'now' | 'wall'>;
  /** From 0 to below 1. Default: `Math.random`. */
  readonly random?: () => number;
}

/** Connects at once, and again after every loss, until the connection is closed. */
export function followStream({ decode }: StreamFormat, { url, tuning }: StreamOptions, parts: StreamParts): Connection {
  const { onNews, onUp, onDown, onMessage, clock = systemClock, random = Math.random } = parts;
  return new Connection(
    { url, tuning: { ...TUNING, ...tuning } },
    {
      onMessage: (message, arrivedAtMs) => {
        const arrivedMs = preciseMs();
        onMessage?.(message, arrivedAtMs);
        onNews(decode(message), arrivedMs);
      },
      onUp: () => onUp?.(),
      onDown,
      clock,
      random,
    },
  );
}
