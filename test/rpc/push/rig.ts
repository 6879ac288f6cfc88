// The main thread without HTTP: publisher, events, subscriptions, a randomly driven chain, and connections. Seeded.
import assert from 'node:assert/strict';
import { encodeHeader } from '../../../src/chain/block/header.js';
import { DEV_CHAIN, devGenesisBlock } from '../../../src/feed/dev/genesis.js';
import { TimeSlicer } from '../../../src/fairness/time-slicer.js';
import { fromHex } from '../../../src/lib/bytes/hex.js';
import { keccak256 } from '../../../src/lib/bytes/keccak-wasm.js';
import type { MessageFromPublisher } from '../../../src/publisher/publisher-protocol.js';
import { StateWriter } from '../../../src/publisher/state-writer.js';
import type { Subscriber } from '../../../src/rpc/answer/request-response-types.js';
import { CurrentView } from '../../../src/rpc/view/current-table-view.js';
import { ExecutedBlockLookup } from '../../../src/rpc/view/executed-block-lookup.js';
import { loadPlainReads } from '../../../src/rpc/reads/native-plain-reads.js';
import { PushCounts } from '../../../src/rpc/push/push-counts.js';
import { PublisherEventRouter } from '../../../src/rpc/push/publisher-event-router.js';
import { AllSubscriptions } from '../../../src/rpc/push/topic-delivery.js';
import type { CompleteBlock, ExecutedTransaction } from '../../../src/state/complete-block.js';
import type { AccountChange, CodeChange, SlotChange, StateDiff } from '../../../src/state/state-diff.js';
import { TableReader } from '../../../src/state/table/read/table-reader-and-snapshot.js';
import { devWallet, signed } from '../../feed/keys.js';
import { account, addressOf, diffOf, slot, wordOf, type DiffOptions } from '../../state/diffs.js';
import { Random } from '../../support/programs/random.js';

/** Accounts 0 to 3, each with slots 0 to 2. */
export const ADDRESSES = 4;
export const SLOTS = 3;
/** Accounts from this index on are contracts. */
export const CONTRACTS_FROM = 1000;
const PLAIN_READS = loadPlainReads(1).open;
const GENESIS = devGenesisBlock(new Uint8Array(32), 1_700_000_000);
const RAW = signed(devWallet(0), { nonce: 1 });
const FROM = fromHex(devWallet(0).address);

export type Json = Readonly<Record<string, unknown>>;

/** In some blocks the fee recipient is one of the changed accounts. */
function diffAt(options: DiffOptions): StateDiff {
  const diff = diffOf(options);
  return { ...diff, env: { ...diff.env, coinbase: addressOf(options.block % (2 * ADDRESSES)) } };
}

/** A connection that accepts what it is sent, or reports backpressure for a while. */
export class Reader implements Subscriber {
  isSlow = false;
  dropped: string | null = null;
  readonly results: { readonly id: string; readonly result: Json; readonly skipped: number }[] = [];

  push(message: Uint8Array, isDue = false): boolean {
    if (this.isSlow && !isDue) return false;
    const {
      subscription,
      result,
      skipped = 0,
    } = (
      JSON.parse(Buffer.from(message).toString()) as {
        params: { subscription: string; result: Json; skipped?: number };
      }
    ).params;
    this.results.push({ id: subscription, result, skipped });
    return true;
  }

  drop(reason: string): void {
    this.dropped = reason;
  }

  take(id: string): Json[] {
    return this.results.filter((each) => each.id === id).map(({ result }) => result);
  }
}

const SILENT = { kind: 'increment', announcement: null } as const;

/** The main thread without HTTP: publisher, events, subscriptions, and a randomly driven chain. */
export class Rig {
  readonly random: Random;
  readonly news = new PublisherEventRouter();
  readonly events = this.news.events;
  readonly executed = new ExecutedBlockLookup(DEV_CHAIN, this.news.pending);
  readonly counts = new PushCounts();
  readonly subscriptions = new AllSubscriptions(this.events, new TimeSlicer(Infinity), this.counts);
  readonly publisher: StateWriter;
  /** Complete blocks by number. */
  canonical: CompleteBlock[] = [];
  reader!: TableReader;
  current!: CurrentView;
  epoch = -1;
  #open: ExecutedTransaction[] = [];
  #index = -1;
  #forks = 0;
  #hashes = 0;
  #completing = Promise.resolve();
  readonly #codes: readonly CodeChange[];

