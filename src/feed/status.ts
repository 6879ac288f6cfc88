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

/** As a phrase. */
export function taskName({ kind, block }: Pick<Executing, 'kind' | 'block'>): string {
  return kind === 'block' ? `block ${block}` : `an increment of block ${block}`;
}

/** Kinds of unknown features: as a metric labels them, and as a phrase. */
export const UNKNOWN_FEATURE_KINDS = [
  'fork',
  'precompile',
  'system contract',
  'header field',
  'transaction type',
] as const;

/** A feature of the chain that is unknown here. `name`: bounded, of letters, digits and some signs. */
export interface UnknownFeature {
  readonly kind: (typeof UNKNOWN_FEATURE_KINDS)[number];
  readonly name: string;
}

/**
 * The state of a live chain, reported about twice a second, and when a block or increment starts and ends. Times in
 * milliseconds of the monotonic clock.
 */
export interface LiveStatus {
  readonly counts: LiveCounts;
  readonly upstream: UpstreamStats;
  /** The newest head that the upstream has announced, 0 before the first one, and ours. */
  readonly upstreamHead: number;
  readonly head: number;
  /** Mean time between blocks, by the chain's timestamps; `null`: unknown. */
  readonly blockMs: number | null;
  /** Number of the upstream's newest block if that is below ours, and not followed yet; `null`: it is not. */
  readonly lowerHead: number | null;
  /** Since when the upstream has not responded; `null`: it responds. */
  readonly upstreamSilentSinceMs: number | null;
  /** The block of the feed's newest message; `null`: none has come. */
  readonly feedBlock: number | null;
  /** When the upstream, and the pre-confirmation feed, last announced something new; `null`: there is no such feed. */
  readonly headAtMs: number;
  readonly feedAtMs: number | null;
  /** The connections of the pre-confirmation feed, in the order of their addresses. */
  readonly feeds: readonly LinkStatus[];
  /** The current task; `null`: none. The publisher may be too busy with it to report. */
  readonly executing: Executing | null;
  /** Milliseconds that executing the newest block and increment took. */
  readonly newestMs: Readonly<Record<Executing['kind'], number>>;
  /** Share of the recent keys that are resident again since the last resync; 1: all, or there are none. */
  readonly warmth: number;
  /** Why the rules of the chain may be wrong, so that nothing is executed by them; `null`: they are right. */
  readonly doubt: string | null;
  /** A notice for the operator although every answer is right; `null`: none. */
  readonly notice: string | null;
  /** All unknown features since the start. */
  readonly unknownFeatures: readonly UnknownFeature[];
  /** When this was reported. */
  readonly atMs: number;
}
