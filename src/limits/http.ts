// Bounds of connections, bodies and sockets. Runs on every thread.

/** Part of `LIMITS`. */
export const HTTP_LIMITS = {
  /** Largest HTTP body or WebSocket message. go-ethereum's default; a batch of 1000 estimates of 4 KiB fits. */
  bodyBytesMax: 5 * 1024 * 1024,
  /**
   * Processor time of main in a turn of the event loop for what arrives, on all connections together; what is left
   * waits.
   */
  turnMsMax: 2,
  /**
   * Bytes that the guard may have read and not passed on yet, all connections together; one has at most 64 KiB. Beyond
   * it 503.
   */
  guardBuffersBytesMax: 64 * 1024 * 1024,
  /** Memory of bodies being received in pieces, all connections together; beyond it 503. Fifty of the largest. */
  bodiesBytesMax: 256 * 1024 * 1024,
  /** Memory of one client's bodies: a quarter, as one client is not to lock out the others. */
  bodiesBytesPerClientMax: 64 * 1024 * 1024,
  /** Bodies being received in pieces, and those of one client; each takes some 2 KiB beside its bytes. */
  bodiesMax: 16_384,
  bodiesPerClientMax: 4096,
  /**
   * Silence after which an HTTP connection is closed that waits for no answer, in seconds; answers tell it to clients.
   * Proxies and clients keep theirs for 60 to 90 s, go-ethereum 120. Where no descriptors are left, those silent for 10
   * s are closed.
   */
  connectionIdleSMax: 120,
  /** Time to receive a whole request body. */
  bodyReceiveMsMax: 10_000,
  /** Time for which a connection whose answer is not ready is not read. Nearly all answers are ready within it. */
  answerPatienceMs: 1000,
  /** Answers kept for clients that read slowly, all connections together; beyond it the slowest is closed. */
  unsentBytesMax: 256 * 1024 * 1024,
  /** Answers kept for one client that reads slowly: a quarter. */
  unsentBytesPerClientMax: 64 * 1024 * 1024,
  /** Time for which a client may take nothing of an answer; on slow lines a window of data takes a few seconds. */
  unsentStallMsMax: 30_000,
  /** WebSockets that may be open at once, so that file descriptors never run out, and those of one client. */
  socketsMax: 10_000,
  socketsPerClientMax: 2500,
  /** WebSockets whose messages may be as large as a body, and those of one client. */
  largeSocketsMax: 32,
  largeSocketsPerClientMax: 8,
  /** Largest message of all other WebSockets. A call with 16 KiB of data fits. */
  smallMessageBytesMax: 32 * 1024,
  /** Silence after which a WebSocket is closed, in seconds; pings go out before. */
  socketIdleSMax: 120,
  /** Bytes that may wait on a WebSocket before it is told nothing more. */
  pushBacklogBytesMax: 1024 * 1024,
  /** Bytes of a record of requests: some seven million nonces; a record that is forgotten shall not fill the disk. */
  requestRecordBytesMax: 1024 * 1024 * 1024,
  /** Bytes of such a record waiting to be written; beyond it requests are left out. Several of the largest bodies. */
  requestRecordWaitingBytesMax: 32 * 1024 * 1024,
} as const;
