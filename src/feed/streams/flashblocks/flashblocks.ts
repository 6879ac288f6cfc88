// A Flashblocks feed: the connection, and each message decoded. What is announced here goes to the tracker. Runs on the
// publisher.
import { preciseMs, systemClock, type Clock } from '../../../lib/clock.js';
import { Connection, type ConnectionCounters, type ConnectionTuning } from '../connection.js';
import { decodeFrame, type Frame, type FrameFault } from './frame.js';

/** What the feed calls. */
export interface FlashblocksParts {
  /** `arrivedMs`: when its message came, by `preciseMs`. */
  readonly onFrame: (frame: Frame, arrivedMs: number) => void;
  /** A message that is no frame: whatever it held is lost, as by `onDown`. */
  readonly onFault: (fault: FrameFault) => void;
  readonly onUp: () => void;
  /** The connection is lost, or could not be made: frames may be missing from here on. */
  readonly onDown: (reason: string, retryMs: number) => void;
  /** What arrived, before it is decoded: for a record. */
  readonly onMessage?: (message: Uint8Array, arrivedAtMs: number) => void;
  /** Default: the machine's. */
  readonly clock?: Pick<Clock, 'now' | 'wall'>;
  /** From 0 to below 1. Default: `Math.random`. */
  readonly random?: () => number;
}

/** What happened since the start. */
export interface FlashblocksCounters extends ConnectionCounters {
  /** Messages that were no frames. */
  readonly faults: number;
}

/** A feed that is followed. */
export interface Flashblocks {
  readonly isUp: boolean;
  readonly counters: FlashblocksCounters;
  /** Time since a message arrived; since the start, when none has. Header clocks play no part. */
  silentMs(nowMs: number): number;
  /** Ends it for good; nothing is announced afterwards. */
  close(): void;
}

/** Connects to `url` (ws: or wss:) at once, and again after every loss. */
export function createFlashblocks(
  url: string,
  parts: FlashblocksParts,
  tuning: Partial<ConnectionTuning> = {},
): Flashblocks {
  let faults = 0;
  const connection = new Connection(
    { url, tuning },
    {
      onMessage: (message, arrivedAtMs) => {
        const arrivedMs = preciseMs();
        parts.onMessage?.(message, arrivedAtMs);
        const decoded = decodeFrame(message);
        if (decoded.kind === 'frame') return parts.onFrame(decoded.frame, arrivedMs);
        faults++;
        parts.onFault(decoded.fault);
      },
      onUp: parts.onUp,
      onDown: parts.onDown,
      clock: parts.clock ?? systemClock,
      random: parts.random ?? Math.random,
    },
  );
  return {
    get isUp() {
      return connection.isUp;
    },
    get counters() {
      return { ...connection.counters, faults };
    },
    silentMs: (nowMs) => connection.silentMs(nowMs),
    close: () => connection.close(),
  };
}
