// Recorded traffic: a file of lines `{"t_ms": 12.5, "body": "…"}`, as `prestate --record-requests` writes it; a body may be text
// or JSON, and a time may be missing. Runs in the generator and in the bench.
import { readFileSync } from 'node:fs';
import type { Request } from '../load/loop.js';

export interface RecordedRequest extends Request {
  /** Milliseconds after the first one. */
  readonly startMs: number;
}

/** Requests a second of a record that has no times. */
const WITHOUT_TIMES_MS = 1;

/** Throws where a line is none of these, or there is none. */
export function readRecord(file: string): RecordedRequest[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  if (lines.length === 0) throw new Error(`${file}: no request is recorded there`);
  const parsed = lines.map((line, i) => lineOf(file, line, i + 1));
  const firstMs = parsed[0]!.atMs ?? 0;
  return parsed.map(({ atMs, body }, i) => {
    const startMs = atMs === null ? i * WITHOUT_TIMES_MS : Math.max(0, atMs - firstMs);
    return { startMs, body, calls: callsIn(body) };
  });
}

interface Line {
  readonly atMs: number | null;
  readonly body: string;
}

function lineOf(file: string, text: string, number: number): Line {
  try {
    const { t_ms: atMs = null, body } = JSON.parse(text) as { readonly t_ms?: number; readonly body?: unknown };
    if (body === undefined) throw new Error('no body');
    return { atMs, body: ascii(typeof body === 'string' ? body : JSON.stringify(body)) };
  } catch (error) {
    throw new Error(`${file}, line ${number}: ${String(error)}`, { cause: error });
  }
}

/** Requests are sent as ASCII: other characters as JSON escapes, which mean the same. */
function ascii(body: string): string {
  return body.replace(/[\u0080-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function callsIn(body: string): number {
  try {
    const parsed = JSON.parse(body) as unknown;
    return Array.isArray(parsed) ? Math.max(1, parsed.length) : 1;
  } catch {
    return 1;
  }
}
