// Replays a recording: at its own pace, faster, or as fast as its messages are handled.
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../lib/clock.js';
import { readRecording, type RecordedMessage } from './recording.js';

/** Options for replaying a recording. */
export interface ReplayOptions {
  readonly file: string;
  /** 1 is the pace of the recording, 10 is ten times as fast; with 0 messages come as fast as they are handled. */
  readonly speed: number;
}

interface ReplayDeps {
  readonly clock: Clock;
  /**
   * Called with each message; the next one comes when the returned promise has settled. `arrivedAtMs` is the current
   * time, because staleness is measured by it; the time of recording is in the message.
   */
  readonly onRecord: (record: RecordedMessage, arrivedAtMs: number) => Promise<void> | void;
  /** Ends the replay before the next message when it is aborted. */
  readonly signal: AbortSignal;
}

/** Replays a recording. Resolves at its end. Rejects with StartError if the file is unusable. */
export async function replayRecording(options: ReplayOptions, deps: ReplayDeps): Promise<void> {
  const { clock, signal, onRecord } = deps;
  const startMs = clock.now();
  let firstMs: number | null = null;
  for await (const record of readRecording(options.file)) {
    firstMs ??= record.arrivedAtMs;
    const dueMs = options.speed === 0 ? 0 : startMs + (record.arrivedAtMs - firstMs) / options.speed;
    if (dueMs > clock.now()) await clock.sleepUntil(dueMs, signal);
    // Yields to the event loop, which lines that were read together would otherwise block.
    else await setImmediate();
    if (signal.aborted) return;
    await onRecord(record, clock.now());
  }
}
