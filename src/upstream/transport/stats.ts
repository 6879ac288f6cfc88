// Counts of the upstream client. Runs on the publisher.
import type { LinkStanding } from './connection.js';

/** Counters since the client was made. */
export interface UpstreamStats {
  /** JSON-RPC requests sent over HTTP, those that were sent again included. */
  requests: number;
  /** HTTP requests that carried more than one of them. */
  batches: number;
  /** HTTP requests. */
  roundTrips: number;
  /** HTTP requests that repeated something. */
  retries: number;
  /** JSON-RPC requests given up: no answer, or a malformed one. Errors that the node answers do not count. */
  failures: number;
  /** JSON-RPC requests that were not sent, because the node did not answer others. */
  refused: number;
  /** Values of state that were asked for while they were on their way already. */
  merged: number;
  /** WebSocket connections lost or not made. */
  reconnects: number;
  /** Heads heard over WebSocket, and by polling. */
  headsPushed: number;
  headsPolled: number;
  /** Bytes of HTTP bodies and WebSocket messages. */
  bytesSent: number;
  bytesReceived: number;
  /** The WebSocket that tells of heads; `null`: there is none. */
  headLink: LinkStanding | null;
}

/** All zero. */
export function newStats(): UpstreamStats {
  return {
    requests: 0,
    batches: 0,
    roundTrips: 0,
    retries: 0,
    failures: 0,
    refused: 0,
    merged: 0,
    reconnects: 0,
    headsPushed: 0,
    headsPolled: 0,
    bytesSent: 0,
    bytesReceived: 0,
    headLink: null,
  };
}
