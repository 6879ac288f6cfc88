// Counts of a live feed. Runs on the publisher; main shows it.

const ZERO = {
  /** Canonical blocks executed, and those that were taken over from increments without executing them again. */
  blocksExecuted: 0,
  blocksPromoted: 0,
  /** Canonical blocks taken as diffs, by their sources. */
  blocksByAccessList: 0,
  blocksByPrestate: 0,
  /** Accounts of them that were read again, and samples of them that read otherwise. */
  accountsDoubted: 0,
  samplesDiffering: 0,
  /** Times from which on blocks were taken as diffs, as executing them did not fit again and again. */
  switchedToDiffs: 0,
  increments: 0,
  /** Those that took longer than is to be expected, and those that were not executed to their end. */
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
  /** Breaks in coverage, results that differed from the chain's, reorgs, tables begun anew. */
  gaps: 0,
  /** Breaks in a block of the feed that what was missing has closed, told late or by another feed. */
  gapsFilled: 0,
  mismatches: 0,
  reorgs: 0,
  restarts: 0,
  /** Blocks with a transaction of a type that is not known, after which the state was begun anew. */
  unknownBlocks: 0,
  /** Blocks that run code which is not the EVM's: taken as diffs, or the state begins anew with them. */
  blocksNonEvm: 0,
  /** Times from which on the rules were not known to be right. */
  unknownRules: 0,
  /** Pre-confirmed state dropped, so that `pending` meant `latest` again. */
  fallbacks: 0,
  /** Times that the upstream node did not answer. */
  upstreamFailures: 0,
};

/** Counters since the start. */
export type LiveCounts = typeof ZERO;

/** All zero. */
export function newCounts(): LiveCounts {
  return { ...ZERO };
}