  /** `codes`: of contracts, whose balances and slots change like those of accounts. */
  constructor(seed: number, codes: readonly Uint8Array[] = []) {
    this.random = new Random(seed);
    this.#codes = codes.map((code) => ({ hash: keccak256(code), bytes: code }));
    this.publisher = new StateWriter({ archive: null, post: (message) => this.#receive(message) });
    this.publisher.open();
    this.begin();
    this.news.begin({ source: { kind: 'live', recent: this.news.recent }, executed: this.executed }, this.tip);
  }

  /** Transactions that are pre-confirmed after the tip; `null` if there are none, or if they were abandoned. */
  get open(): readonly ExecutedTransaction[] | null {
    return this.#index < 0 ? null : this.#open;
  }

  get tip(): CompleteBlock {
    return this.canonical.at(-1)!;
  }

  begin(): void {
    const number = (this.canonical.at(-1)?.number ?? 4) + 1;
    const block = this.#block(number, []);
    this.canonical = [block];
    this.#open = [];
    this.#index = -1;
    const all = Array.from({ length: ADDRESSES }, (_, at) => at);
    const slots = [...all, ...this.contracts].flatMap((at) =>
      Array.from({ length: SLOTS }, (_, key) => slot(at, key, this.random.below(5))),
    );
    const accounts = all.map((at) => account(at, BigInt(this.random.below(9))));
    accounts.push(...this.contracts.map((at) => this.#contract(at)));
    const diff = { ...diffAt({ block: number, hash: block.hash, accounts }), slots, codes: this.#codes };
    this.publisher.begin(diff, block, []);
  }

  /** Indexes of the contracts' addresses. */
  get contracts(): readonly number[] {
    return this.#codes.map((_, at) => CONTRACTS_FROM + at);
  }

  #contract(at: number): AccountChange {
    return account(at, 1n, BigInt(this.random.below(9)), this.#codes[at - CONTRACTS_FROM]!.hash);
  }

  step(): void {
    const kind = this.random.below(20);
    if (kind < 10) this.#increment();
    else if (kind < 11) this.#again();
    else if (kind < 15) this.#confirm();
    else if (kind < 17) this.#abandon();
    else if (kind < 19) this.#reorg();
    else if (this.random.below(4) === 0) this.begin();
    else this.#goBack();
  }

  /** Performs a step, which is published when this resolves, without an event-loop tick in between. */
  async published(): Promise<void> {
    this.step();
    await this.#completing;
    // Otherwise calls that read blocks would wait for a block that never arrives.
    const { heads } = this.reader.record(this.reader.newest());
    assert.ok((this.events.head ?? Infinity) >= heads.latest);
  }

  #increment(): void {
    const transactions = this.#transactions();
    this.#open.push(...transactions);
    this.#index++;
    const diff = diffAt({
      block: this.tip.number + 1,
      index: this.#index,
      parentHash: this.tip.hash,
      ...this.#changes(),
    });
    this.publisher.publish(diff, { gasUsed: 0n, blobGasUsed: 0n, extraData: new Uint8Array(0), transactions });
  }

  /**
   * The current block is the newest again after the one above it was abandoned: the main thread receives all of it
   * again.
   */
  #again(): void {
    if (this.#index < 0) return;
    const diff = diffAt({
      block: this.tip.number + 1,
      index: this.#index,
      parentHash: this.tip.hash,
      ...this.#changes(),
    });
    this.publisher.publish(diff, {
      gasUsed: 0n,
      blobGasUsed: 0n,
      extraData: new Uint8Array(0),
      transactions: [...this.#open],
    });
  }

  #confirm(): void {
    if (this.#index < 0) return;
    const block = this.#block(this.tip.number + 1, this.#open);
    const { hash, number } = block;
    const diff = diffAt({ block: number, index: this.#index, hash, parentHash: this.tip.hash });
    this.publisher.publishVersion(diff, { kind: 'block', block });
    this.#complete(block);
  }

  /** The pre-confirmed block is abandoned: the state changes without an announcement. */
  #abandon(): void {
    const { number: block, hash } = this.tip;
    this.publisher.publishVersion(diffAt({ block, hash, ...this.#changes() }), SILENT);
    this.#open = [];
    this.#index = -1;
  }

  #reorg(): void {
    const number = Math.max(this.canonical[0]!.number + 1, this.tip.number - this.random.below(3));
    const parent = this.canonical.find((block) => block.number === number - 1);
    if (parent === undefined) return;
    const block = this.#block(number, this.#transactions());
    this.canonical = this.canonical.filter((each) => each.number < number);
    this.#complete(block);
    const diff = diffAt({ block: number, hash: block.hash, parentHash: parent.hash, ...this.#changes() });
    this.#completing = this.publisher.complete(diff, block);
  }

  /** The chain is rolled back to one of its blocks; archived blocks are never removed. */
  #goBack(): void {
    const to = this.canonical.at(-1 - this.random.below(3));
    if (to === undefined) return;
    const parentHash = this.canonical.find(({ number }) => number === to.number - 1)?.hash;
    const diff = diffAt({ block: to.number, hash: to.hash, ...this.#changes() });
    this.publisher.publishVersion(
      { ...diff, coordinates: { ...diff.coordinates, parentHash: parentHash ?? diff.coordinates.parentHash } },
      SILENT,
    );
    this.canonical = this.canonical.filter(({ number }) => number <= to.number);
    this.#open = [];
    this.#index = -1;
  }

  #complete(block: CompleteBlock): void {
    this.canonical.push(block);
    this.#open = [];
    this.#index = -1;
  }

  #changes(): { accounts: AccountChange[]; slots: SlotChange[] } {
    const someOf = (all: readonly number[]): number[] => all.filter(() => this.random.below(3) === 0);
    const some = (of: number): number[] => someOf(Array.from({ length: of }, (_, at) => at));
    const changesOf = (at: number): SlotChange[] => some(SLOTS).map((key) => slot(at, key, this.random.below(5)));
    return {
      accounts: [
        ...some(ADDRESSES).map((at) =>
          this.random.below(5) === 0
            ? { address: addressOf(at), account: null }
            : account(at, BigInt(this.random.below(9)), BigInt(this.random.below(9)) << 200n),
        ),
        ...someOf(this.contracts).map((at) => this.#contract(at)),
      ],
      slots: [...some(ADDRESSES), ...someOf(this.contracts)].flatMap(changesOf),
    };
  }

  #transactions(): ExecutedTransaction[] {
    return Array.from({ length: this.random.below(3) }, () => {
      const hash = keccak256(Uint8Array.from(Buffer.from(`transaction ${(this.#hashes += 1)}`)));
      const placed = Array.from({ length: this.random.below(3) }, (_, at) => {
        return { address: addressOf(at), topics: [hash], data: new Uint8Array(at) };
      });
      const sums = { gasUsed: 1n, cumulativeGasUsed: 1n, effectiveGasPrice: 1n };
      return {
        hash,
        raw: RAW,
        from: FROM,
        receipt: { type: 2, status: 1, ...sums, contractAddress: null, logs: placed },
      };
    });
  }

  #block(number: number, transactions: readonly ExecutedTransaction[]): CompleteBlock {
    const header = encodeHeader({ ...GENESIS.header, number, extraData: wordOf((this.#forks += 1)) });
    return { ...GENESIS.block, number, hash: keccak256(header), header, transactions };
  }

  #receive(message: MessageFromPublisher): void {
    if (message.kind === 'table') {
      this.reader = new TableReader(message.buffer);
      if (this.epoch < 0)
        this.current = new CurrentView(message.buffer, { kind: 'live', recent: this.news.recent }, PLAIN_READS);
      else this.current.setTable(message.buffer, message.continues);
      if (!message.continues) this.epoch++;
      if (!message.continues) this.news.restarted(message.startsAt);
    }
    if (message.kind === 'changed') this.news.changed(message);
    if (message.kind === 'published') this.news.published(message);
    if (message.kind === 'completed') this.news.completed(message);
  }
}
