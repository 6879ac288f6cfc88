// The publisher's program for a live chain: learns which chain it is, follows it, answers main. Runs on the publisher.
import type { TransactionExecutorParts } from '../execution/block/transaction-executor.js';
import { createRules } from '../evm/ethereumjs/fork-rules.js';
import { monotonicMs, systemClock } from '../lib/clock.js';
import { createUpstream } from '../upstream/node.js';
import type { Upstream } from '../upstream/upstream.js';
import { LIMITS } from '../limits.js';
import type { LiveOptions } from '../feed/options.js';
import type { ToPublisher } from './protocol.js';
import { openRecorder, type Recorder } from '../feed/record/record.js';
import type { PublisherPort, SenderThreads } from './program.js';
import { describeChain } from '../feed/live/describe-chain.js';
import { LiveFeed } from '../feed/live/live-feed.js';
import { listenToNetwork, listenToRecord, type Events, type EventsListener } from '../feed/live/events.js';

/** What receives messages while a live chain is followed. */
interface Following {
  readonly feed: LiveFeed;
  readonly recorder: Recorder | null;
  readonly senders: SenderThreads;
}

/** What a live chain is followed with. */
interface LiveParts extends PublisherPort {
  readonly executor: TransactionExecutorParts;
}

/** Resolves once it follows. Rejects with StartError. */
export async function runLive(
  options: LiveOptions,
  { post, listen, startSenders, executor }: LiveParts,
): Promise<void> {
  const { upstreamUrl: url, upstreamWsUrl: wsUrl } = options;
  const upstream = createUpstream({ url, wsUrl, pollMs: LIMITS.headPollMs });
  const chain = await describeChain(options, upstream);
  const recorder = await recorderOf(options, post);
  const senders = startSenders();
  const feed = new LiveFeed({
    upstream,
    rules: createRules(chain),
    executor,
    listen: (listener) => listenTo(options, upstream, recorder, post, listener),
    post,
    recover: (transactions) => senders.recover(transactions),
    now: monotonicMs,
  });
  listen((message) => void receive(message, { feed, recorder, senders }, post));
  post({ kind: 'chain', chain, acceptsTransactions: false, renewed: false, devFeedPort: null });
  feed.start();
}

async function recorderOf({ recordFile }: LiveOptions, post: PublisherPort['post']): Promise<Recorder | null> {
  if (recordFile === null) return null;
  const onError = (reason: string): void => post({ kind: 'progress', text: `recording has ended: ${reason}` });
  return openRecorder(recordFile, { onError });
}

function listenTo(
  { feedUrl, replay }: LiveOptions,
  upstream: Upstream,
  recorder: Recorder | null,
  post: PublisherPort['post'],
  listener: EventsListener,
): Events {
  if (replay === null) return listenToNetwork({ upstream, feedUrl, recorder, clock: systemClock }, listener);
  const onEnd = (outcome: string): void => post({ kind: 'progress', text: outcome });
  return listenToRecord(replay, { clock: systemClock, onEnd }, listener);
}

async function receive(
  message: ToPublisher,
  { feed, recorder, senders }: Following,
  post: PublisherPort['post'],
): Promise<void> {
  switch (message.kind) {
    case 'fill':
    case 'request':
      return feed.ask(message);
    case 'stop':
      await feed.stop();
      await recorder?.close();
      await senders.close();
      post({ kind: 'stopped' });
      return;
    case 'transaction':
      post({ kind: 'rejected', id: message.id, message: 'the chain takes no transactions here' });
  }
}
