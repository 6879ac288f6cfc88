// The status of a live chain, as the publisher reports it to the main thread.

// When the execution of an increment starts or ends, only that is reported (`ExecutionStatus`). The whole status is
// reported within half a second. See DECISIONS.md.
import type { UpstreamStats } from '../upstream/upstream.js';
import type { ConnectionStatus } from '../upstream/transport/reconnecting-websocket.js';
import type { LiveFeedCounters } from './live-feed-counters.js';

export interface CurrentExecution {
  readonly kind: 'block' | 'increment';
  readonly block: number;
  /** Milliseconds for which the block or increment has been executed so far. */
  readonly executedMs: number;
}

/** Returns a phrase that names the execution for the operator. */
export function executionTaskName({ kind, block }: Pick<CurrentExecution, 'kind' | 'block'>): string {
  return kind === 'block' ? `block ${block}` : `an increment of block ${block}`;
}

/** Kinds of unknown features. Each is a label in metrics and a phrase in messages. */
export const UNKNOWN_FEATURE_KINDS = [
  'fork',
  'precompile',
  'system contract',
  'header field',
  'transaction type',
] as const;

/**
 * A feature of the chain that this version of the program does not know. `name` is short, and has only letters, digits
 * and some punctuation.
 */
export interface UnknownFeature {
  readonly kind: (typeof UNKNOWN_FEATURE_KINDS)[number];
  readonly name: string;
}

/**
 * The status of a live chain, reported to the main thread about twice a second, and when the execution of a confirmed
 * block starts or ends. Times are monotonic milliseconds.
 */
export interface LiveStatus {
  readonly counts: LiveFeedCounters;
  readonly upstream: UpstreamStats;
  /**
   * Number of the newest head that the upstream node has announced (0 before the first one), and of our newest block.
   */
  readonly upstreamHead: number;
  readonly head: number;
  /** Mean time between blocks by the chain's timestamps; `null` if unknown. */
  readonly blockMs: number | null;
  /**
   * Number of the upstream node's newest block while it is below ours, because the node has rolled back or lags;
   * otherwise `null`.
   */
  readonly lowerHead: number | null;
  /** The time since which the upstream node has not responded; `null` if it responds. */
  readonly upstreamSilentSinceMs: number | null;
  /** Number of the block of the pre-confirmation feed's newest message; `null` if none has come. */
  readonly feedBlock: number | null;
  /**
   * When the upstream node and the pre-confirmation feed last announced something new; `feedAtMs` is `null` if there is
   * no feed.
   */
  readonly headAtMs: number;
  readonly feedAtMs: number | null;
  /** The status of each connection to a pre-confirmation feed, in the order of their addresses. */
  readonly feeds: readonly ConnectionStatus[];
  /**
   * The current execution; `null` if there is none. It may have lasted longer than the report says, because the
   * publisher cannot report while it executes.
   */
  readonly executing: CurrentExecution | null;
  /** Milliseconds of execution time of the newest block and of the newest increment. */
  readonly newestMs: Readonly<Record<CurrentExecution['kind'], number>>;
  /**
   * After the state was loaded anew: the share (0 to 1) of the recently used keys that are in the state table again. It
   * is also 1 if no keys are remembered.
   */
  readonly warmth: number;
  /** Why our rules for the chain may be wrong, so that nothing is executed; `null` if they are right. */
  readonly doubt: string | null;
  /** A notice for the operator that does not affect responses; `null` if there is none. */
  readonly notice: string | null;
  /** All unknown features found since the start. */
  readonly unknownFeatures: readonly UnknownFeature[];
  /** When this status was reported. */
  readonly atMs: number;
}

/** The part of the status that is reported when the execution of an increment starts or ends. */
export type ExecutionStatus = Pick<LiveStatus, 'executing' | 'newestMs' | 'atMs'>;

/** Returns the status after a report: replaced by a whole report, updated by a partial one; `null` before the first. */
export function mergeStatusReport(before: LiveStatus | null, report: LiveStatus | ExecutionStatus): LiveStatus | null {
  if ('counts' in report) return report;
  return before === null ? null : { ...before, ...report };
}
