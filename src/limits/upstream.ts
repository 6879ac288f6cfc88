// Bounds of requests to the upstream node.

export const UPSTREAM_LIMITS = {
  /**
   * JSON-RPC requests in one batch to the node: go-ethereum's default. If the node has a lower limit, that is detected.
   */
  upstreamBatchMax: 1000,
  /** Requests in one batch that are not state reads. Some nodes process them one after the other. */
  upstreamRequestBatchMax: 16,
  /** HTTP requests to the upstream node that run at a time, and requests that may wait until one of these ends. */
  upstreamConnectionsMax: 16,
  upstreamWaitingMax: 1024,
  /** Time for one HTTP request to the upstream node. The slowest kind, a full block, takes some 100 ms. */
  upstreamTimeoutMsMax: 10_000,
  /** Time for tracing one block, which the node executes again: as long as two blocks of Ethereum. */
  upstreamTraceTimeoutMsMax: 24_000,
  /** Time without a response after which the node counts as down: readiness fails, requests are refused. */
  upstreamSilenceMsMax: 5000,
  /**
   * Maximum number of attempts to send a request to the node. With the pauses between them this takes some two seconds.
   */
  upstreamTriesMax: 4,
  /** Pause before a request to the node is sent again for the first time. The pause doubles each time. */
  upstreamRetryMs: 150,
  /**
   * Maximum `Retry-After` that a request waits for. If the node demands a longer wait, all requests fail until that has
   * passed.
   */
  upstreamRetryAfterMsMax: 20_000,
  /** Characters of an upstream or network error message that are passed on to the client. */
  upstreamErrorCharsMax: 300,
  /**
   * Bytes of an upstream error's data that are passed on to the client. The data of a revert are rarely more than a few
   * words.
   */
  upstreamErrorDataBytesMax: 64 * 1024,
  /** Bytes of one HTTP response of the upstream node. The largest block has some 20 MB of JSON. */
  upstreamAnswerBytesMax: 128 * 1024 * 1024,
  /** Bytes of one message on the WebSocket to the upstream node. A block header has some 3 kB. */
  upstreamMessageBytesMax: 1024 * 1024,
  /**
   * Time between two pings on the WebSocket to the upstream node. A ping that is unanswered when the next is due closes
   * the connection.
   */
  upstreamPingMs: 1500,
  /** Time for the WebSocket handshake with the node, and for its response to the subscription. */
  upstreamHandshakeMsMax: 5000,
  /**
   * Pause before the WebSocket to the node reconnects. It is random, between half and all of a length that doubles from
   * the first number up to the second. If the node throttles us (close code 1013, status 429 or 503), the maximum is
   * used at once.
   */
  upstreamReconnectMs: 1000,
  upstreamReconnectMsMax: 20_000,
  /**
   * Time that the program's start waits for a node that does not respond, perhaps because it has just started; and the
   * pause between attempts.
   */
  upstreamStartMsMax: 60_000,
  upstreamStartPauseMs: 500,
  /**
   * When a WebSocket connection to the node has lasted this long, the next pause before reconnecting has its minimum
   * length again.
   */
  upstreamLivedMs: 10_000,
  /**
   * Maximum time between two polls of the node's head if there is no WebSocket. Chains with shorter block times are
   * polled more often.
   */
  headPollMs: 250,
  /** Minimum time between two polls of the node's head: a quarter of a block time of 200 ms. */
  headPollMsMin: 50,
  /** Time between two polls of `safe` and `finalized`, and of `latest` while the WebSocket announces heads. */
  upstreamTagsMs: 1000,
  /**
   * Number of polls in a row, 250 ms apart, that find the node's head below a block that the node has announced. After
   * the first number this is logged; after the second the state follows the rollback. A load balancer that alternates
   * with a node that is behind causes fewer such polls in a row.
   */
  lowerPollsReported: 2,
  lowerPollsMax: 8,
} as const;
