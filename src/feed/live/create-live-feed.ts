// Creates a live feed from its options: the client of the node, the chain that it follows, and the recording that is
// written or replayed.
import type { TransactionExecutorDeps } from '../../execution/block/transaction-executor.js';
import { monotonicMs, systemClock } from '../../lib/clock.js';
import { Histogram } from '../../lib/histogram.js';
import { openLineAppender, type LineAppender } from '../../lib/line-appender.js';
import { LIMITS } from '../../limits/index.js';
import type { StartSenderRecovery } from '../../transaction/recover-sender.js';
import { createUpstream } from '../../upstream/node.js';
import type { Upstream } from '../../upstream/upstream.js';
import type { LiveOptions, StreamName } from '../options.js';
import { queryForks, describeChain, nodeResponds } from './rules/describe-chain.js';
import {
  listenToNetwork,
  listenToRecord,
  type LiveSubscriptions,
  type SubscriptionsListener,
} from './subscriptions.js';
import type { LivePipelineDeps } from './assemble.js';
import { LiveFeed } from './live-feed.js';
import { RuleHistory } from './rules/rule-book.js';
import { FLASHBLOCKS } from '../streams/flashblock.js';
import type { StreamFormat } from '../streams/follow-stream.js';
import { SHREDS } from '../streams/shred.js';
import { KeyFile } from './warm/key-file.js';
import { KeyKeeper } from './warm/key-keeper.js';

/** Threads that recover senders until they are closed. */
export interface SenderThreads {
  readonly recover: StartSenderRecovery;
  close(): Promise<void>;
}

export interface LiveDeps {
  /** The executor of transactions; the reference engine by default. */
  readonly executor?: TransactionExecutorDeps;
  /** Starts the threads that recover senders. Called when the chain is known. */
  readonly startSenders: () => SenderThreads;
  /** Histogram of the time from a feed message until readers see its state, or from a head if no feed is followed. */
  readonly visible: Histogram;
  /** Shows a line to the operator. */
  readonly progress: (text: string) => void;
}

/**
 * Asks the node which chain it has, and creates the feed. Rejects with StartError if the node does not respond, the
 * rules are unknown, or a file cannot be used.
 */
export async function createLiveFeed(options: LiveOptions, deps: LiveDeps): Promise<LiveFeed> {
  const { upstreamUrl: url, upstreamWsUrl: wsUrl } = options;
  const upstream = createUpstream({ url, wsUrl, pollMs: LIMITS.headPollMs });
  await nodeResponds(upstream, { address: url, progress: deps.progress, clock: systemClock });
  const { known, check, reported } = await describeChain(options, upstream);
  const query = { query: () => queryForks(upstream), check, returns: () => upstream.returns, now: monotonicMs };
  const rules = new RuleHistory(known, query, reported);
  if (wsUrl === null && options.replay === null) deps.progress('no --upstream-ws: heads are polled');
  const recorder = await recorderOf(options, deps);
  const keeper = keeperOf(options, rules.chain.chainId, deps);
  const senders = deps.startSenders();
  const how = deps.executor === undefined ? {} : { executor: deps.executor };
  return new LiveFeed({
    upstream,
    rules,
    ...how,
    listen: (listener) => {
      const format = formatOf(options, rules.chain.chainId);
      return listenTo(options, { upstream, format, recorder, progress: deps.progress }, listener);
    },
    recover: (transactions) => senders.recover(transactions),
    now: monotonicMs,
    visible: timed(options, deps.visible),
    startBelow: LIMITS.startBelowBlocks,
    following: options,
    ...(keeper === null ? {} : { recent: keeper.recent }),
    closing: [async () => recorder?.close(), async () => keeper?.close(), () => senders.close()],
  });
}

/** Chooses which times are recorded: those of the feed, or of heads if there is none. The others are discarded. */
function timed({ feedUrls }: LiveOptions, visible: Histogram): LivePipelineDeps['visible'] {
  const others = new Histogram();
  return feedUrls.length === 0 ? { heads: visible, increments: others } : { heads: others, increments: visible };
}

/** What saves the recent keys; `null` if they are not saved. */
function keeperOf({ keysDir }: LiveOptions, chainId: bigint, { progress }: LiveDeps): KeyKeeper | null {
  return keysDir === null ? null : new KeyKeeper(new KeyFile(keysDir, chainId), progress);
}

async function recorderOf({ recordFile }: LiveOptions, { progress }: LiveDeps): Promise<LineAppender | null> {
  if (recordFile === null) return null;
  const { recordWaitingBytesMax: waitingBytesMax, recordFlushMs: flushMs } = LIMITS;
  const options = { fileBytesMax: Infinity, waitingBytesMax, flushMs };
  return openLineAppender(recordFile, options, (reason) => progress(`recording has ended: ${reason}`));
}

interface EventDeps extends Pick<LiveDeps, 'progress'> {
  readonly upstream: Upstream;
  readonly format: StreamFormat;
  readonly recorder: LineAppender | null;
}

/** Stream formats, and the chains known to use them: RISE and its test network. Others send Flashblocks. */
const STREAMS: Readonly<Record<StreamName, { readonly format: StreamFormat; readonly chains: readonly bigint[] }>> = {
  flashblocks: { format: FLASHBLOCKS, chains: [] },
  shreds: { format: SHREDS, chains: [4153n, 11_155_931n] },
};

function formatOf({ feedFormat }: LiveOptions, chainId: bigint): StreamFormat {
  if (feedFormat !== 'auto') return STREAMS[feedFormat].format;
  return Object.values(STREAMS).find(({ chains }) => chains.includes(chainId))?.format ?? FLASHBLOCKS;
}

function listenTo(
  { feedUrls, replay }: LiveOptions,
  deps: EventDeps,
  listener: SubscriptionsListener,
): LiveSubscriptions {
  const { upstream, format, recorder, progress } = deps;
  const stream = feedUrls.length === 0 ? null : { urls: feedUrls, format };
  if (replay === null) return listenToNetwork({ upstream, stream, recorder, clock: systemClock }, listener);
  return listenToRecord(replay, { format, clock: systemClock, onEnd: progress }, listener);
}
