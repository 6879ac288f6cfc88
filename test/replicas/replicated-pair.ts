// Executors and replicas in one process over a real NATS server: an executor that makes up its chain, and replicas
// whose every version is compared with the executor's.
import assert from 'node:assert/strict';
import { decodeHeader, encodeHeader, blockEnvOfHeader } from '../../src/chain/block/header.js';
import { devGenesisBlock } from '../../src/feed/dev/genesis.js';
import { AccessListRequester } from '../../src/feed/live/cold/request-access-lists-from-node.js';
import { newLiveFeedCounters } from '../../src/feed/live-feed-counters.js';
import { StateFetcher } from '../../src/feed/live/cold/state-fetcher.js';
import type { NatsOptions } from '../../src/feed/chain-source-options.js';
import { DEV_CHAIN } from '../../src/feed/dev/genesis.js';
import { ExecutorClient } from '../../src/replicas/feed/executor-client.js';
import { Replica } from '../../src/replicas/feed/replica.js';
import { monotonicMs, systemClock } from '../../src/lib/clock.js';
import { toHex } from '../../src/lib/bytes/hex.js';
import { LIMITS } from '../../src/limits/index.js';
import { answerReplicaRequest } from '../../src/replicas/outbox/answer-replica-requests.js';
import { Outbox } from '../../src/replicas/outbox/outbox.js';
import type { MessageFromPublisher } from '../../src/publisher/publisher-protocol.js';
import { StateWriter } from '../../src/publisher/state-writer.js';
import type { ChainBus } from '../../src/replicas/bus/chain-bus.js';
import { Lease } from '../../src/replicas/bus/lease.js';
import { connectNats, type NatsBus } from '../../src/replicas/bus/nats-bus.js';
import type { ChainDescription } from '../../src/chain/chain-description.js';
import type { ChainRecord } from '../../src/replicas/messages/control-messages-json.js';
import type { ReplicationStatus } from '../../src/replicas/replication-status.js';
import type { CompleteBlock } from '../../src/state/complete-block.js';
import type { AccountChange, CodeChange, SlotChange, StateDiff } from '../../src/state/state-diff.js';
import type { MissingKeys } from '../../src/state/views/miss-recording-view.js';
import { StateMiss } from '../../src/state/views/state-miss.js';
import { TableReader } from '../../src/state/table/read/table-reader-and-snapshot.js';
import { blockOf as archivedBlock } from '../state/archive/blocks.js';
import { account, addressOf, bytes, diffOf, hashOf, slot, wordOf } from '../state/diffs.js';
import { until } from '../support/patience.js';
import { FIRST_VERSION } from './first-version.js';

const ACCOUNTS = 8;
const SLOTS = 4;
/** Most versions that wait for the server. */
export const WAITING_MAX = 100;
/** A result that takes several messages. */
export const LONG = 'long'.repeat(LIMITS.replicationFragmentBytes);
const GENESIS = devGenesisBlock(new Uint8Array(32), 1_700_000_000);
const codeHashOf = (code: number): Uint8Array => bytes(32, 0xc0de00 + code);

/** Expected values of every version that an executor has published, by position. */
export type Truths = Map<string, Map<string, string>>;

/** A chain that executors and replicas share: the server's address, an unused chain id, and the published values. */
export interface SharedChain {
  readonly url: string;
  readonly chainId: bigint;
  readonly truths: Truths;
}

/** Values of all cached keys at a version, by name, and the version's position. */
function read(
  reader: TableReader,
  version: number,
): { readonly position: string; readonly values: Map<string, string> } {
  const { coordinates, env, heads } = reader.record(version);
  const snapshot = reader.snapshot(version);
  const values = new Map<string, string>();
  const note = (name: string, readValue: () => string): void => {
    try {
      values.set(name, readValue());
    } catch (miss) {
      if (!(miss instanceof StateMiss)) throw miss;
    }
  };
  for (let index = 0; index < ACCOUNTS; index++) {
    const address = addressOf(index);
    note(`account ${index}`, () => {
      const found = snapshot.account(address);
      return found === null ? 'none' : `${found.nonce} ${found.balance} ${toHex(snapshot.code(found.codeHash))}`;
    });
    for (let at = 0; at < SLOTS; at++) {
      note(`slot ${index} ${at}`, () => toHex(snapshot.storage(address, wordOf(at))));
    }
  }
  const { block, index, hash, parentHash } = coordinates;
  const position = [
    version,
    block,
    index,
    hash === null ? null : toHex(hash),
    toHex(parentHash),
    env.prevRandao[31],
    heads,
  ];
  values.set('hash before', toHex(snapshot.blockHash(block - 1) ?? new Uint8Array()));
  return { position: JSON.stringify(position), values };
}

