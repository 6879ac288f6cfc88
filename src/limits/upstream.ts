// Bounds of requests to the upstream node.

export const UPSTREAM_LIMITS = {
  /** JSON-RPC requests in a batch to the node: go-ethereum's default. A lower limit of the node is detected. */
  upstreamBatchMax: 1000,
  /** Requests in one batch that are not state reads. A node may process them one after the other. */
  upstreamRequestBatchMax: 16,
  /** Concurrent HTTP requests to the upstream node, and requests that may wait until one ends. */
  upstreamConnectionsMax: 16,
  upstreamWaitingMax: 1024,
  /** Time for one HTTP request to the upstream node. The slowest kind, a full block, takes some 100 ms. */
  upstreamTimeoutMsMax: 10_000,
  /** Time for tracing one block, which the node executes again: as long as two blocks of Ethereum. */
  upstreamTraceTimeoutMsMax: 24_000,
  /** Time without a response after which the node counts as down: readiness fails, requests are refused. */
  upstreamSilenceMsMax: 5000,
  /** Attempts to send a request. With the pauses between them this takes some two seconds. */
  upstreamTriesMax: 4,
  /** First pause before a request is sent again. The pause doubles each time. */
  upstreamRetryMs: 150,
  /** Longest `Retry-After` that a request waits for. For a longer one, all requests fail until it is over. */
  upstreamRetryAfterMsMax: 20_000,
  /** Characters of an upstream or network error message that are passed on to the client. */
  upstreamErrorCharsMax: 300,
  /** Bytes of an upstream error's data that are passed on. A revert's are rarely more than a few words. */
  upstreamErrorDataBytesMax: 64 * 1024,
  /** Bytes of one HTTP response of the upstream node. The largest block has some 20 MB of JSON. */
  upstreamAnswerBytesMax: 128 * 1024 * 1024,
  /** Bytes of one message on the upstream's WebSocket. A block header has some 3 kB. */
  upstreamMessageBytesMax: 1024 * 1024,
  /** Time between two pings on the upstream's WebSocket. One unanswered by the next closes the connection. */
  upstreamPingMs: 1500,
  /** Time for the WebSocket's handshake, and time for the response to the subscription. */
  upstreamHandshakeMsMax: 5000,
  /**
   * Pause before the WebSocket reconnects. It is drawn between half and all of a length that doubles from the first
   * number to the second. If the node throttles us (close code 1013, status 429 or 503), the longest pause is used at
   * once.
   */
  upstreamReconnectMs: 1000,
  upstreamReconnectMsMax: 20_000,
  /** Time that the start waits for a silent node, perhaps just started, and the pause between attempts. */
  upstreamStartMsMax: 60_000,
  upstreamStartPauseMs: 500,
  /** When a WebSocket connection has lasted this long, the next pause starts at its minimum again. */
  upstreamLivedMs: 10_000,
  /** Longest time between polls of the head without a WebSocket. Shorter block times are polled more often. */
  headPollMs: 250,
  /** Shortest time between two such polls: a quarter of Base's 200 ms. */
  headPollMsMin: 50,
  /** Time between two polls of `safe` and `finalized`, and of `latest` while the WebSocket announces heads. */
  upstreamTagsMs: 1000,
  /**
   * Polls in a row, 250 ms apart, that find the node's head below a block that it has announced. After the first number
   * this is logged, after the second the state follows the rollback. A load balancer that alternates with a node that
   * is behind causes fewer such polls in a row.
   */
  lowerPollsReported: 2,
  lowerPollsMax: 8,
} as const;
