// A live feed with a test node as its upstream, a WebSocket for its increments, and a stand-in for the main thread.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { LiveFeed, type LiveFeedDeps } from '../../../src/feed/live/live-feed.js';
import { queryEthConfig, discoverChain } from '../../../src/feed/live/rules/discover-chain.js';
import { ForkScheduleTracker } from '../../../src/feed/live/rules/fork-schedule-tracker.js';
import { FLASHBLOCKS_FORMAT } from '../../../src/feed/streams/flashblocks-decoder.js';
import type { StreamFormat } from '../../../src/feed/streams/pre-confirmation-feed-connection.js';
import type { LiveOptions } from '../../../src/feed/chain-source-options.js';
import {
  subscribeToNetwork,
  type LiveEventSource,
  type LiveEventListener,
} from '../../../src/feed/live/live-event-sources.js';
import { handleMainThreadRequest } from '../../../src/publisher/handle-main-thread-request.js';
import type { MessageFromPublisher } from '../../../src/publisher/publisher-protocol.js';
import { StateWriter } from '../../../src/publisher/state-writer.js';
import type { LiveStatus } from '../../../src/feed/live-status.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import type { StateView } from '../../../src/state/views/state-view.js';
import { monotonicMs, systemClock } from '../../../src/lib/clock.js';
import { Histogram } from '../../../src/lib/histogram.js';
import { keysMissingFrom, type MissingKeys } from '../../../src/state/views/miss-recording-view.js';
import type { TableSettings } from '../../../src/state/table/writer.js';
import { TableReader, type Snapshot } from '../../../src/state/table/read/table-reader-and-snapshot.js';
import type { ChainRules } from '../../../src/evm/reference/fork-rules.js';
import { recoverSender, type StartSenderRecovery } from '../../../src/transaction/recover-sender.js';
import type { Upstream } from '../../../src/upstream/upstream.js';
import { createUpstream } from '../../../src/upstream/create-upstream.js';
import { PATIENCE_MS, until } from '../../support/patience.js';
import { UpstreamNode, type NodeBlock } from '../../support/upstream-node.js';
import { RULES, type MadeBlock } from './chain-maker.js';
import { recovered } from '../../support/recovered.js';
import { EXECUTOR } from '../../support/engine.js';

/** Recovers senders on this thread. */
const recover: StartSenderRecovery = (transactions) => recovered(transactions.map((raw) => recoverSender(raw)));

export interface RigOptions {
  readonly blocks: readonly HeadBlock[];
  /** Whether there is a feed of increments. */
  readonly hasFeed?: boolean;
  /** The feed's format; default: Flashblocks. */
  readonly format?: StreamFormat;
  /** Number of feeds; default: 1. */
  readonly feeds?: number;
  /** Default: the dev chain's rules. */
  readonly rules?: ChainRules;
  /** Wraps the client of the upstream node. */
  readonly wrap?: (upstream: Upstream) => Upstream;
  readonly timing?: LiveFeedDeps['timing'];
  /** How blocks get into the state; default: `auto` without samples. */
  readonly following?: LiveFeedDeps['following'];
  /** How many blocks below the head the state starts; default: 0. */
  readonly startBelow?: number;
  /** Whether heads are announced by WebSocket; default: true. */
  readonly isPushed?: boolean;
  /** Numbers of the node's safe and finalized blocks at the start. */
  readonly tags?: readonly [safe: number, finalized: number];
  /** Hashes of blocks whose state the node has pruned. */
  readonly pruned?: Iterable<string>;
  /** Whether the node is queried for its rules, as the program does. */
  readonly queriesRules?: boolean;
  /** Genesis file with the rules, if the node is queried for them. */
  readonly genesisFile?: string;
  /** Called with the node before its first request. */
  readonly prepare?: (node: UpstreamNode) => void;
  /** Table settings in addition to those of all rigs. */
  readonly table?: TableSettings;
}

const PATIENT_BOUNDS = { ms: PATIENCE_MS, msMax: PATIENCE_MS };
/** Nothing is aborted because of the time it takes on a busy machine. */
const PATIENT = { bounds: { block: PATIENT_BOUNDS, increment: PATIENT_BOUNDS } };

const AUTO = { followBy: 'auto', diffSample: 0 } as const;

