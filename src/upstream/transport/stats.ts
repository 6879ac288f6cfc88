// Counts of the upstream client. Runs on the publisher.
import type { LinkStanding } from './connection.js';

const ZERO = {
  /** JSON-RPC requests sent over HTTP, those that were sent again included. */
  requests: 0,
  /** HTTP requests that carried more than one of them. */
  batches: 0,
  /** HTTP requests. */
  roundTrips: 0,
  /** HTTP requests that repeated something. */
  retries: 0,
  /** JSON-RPC requests given up: no answer, or a malformed one. Errors that the node answers do not count. */
  failures: 0,
  /** JSON-RPC requests that were not sent, because the node did not answer others. */
  refused: 0,
  /** Values of state that were asked for while they were on their way already. */
  merged: 0,
  /** WebSocket connections lost or not made. */
  reconnects: 0,
  /** Heads heard over WebSocket, and by polling. */
  headsPushed: 0,
  headsPolled: 0,
  /** Bytes of HTTP bodies and WebSocket messages. */
  bytesSent: 0,
  bytesReceived: 0,
  /** The WebSocket that tells of heads; `null`: there is none. */
  headLink: null as LinkStanding | null,
};

/** Counters since the client was made. */
export type UpstreamStats = typeof ZERO;

/** All zero. */
export function newStats(): UpstreamStats {
  return { ...ZERO };
}
