// Sends single HTTP requests, each with a deadline.
import { Pool, errors } from 'undici';
import { recordReceivedMemory } from '../../lib/memory/garbage-collection.js';
import type { UpstreamStats } from './upstream-stats.js';
import type { UpstreamClientLimits } from './upstream-client-limits.js';

/**
 * The result of a POST. `lost`: the connection could not be established, or has failed; `reason` is a code such as
 * ECONNREFUSED. `oversized`: the response exceeds its size limit.
 */
export type PostOutcome =
  | { readonly kind: 'answer'; readonly status: number; readonly retryAfter: string | null; readonly body: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'lost'; readonly reason: string }
  | { readonly kind: 'oversized' };

/** Limits of a response: the time until it is complete, and the bytes of its body. */
export interface AnswerBounds {
  readonly timeoutMs: number;
  readonly bytesMax: number;
}

export interface HttpTransport {
  /** Sends a POST request. Never rejects. */
  post(body: string, bounds: AnswerBounds): Promise<PostOutcome>;
  /** Aborts the requests in flight and closes the connections. */
  close(): Promise<void>;
}

type TransportTuning = Pick<UpstreamClientLimits, 'connectionsMax' | 'timeoutMs'>;

export function createHttpTransport(url: string, tuning: TransportTuning, stats: UpstreamStats): HttpTransport {
  const { origin, pathname, search, username, password } = new URL(url);
  const pool = new Pool(origin, {
    connections: tuning.connectionsMax,
    connect: { timeout: tuning.timeoutMs },
    // Both timeouts are off, because undici checks them only about once a second, and restarts them with every chunk.
    // `post` has a timeout of its own for each request.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(username === '' ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }),
  };
  const send = async (body: string, bytesMax: number, signal: AbortSignal): Promise<PostOutcome> => {
    const answer = await pool.request({ path: pathname + search, method: 'POST', headers, body, signal });
    const bytes = await collectBody(answer.body, bytesMax);
    if (bytes === null) return { kind: 'oversized' };
    stats.bytesReceived += bytes.length;
    const after = answer.headers['retry-after'];
    const retryAfter = typeof after === 'string' ? after : null;
    return { kind: 'answer', status: answer.statusCode, retryAfter, body: bytes.toString() };
  };
  return {
    async post(body, { timeoutMs, bytesMax }) {
      stats.bytesSent += Buffer.byteLength(body);
      const deadline = new AbortController();
      const timer = setTimeout(() => deadline.abort(), timeoutMs);
      try {
        return await send(body, bytesMax, deadline.signal);
      } catch (error) {
        return deadline.signal.aborted ? { kind: 'timeout' } : outcomeOf(error);
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => pool.destroy(),
  };
}

/** Returns the body of a response. If it is longer than `bytesMax`, drops the connection and returns `null`. */
async function collectBody(body: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > bytesMax) break;
    chunks.push(chunk);
  }
  recordReceivedMemory(length);
  if (length > bytesMax) return null;
  return Buffer.concat(chunks, length);
}

/** Returns only the code of an error, because its message contains host names and addresses. */
function outcomeOf(error: unknown): PostOutcome {
  if (error instanceof errors.ConnectTimeoutError) return { kind: 'timeout' };
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return { kind: 'lost', reason: typeof code === 'string' ? code : 'no connection' };
}
