// Bounds of connections, bodies and sockets.

/** Part of `LIMITS`. */
export const HTTP_LIMITS = {
  /** Largest HTTP body or WebSocket message. go-ethereum's default; a batch of 1000 estimates of 4 KiB fits. */
  bodyBytesMax: 5 * 1024 * 1024,
  /** Processor time of main per event-loop tick for incoming data, on all connections together; what is left waits. */
  tickMsMax: 2,
  /**
   * Bytes that the guard has read and not passed on yet, on all connections together; one has at most 64 KiB. Beyond it
   * 503.
   */
  guardBuffersBytesMax: 64 * 1024 * 1024,
  /** Memory of bodies that arrive in pieces, on all connections together; beyond it 503. Fifty of the largest. */
  bodiesBytesMax: 256 * 1024 * 1024,
  /** Memory of one client's bodies: a quarter, so that one client cannot lock out the others. */
  bodiesBytesPerClientMax: 64 * 1024 * 1024,
  /** Bodies that arrive in pieces, of all clients and of one; each takes some 2 KiB besides its bytes. */
  bodiesMax: 16_384,
  bodiesPerClientMax: 4096,
  /**
   * Idle time after which an HTTP connection without a pending response is closed, in seconds; responses announce it to
   * clients. Proxies and clients keep theirs for 60 to 90 s, go-ethereum 120. When descriptors run out, those idle for
   * 10 s are closed.
   */
  connectionIdleSMax: 120,
  /** Time to receive a whole request body. */
  bodyReceiveMsMax: 10_000,
  /** Time for which a connection whose response is not ready is not read. Nearly all responses are ready within it. */
  answerPatienceMs: 1000,
  /** Responses buffered for clients that read slowly, on all connections together; beyond it the slowest is closed. */
  unsentBytesMax: 256 * 1024 * 1024,
  /** Responses buffered for one client that reads slowly: a quarter. */
  unsentBytesPerClientMax: 64 * 1024 * 1024,
  /** Time for which a client may read nothing of a response; on slow lines a window of data takes a few seconds. */
  unsentStallMsMax: 30_000,
  /** Open WebSockets, so that file descriptors never run out, of all clients and of one. */
  socketsMax: 10_000,
  socketsPerClientMax: 2500,
  /** WebSockets whose messages may be as large as a body, of all clients and of one. */
  largeSocketsMax: 32,
  largeSocketsPerClientMax: 8,
  /** Largest message of all other WebSockets. A call with 16 KiB of data fits. */
  smallMessageBytesMax: 32 * 1024,
  /** Idle time after which a WebSocket is closed, in seconds; pings are sent before. */
  socketIdleSMax: 120,
  /** Bytes that may be buffered on a WebSocket before nothing more is pushed to it. */
  pushBacklogBytesMax: 1024 * 1024,
  /**
   * Bytes of a recording of requests: some seven million nonces; a recording that is forgotten must not fill the disk.
   */
  requestRecordBytesMax: 1024 * 1024 * 1024,
} as const;
