// The program of the publisher thread: creates the feed, restores the table from the archive if there is one, runs the
// feed, and handles the main thread's messages.
import { comparableChainDescription } from '../chain/chain-description.js';
import { engineFactory } from '../evm/kernel/kernel-or-reference-engine.js';
import { systemClock } from '../lib/clock.js';
import { Histogram } from '../lib/histogram.js';
import { StartError } from '../lib/start-error.js';
import { ArchiveWriter } from '../state/archive/writer.js';
import { createDevChain, type DevChainDeps } from '../feed/dev/dev-chain.js';
import { serveFeed } from '../feed/dev/feed-server.js';
import type { Feed, ReplicaFeedSink } from '../feed/feed.js';
import { createImportFeed } from '../feed/import/import-feed.js';
import type { CreateLiveFeedDeps, SenderRecoveryThreads } from '../feed/live/create-live-feed.js';
import { handleMainThreadRequest } from './handle-main-thread-request.js';
import type { ExecutingFeed } from '../replicas/standby-executor.js';
import type { MessageFromPublisher, PublisherOptions, MessageToPublisher } from './publisher-protocol.js';
import type { ReplicationStatus } from '../replicas/replication-status.js';
import { StateWriter } from './state-writer.js';

/** Connects the publisher to the main thread and to other threads. */
interface PublisherPort {
  readonly post: (message: MessageFromPublisher) => void;
  readonly listen: (receive: (message: MessageToPublisher) => void) => void;
  /** Starts the threads that recover transaction senders. Only a live chain needs them. */
  readonly startSenders: () => SenderRecoveryThreads;
}

/**
 * Runs until the main thread sends `stop`. A StartError, for example for unusable input, is reported as `fatal`; any
 * other exception is a bug.
 */
export async function runPublisher(options: PublisherOptions, port: PublisherPort): Promise<void> {
  try {
    await run(options, port);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    port.post({ kind: 'fatal', message: error.message, exitCode: error.exitCode });
  }
}

async function run(options: PublisherOptions, port: PublisherPort): Promise<void> {
  const { source, dataDir, kernel, table } = options;
  const { post, listen, startSenders } = port;
  const executor = { createEngine: engineFactory(kernel) };
  const progress = (text: string): void => post({ kind: 'progress', text });
  // The archive can be opened only when the feed exists, but the feed reads it while it runs. So both refer to this
  // variable.
  const opened: { archive: ArchiveWriter | null; publisher: StateWriter | null } = { archive: null, publisher: null };
  const visible = Histogram.in(options.visible);
  const deps = { executor, startSenders, progress, visible, contents: () => opened.archive! };
  const replicas = { report: (status: ReplicationStatus) => post({ kind: 'replication', status }), progress };
  const own =
    source.kind === 'replica'
      ? await (await replication()).openReplica(source, replicas)
      : await createFeed(source, deps);
  const buffer = (): SharedArrayBuffer | null => opened.publisher?.buffer ?? null;
  const { publishTo } = options;
  const onDeposed = (message: string): void => post({ kind: 'fatal', message, exitCode: 1 });
  const replicating = { ...replicas, onDeposed, source, buffer };
  const replicated =
    publishTo === undefined ? null : await (await replication()).leadOrFollow(own, publishTo, replicating);
  const feed: Feed<ReplicaFeedSink> = replicated?.feed ?? own;
  const chain = comparableChainDescription(feed.chain);
  const archive = feed.upstream === undefined ? ArchiveWriter.open(dataDir, chain) : null;
  opened.archive = archive;
  const outbox = replicated === null ? {} : { outbox: replicated.outbox };
  const publisher = (opened.publisher = new StateWriter({ archive, post, table, ...outbox }));
  post(description(source, feed));
  if (options.countsSends === true) {
    feed.group?.start({
      onSend: (send, member, sendId) => post({ kind: 'send', send, member, sendId }),
      onMember: (member) => post({ kind: 'member', member }),
    });
  }
  listen((message) => void receive(message, feed, archive, post));
  if (archive !== null) publisher.restore(archive);
  if (source.kind !== 'import') publisher.open();
  await feed.run(publisher, archive?.head() ?? null);
  publisher.open();
}

/**
 * Loads the code of replication only when it is needed, because it includes the large NATS client. The code of live
 * chains, which includes other large clients, is loaded in the same way.
 */
function replication(): Promise<typeof import('../replicas/create-replica-or-executor.js')> {
  return import('../replicas/create-replica-or-executor.js');
}

type FeedDeps = CreateLiveFeedDeps & Omit<DevChainDeps, 'clock'>;

async function createFeed(
  source: Exclude<PublisherOptions['source'], { readonly kind: 'replica' }>,
  deps: FeedDeps,
): Promise<ExecutingFeed> {
  switch (source.kind) {
    case 'dev': {
      const chain = createDevChain(source, { clock: systemClock, ...deps });
      const { feedPort } = source;
      return feedPort === undefined ? chain : serveFeed(chain, feedPort);
    }
    case 'import':
      return createImportFeed(source, deps);
    case 'live':
      return (await import('../feed/live/create-live-feed.js')).createLiveFeed(source, deps);
  }
}

function description({ kind }: PublisherOptions['source'], feed: Feed<ReplicaFeedSink>): MessageFromPublisher {
  const { chain, devFeedPort = null } = feed;
  const acceptsTransactions = feed.submit !== undefined;
  return { kind: 'chain', chain, acceptsTransactions, renewed: kind === 'dev', devFeedPort };
}

async function receive(
  message: MessageToPublisher,
  feed: Feed<ReplicaFeedSink>,
  archive: ArchiveWriter | null,
  post: PublisherPort['post'],
): Promise<void> {
  if (message.kind !== 'stop') return post(await handleMainThreadRequest(message, feed));
  await feed.stop();
  await archive?.close();
  post({ kind: 'stopped' });
}
