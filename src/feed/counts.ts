// Counts of a live feed. Runs on the publisher; main shows it.

const ZERO = {
  /** Canonical blocks executed, and those whose increments were promoted without executing them again. */
  blocksExecuted: 0,
  blocksPromoted: 0,
  /** Canonical blocks taken as diffs, by their sources. */
  blocksByAccessList: 0,
  blocksByPrestate: 0,
  /** Their accounts that had to be read again, and samples that differed from what the node reads. */
  accountsUnverified: 0,
  samplesDiffering: 0,
  /** Switches to diffs: from then on blocks are applied as diffs, because executing them kept failing. */
  switchedToDiffs: 0,
  increments: 0,
  /** Those that took longer than expected, and those whose execution was abandoned. */
  blocksSlow: 0,
  incrementsSlow: 0,
  blocksAborted: 0,
  incrementsAborted: 0,
  /** Reads of missing state, and the keys in them. */
  fills: 0,
  filledKeys: 0,
  /** Keys that the upstream node refused, and that might not have been needed. */
  refusedHints: 0,
  /** Passes over blocks and increments that found state missing. */
  missPasses: 0,
  /** Breaks in coverage, results that differed from the chain's, reorgs, resyncs (the table starts empty). */
  gaps: 0,
  /** Gaps in a block of the feed that were filled after all: late, or by another feed. */
  gapsFilled: 0,
  mismatches: 0,
  reorgs: 0,
  restarts: 0,
  /** Blocks with a transaction of an unknown type, after which the state was resynced. */
  unknownBlocks: 0,
  /** Blocks that run non-EVM code: they are applied as diffs, or the state is resynced at them. */
  blocksNonEvm: 0,
  /** Times that the rules became uncertain. */
  unknownRules: 0,
  /** Pre-confirmed state dropped, so that `pending` meant `latest` again. */
  fallbacks: 0,
  /** Times that the upstream node did not respond. */
  upstreamFailures: 0,
};

/** Counters since the start. */
export type LiveCounts = typeof ZERO;

/** All zero. */
export function newCounts(): LiveCounts {
  return { ...ZERO };
}
