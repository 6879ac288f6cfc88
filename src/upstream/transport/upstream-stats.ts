// Counters of the upstream client.
import type { ConnectionStatus } from './reconnecting-websocket.js';

const ZERO = {
  /** JSON-RPC requests sent over HTTP, including retries. */
  requests: 0,
  /** HTTP requests that contained more than one JSON-RPC request. */
  batches: 0,
  /** Number of HTTP requests. */
  roundTrips: 0,
  /** HTTP requests that were retries. */
  retries: 0,
  /** JSON-RPC requests without a response, or with a malformed one. Responses with a JSON-RPC error do not count. */
  failures: 0,
  /** JSON-RPC requests that were not sent because the node did not respond to others. */
  refused: 0,
  /** State reads that were merged with a read of the same value in flight. */
  merged: 0,
  /** WebSocket connections that were lost or could not be established. */
  reconnects: 0,
  /** Heads received over the WebSocket; and heads found by polling. */
  headsPushed: 0,
  headsPolled: 0,
  /** Bytes of HTTP bodies and WebSocket messages. */
  bytesSent: 0,
  bytesReceived: 0,
  /** The status of the WebSocket that announces heads; `null` if there is none. */
  headLink: null as ConnectionStatus | null,
};

/** Counters since the client was created. */
export type UpstreamStats = typeof ZERO;

export function newUpstreamStats(): UpstreamStats {
  return { ...ZERO };
}
