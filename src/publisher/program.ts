// The publisher's program: opens the archive, restores the table from it, runs the feed and listens to main. Runs on the
// publisher.
import { engines } from '../evm/kernel/engines.js';
import type { TransactionExecutorParts } from '../execution/block/transaction-executor.js';
import type { RecoverSenders } from '../transaction/sender.js';
import { systemClock } from '../lib/clock.js';
import { toHex } from '../lib/hex.js';
import { StartError } from '../start-error.js';
import { ArchiveWriter } from '../state/archive/writer.js';
import { TableWriter } from '../state/table/writer.js';
import { DEV_EXTRA_DATA, createDevChain } from '../feed/dev/chain.js';
import { listenDevFeed } from '../feed/dev/flashblocks-server.js';
import type { Feed, FeedSink } from '../feed/feed.js';
import { createImportFeed, type ImportParts } from '../feed/import/import.js';
import { runLive } from './live-program.js';
import type { DevChainOptions, ImportOptions } from '../feed/options.js';
import type { FromPublisher, PublisherOptions, ToPublisher } from './protocol.js';
import { Publisher } from './writer.js';

/** Chains that need no other node. */
type OwnSource = DevChainOptions | ImportOptions;

/** What the thread is connected to. */
export interface PublisherPort {
  readonly post: (message: FromPublisher) => void;
  readonly listen: (receive: (message: ToPublisher) => void) => void;
  /** A live chain needs them. */
  readonly startSenders: () => SenderThreads;
}

/** Threads that recover senders, until they are closed. */
export interface SenderThreads {
  readonly recover: RecoverSenders;
  close(): Promise<void>;
}

/** Runs until main says stop. Bad input is reported to main as `fatal`; anything else is a bug and ends the thread. */
export async function runPublisher(options: PublisherOptions, port: PublisherPort): Promise<void> {
  try {
    await run(options, port);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    port.post({ kind: 'fatal', message: error.message, exitCode: error.exitCode });
  }
}

async function run({ source, dataDir, kernel }: PublisherOptions, port: PublisherPort): Promise<void> {
  const executor: TransactionExecutorParts = {
    createEngine: engines(kernel, (mismatch) => port.post({ kind: 'mismatch', mismatch })),
  };
  if (source.kind === 'live') return runLive(source, { ...port, executor });
  // The feed tells which chain the archive must be of, and reads the archive only once it runs.
  const opened: { archive: ArchiveWriter | null } = { archive: null };
  const feed = createFeed(source, { executor, contents: () => opened.archive! });
  const archive = ArchiveWriter.open(dataDir, identity(feed));
  opened.archive = archive;
  const publisher = new Publisher({ table: TableWriter.create({ complete: true }), archive, post: port.post });
  const renewed = source.kind === 'dev';
  const { sink, devFeedPort, close } = await withFollowers(source, publisher);
  port.post({ kind: 'chain', chain: feed.chain, acceptsTransactions: feed.submit !== undefined, renewed, devFeedPort });
  const closing = [() => archive.close(), close];
  port.listen((message) => void receive(message, feed, closing, port));
  publisher.restore(archive);
  if (renewed) publisher.open();
  await feed.run(sink, archive.head());
  publisher.open();
}

/** What the feed reports to, and where its followers find it. */
interface Followed {
  readonly sink: FeedSink;
  readonly devFeedPort: number | null;
  readonly close: () => Promise<void>;
}

/** The sink for the feed: where a dev chain has followers, what was published is announced to them. */
async function withFollowers(source: OwnSource, sink: FeedSink): Promise<Followed> {
  if (source.kind !== 'dev' || source.feedPort === undefined) {
    return { sink, devFeedPort: null, close: async () => undefined };
  }
  const devFeed = await listenDevFeed({ port: source.feedPort, encoding: 'brotli', extraData: DEV_EXTRA_DATA });
  sink.progress(`the dev chain's feed is at ws://127.0.0.1:${devFeed.port}`);
  return { sink: devFeed.over(sink), devFeedPort: devFeed.port, close: () => devFeed.close() };
}

function createFeed(source: OwnSource, parts: ImportParts): Feed {
  switch (source.kind) {
    case 'dev':
      return createDevChain(source, { clock: systemClock, ...parts });
    case 'import':
      return createImportFeed(source, parts);
  }
}

/** Text by which the archive knows its chain again. */
export function identity({ chain }: Pick<Feed, 'chain'>): string {
  return JSON.stringify(chain, (_name, value: unknown) => {
    if (typeof value === 'bigint') return value.toString();
    return value instanceof Uint8Array ? toHex(value) : value;
  });
}

async function receive(
  message: ToPublisher,
  feed: Feed,
  closing: readonly (() => Promise<void>)[],
  { post }: PublisherPort,
): Promise<void> {
  switch (message.kind) {
    case 'transaction': {
      const { id, raw } = message;
      const submission = await feed.submit!(raw);
      if (submission.accepted) post({ kind: 'accepted', id, hash: submission.hash });
      else post({ kind: 'rejected', id, message: submission.message });
      break;
    }
    case 'stop':
      await feed.stop();
      await Promise.all(closing.map((close) => close()));
      post({ kind: 'stopped' });
      break;
    case 'fill':
      post({ kind: 'unfilled', id: message.id, message: 'nothing is missing here' });
      break;
    case 'request':
      post({ kind: 'refusal', id: message.id, message: 'there is no upstream node', rpc: null });
  }
}
