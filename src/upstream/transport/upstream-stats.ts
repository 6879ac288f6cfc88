// Counts of the upstream client.
import type { ConnectionStatus } from './reconnecting-websocket.js';

const ZERO = {
  /** JSON-RPC requests sent over HTTP, including retries. */
  requests: 0,
  /** HTTP requests that contained more than one JSON-RPC request. */
  batches: 0,
  /** HTTP requests. */
  roundTrips: 0,
  /** HTTP requests that were retries. */
  retries: 0,
  /** JSON-RPC requests without a response, or with a malformed one. JSON-RPC errors do not count. */
  failures: 0,
  /** JSON-RPC requests that were not sent because the node did not respond to others. */
  refused: 0,
  /** Values of state that were requested while they were already being read. */
  merged: 0,
  /** WebSocket connections that were lost or could not be made. */
  reconnects: 0,
  /** Heads received over WebSocket, and by polling. */
  headsPushed: 0,
  headsPolled: 0,
  /** Bytes of HTTP bodies and WebSocket messages. */
  bytesSent: 0,
  bytesReceived: 0,
  /** The WebSocket that announces heads; `null` if there is none. */
  headLink: null as ConnectionStatus | null,
};

/** Counters since the client was created. */
export type UpstreamStats = typeof ZERO;

export function newUpstreamStats(): UpstreamStats {
  return { ...ZERO };
}
