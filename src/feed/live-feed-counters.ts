// Counters of a live feed. The publisher counts, and the main thread shows them.

const ZERO = {
  /**
   * Canonical blocks that were executed; and canonical blocks that were confirmed without another execution, because
   * their increments had been executed before.
   */
  blocksExecuted: 0,
  blocksPromoted: 0,
  /** Canonical blocks that were applied as diffs of the node instead of being executed, by the source of the diff. */
  blocksByAccessList: 0,
  blocksByPrestate: 0,
  /**
   * Accounts whose values in a block's diff could not be verified, and were read from the node again; and samples of
   * applied changes that differ from the node's state.
   */
  accountsUnverified: 0,
  samplesDiffering: 0,
  /** How often executed blocks kept differing from their headers, so that blocks were applied as diffs from then on. */
  switchedToDiffs: 0,
  increments: 0,
  /** Blocks and increments that took longer than expected, and those whose execution was aborted. */
  blocksSlow: 0,
  incrementsSlow: 0,
  blocksAborted: 0,
  incrementsAborted: 0,
  /** Number of times that missing state was fetched, and the number of keys that were requested. */
  fills: 0,
  filledKeys: 0,
  /** Keys that were requested only because a call or block might read them, and that the upstream node refused. */
  refusedHints: 0,
  /** Dry runs of blocks and increments, which are made because state was missing in an execution. */
  missPasses: 0,
  /**
   * Gaps in the sequence of increments; results that differ from the chain's; reorganizations; and resyncs, by which
   * the state was dropped and loaded anew.
   */
  gaps: 0,
  /** Gaps between increments that were filled after all, by a late message or by another feed. */
  gapsFilled: 0,
  mismatches: 0,
  reorgs: 0,
  restarts: 0,
  /** Blocks that contain a transaction of an unknown type. They are applied as diffs, or the state is loaded anew. */
  unknownBlocks: 0,
  /** Blocks that run non-EVM code. They are applied as diffs, or the state is loaded anew. */
  blocksNonEvm: 0,
  /** How often the chain's fork rules became uncertain, so that nothing was executed for some time. */
  unknownRules: 0,
  /** How often the pre-confirmed blocks were dropped, so that `pending` meant the same as `latest` again. */
  fallbacks: 0,
  /** How often the upstream node did not respond, or refused a request that was necessary. */
  upstreamFailures: 0,
};

/** All counters of a live feed, since it was started. */
export type LiveFeedCounters = typeof ZERO;

export function newLiveFeedCounters(): LiveFeedCounters {
  return { ...ZERO };
}
