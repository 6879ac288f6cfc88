// The state of a live chain.
import type { UpstreamStats } from '../upstream/upstream.js';
import type { LinkStatus } from '../upstream/transport/connection.js';
import type { LiveCounts } from './counts.js';

/** A block or an increment that is being executed. */
export interface Executing {
  readonly kind: 'block' | 'increment';
  readonly block: number;
  /** Milliseconds so far. */
  readonly executedMs: number;
}

/** In words. */
export function taskName({ kind, block }: Pick<Executing, 'kind' | 'block'>): string {
  return kind === 'block' ? `block ${block}` : `an increment of block ${block}`;
}

/** Kinds of what may not be known here: as a metric names them, in words. */
export const UNKNOWN_FEATURE_KINDS = [
  'fork',
  'precompile',
  'system contract',
  'header field',
  'transaction type',
] as const;

/** A thing of the chain that is not known here. `name`: bounded, of letters, digits and some signs. */
export interface UnknownFeature {
  readonly kind: (typeof UNKNOWN_FEATURE_KINDS)[number];
  readonly name: string;
}

/**
 * The state of a live chain, reported about twice a second, and when a block or increment begins and ends. Times in
 * milliseconds of the monotonic clock.
 */
export interface LiveStatus {
  readonly counts: LiveCounts;
  readonly upstream: UpstreamStats;
  /** The newest head that the upstream has announced, 0 before the first one, and ours. */
  readonly upstreamHead: number;
  readonly head: number;
  /** Mean time between blocks, by the chain's own clock; `null`: not known. */
  readonly blockMs: number | null;
  /** Number of the upstream's newest block where that is below ours, and not taken yet; `null`: it is not. */
  readonly lowerHead: number | null;
  /** Since when the upstream has left requests unanswered; `null`: it answers. */
  readonly upstreamSilentSinceMs: number | null;
  /** The block of the feed's newest frame; `null`: none has come. */
  readonly feedBlock: number | null;
  /** When the upstream, and the pre-confirmation feed, last announced something new; `null`: there is no such feed. */
  readonly headAtMs: number;
  readonly feedAtMs: number | null;
  /** The connections of the pre-confirmation feed, in the order of their addresses. */
  readonly feeds: readonly LinkStatus[];
  /** The task at hand; `null`: none. The publisher may be too busy with it to report. */
  readonly executing: Executing | null;
  /** Milliseconds for which the newest block and increment were executed. */
  readonly newestMs: Readonly<Record<Executing['kind'], number>>;
  /** Share of the recent keys that are held again since the last beginning; 1: all, or there are none. */
  readonly warmth: number;
  /**
   * Reason for which the rules of the chain are not known to be right: nothing is executed by them; `null`: they are.
   */
  readonly doubt: string | null;
  /** A notice for the operator although every answer is right; `null`: nothing. */
  readonly notice: string | null;
  /** All that is not known here, since the start. */
  readonly unknownFeatures: readonly UnknownFeature[];
  /** When this was reported. */
  readonly atMs: number;
}
