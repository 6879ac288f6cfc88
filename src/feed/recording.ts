// Writes and reads recordings of the messages that a live feed has received. Each message is a line `{"kind": …,
// "t_ms": …, "base64": "…"}`.
import { open } from 'node:fs/promises';
import { StartError } from '../lib/start-error.js';
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../lib/clock.js';

const KINDS = ['frame', 'head', 'down'] as const;

/**
 * `frame`: a message of the pre-confirmation feed as it arrived. `head`: JSON of a canonical block as the upstream node
 * announced it. `down`: the feed's connection was lost; the bytes are the reason.
 */
export type RecordedMessageKind = (typeof KINDS)[number];

/** One recorded message. */
export interface RecordedMessage {
  readonly kind: RecordedMessageKind;
  /** Time of arrival in milliseconds since 1970; it never goes back within a recording. */
  readonly arrivedAtMs: number;
  readonly bytes: Uint8Array;
}

interface Line {
  readonly kind: RecordedMessageKind;
  readonly t_ms: number;
  readonly base64: string;
}

export function encodeRecordedMessage({ kind, arrivedAtMs, bytes }: RecordedMessage): Line {
  const { buffer, byteOffset, byteLength } = bytes;
  return { kind, t_ms: arrivedAtMs, base64: Buffer.from(buffer, byteOffset, byteLength).toString('base64') };
}

/**
 * Yields every message of the file. Incomplete lines, which a killed process may leave, are skipped. Throws StartError
 * if the file cannot be read, or its first line is not a recorded message.
 */
export async function* readRecording(file: string): AsyncGenerator<RecordedMessage> {
  const handle = await open(file).catch((error: unknown) => {
    throw new StartError(`${file} cannot be opened: ${(error as Error).message}`, 2);
  });
  let isFirst = true;
  for await (const text of handle.readLines()) {
    const record = recordOf(text);
    if (record === null && isFirst) throw new StartError(`${file} is not a record of a feed`, 2);
    isFirst = false;
    if (record !== null) yield record;
  }
}

function recordOf(text: string): RecordedMessage | null {
  try {
    const { kind, t_ms: arrivedAtMs, base64 } = JSON.parse(text) as Line;
    if (!KINDS.includes(kind) || typeof arrivedAtMs !== 'number') return null;
    return { kind, arrivedAtMs, bytes: new Uint8Array(Buffer.from(base64, 'base64')) };
  } catch {
    return null;
  }
}

/** A recording that is played instead of connecting to the network. State is still read from the upstream node. */
export interface ReplayOptions {
  readonly file: string;
  /** 1: as fast as recorded. 10: ten times as fast. 0: each message as soon as the one before it was handled. */
  readonly speed: number;
}

interface ReplayDeps {
  readonly clock: Clock;
  /**
   * Called with each message; the next one follows when the returned promise has settled. `arrivedAtMs` is the time of
   * the replay, not of the recording, because staleness is measured by it.
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
    // Yields to the event loop. Otherwise a series of lines that were read at once would block it.
    else await setImmediate();
    if (signal.aborted) return;
    await onRecord(record, clock.now());
  }
}
