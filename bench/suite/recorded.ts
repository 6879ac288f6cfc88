// Requests of a file, one per line: `{"t_ms": 12.5, "body": …}` as `prestate --record-requests` writes them, where a
// body is a string or JSON and the time is optional; a JSON-RPC request or batch; or a target of vegeta's JSON format,
// whose body is base64. Runs in the generator and in the bench.
import { readFileSync } from 'node:fs';
import type { Request } from '../load/loop.js';

export interface RecordedRequest extends Request {
  /** Milliseconds after the first request; `null`: the file has no times. */
  readonly startMs: number | null;
}

/** Throws if a line has another format, or the file is empty. */
export function readRecord(file: string): RecordedRequest[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  if (lines.length === 0) throw new Error(`${file}: no recorded requests`);
  const parsed = lines.map((line, i) => lineOf(file, line, i + 1));
  const firstMs = parsed[0]!.atMs;
  return parsed.map(({ atMs, body }) => {
    const startMs = atMs === null || firstMs === null ? null : Math.max(0, atMs - firstMs);
    return { startMs, body, calls: callsIn(body) };
  });
}

/** A line with a body; vegeta's URL is ignored. */
interface Line {
  readonly t_ms?: number;
  readonly body: unknown;
  readonly url?: string;
}

/** A JSON-RPC call; version and id are optional. */
interface Call {
  readonly method: string;
  readonly id?: unknown;
}

function lineOf(file: string, text: string, number: number): { readonly atMs: number | null; readonly body: string } {
  try {
    const line = JSON.parse(text) as Line | Call | readonly Call[];
    const body = bodyIn(line);
    const atMs = 't_ms' in line ? (line.t_ms ?? null) : null;
    return { atMs, body: ascii(body) };
  } catch (error) {
    throw new Error(`${file}, line ${number}: ${String(error)}`, { cause: error });
  }
}

/** Throws if there is none. */
function bodyIn(line: Line | Call | readonly Call[]): string {
  if (Array.isArray(line)) return JSON.stringify((line as readonly Call[]).map(whole));
  if ('body' in line && typeof line.body === 'string')
    return line.url === undefined ? line.body : Buffer.from(line.body, 'base64').toString();
  if ('body' in line && typeof line.body === 'object' && line.body !== null) return JSON.stringify(line.body);
  if ('method' in line && !('url' in line)) return JSON.stringify(whole(line, 0));
  throw new Error('neither a body nor a call');
}

function whole(call: Call, at: number): object {
  return { jsonrpc: '2.0', id: at + 1, ...call };
}

/** Requests are sent as ASCII: other characters become equivalent JSON escapes. */
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