/** A block of the node, as far as the rig uses it. */
type HeadBlock = NodeBlock & Pick<MadeBlock, 'number' | 'hash'>;

export class LiveRig {
  /** Table settings of all rigs. */
  static table: TableSettings = {};
  /** Evicted entries in all stopped rigs. */
  static evictions = 0;
  readonly node: UpstreamNode;
  readonly feed: LiveFeed;
  readonly messages: MessageFromPublisher[] = [];
  readonly notes: string[] = [];
  readonly warnings: string[] = [];
  readonly visible = new Histogram();
  readonly headsVisible = new Histogram();
  /** Number of tables so far, including the first one. */
  epochs = 0;
  /** Number of heads and frames that the feed has received. */
  received = 0;
  readonly #servers: readonly WebSocketServer[];
  readonly #publisher: StateWriter;
  #reader: TableReader | null = null;

  private constructor(
    deps: Pick<LiveFeedDeps, 'upstream' | 'rules'>,
    node: UpstreamNode,
    servers: readonly WebSocketServer[],
    options: RigOptions,
  ) {
    const { wrap, timing = PATIENT, following = AUTO, startBelow = 0 } = options;
    const { upstream: client, rules } = deps;
    this.node = node;
    this.#servers = servers;
    const table = { ...LiveRig.table, ...options.table };
    this.#publisher = new StateWriter({ archive: null, post: (message) => this.#receive(message), table });
    const upstream = wrap === undefined ? client : wrap(client);
    const urls = servers.map((server) => `ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const stream = urls.length === 0 ? null : { urls, format: options.format ?? FLASHBLOCKS_FORMAT };
    const network = { upstream, stream, recorder: null, clock: systemClock };
    const listen = (listener: LiveEventListener): LiveEventSource =>
      subscribeToNetwork(network, this.#counted(listener));
    this.feed = new LiveFeed({
      upstream,
      rules,
      listen,
      recover,
      now: monotonicMs,
      visible: { increments: this.visible, heads: this.headsVisible },
      executor: EXECUTOR,
      startBelow,
      timing,
      following,
    });
  }

  /** Follows the node from its head on. */
  static async start(options: RigOptions): Promise<LiveRig> {
    const {
      blocks,
      hasFeed = false,
      feeds = 1,
      rules = RULES,
      queriesRules: asksRules = false,
      isPushed = true,
      prepare,
    } = options;
    const { genesisFile = null } = options;
    const node = await UpstreamNode.start({ chainId: rules.chain.chainId, blocks });
    for (const hash of options.pruned ?? []) node.faults.pruned.add(hash);
    if (options.tags !== undefined) node.setTags(...options.tags);
    prepare?.(node);
    const upstream = createUpstream(
      { url: node.url, wsUrl: isPushed ? node.wsUrl : null, pollMs: 20 },
      { tuning: { triesMax: 1, tagsMs: 20, timeoutMs: PATIENCE_MS, silenceMs: PATIENCE_MS } },
    );
    const tracker = asksRules
      ? await queriedTracker(upstream, genesisFile)
      : new ForkScheduleTracker({ chain: rules.chain, unknown: null }, null);
    const servers = Array.from(
      { length: hasFeed ? feeds : 0 },
      () => new WebSocketServer({ host: '127.0.0.1', port: 0 }),
    );
    await Promise.all(servers.map((server) => once(server, 'listening')));
    const rig = new LiveRig({ upstream, rules: tracker }, node, servers, options);
    rig.follow();
    await rig.until(() => servers.every(({ clients }) => clients.size === 1), 'connected to the feeds');
    await rig.atHead(blocks.at(-1)!);
    return rig;
  }

  /** Starts to follow, as the publisher's program does. */
  follow(): void {
    this.#publisher.open();
    void this.feed.run(this.#publisher);
  }

  async stop(): Promise<void> {
    LiveRig.evictions += this.#reader?.usage().evictions ?? 0;
    await this.feed.stop();
    for (const server of this.#servers) {
      for (const socket of server.clients) socket.terminate();
      server.close();
    }
    await this.node.close();
  }

  get reader(): TableReader {
    if (this.#reader === null) throw new Error('there is no table yet');
    return this.#reader;
  }

  get status(): LiveStatus {
    return this.feed.status;
  }

  /** Record of the newest version. */
  get newest(): ReturnType<TableReader['record']> {
    return this.reader.record(this.reader.newest());
  }

  /** The snapshot behind `latest`. */
  get latest(): Snapshot {
    return this.reader.snapshot(this.newest.latestVersion);
  }

  /** The snapshot behind `pending`. */
  get pending(): Snapshot {
    return this.reader.snapshot(this.reader.newest());
  }

  /** Number of connections to the feed. */
  get connections(): number {
    return this.#servers[0]!.clients.size;
  }

  /** Sends feed messages. */
  send(...frames: readonly string[]): void {
    this.sendBy(0, ...frames);
  }

  /** Sends messages through one of the feeds. */
  sendBy(feed: number, ...frames: readonly string[]): void {
    for (const socket of this.#servers[feed]!.clients) for (const frame of frames) socket.send(frame);
  }

  /** Cuts the connections of one of the feeds. */
  cut(feed = 0): void {
    for (const socket of this.#servers[feed]!.clients) socket.terminate();
  }

  /** Waits until the block is `latest`. */
  atHead({ hash: wanted, number }: Pick<HeadBlock, 'number' | 'hash'>): Promise<void> {
    return this.until(() => {
      if (this.#reader === null || this.newest.heads.latest !== number) return false;
      const hash = this.pending.blockHash(number);
      return hash !== null && Buffer.compare(hash, wanted) === 0;
    }, `block ${number} is the head`);
  }

  /** The node gets these blocks, each once the one before is `latest`. */
  async confirm(...blocks: readonly HeadBlock[]): Promise<void> {
    for (const block of blocks) {
      this.node.push(block);
      await this.atHead(block);
    }
  }

  /** True once this increment of a block is the newest version. */
  isAt({ number }: Pick<HeadBlock, 'number'>, index: number): () => boolean {
    return () => this.newest.coordinates.block === number && this.newest.coordinates.index === index;
  }

  until(isDone: () => boolean, what: string): Promise<void> {
    return until(isDone, () => `${what}; ${this.notes.join('; ')}`);
  }

  /** Fetches state into the cache; returns the error, if any. */
  async fetch(missing: MissingKeys, requested?: unknown): Promise<string | null> {
    const message = await handleMainThreadRequest(
      { kind: 'fill', id: 0, missing, purpose: { to: null, call: requested } },
      this.feed,
    );
    return message.kind === 'refusal' ? message.message : null;
  }

  /** Those of `wants` that are not cached at the newest version. */
  missing(wants: MissingKeys): MissingKeys {
    return keysMissingFrom(this.pending, wants);
  }

  #counted(listener: LiveEventListener): LiveEventListener {
    return {
      ...listener,
      onHead: (event) => {
        listener.onHead(event);
        if (event.kind === 'head') this.received++;
      },
      onEvent: (news, arrivedMs) => {
        listener.onEvent(news, arrivedMs);
        if ('increment' in news) this.received++;
      },
    };
  }

  #receive(message: MessageFromPublisher): void {
    this.messages.push(message);
    switch (message.kind) {
      case 'table':
        this.#reader = new TableReader(message.buffer);
        if (!message.continues) this.epochs++;
        break;
      case 'progress':
        this.notes.push(message.text);
        break;
      case 'warning':
        this.warnings.push(message.text);
        break;
      default:
        break;
    }
  }
}

/** Every key reads as in `expected`. */
export function assertSameState(actual: StateView, expected: StateView, keys: MissingKeys, what: string): void {
  for (const address of keys.accounts)
    assert.deepEqual(actual.account(address), expected.account(address), `${what}: ${toHex(address)}`);
  for (const { address, slot } of keys.slots) {
    const [word, right] = [actual, expected].map((view) => toHex(view.storage(address, slot)));
    assert.equal(word, right, `${what}: slot ${toHex(slot)} of ${toHex(address)}`);
  }
}

async function queriedTracker(upstream: Upstream, genesisFile: string | null): Promise<ForkScheduleTracker> {
  const { known, check, reported } = await discoverChain({ genesisFile, rules: 'auto' } as LiveOptions, upstream);
  const query = { query: () => queryEthConfig(upstream), check, returns: () => upstream.returns, now: monotonicMs };
  return new ForkScheduleTracker(known, query, reported);
}
