// Counters of a live feed. They are kept on the publisher and shown by main.

const ZERO = {
  /** Canonical blocks that were executed, and those confirmed by their increments without that. */
  blocksExecuted: 0,
  blocksPromoted: 0,
  /** Canonical blocks that were applied as diffs, by the source of the diff. */
  blocksByAccessList: 0,
  blocksByPrestate: 0,
  /** Accounts in these diffs that had to be read again, and sampled values that the node reads differently. */
  accountsUnverified: 0,
  samplesDiffering: 0,
  /** How often execution kept failing, so that blocks were applied as diffs from then on. */
  switchedToDiffs: 0,
  increments: 0,
  /** Blocks that took longer than expected, and blocks whose execution was aborted. */
  blocksSlow: 0,
  incrementsSlow: 0,
  blocksAborted: 0,
  incrementsAborted: 0,
  /** Fetches of missing state, and the keys in them. */
  fills: 0,
  filledKeys: 0,
  /** Keys that the upstream node refused and that might not have been needed. */
  refusedHints: 0,
  /** Runs of blocks and increments that found state missing. */
  missPasses: 0,
  /** Missing increments, wrong results, reorganizations, and resyncs, after which the table starts empty. */
  gaps: 0,
  /** Gaps in a feed's block that were filled after all, by a late message or by another feed. */
  gapsFilled: 0,
  mismatches: 0,
  reorgs: 0,
  restarts: 0,
  /** Blocks with a transaction of an unknown type, after which the state was resynced. */
  unknownBlocks: 0,
  /** Blocks that run non-EVM code. They are applied as diffs, or the state is resynced at them. */
  blocksNonEvm: 0,
  /** How often the chain's rules became uncertain. */
  unknownRules: 0,
  /** How often the pre-confirmed state was dropped, so that `pending` meant `latest` again. */
  fallbacks: 0,
  /** How often the upstream node did not respond. */
  upstreamFailures: 0,
};

/** Counters since the start. */
export type LiveCounts = typeof ZERO;

export function newLiveCounts(): LiveCounts {
  return { ...ZERO };
}
