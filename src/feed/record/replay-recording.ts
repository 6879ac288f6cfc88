// Replays a recording at its own pace, faster, or as fast as it is consumed.
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../lib/clock.js';
import { readRecording, type RecordedMessage } from './recording.js';

/** The recording that is replayed, and its speed. */
export interface ReplayOptions {
  readonly file: string;
  /** 1 is the pace of the recording, 10 is ten times as fast, 0 is as fast as the messages are consumed. */
  readonly speed: number;
}

interface ReplayDeps {
  readonly clock: Clock;
  /**
   * Called for each message; the next one comes when the promise has settled. `arrivedAtMs` is the current time, by
   * which staleness is measured; the time of recording is in the message.
   */
  readonly onRecord: (record: RecordedMessage, arrivedAtMs: number) => Promise<void> | void;
  /** Ends the replay before the next message. */
  readonly signal: AbortSignal;
}

/** Resolves at the end of the record. Rejects with StartError where the file cannot be used. */
export async function replayRecording(options: ReplayOptions, deps: ReplayDeps): Promise<void> {
  const { clock, signal, onRecord } = deps;
  const startMs = clock.now();
  let firstMs: number | null = null;
  for await (const record of readRecording(options.file)) {
    firstMs ??= record.arrivedAtMs;
    const dueMs = options.speed === 0 ? 0 : startMs + (record.arrivedAtMs - firstMs) / options.speed;
    if (dueMs > clock.now()) await clock.sleepUntil(dueMs, signal);
    // A tick of the event loop, which the lines that are read at once would otherwise block.
    else await setImmediate();
    if (signal.aborted) return;
    await onRecord(record, clock.now());
  }
}
