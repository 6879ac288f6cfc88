// Writes and reads recordings of the messages that a live feed has received. Each message is a line `{"kind": …,
// "t_ms": …, "base64": "…"}`.
import { open } from 'node:fs/promises';
import { StartError } from '../../lib/start-error.js';

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
