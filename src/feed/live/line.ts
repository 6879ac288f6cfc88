// The line from what arrives to what is published: the parts of a live chain put together on one sink, each given what it needs.
// Runs on the publisher.
import type { TransactionExecutorParts } from '../../execution/block/transaction-executor.js';
import type { Histogram } from '../../lib/time/histogram.js';
import type { RecoverSenders } from '../../transaction/sender.js';
import type { BlockRef, Upstream, UpstreamBlock } from '../../upstream/upstream.js';
import { newCounts, type LiveCounts } from '../counts.js';
import { DiffReader } from '../diffs/reader.js';
import { Ways } from '../diffs/ways.js';
import type { LiveSink, UpstreamAccess } from '../feed.js';
import type { LiveOptions } from '../options.js';
import { Follower } from './canonical/follower.js';
import { HeadQueue } from './canonical/head-queue.js';
import { LiveChain } from './tree/live-chain.js';
import { AccessLists } from './cold/access-lists.js';
import { Filler } from './cold/filler.js';
import { SystemAhead } from './cold/system-ahead.js';
import { fillFor } from './cold/fill-for.js';
import { NamedReads } from './cold/named-reads.js';
import type { Events, EventsListener } from './events.js';
import { ExecutionTime, type ExecutionTimeParts } from './executing/execution-time.js';
import { liveExecutors } from './executing/executors.js';
import { Senders } from './executing/senders.js';
import { NewsQueue } from './tree/news-queue.js';
import { BlockTree } from './tree/block-tree.js';
import { Driver } from './tree/driver.js';
import { PayloadExecution } from './tree/payload-execution.js';
import type { RuleBook } from './rules/rule-book.js';
import type { Turns } from './executing/turns.js';
import type { RecentKeys } from './warm/recent-keys.js';
import { Warmer } from './warm/warmer.js';

/** Given to a line from outside. */
export interface LineParts {
  readonly upstream: Upstream;
  readonly rules: RuleBook;
  /** The executor of transactions; on the reference engine where it is not given. */
  readonly executor?: TransactionExecutorParts;
  /** Begins to listen: to the network, or to a record. */
  readonly listen: (listener: EventsListener) => Events;
  /** Recovers senders on other threads. */
  readonly recover: RecoverSenders;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
  /** Counts the times from a message of the stream until readers see its state, and those from a head. */
  readonly visible: { readonly increments: Histogram; readonly heads: Histogram };
  /** The clock of execution, where that is not by the machine's clock. */
  readonly timing?: Omit<ExecutionTimeParts, 'counts' | 'onChange'>;
  /** Keys whose values are held again after a beginning; without it nothing is. */
  readonly recent?: RecentKeys;
  /** The way of blocks into the state; `auto`, with no sample, where it is not given. */
  readonly following?: Pick<LiveOptions, 'followBy' | 'diffSample'>;
  /** Blocks below the head with which a state begins, which are executed up to it; 0 where it is not given. */
  readonly beginBelow?: number;
}

/** The beginning of a line. */
export interface LineStart {
  /** Everything that the line does is done in one of them. */
  readonly turns: Turns;
  /** The sink's state is the beginning, with the newest blocks of this tree; `null`: it is not. */
  readonly inherited: BlockTree | null;
  /** Tells main how the chain fares. */
  readonly report: () => void;
}

/** Parts that are looked at and closed from outside. */
export interface Line {
  readonly counts: LiveCounts;
  readonly time: ExecutionTime;
  readonly tree: BlockTree;
  readonly follower: Follower;
  readonly heads: HeadQueue;
  readonly news: NewsQueue;
  readonly events: Events;
  readonly warmer: Warmer | null;
  readonly fill: UpstreamAccess['fill'];
}

/** Listens from here on. */
export function lineOn(sink: LiveSink, parts: LineParts, { turns, inherited, report }: LineStart): Line {
  const { upstream, rules, recent, visible, now, beginBelow = 0 } = parts;
  const counts = newCounts();
  const time = new ExecutionTime({ ...parts.timing, counts, onChange: report });
  const lists = new AccessLists(upstream);
  const filler = new Filler({ sink, upstream, lists, counts, onRead: (keys) => recent?.note(keys) });
  const names = new NamedReads();
  const executors = liveExecutors(rules, parts.executor, { filler, names, counts, time });
  const { followBy, diffSample: share } = parts.following ?? { followBy: 'auto', diffSample: 0 };
  const reader = new DiffReader(upstream);
  const ways = new Ways(followBy, () => reader.offered);
  const diffs = { reader, upstream, executor: executors.plain, share };
  const tree = inherited ?? new BlockTree();
  const shared = { tree, sink, rules, counts, time, filler, senders: new Senders(parts.recover), upstream, turns };
  const ahead = new SystemAhead(filler, rules);
  const chain = new LiveChain({
    ...shared,
    diffs: { ...diffs, onDifference: (block, reason) => heads.distrust(block, reason) },
    executor: executors.next(),
    onConfirmed: (env) => ahead.after(env),
    onChanged: (changes) => recent?.touch(changes),
  });
  const payloads = new PayloadExecution({ ...shared, chain, diffs, executor: executors.next() });
  const driver = new Driver({ ...shared, chain, payloads });
  if (inherited !== null) {
    filler.anchorAt(inherited.tip!);
    // The stream tells again of what was pre-confirmed elsewhere, or it is confirmed.
    turns.add(() => driver.drop());
  }
  const warmer = recent === undefined ? null : new Warmer({ recent, filler, sink });
  const fetch = (head: BlockRef): Promise<UpstreamBlock | null> =>
    reader.block(head, driver.announced(head.number), tree.tip === null ? null : ways.expected);
  const follower = new Follower({
    ...shared,
    chain,
    fetch,
    beginBelow,
    report,
    ways,
    driver,
    onStart: () => warmer?.begin(),
  });
  const heads = new HeadQueue({
    ...shared,
    driver,
    follower,
    now,
    visible: visible.heads,
    fetch,
    onBlock: (block) => {
      if (ways.expected === null) shared.senders.expectBlock(block.transactions);
      driver.expectBlock(block);
    },
    onMoved: report,
  });
  const news = new NewsQueue({ ...shared, driver, visible: visible.increments });
  const events = parts.listen({
    onHead: (event) => heads.add(event),
    onNews: (each, arrivedMs) => news.add(each, arrivedMs),
  });
  const fill: Line['fill'] = (wants, purpose) => fillFor(wants, purpose, { filler, names, sink });
  return { counts, time, tree, follower, heads, news, events, warmer, fill };
}
