// Creates a live feed: the client of the node, the chain's rules, the executors, and the file of a recording that is
// made or replayed.
import type { TransactionExecutorDeps } from '../../execution/block/transaction-executor.js';
import { monotonicMs, systemClock } from '../../lib/clock.js';
import { Histogram } from '../../lib/histogram.js';
import { openLineAppender, type LineAppender } from '../../lib/line-appender.js';
import { LIMITS } from '../../limits/index.js';
import type { StartSenderRecovery } from '../../transaction/recover-sender.js';
import { createUpstream } from '../../upstream/create-upstream.js';
import type { LiveOptions, StreamFormatName } from '../chain-source-options.js';
import { queryEthConfig, discoverChain, waitForNode } from './rules/discover-chain.js';
import { subscribeToNetwork, subscribeToRecording } from './live-event-sources.js';
import type { LivePipelineDeps } from './live-pipeline.js';
import { LiveFeed } from './live-feed.js';
import { ForkScheduleTracker } from './rules/fork-schedule-tracker.js';
import { FLASHBLOCKS_FORMAT } from '../streams/flashblocks-decoder.js';
import type { StreamFormat } from '../streams/pre-confirmation-feed-connection.js';
import { SHREDS_FORMAT } from '../streams/shreds-decoder.js';
import { RecentKeyFile } from './warm/recent-key-file.js';
import { RecentKeySaver } from './warm/recent-key-saver.js';

export interface SenderRecoveryThreads {
  readonly recover: StartSenderRecovery;
  close(): Promise<void>;
}

export interface CreateLiveFeedDeps {
  readonly executor: TransactionExecutorDeps;
  /** Starts the threads that recover transaction senders. Called when the chain's rules are known. */
  readonly startSenders: () => SenderRecoveryThreads;
  /**
   * Histogram of the time from the arrival of a feed message until its state is published. Without a pre-confirmation
   * feed, the time starts at the arrival of a head.
   */
  readonly visible: Histogram;
  /** Shows a line to the operator. */
  readonly progress: (text: string) => void;
}

/**
 * Creates the feed of the node's chain. Rejects with StartError if the node does not respond, the chain's rules are
 * unknown, or a file is unusable.
 */
export async function createLiveFeed(options: LiveOptions, deps: CreateLiveFeedDeps): Promise<LiveFeed> {
  const { upstreamUrl: url, upstreamWsUrl: wsUrl } = options;
  const upstream = createUpstream({ url, wsUrl, pollMs: LIMITS.headPollMs });
  await waitForNode(upstream, { address: url, progress: deps.progress, clock: systemClock });
  const { known, check, reported } = await discoverChain(options, upstream);
  const query = { query: () => queryEthConfig(upstream), check, returns: () => upstream.returns, now: monotonicMs };
  const rules = new ForkScheduleTracker(known, query, reported);
  if (wsUrl === null && options.replay === null) deps.progress('no --upstream-ws: heads are polled');
  const recorder = await recorderOf(options, deps);
  const keeper = keeperOf(options, rules.chain.chainId, deps);
  const senders = deps.startSenders();
  return new LiveFeed({
    upstream,
    rules,
    executor: deps.executor,
    listen: (listener) => {
      const format = formatOf(options, rules.chain.chainId);
      const { feedUrls, replay } = options;
      const stream = feedUrls.length === 0 ? null : { urls: feedUrls, format };
      if (replay === null) return subscribeToNetwork({ upstream, stream, recorder, clock: systemClock }, listener);
      return subscribeToRecording(replay, { format, clock: systemClock, onEnd: deps.progress }, listener);
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

/**
 * Chooses which times `visible` records: those of feed messages, or those of heads if there is no feed. The other times
 * go to a histogram that nobody reads.
 */
function timed({ feedUrls }: LiveOptions, visible: Histogram): LivePipelineDeps['visible'] {
  const others = new Histogram();
  return feedUrls.length === 0 ? { heads: visible, increments: others } : { heads: others, increments: visible };
}

/** Creates the object that saves the recently used keys to a file; `null` if they are not saved. */
function keeperOf({ keysDir }: LiveOptions, chainId: bigint, { progress }: CreateLiveFeedDeps): RecentKeySaver | null {
  return keysDir === null ? null : new RecentKeySaver(new RecentKeyFile(keysDir, chainId), progress);
}

async function recorderOf({ recordFile }: LiveOptions, { progress }: CreateLiveFeedDeps): Promise<LineAppender | null> {
  if (recordFile === null) return null;
  const { recordWaitingBytesMax: waitingBytesMax, recordFlushMs: flushMs } = LIMITS;
  const options = { fileBytesMax: Infinity, waitingBytesMax, flushMs };
  return openLineAppender(recordFile, options, (reason) => progress(`recording has ended: ${reason}`));
}

/**
 * The supported stream formats, and the ids of chains known to use them: RISE and its test network. Other chains send
 * Flashblocks.
 */
const STREAMS: Readonly<
  Record<StreamFormatName, { readonly format: StreamFormat; readonly chains: readonly bigint[] }>
> = {
  flashblocks: { format: FLASHBLOCKS_FORMAT, chains: [] },
  shreds: { format: SHREDS_FORMAT, chains: [4153n, 11_155_931n] },
};

function formatOf({ feedFormat }: LiveOptions, chainId: bigint): StreamFormat {
  if (feedFormat !== 'auto') return STREAMS[feedFormat].format;
  return Object.values(STREAMS).find(({ chains }) => chains.includes(chainId))?.format ?? FLASHBLOCKS_FORMAT;
}
