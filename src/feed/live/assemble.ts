// Connects the parts of a live chain: upstream heads and feed messages go in, versions come out. All components are
// created here and connected to one sink.
import type { TransactionExecutorDeps } from '../../execution/block/transaction-executor.js';
import type { Histogram } from '../../lib/histogram.js';
import type { StartSenderRecovery } from '../../transaction/recover-sender.js';
import type { BlockRef, Upstream, UpstreamBlock } from '../../upstream/upstream.js';
import { newCounts, type LiveCounts } from '../counts.js';
import { DiffReader } from '../diffs/diff-reader.js';
import { BlockSources } from '../diffs/block-sources.js';
import type { LiveSink, UpstreamAccess } from '../feed.js';
import type { LiveOptions } from '../options.js';
import { Follower } from './canonical/follower.js';
import { HeadQueue } from './canonical/head-queue.js';
import { LiveChain } from './tree/live-chain.js';
import { AccessLists } from './cold/access-lists.js';
import { StateFetcher } from './cold/state-fetcher.js';
import { SystemSlotPrefetch } from './cold/system-slot-prefetch.js';
import { prefetchFor } from './cold/prefetch-for-call.js';
import { NamedKeys } from './cold/named-keys.js';
import type { LiveSubscriptions, SubscriptionsListener } from './subscriptions.js';
import { ExecutionTime, type ExecutionTimeDeps } from './executing/execution-time.js';
import { liveExecutors } from './executing/executors.js';
import { Senders } from './executing/senders.js';
import { EventQueue } from './tree/event-queue.js';
import { BlockTree } from './tree/block-tree.js';
import { Driver } from './tree/tree-driver.js';
import { PayloadExecution } from './tree/payload-execution.js';
import type { RuleHistory } from './rules/rule-book.js';
import type { SerialQueue } from './executing/serial-queue.js';
import type { RecentKeys } from './warm/recent-keys.js';
import { Warmer } from './warm/warmer.js';

export interface LivePipelineDeps {
  readonly upstream: Upstream;
  readonly rules: RuleHistory;
  /** The executor of transactions; the reference engine by default. */
  readonly executor?: TransactionExecutorDeps;
  /** Starts listening, to the network or to a recording. */
  readonly listen: (listener: SubscriptionsListener) => LiveSubscriptions;
  /** Recovers senders on other threads. */
  readonly recover: StartSenderRecovery;
  /** Milliseconds on the monotonic clock. */
  readonly now: () => number;
  /** Histograms of the time from a feed message, and from a head, until readers see its state. */
  readonly visible: { readonly increments: Histogram; readonly heads: Histogram };
  /** The clock that bounds execution, if it is not the machine's. */
  readonly timing?: Omit<ExecutionTimeDeps, 'counts' | 'onChange'>;
  /** Keys whose values are fetched again after a resync; none if absent. */
  readonly recent?: RecentKeys;
  /** How blocks are applied; by default `auto` without a sample. */
  readonly following?: Pick<LiveOptions, 'followBy' | 'diffSample'>;
  /** A state starts this many blocks below the head, and these blocks are then executed; 0 by default. */
  readonly startBelow?: number;
}

export interface LivePipelineStart {
  /** The queue in which everything of the pipeline runs. */
  readonly serial: SerialQueue;
  /** The blocks of the sink's state if it already has one; `null` if it does not. */
  readonly inherited: BlockTree | null;
  /** Reports the chain's status to main. */
  readonly report: () => void;
}

/** The parts of the pipeline that are read and closed from outside. */
export interface LivePipeline {
  readonly counts: LiveCounts;
  readonly time: ExecutionTime;
  readonly tree: BlockTree;
  readonly follower: Follower;
  readonly heads: HeadQueue;
  readonly eventQueue: EventQueue;
  readonly events: LiveSubscriptions;
  readonly warmer: Warmer | null;
  readonly fill: UpstreamAccess['fill'];
}

/** Creates the pipeline, which listens from then on. */
export function livePipeline(
  sink: LiveSink,
  deps: LivePipelineDeps,
  { serial, inherited, report }: LivePipelineStart,
): LivePipeline {
  const { upstream, rules, recent, visible, now, startBelow = 0 } = deps;
  const counts = newCounts();
  const time = new ExecutionTime({ ...deps.timing, counts, onChange: report });
  const lists = new AccessLists(upstream);
  const filler = new StateFetcher({ sink, upstream, lists, counts, onRead: (keys) => recent?.note(keys) });
  const names = new NamedKeys();
  const executors = liveExecutors(rules, deps.executor, { filler, names, counts, time });
  const { followBy, diffSample: share } = deps.following ?? { followBy: 'auto', diffSample: 0 };
  const reader = new DiffReader(upstream);
  const sources = new BlockSources(followBy, () => reader.offered);
  const diffs = { reader, upstream, executor: executors.plain, share };
  const tree = inherited ?? new BlockTree();
  const shared = { tree, sink, rules, counts, time, filler, senders: new Senders(deps.recover), upstream, serial };
  const ahead = new SystemSlotPrefetch(filler, rules);
  const chain = new LiveChain({
    ...shared,
    diffs: { ...diffs, onDifference: (block, reason) => heads.quarantine(block, reason) },
    executor: executors.next(),
    onConfirmed: (env) => ahead.after(env),
    onChanged: (changes) => recent?.touch(changes),
  });
  const payloads = new PayloadExecution({ ...shared, chain, diffs, executor: executors.next() });
  const driver = new Driver({ ...shared, chain, payloads });
  if (inherited !== null) {
    filler.anchorAt(inherited.tip!);
    // The feed sends again what an earlier executor had pre-confirmed, or it will be confirmed.
    serial.add(() => driver.drop());
  }
  const warmer = recent === undefined ? null : new Warmer({ recent, filler, sink });
  const fetch = (head: BlockRef): Promise<UpstreamBlock | null> =>
    reader.block(head, driver.announced(head.number), tree.tip === null ? null : sources.expected);
  const follower = new Follower({
    ...shared,
    chain,
    fetch,
    startBelow,
    report,
    sources,
    driver,
    onStart: () => warmer?.start(),
  });
  const heads = new HeadQueue({
    ...shared,
    driver,
    follower,
    now,
    visible: visible.heads,
    fetch,
    onBlock: (block) => {
      if (sources.expected === null) shared.senders.expectBlock(block.transactions);
      driver.expectBlock(block);
    },
    onMoved: report,
  });
  const eventQueue = new EventQueue({ ...shared, driver, visible: visible.increments });
  const events = deps.listen({
    onHead: (event) => heads.add(event),
    onEvent: (each, arrivedMs) => eventQueue.add(each, arrivedMs),
  });
  const fill: LivePipeline['fill'] = (missing, purpose) => prefetchFor(missing, purpose, { filler, names, sink });
  return { counts, time, tree, follower, heads, eventQueue, events, warmer, fill };
}
