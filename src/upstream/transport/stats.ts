// Counts of the upstream client.
import type { LinkStatus } from './connection.js';

const ZERO = {
  /** JSON-RPC requests sent over HTTP, retries included. */
  requests: 0,
  /** HTTP requests with more than one of them. */
  batches: 0,
  /** HTTP requests. */
  roundTrips: 0,
  /** HTTP requests that were retries. */
  retries: 0,
  /** JSON-RPC requests that failed: no response, or a malformed one. JSON-RPC errors do not count. */
  failures: 0,
  /** JSON-RPC requests that were not sent, because the node did not answer others. */
  refused: 0,
  /** Values of state that were requested while they were already being read. */
  merged: 0,
  /** WebSocket connections lost or not made. */
  reconnects: 0,
  /** Heads received over WebSocket, and by polling. */
  headsPushed: 0,
  headsPolled: 0,
  /** Bytes of HTTP bodies and WebSocket messages. */
  bytesSent: 0,
  bytesReceived: 0,
  /** The WebSocket that announces heads; `null`: there is none. */
  headLink: null as LinkStatus | null,
};

/** Counters since the client was created. */
export type UpstreamStats = typeof ZERO;

/** All zero. */
export function newStats(): UpstreamStats {
  return { ...ZERO };
}
