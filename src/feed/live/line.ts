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
import type { KeptBlocks } from './canonical/kept-blocks.js';
import { LiveChain } from './canonical/live-chain.js';
import { AccessLists } from './cold/access-lists.js';
import { Filler } from './cold/filler.js';
import { SystemAhead } from './cold/system-ahead.js';
import { fillFor } from './cold/fill-for.js';
import { NamedReads } from './cold/named-reads.js';
import type { Events, EventsListener } from './events.js';
import { ExecutionTime, type ExecutionTimeParts } from './executing/execution-time.js';
import { liveExecutors } from './executing/executors.js';
import { Senders } from './executing/senders.js';
import { NewsQueue } from './pre-confirmed/news-queue.js';
import { PendingChain } from './pre-confirmed/pending-chain.js';
import { PreConfirmed } from './pre-confirmed/pre-confirmed.js';
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
  /** The sink's state is the beginning, with these as its newest blocks; `null`: it is not. */
  readonly kept: KeptBlocks | null;
  /** Tells main how the chain fares. */
  readonly report: () => void;
}

/** Parts that are looked at and closed from outside. */
export interface Line {
  readonly counts: LiveCounts;
  readonly time: ExecutionTime;
  readonly chain: LiveChain;
  readonly follower: Follower;
  readonly heads: HeadQueue;
  readonly news: NewsQueue;
  readonly events: Events;
  readonly warmer: Warmer | null;
  readonly fill: UpstreamAccess['fill'];
}

/** Listens from here on. */
export function lineOn(sink: LiveSink, parts: LineParts, { turns, kept, report }: LineStart): Line {
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
  const shared = { sink, rules, counts, time, filler, senders: new Senders(parts.recover), upstream, turns };
  const ahead = new SystemAhead(filler, rules);
  const chain = new LiveChain({
    ...shared,
    diffs: { ...diffs, onDifference: (block, reason) => heads.distrust(block, reason) },
    executor: executors.next(),
    onConfirmed: (env) => ahead.after(env),
    onChanged: (changes) => recent?.touch(changes),
  });
  const pending = new PendingChain({ ...shared, chain, diffs, executor: executors.next() });
  const preConfirmed = new PreConfirmed({ ...shared, chain, pending });
  if (kept !== null) {
    chain.resume(kept);
    // The stream tells again of what was pre-confirmed elsewhere, or it is confirmed.
    preConfirmed.reset();
  }
  const warmer = recent === undefined ? null : new Warmer({ recent, filler, sink });
  const fetch = (head: BlockRef): Promise<UpstreamBlock | null> =>
    reader.block(head, preConfirmed.announced(head.number), chain.tip === null ? null : ways.expected);
  const follower = new Follower({
    ...shared,
    chain,
    fetch,
    beginBelow,
    report,
    ways,
    take: (block, way) => preConfirmed.canonical(block, way),
    returnTo: (block) => preConfirmed.returnTo(block),
    onRules: () => preConfirmed.reset(),
    onStart: (block) => {
      preConfirmed.began(block);
      warmer?.begin();
    },
  });
  const heads = new HeadQueue({
    ...shared,
    chain,
    follower,
    now,
    visible: visible.heads,
    fetch,
    onBlock: (block) => {
      if (ways.expected === null) shared.senders.expectBlock(block.transactions);
      preConfirmed.expectBlock(block);
    },
    onTags: (tags) => preConfirmed.setTags(tags),
    onMoved: report,
  });
  const news = new NewsQueue({ ...shared, preConfirmed, visible: visible.increments });
  const events = parts.listen({
    onHead: (event) => heads.add(event),
    onNews: (each, arrivedMs) => news.add(each, arrivedMs),
  });
  const fill: Line['fill'] = (wants, purpose) => fillFor(wants, purpose, { filler, names, sink });
  return { counts, time, chain, follower, heads, news, events, warmer, fill };
}
