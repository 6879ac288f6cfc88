// Metrics of a live chain: the upstream node and the feed.
import type { LiveFeedCounters } from '../../feed/live-feed-counters.js';
import { UNKNOWN_FEATURE_KINDS, type LiveStatus } from '../../feed/live-status.js';
import { type Metric, type MetricSample, conditionalMetricFactory } from './metric-definition.js';

/** Counters of a live feed: field of `LiveFeedCounters`, name of the metric, and help text. */
const COUNTED: readonly (readonly [keyof LiveFeedCounters, string, string])[] = [
  ['blocksExecuted', 'blocks_executed', 'Confirmed blocks executed'],
  ['blocksPromoted', 'blocks_promoted', 'Confirmed blocks that were pre-confirmed unchanged'],
  ['blocksByAccessList', 'blocks_by_access_list', 'Confirmed blocks applied by their access lists'],
  ['blocksByPrestate', 'blocks_by_prestate', 'Confirmed blocks applied as diffs of prestateTracer'],
  [
    'accountsUnverified',
    'diff_accounts_doubted',
    'Accounts in diffs that were read from the node, as a tracer may be wrong there',
  ],
  ['samplesDiffering', 'diff_samples_differing', 'Samples of diffs that differ from the state of the node'],
  ['switchedToDiffs', 'switched_to_diffs', 'Switches to diffs after repeated similar mismatches'],
  ['increments', 'increments', 'Increments executed'],
  ['blocksSlow', 'blocks_slow', 'Confirmed blocks that took longer to execute than expected'],
  ['incrementsSlow', 'increments_slow', 'Increments that took longer to execute than expected'],
  ['blocksAborted', 'blocks_given_up', 'Executions of confirmed blocks aborted: too slow, or superseded'],
  ['incrementsAborted', 'increments_given_up', 'Executions of increments aborted: too slow, or superseded'],
  ['fills', 'fills', 'Fetches of missing state'],
  ['filledKeys', 'filled_keys', 'Accounts and slots fetched because they were not cached'],
  ['refusedHints', 'refused_hints', 'Prefetched accounts and slots that the upstream refused'],
  ['missPasses', 'miss_passes', 'Executions of a block or increment that found state missing'],
  ['gaps', 'gaps', 'Gaps in the heads of the upstream or in the feed'],
  ['gapsFilled', 'gaps_filled', 'Gaps of the feed that another feed or a late message has closed'],
  ['blocksNonEvm', 'foreign_blocks', 'Blocks that run non-EVM code'],
  ['mismatches', 'mismatches', 'Executions whose result differs from the chain'],
  ['reorgs', 'reorgs', 'Reorgs of confirmed blocks'],
  ['restarts', 'state_restarts', 'State resets'],
  ['unknownBlocks', 'unknown_blocks', 'Blocks with a transaction of an unknown type'],
  ['unknownRules', 'unknown_rules', 'Times that the rules of the chain became unverified'],
  ['fallbacks', 'fallbacks', 'Pre-confirmed states dropped'],
  [
    'upstreamFailures',
    'upstream_failures',
    'Heads and pre-confirmed blocks that could not be followed at the first try',
  ],
];

/** Creates a metric that exists only on live chains. */
const live = conditionalMetricFactory((sources) => sources.live());
export const FEED_METRICS = {
  'Upstream and feed': [
    live('gauge', 'upstream_head_block', "The upstream's newest block", (s) => s.upstreamHead),
    live('gauge', 'head_block', 'Newest confirmed block of this server', (s) => s.head),
    live(
      'gauge',
      'head_age_seconds',
      'Time since the upstream announced a new head',
      (s, now) => (now - s.headAtMs) / 1000,
    ),
    live('gauge', 'executing_seconds', 'Execution time so far of the current block or increment', executingSeconds),
    live('gauge', 'block_seconds', 'Execution time of the newest confirmed block', (s) => s.newestMs.block / 1000),
    live('gauge', 'increment_seconds', 'Execution time of the newest increment', (s) => s.newestMs.increment / 1000),
    live(
      'gauge',
      'warm_share',
      'Share of recently used accounts and slots cached again since the start',
      (s) => s.warmth,
    ),
    {
      kind: 'gauge',
      name: 'prestate_unknown_things',
      help: 'Unknown features of the chain: forks, precompiles, system contracts, header fields, transaction types',
      samples: ({ live: status }) => unknownFeatureSamples(status()),
    },
    live('gauge', 'feed_age_seconds', 'Time since the last feed message; -1 without a feed', feedAge),
    ...COUNTED.map(([name, metric, help]) => live('counter', `${metric}_total`, help, (s) => s.counts[name])),
    live('counter', 'upstream_requests_total', 'JSON-RPC requests to the upstream', (s) => s.upstream.requests),
    live('counter', 'upstream_round_trips_total', 'HTTP requests to the upstream', (s) => s.upstream.roundTrips),
    live('counter', 'upstream_retries_total', 'HTTP requests repeated', (s) => s.upstream.retries),
    live(
      'counter',
      'upstream_refused_total',
      'JSON-RPC requests not sent because the upstream is silent',
      (s) => s.upstream.refused,
    ),
    live(
      'gauge',
      'upstream_silence_seconds',
      'Time that the upstream has been silent',
      ({ upstreamSilentSinceMs }, now) => (upstreamSilentSinceMs === null ? 0 : (now - upstreamSilentSinceMs) / 1000),
    ),
    live(
      'counter',
      'upstream_reconnects_total',
      'Lost WebSocket connections to the upstream',
      (s) => s.upstream.reconnects,
    ),
  ],
} satisfies Readonly<Record<string, readonly Metric[]>>;

/** Returns one sample per kind from the start, also where it is zero, so that rates begin at zero. */
function unknownFeatureSamples(status: LiveStatus | null): readonly MetricSample[] {
  if (status === null) return [];
  return UNKNOWN_FEATURE_KINDS.map((kind) => [
    status.unknownFeatures.filter((each) => each.kind === kind).length,
    { kind },
  ]);
}

/**
 * Returns how long the current execution has taken. The time is extrapolated, since the publisher may be too busy to
 * report.
 */
function executingSeconds({ executing, atMs }: LiveStatus, nowMs: number): number {
  return executing === null ? 0 : (executing.executedMs + nowMs - atMs) / 1000;
}

function feedAge({ feedAtMs }: LiveStatus, nowMs: number): number {
  return feedAtMs === null ? -1 : (nowMs - feedAtMs) / 1000;
}
