// Creates the components of a live feed and connects them: heads of the upstream node and feed messages go in, state
// versions come out.
import { TransactionExecutor, type TransactionExecutorDeps } from '../../execution/block/transaction-executor.js';
import type { Histogram } from '../../lib/histogram.js';
import { NO_STATE } from '../../state/views/state-view.js';
import type { StartSenderRecovery } from '../../transaction/recover-sender.js';
import type { BlockNumberAndHash, Upstream, UpstreamBlock } from '../../upstream/upstream.js';
import { newLiveFeedCounters, type LiveFeedCounters } from '../live-feed-counters.js';
import { UpstreamDiffReader } from '../diffs/diff-reader.js';
import { ExecutionOrDiffChooser } from '../diffs/execution-or-diff-chooser.js';
import type { LiveSink, UpstreamAccess } from '../feed.js';
import type { LiveOptions } from '../chain-source-options.js';
import { CanonicalFollower } from './canonical/canonical-follower.js';
import { InputQueue } from './input-queue.js';
import { CanonicalChain } from './tree/canonical-chain.js';
import { AccessListRequester } from './cold/request-access-lists-from-node.js';
import { StateFetcher } from './cold/state-fetcher.js';
import { SystemSlotPrefetch } from './cold/system-slot-prefetch.js';
import { prefetchForCall } from './cold/prefetch-for-call.js';
import { ConstantKeyCache } from './cold/code-constants-cache.js';
import type { LiveEventSource, LiveEventListener } from './live-event-sources.js';
import { ExecutionTimeLimiter, type ExecutionTimeLimiterDeps } from './executing/execution-time-limiter.js';
import { StateFetchingExecutor } from './executing/state-fetching-executor.js';
import { TransactionSenders } from './executing/transaction-senders.js';
import { LiveBlockTree } from './tree/block-tree.js';
import { TreeDriver } from './tree/tree-driver.js';
import { PayloadExecutor } from './tree/payload-executor.js';
import type { ForkScheduleTracker } from './rules/fork-schedule-tracker.js';
import type { RecentKeys } from './warm/recent-keys.js';
import { RecentKeysFetcher } from './warm/fetch-recent-keys.js';

export interface LivePipelineDeps {
  readonly upstream: Upstream;
  readonly rules: ForkScheduleTracker;
  readonly executor: TransactionExecutorDeps;
  /** Starts to listen to the network or to a recording. */
  readonly listen: (listener: LiveEventListener) => LiveEventSource;
  /** Recovers senders of transactions on other threads. */
  readonly recover: StartSenderRecovery;
  /** Milliseconds on the monotonic clock. */
  readonly now: () => number;
  /** Histograms of the time from the arrival of a feed message, and of a head, until its state is published. */
  readonly visible: { readonly increments: Histogram; readonly heads: Histogram };
  /** Clock and bounds for execution times; by default the machine's clock and LIMITS. */
  readonly timing?: Omit<ExecutionTimeLimiterDeps, 'counts' | 'onChange'>;
  /** The recently used keys, whose values are fetched again after the state was loaded anew. None if absent. */
  readonly recent?: RecentKeys;
  /** How blocks are applied, and which share of a diff's values is compared with the node's state. */
  readonly following: Pick<LiveOptions, 'followBy' | 'diffSample'>;
  /** A new state is loaded this many blocks below the head. The blocks between it and the head are executed. */
  readonly startBelow: number;
}

/** The components of the pipeline that other files use. */
export interface LivePipelineComponents {
  readonly counts: LiveFeedCounters;
  readonly time: ExecutionTimeLimiter;
  readonly tree: LiveBlockTree;
  readonly follower: CanonicalFollower;
  readonly inputs: InputQueue;
  readonly events: LiveEventSource;
  readonly warmer: RecentKeysFetcher | null;
  readonly fill: UpstreamAccess['fill'];
}

/**
 * Creates the pipeline, which starts to listen at once. `inherited` has the blocks of the state that the sink already
 * has; `null` if it has none. `report` reports the chain's status to the main thread.
 */
export function createLivePipeline(
  sink: LiveSink,
  deps: LivePipelineDeps,
  inherited: LiveBlockTree | null,
  report: () => void,
): LivePipelineComponents {
  const { upstream, rules, recent, visible, now, startBelow, following } = deps;
  const counts = newLiveFeedCounters();
  const reportExecution = (): void => sink.report({ executing: time.executing, newestMs: time.newestMs, atMs: now() });
  const onChange: ExecutionTimeLimiterDeps['onChange'] = (kind) => (kind === 'block' ? report() : reportExecution());
  const time = new ExecutionTimeLimiter({ ...deps.timing, counts, onChange });
  const lists = new AccessListRequester(upstream);
  const filler = new StateFetcher({ sink, upstream, lists, counts, onRead: (keys) => recent?.note(keys) });
  const names = new ConstantKeyCache();
  const ahead = new TransactionExecutor(rules, NO_STATE, deps.executor);
  const newExecutor = (): StateFetchingExecutor => {
    const executor = new TransactionExecutor(rules, NO_STATE, deps.executor);
    return new StateFetchingExecutor(executor, { filler, names, counts, time, ahead });
  };
  const reader = new UpstreamDiffReader(upstream);
  const sources = new ExecutionOrDiffChooser(following.followBy, () => reader.offered);
  const diffs = { reader, upstream, executor: ahead, share: following.diffSample };
  const tree = inherited ?? new LiveBlockTree();
  const shared = {
    tree,
    sink,
    rules,
    counts,
    time,
    filler,
    senders: new TransactionSenders(deps.recover),
    upstream,
    sources,
    recent,
    report,
  };
  const chain = new CanonicalChain({
    ...shared,
    diffs: { ...diffs, onDifference: (block, reason) => inputs.quarantine(block, reason) },
    executor: newExecutor(),
    systemSlots: new SystemSlotPrefetch(filler, rules),
  });
  const payloads = new PayloadExecutor({ ...shared, chain, diffs, executor: newExecutor() });
  const driver = new TreeDriver({ ...shared, chain, payloads });
  if (inherited !== null) filler.anchorAt(inherited.tip!);
  const warmer = recent === undefined ? null : new RecentKeysFetcher({ recent, filler, sink });
  const fetch = (head: BlockNumberAndHash): Promise<UpstreamBlock | null> =>
    reader.block(head, driver.announced(head.number), tree.tip === null ? null : sources.expected);
  const follower = new CanonicalFollower({ ...shared, chain, driver, fetch, startBelow, warmer });
  const inputs = new InputQueue({ ...shared, driver, follower, fetch, visible, now });
  // The state that the sink already has may contain increments of pre-confirmed blocks. They are dropped: either the
  // feed sends them again, or their block is confirmed.
  if (inherited !== null) inputs.add(() => driver.drop());
  const events = deps.listen(inputs);
  const fill: LivePipelineComponents['fill'] = (missing, purpose) =>
    prefetchForCall(missing, purpose, filler, names, sink);
  return { counts, time, tree, follower, inputs, events, warmer, fill };
}
