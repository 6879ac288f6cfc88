// Bounds of HTTP connections, request bodies and WebSockets.

export const HTTP_LIMITS = {
  /**
   * Bytes of the largest request body or WebSocket message, as in go-ethereum. A batch of 1000 estimates of 4 KiB fits.
   */
  bodyBytesMax: 5 * 1024 * 1024,
  /**
   * Processor time for incoming data in one event-loop tick, over all connections. Data beyond it waits for the next
   * tick.
   */
  tickMsMax: 2,
  /**
   * Bytes of incomplete requests that the guard in the addon buffers, at most 64 KiB a connection. Beyond it, requests
   * get 503.
   */
  guardBuffersBytesMax: 64 * 1024 * 1024,
  /**
   * Memory of request bodies that are still arriving, over all connections: fifty of the largest. Beyond it requests
   * get 503.
   */
  bodiesBytesMax: 256 * 1024 * 1024,
  /**
   * Memory of one client's request bodies that are still arriving: a quarter of the total, so that one client cannot
   * lock out the others.
   */
  bodiesBytesPerClientMax: 64 * 1024 * 1024,
  /**
   * Request bodies that may be arriving at a time, from all clients and from one. Each takes some 2 KiB in addition to
   * its bytes.
   */
  bodiesMax: 16_384,
  bodiesPerClientMax: 4096,
  /**
   * Seconds after which an idle HTTP connection is closed. Responses announce this time to clients. Proxies and clients
   * keep their connections for 60 to 90 s, go-ethereum for 120. When file descriptors run out, connections that are
   * idle for 10 s are closed.
   */
  connectionIdleSMax: 120,
  /** Time within which a whole request body must arrive. */
  bodyReceiveMsMax: 10_000,
  /**
   * Time for which a connection is not read while its request is being processed. A disconnect is not noticed in that
   * time. Nearly all responses are ready by then; for the others, the connection is read again.
   */
  answerPatienceMs: 1000,
  /**
   * Bytes of responses that are buffered for slow readers, over all connections. Beyond it the slowest reader is
   * disconnected.
   */
  unsentBytesMax: 256 * 1024 * 1024,
  /** Bytes of responses buffered for one slow client: a quarter of the total. */
  unsentBytesPerClientMax: 64 * 1024 * 1024,
  /** Time without reading after which a client is disconnected. On slow lines, one TCP window takes a few seconds. */
  unsentStallMsMax: 30_000,
  /** Open WebSockets, of all clients and of one, so that file descriptors do not run out. */
  socketsMax: 10_000,
  socketsPerClientMax: 2500,
  /** WebSockets that may send messages as large as an HTTP body, of all clients and of one. */
  largeSocketsMax: 32,
  largeSocketsPerClientMax: 8,
  /** Bytes of a message on any WebSocket beyond `largeSocketsMax`. A call with 16 KiB of data fits. */
  smallMessageBytesMax: 32 * 1024,
  /** Seconds after which an idle WebSocket is closed. Pings are sent before that. */
  socketIdleSMax: 120,
  /** Bytes that may be buffered on a WebSocket. Beyond it no notifications are sent until the client has read. */
  pushBacklogBytesMax: 1024 * 1024,
  /**
   * Bytes of a file to which requests are recorded, enough for seven million nonce queries: a forgotten recording must
   * not fill the disk.
   */
  requestRecordBytesMax: 1024 * 1024 * 1024,
} as const;

/** The bounds of the HTTP front end by name; tests use smaller ones. */
export type HttpLimits = { readonly [Name in keyof typeof HTTP_LIMITS]: number };
