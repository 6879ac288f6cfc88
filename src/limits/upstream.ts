// Bounds of the node that is asked. Runs on every thread.

/** Part of `LIMITS`. */
export const UPSTREAM_LIMITS = {
  /** JSON-RPC requests in one batch to the upstream node; go-ethereum's default. A node that takes fewer is found out. */
  upstreamBatchMax: 1000,
  /** Requests that are no reads of state, in one batch: a node may work at one after the other. */
  upstreamRequestBatchMax: 16,
  /** HTTP requests to the upstream node at once, and those that may wait for their turn. */
  upstreamConnectionsMax: 16,
  upstreamWaitingMax: 1024,
  /** Time for one HTTP request to the upstream node; the slowest, a full block, takes some 100 ms. */
  upstreamTimeoutMsMax: 10_000,
  /** Time for one trace of a block, which the node executes again, one transaction after the other: two blocks of Ethereum. */
  upstreamTraceTimeoutMsMax: 24_000,
  /** Time without an answer after which the upstream node is taken not to answer: readiness fails, requests are refused. */
  upstreamSilenceMsMax: 5000,
  /** Times that a request is sent before it is given up; with the pauses between them some two seconds. */
  upstreamTriesMax: 4,
  /** First pause before a request is sent again; doubled each time. */
  upstreamRetryMs: 150,
  /** Longest `Retry-After` that is waited for; a node that asks for more is given up until then. */
  upstreamRetryAfterMsMax: 20_000,
  /** Characters of an error's text that is relayed from the upstream node, or from the network. */
  upstreamErrorCharsMax: 300,
  /** Bytes of an error's data that are relayed: those of a revert are seldom more than a few words of 32 bytes. */
  upstreamErrorDataBytesMax: 64 * 1024,
  /** Bytes of one HTTP answer of the upstream node: the largest block is some 20 MB of JSON. */
  upstreamAnswerBytesMax: 128 * 1024 * 1024,
  /** Bytes of one message of the upstream's WebSocket; a head has some 3 kB. */
  upstreamMessageBytesMax: 1024 * 1024,
  /** Time between two pings of the upstream's WebSocket; one that is not answered until the next ends the connection. */
  upstreamPingMs: 1500,
  /** Time for the WebSocket's handshake, and for the answer to the subscription. */
  upstreamHandshakeMsMax: 5000,
  /**
   * Pause before the WebSocket is connected again: half to all of this, doubled each time up to the most, which comes next
   * where the node has asked to be left alone (close code 1013, status 429 or 503).
   */
  upstreamReconnectMs: 1000,
  upstreamReconnectMsMax: 20_000,
  /** Time that a node that says nothing is waited for at the start, and between two tries: it may be started beside this program. */
  upstreamStartMsMax: 60_000,
  upstreamStartPauseMs: 500,
  /** Life of a WebSocket connection after which the next pause is the first again. */
  upstreamLivedMs: 10_000,
  /** Longest time between two looks at the upstream's head where no WebSocket tells of it; faster blocks are looked for more often. */
  headPollMs: 250,
  /** Shortest time between two such looks: a quarter of Base's 200 ms blocks. */
  headPollMsMin: 50,
  /** Time between two looks at `safe` and `finalized`, and at `latest` while the WebSocket tells of new heads. */
  upstreamTagsMs: 1000,
  /**
   * Looks in a row, of 250 ms, that find the node below a block that it has announced, until it is told, and until the node is
   * followed back: those between two nodes behind a balancer, of which one is older, are fewer.
   */
  lowerLooksTold: 2,
  lowerLooksMax: 8,
} as const;
