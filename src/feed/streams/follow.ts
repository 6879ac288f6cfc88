// A stream that is followed: one connection, and each of its messages as news. Runs on the publisher.
import { preciseMs, systemClock, type Clock } from '../../lib/clock.js';
import type { StreamNews } from '../stream.js';
import { Connection, type ConnectionOptions } from './connection.js';

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
export function followStream({ decode }: StreamFormat, options: ConnectionOptions, parts: StreamParts): Connection {
  const { onNews, onUp, onDown, onMessage, clock = systemClock, random = Math.random } = parts;
  return new Connection(options, {
    onMessage: (message, arrivedAtMs) => {
      const arrivedMs = preciseMs();
      onMessage?.(message, arrivedAtMs);
      onNews(decode(message), arrivedMs);
    },
    onUp: () => onUp?.(),
    onDown,
    clock,
    random,
  });
}
