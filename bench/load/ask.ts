// Single requests to an endpoint, apart from the load. Runs in the generator and in the bench.
import type { Headers } from './connection.js';

/** Destination of a request. */
export interface Endpoint {
  readonly url: string;
  readonly headers: Headers;
}

/** Timeout of a request without a response. */
const WAIT_MS_MAX = 30_000;

/** Posts a body and returns the response body of any status. Rejects if none arrives in time. */
export async function textOf({ url, headers }: Endpoint, body: string, waitMs = WAIT_MS_MAX): Promise<string> {
  const all = { 'content-type': 'application/json', ...headers };
  const signal = AbortSignal.timeout(waitMs);
  const response = await fetch(url, { method: 'POST', headers: all, body, signal });
  return response.text();
}

/** The result of one call. Throws if it has none. */
export async function resultOf(endpoint: Endpoint, method: string, ...params: readonly unknown[]): Promise<unknown> {
  const text = await textOf(endpoint, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  const answer = JSON.parse(text) as { readonly result?: unknown };
  if (answer.result === undefined) throw new Error(`${method}: ${text.slice(0, 200)}`);
  return answer.result;
}

/** Number of the newest block. */
export async function headOf(endpoint: Endpoint): Promise<number> {
  return Number(await resultOf(endpoint, 'eth_blockNumber'));
}

/** The message of an error's cause: fetch's own message only says that it failed. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message || String((cause as { readonly code?: unknown }).code) : String(cause);
}
