// Bounds of requests to the upstream node.

/** Part of `LIMITS`. */
export const UPSTREAM_LIMITS = {
  /**
   * JSON-RPC requests in one batch to the upstream node; go-ethereum's default. A lower limit of a node is detected.
   */
  upstreamBatchMax: 1000,
  /** Requests other than state reads in one batch: a node may process them one after the other. */
  upstreamRequestBatchMax: 16,
  /** Concurrent HTTP requests to the upstream node, and those that may wait for their turn. */
  upstreamConnectionsMax: 16,
  upstreamWaitingMax: 1024,
  /** Time for one HTTP request to the upstream node; the slowest, a full block, takes some 100 ms. */
  upstreamTimeoutMsMax: 10_000,
  /**
   * Time for one trace of a block, which the node executes again, one transaction after the other: two blocks of
   * Ethereum.
   */
  upstreamTraceTimeoutMsMax: 24_000,
  /** Time without a response after which the upstream node counts as silent: readiness fails, requests are refused. */
  upstreamSilenceMsMax: 5000,
  /** Number of times that a request is sent before it fails; with the pauses between them some two seconds. */
  upstreamTriesMax: 4,
  /** First pause before a request is sent again; doubled each time. */
  upstreamRetryMs: 150,
  /** Longest `Retry-After` that is waited for; beyond it requests fail until that time. */
  upstreamRetryAfterMsMax: 20_000,
  /** Characters of an error message that is relayed from the upstream node, or from the network. */
  upstreamErrorCharsMax: 300,
  /** Bytes of an error's data that are relayed: those of a revert are rarely more than a few words of 32 bytes. */
  upstreamErrorDataBytesMax: 64 * 1024,
  /** Bytes of one HTTP response of the upstream node: the largest block is some 20 MB of JSON. */
  upstreamAnswerBytesMax: 128 * 1024 * 1024,
  /** Bytes of one message of the upstream's WebSocket; a head has some 3 kB. */
  upstreamMessageBytesMax: 1024 * 1024,
  /** Time between two pings of the upstream's WebSocket; one left unanswered until the next ends the connection. */
  upstreamPingMs: 1500,
  /** Time for the WebSocket's handshake, and for the response to the subscription. */
  upstreamHandshakeMsMax: 5000,
  /**
   * Pause before the WebSocket reconnects: half to all of this, doubled each time up to the maximum, which comes next
   * if the node throttles us (close code 1013, status 429 or 503).
   */
  upstreamReconnectMs: 1000,
  upstreamReconnectMsMax: 20_000,
  /**
   * Time that a silent node is waited for at the start, and between two attempts: it may be started together with this
   * program.
   */
  upstreamStartMsMax: 60_000,
  upstreamStartPauseMs: 500,
  /** Life of a WebSocket connection after which the pause starts at its minimum again. */
  upstreamLivedMs: 10_000,
  /**
   * Longest time between two polls of the upstream's head if no WebSocket announces heads; faster blocks are polled
   * more often.
   */
  headPollMs: 250,
  /** Shortest time between two such polls: a quarter of Base's 200 ms blocks. */
  headPollMsMin: 50,
  /** Time between two polls of `safe` and `finalized`, and of `latest` while the WebSocket announces heads. */
  upstreamTagsMs: 1000,
  /**
   * Consecutive polls, 250 ms apart, that find the node below a block that it has announced: at the first number that
   * is reported, at the second the state follows the rollback. A load balancer that alternates with an older node
   * causes fewer of them.
   */
  lowerPollsReported: 2,
  lowerPollsMax: 8,
} as const;