/** The main thread, which reads each version when it is announced. */
abstract class Main {
  reader: TableReader | null = null;
  readonly messages: MessageFromPublisher[] = [];

  receive(message: MessageFromPublisher): void {
    this.messages.push(message);
    if (message.kind === 'table') this.reader = new TableReader(message.buffer);
    if (message.kind === 'changed') this.compareAt(message.version);
  }

  abstract compareAt(version: number): void;
}

/** An executor. Its values come from a running seed, so that no two versions are alike. */
export class Executor extends Main {
  readonly publisher: StateWriter;
  readonly outbox: Outbox;
  readonly lease: Lease;
  readonly bus: ChainBus;
  deposed = 0;
  status: ReplicationStatus | null = null;
  chain: ChainDescription = DEV_CHAIN;
  readonly #nats: NatsBus;
  readonly #truths: Truths;
  #seed: number;
  #block = 1;

  private constructor(nats: NatsBus, { chainId, truths }: SharedChain, seed: number) {
    super();
    this.#nats = nats;
    this.#truths = truths;
    this.#seed = seed;
    this.bus = nats.of(chainId);
    this.lease = new Lease(this.bus, `executor ${seed}`, monotonicMs);
    this.outbox = new Outbox({
      bus: this.bus,
      lease: this.lease,
      chain: recordOf(this),
      clock: systemClock,
      answer: (question) => {
        const upstream = {
          fill: async (wants: MissingKeys) => this.#fill(wants),
          request: async (method: string) => (method === 'eth_long' ? LONG : { requested: 'node' }),
        };
        const requested = { feed: { upstream }, buffer: () => this.publisher.buffer, stateBytesMax: 2000 };
        return answerReplicaRequest(question, { ...requested, onSnapshot: () => this.outbox.requestSnapshot() });
      },
      onDeposed: () => this.deposed++,
      waitingVersionsMax: WAITING_MAX,
      report: (status) => (this.status = status),
      progress: () => undefined,
    });
    this.publisher = new StateWriter({ archive: null, post: (message) => this.receive(message), outbox: this.outbox });
    this.publisher.open();
  }

  /** Connects, and leads once it has the lease. */
  static async lead(shared: SharedChain, seed: number): Promise<Executor> {
    const executor = new Executor(await connectNats(plainOptions(shared), ignored), shared, seed);
    await executor.bus.prepare();
    await until(async () => (await executor.lease.tend()) === 'held', 'the lease is free');
    const last = (await executor.bus.ends())?.last ?? 0;
    executor.outbox.lead({ epoch: seed * 10, sequence: last, continues: false });
    return executor;
  }

  /** Starts with a state that has everything in it, or in which nothing is cached. */
  begin(isComplete: boolean): void {
    this.#block = 1;
    this.publisher.adopt({ ...FIRST_VERSION, isComplete }).finish();
    this.compareAt(1);
  }

  /** Switches to other rules. */
  learn(chain: ChainDescription): void {
    this.chain = chain;
    this.publisher.goOnBy(chain);
  }

