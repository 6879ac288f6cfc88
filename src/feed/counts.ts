// Counts of a live feed. Runs on the publisher; main shows it.

/** Counters since the start. */
export interface LiveCounts {
  /** Canonical blocks executed, and those that were taken over from increments without executing them again. */
  blocksExecuted: number;
  blocksPromoted: number;
  /** Canonical blocks taken as diffs, by their sources. */
  blocksByAccessList: number;
  blocksByPrestate: number;
  blocksByReplay: number;
  /** Accounts of them that were read again, and samples of them that read otherwise. */
  accountsDoubted: number;
  samplesDiffering: number;
  /** Times from which on blocks were taken as diffs, as executing them did not fit again and again. */
  switchedToDiffs: number;
  increments: number;
  /** Those that took longer than is to be expected, and those that were not executed to their end. */
  blocksSlow: number;
  incrementsSlow: number;
  blocksGivenUp: number;
  incrementsGivenUp: number;
  /** Reads of missing state, and the keys in them. */
  fills: number;
  filledKeys: number;
  /** Keys that the upstream node refused, and that might not have been needed. */
  refusedHints: number;
  /** Passes over blocks and increments that found state missing. */
  missPasses: number;
  /** Breaks in coverage, results that differed from the chain's, reorgs, tables begun anew. */
  gaps: number;
  /** Breaks in a block of the feed that what was missing has closed, told late or by another feed. */
  gapsFilled: number;
  mismatches: number;
  reorgs: number;
  restarts: number;
  /** Blocks with a transaction of a type that is not known, after which the state was begun anew. */
  unknownBlocks: number;
  /** Blocks that run code which is not the EVM's: taken as diffs, or the state begins anew with them. */
  blocksForeign: number;
  /** Times from which on the rules were not known to be right. */
  unknownRules: number;
  /** Pre-confirmed state dropped, so that `pending` meant `latest` again. */
  fallbacks: number;
  /** Times that the upstream node did not answer. */
  upstreamFailures: number;
}

/** All zero. */
export function newCounts(): LiveCounts {
  return {
    blocksExecuted: 0,
    blocksPromoted: 0,
    blocksByAccessList: 0,
    blocksByPrestate: 0,
    blocksByReplay: 0,
    accountsDoubted: 0,
    samplesDiffering: 0,
    switchedToDiffs: 0,
    increments: 0,
    blocksSlow: 0,
    incrementsSlow: 0,
    blocksGivenUp: 0,
    incrementsGivenUp: 0,
    fills: 0,
    filledKeys: 0,
    refusedHints: 0,
    missPasses: 0,
    gaps: 0,
    gapsFilled: 0,
    mismatches: 0,
    reorgs: 0,
    restarts: 0,
    unknownBlocks: 0,
    blocksForeign: 0,
    unknownRules: 0,
    fallbacks: 0,
    upstreamFailures: 0,
  };
}
