// The status of a live chain.
import type { UpstreamStats } from '../upstream/upstream.js';
import type { ConnectionStatus } from '../upstream/transport/reconnecting-websocket.js';
import type { LiveCounts } from './live-counts.js';

export interface CurrentExecution {
  readonly kind: 'block' | 'increment';
  readonly block: number;
  /** Milliseconds that it has run so far. */
  readonly executedMs: number;
}

/** A phrase that names the task. */
export function executionTaskName({ kind, block }: Pick<CurrentExecution, 'kind' | 'block'>): string {
  return kind === 'block' ? `block ${block}` : `an increment of block ${block}`;
}

/** Kinds of unknown features: the label in metrics, and a phrase. */
export const UNKNOWN_FEATURE_KINDS = [
  'fork',
  'precompile',
  'system contract',
  'header field',
  'transaction type',
] as const;

/** A feature of the chain that is unknown here. `name` is bounded, and has letters, digits and some signs. */
export interface UnknownFeature {
  readonly kind: (typeof UNKNOWN_FEATURE_KINDS)[number];
  readonly name: string;
}

/** Reported about twice a second, and at the start and end of work. Times: monotonic milliseconds. */
export interface LiveStatus {
  readonly counts: LiveCounts;
  readonly upstream: UpstreamStats;
  /** The newest head that the upstream has announced (0 before the first one), and our newest block. */
  readonly upstreamHead: number;
  readonly head: number;
  /** Mean time between blocks by the chain's timestamps; `null` if unknown. */
  readonly blockMs: number | null;
  /** Number of the upstream's newest block if that is below ours and was not followed yet; otherwise `null`. */
  readonly lowerHead: number | null;
  /** Since when the upstream has not responded; `null` if it responds. */
  readonly upstreamSilentSinceMs: number | null;
  /** The block of the feed's newest message; `null` if none has come. */
  readonly feedBlock: number | null;
  /** When upstream and pre-confirmation feed last announced something new; `null` if there is no such feed. */
  readonly headAtMs: number;
  readonly feedAtMs: number | null;
  /** The connections of the pre-confirmation feed, in the order of their addresses. */
  readonly feeds: readonly ConnectionStatus[];
  /** The current task; `null` if there is none. The publisher may be too busy with it to report. */
  readonly executing: CurrentExecution | null;
  /** Milliseconds that executing the newest block and the newest increment took. */
  readonly newestMs: Readonly<Record<CurrentExecution['kind'], number>>;
  /** Share of the recent keys that are resident again since the last resync. It is 1 if all are, or there are none. */
  readonly warmth: number;
  /** Why the chain's rules may be wrong. Nothing is executed while they may be; `null` if they are right. */
  readonly doubt: string | null;
  /** A notice for the operator that does not affect responses; `null` if there is none. */
  readonly notice: string | null;
  /** All unknown features since the start. */
  readonly unknownFeatures: readonly UnknownFeature[];
  /** When this status was reported. */
  readonly atMs: number;
}