  /** Publishes so many blocks of two increments each, confirmed one after the other. */
  async run(blocks: number): Promise<void> {
    for (let count = 0; count < blocks; count++) {
      const block = ++this.#block;
      this.publish(diffOf({ block, ...this.#changes() }));
      this.publish(diffOf({ block, index: 1, ...this.#changes() }));
      const diff = diffOf({ block, index: 1, hash: hashOf(block), ...this.#changes() });
      this.#remember(diff);
      await this.publisher.complete(diff, blockOf(block));
    }
  }

  publish(diff: StateDiff): void {
    this.#remember(diff);
    const { transactions } = archivedBlock(diff.coordinates.block);
    this.publisher.publish(diff, {
      gasUsed: 21_000n,
      blobGasUsed: 0n,
      extraData: hashOf(diff.coordinates.block),
      transactions,
    });
  }

  /** Changes so many keys in addition to those that are compared. */
  publishLarge(keys: number): void {
    const wide = (): Uint8Array => Buffer.concat([new Uint8Array(28).fill(1), bytes(4, ++this.#seed)]);
    const slots = Array.from({ length: keys }, () => ({ address: addressOf(99), slot: wide(), value: wide() }));
    this.publish(diffOf({ block: this.#block, index: 9, hash: hashOf(this.#block), slots }));
  }

  /** On a live chain, every key is cached before it changes. */
  #remember({ accounts, slots }: StateDiff): void {
    if (!this.reader!.isComplete) this.#fill({ accounts: accounts.map(({ address }) => address), slots });
  }

  /** Adds state as if the node had the same values. */
  #fill({ accounts, slots }: MissingKeys): void {
    const missing = {
      accounts: accounts.map((address) => ({ address, account: null })),
      slots: slots.map(({ address, slot: at }) => ({ address, slot: at, value: wordOf(7) })),
      codes: [],
    };
    this.publisher.addMissing(missing, this.publisher.newest);
  }

  compareAt(version: number): void {
    const { position, values } = read(this.reader!, version);
    this.#truths.set(position, values);
  }

  /** Ends as if the process had died: nothing is released. */
  async die(): Promise<void> {
    await this.#nats.close();
    await this.outbox.stop();
  }

  async stop(): Promise<void> {
    await this.outbox.stop();
    await this.#nats.close();
  }

  #changes(): { accounts: AccountChange[]; slots: SlotChange[]; codes: CodeChange[] } {
    const seed = ++this.#seed;
    const code = seed % 5;
    const hash = codeHashOf(code);
    const changed = account(seed % ACCOUNTS, BigInt(seed), BigInt(seed) << 100n, code === 0 ? undefined : hash);
    const gone = { address: addressOf((seed + 1) % ACCOUNTS), account: null };
    const slots = [slot(seed % ACCOUNTS, seed % SLOTS, seed), slot((seed + 3) % ACCOUNTS, (seed + 1) % SLOTS, 0)];
    const codes = code === 0 ? [] : [{ hash, bytes: new Uint8Array(code * 11).fill(code) }];
    return { accounts: seed % 4 === 0 ? [changed, gone] : [changed], slots, codes };
  }
}

/** A replica whose every version is compared when it is announced. */
export class Follower extends Main {
  readonly publisher: StateWriter;
  readonly replica: Replica;
  readonly fetcher: StateFetcher;
  readonly remote: ExecutorClient;
  status: ReplicationStatus | null = null;
  /** Number of versions and of values compared. */
  compared = 0;
  values = 0;
  readonly #nats: NatsBus;
  readonly #truths: Truths;

  private constructor(nats: NatsBus, { chainId, truths }: SharedChain) {
    super();
    const bus = nats.of(chainId);
    this.#nats = nats;
    this.#truths = truths;
    this.publisher = new StateWriter({ archive: null, post: (message) => this.receive(message) });
    this.publisher.open();
    this.remote = new ExecutorClient(bus, systemClock);
    const lists = new AccessListRequester(this.remote);
    const sink = this.publisher;
    this.fetcher = new StateFetcher({
      sink,
      upstream: this.remote,
      lists,
      counts: newLiveFeedCounters(),
      onRead: () => undefined,
    });
    const report = (status: ReplicationStatus): void => void (this.status = status);
    this.replica = new Replica({ bus, sink, filler: this.fetcher, clock: systemClock, report });
  }

  static async start(shared: SharedChain): Promise<Follower> {
    const follower = new Follower(await connectNats(plainOptions(shared), ignored), shared);
    follower.replica.start();
    return follower;
  }

  compareAt(version: number): void {
    const { position, values } = read(this.reader!, version);
    const truth = this.#truths.get(position);
    assert.ok(truth, `the executor was never at ${position}`);
    // State that was fetched later was not cached when the executor was read.
    const common = [...values].filter(([name]) => truth.has(name));
    for (const [name, value] of common) assert.equal(value, truth.get(name), `${name} at ${position}`);
    if (this.reader!.isComplete) assert.equal(common.length, truth.size);
    this.compared++;
    this.values += common.length;
  }

  /** Waits until it is at the executor's position. */
  async reaches(executor: Executor): Promise<void> {
    await until(
      () => {
        const position = executor.reader === null ? null : read(executor.reader, executor.reader.newest()).position;
        return this.reader !== null && read(this.reader, this.reader.newest()).position === position;
      },
      () => `the replica reaches the executor: ${JSON.stringify(this.status)}, ${JSON.stringify(executor.status)}`,
    );
    this.compareAt(this.reader!.newest());
  }

  async stop(): Promise<void> {
    await this.replica.stop();
    await this.#nats.close();
  }
}

/** The record of an executor's chain, whatever the chain is by then. */
function recordOf(executor: Pick<Executor, 'chain'>): Omit<ChainRecord, 'epoch'> {
  return {
    get chain() {
      return executor.chain;
    },
    acceptsTransactions: false,
  };
}

/** A server without login and TLS. */
export function plainOptions({ url }: { readonly url: string }): NatsOptions {
  return { url, credsFile: null, caFile: null };
}

function blockOf(number: number): CompleteBlock {
  const header = encodeHeader({ ...GENESIS.header, number });
  assert.equal(blockEnvOfHeader(decodeHeader(header)).number, number);
  return { ...archivedBlock(number), hash: hashOf(number), header };
}

/** Does nothing. */
function ignored(): void {}
