// Whoever only listens knows what whoever asks is told: random chains with reorgs, blocks that are given up and states that begin
// anew, random readers, slow ones among them. Seeded.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeHeader } from '../../../src/chain/header.js';
import { DEV_CHAIN, devGenesisBlock } from '../../../src/feed/dev/genesis.js';
import { TimeSlices } from '../../../src/lib/time-slices.js';
import { fromHex, toHex, toQuantity } from '../../../src/lib/hex.js';
import { keccak256 } from '../../../src/lib/keccak.js';
import type { FromPublisher } from '../../../src/publisher/protocol.js';
import { Publisher } from '../../../src/publisher/writer.js';
import type { Subscriber } from '../../../src/rpc/answer.js';
import { ExecutedBlocks } from '../../../src/rpc/executed-blocks.js';
import { LogFilter } from '../../../src/rpc/log-filter.js';
import { PushCounts } from '../../../src/rpc/push/counts.js';
import { News } from '../../../src/rpc/push/news.js';
import { Subscriptions } from '../../../src/rpc/push/subscriptions.js';
import { logs, newPendingTransactions, pendingLogs, stateChanges } from '../../../src/rpc/push/topics.js';
import type { CompleteBlock, ConfirmedTransaction } from '../../../src/state/block.js';
import type { AccountChange, SlotChange } from '../../../src/state/diff.js';
import { TableReader } from '../../../src/state/table/snapshot.js';
import { devWallet, signed } from '../../feed/keys.js';
import { account, addressOf, diffOf, slot, wordOf } from '../../state/diffs.js';
import { Random } from '../../support/programs/random.js';
import { patiently } from './patiently.js';

const SEEDS = 12;
const STEPS = 120;
const ADDRESSES = 4;
const SLOTS = 3;
const GENESIS = devGenesisBlock(new Uint8Array(32), 1_700_000_000);
const RAW = signed(devWallet(0), { nonce: 1 });
const FROM = fromHex(devWallet(0).address);
const ANY = new LogFilter([], []);

type Json = Readonly<Record<string, unknown>>;

/** A connection that takes what it is sent, or says for a while that it does not. */
class Reader implements Subscriber {
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

/** Main without HTTP: publisher, news, subscriptions, and a chain that is driven at random. */
class Rig {
  readonly random: Random;
  readonly news = new News();
  readonly events = this.news.events;
  readonly executed = new ExecutedBlocks(DEV_CHAIN, this.news.pending);
  readonly counts = new PushCounts();
  readonly subscriptions = new Subscriptions(this.events, new TimeSlices(Infinity), this.counts);
  readonly publisher: Publisher;
  /** Complete blocks by number. */
  canonical: CompleteBlock[] = [];
  reader!: TableReader;
  epoch = -1;
  #open: ConfirmedTransaction[] = [];
  #index = -1;
  #forks = 0;
  #hashes = 0;

  constructor(seed: number) {
    this.random = new Random(seed);
    this.publisher = new Publisher({ archive: null, post: (message) => this.#receive(message) });
    this.publisher.open();
    this.begin();
    this.news.begin({ source: { kind: 'live', recent: this.news.recent }, executed: this.executed });
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
    const slots = all.flatMap((at) => Array.from({ length: SLOTS }, (_, key) => slot(at, key, this.random.below(5))));
    const accounts = all.map((at) => account(at, BigInt(this.random.below(9))));
    this.publisher.begin({ ...diffOf({ block: number, hash: block.hash, accounts }), slots }, []);
  }

  step(): void {
    const kind = this.random.below(20);
    if (kind < 10) this.#increment();
    else if (kind < 11) this.#again();
    else if (kind < 15) this.#confirm();
    else if (kind < 17) this.#abandon();
    else if (kind < 19) this.#reorg();
    else if (this.random.below(4) === 0) this.begin();
  }

  #increment(): void {
    const transactions = this.#transactions();
    this.#open.push(...transactions);
    this.#index++;
    const diff = diffOf({
      block: this.tip.number + 1,
      index: this.#index,
      parentHash: this.tip.hash,
      ...this.#changes(),
    });
    this.publisher.publish(diff, { gasUsed: 0n, transactions });
  }

  /** The block at hand is the newest again, once one above it was given up: main is told of all of it. */
  #again(): void {
    if (this.#index < 0) return;
    const diff = diffOf({
      block: this.tip.number + 1,
      index: this.#index,
      parentHash: this.tip.hash,
      ...this.#changes(),
    });
    this.publisher.publish(diff, { gasUsed: 0n, transactions: [...this.#open] });
  }

  #confirm(): void {
    if (this.#index < 0) return;
    const block = this.#block(this.tip.number + 1, this.#open);
    const { hash, number } = block;
    this.publisher.promote(diffOf({ block: number, index: this.#index, hash, parentHash: this.tip.hash }), block);
    this.#complete(block);
  }

  /** What was pre-confirmed is no more; other values stand, as nothing is announced. */
  #abandon(): void {
    const { number: block, hash } = this.tip;
    this.publisher.publish(diffOf({ block, hash, ...this.#changes() }), null);
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
    const diff = diffOf({ block: number, hash: block.hash, parentHash: parent.hash, ...this.#changes() });
    void this.publisher.complete(diff, block);
  }

  #complete(block: CompleteBlock): void {
    this.canonical.push(block);
    this.#open = [];
    this.#index = -1;
  }

  #changes(): { accounts: AccountChange[]; slots: SlotChange[] } {
    const some = (of: number): number[] =>
      Array.from({ length: of }, (_, at) => at).filter(() => this.random.below(3) === 0);
    return {
      accounts: some(ADDRESSES).map((at) =>
        this.random.below(5) === 0
          ? { address: addressOf(at), account: null }
          : account(at, BigInt(this.random.below(9)), BigInt(this.random.below(9)) << 200n),
      ),
      slots: some(ADDRESSES).flatMap((at) => some(SLOTS).map((key) => slot(at, key, this.random.below(5)))),
    };
  }

  #transactions(): ConfirmedTransaction[] {
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

  #block(number: number, transactions: readonly ConfirmedTransaction[]): CompleteBlock {
    const header = encodeHeader({ ...GENESIS.header, number, extraData: wordOf((this.#forks += 1)) });
    return { ...GENESIS.block, number, hash: keccak256(header), header, transactions };
  }

  #receive(message: FromPublisher): void {
    if (message.kind === 'table') {
      this.reader = new TableReader(message.buffer);
      if (!message.continues) this.epoch++;
      if (!message.continues) this.news.begun();
    }
    if (message.kind === 'changed') this.news.changed(message);
    if (message.kind === 'published') this.news.published(message);
    if (message.kind === 'completed') this.news.completed(message);
  }
}

/** What a client holds that was given the state once and has listened since. */
type Held = Map<string, string>;

function read(rig: Rig): Held {
  const held: Held = new Map();
  const snapshot = rig.reader.snapshot(rig.reader.newest());
  for (let at = 0; at < ADDRESSES; at++) {
    const address = addressOf(at);
    const known = snapshot.account(address);
    held.set(toHex(address), `${toQuantity(known?.nonce ?? 0n)} ${toQuantity(known?.balance ?? 0n)}`);
    for (let key = 0; key < SLOTS; key++) {
      held.set(toHex(address) + toHex(wordOf(key)), toHex(snapshot.storage(address, wordOf(key))));
    }
  }
  return held;
}

function apply(held: Held, changes: readonly Json[]): void {
  for (const { address, nonce, balance, storage } of changes) {
    if (nonce !== undefined) held.set(address as string, `${nonce as string} ${balance as string}`);
    for (const [key, word] of Object.entries((storage ?? {}) as Record<string, string>)) {
      held.set((address as string) + key, word);
    }
  }
}

const ALL = new Map(Array.from({ length: ADDRESSES }, (_, at) => [toHex(addressOf(at)), 'all' as const]));

function watch(rig: Rig, from: number | null = null): { readonly reader: Reader; readonly id: string } {
  const reader = new Reader();
  const id = rig.subscriptions.open(reader, stateChanges(ALL), from);
  assert.ok(typeof id === 'string');
  return { reader, id };
}

/** Positions and identities of logs that stand, told by additions and removals. */
function standing(told: readonly Json[]): string[] {
  const stands = new Set<string>();
  for (const { blockHash, logIndex, transactionHash, removed } of told) {
    const name = [blockHash, logIndex, transactionHash].join(' ');
    if (removed === true) assert.ok(stands.delete(name), 'a log is removed that was told before');
    else assert.ok(!stands.has(name), 'a log is told once');
    if (removed !== true) stands.add(name);
  }
  return [...stands].sort();
}

function logsOfChain(blocks: readonly CompleteBlock[]): string[] {
  const all = blocks.flatMap(({ hash: blockHash, transactions }) =>
    transactions
      .flatMap(({ hash, receipt }) => receipt.logs.map(() => hash))
      .map((hash, index) => [toHex(blockHash), toQuantity(index), toHex(hash)].join(' ')),
  );
  return all.sort();
}

describe('push', () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    it(`a listener to state changes holds what a reader gets, at every version (seed ${seed})`, async () => {
      const rig = new Rig(seed);
      let [held, epoch] = [read(rig), rig.epoch];
      let { reader, id } = watch(rig);
      let slow = watch(rig);
      let slowHeld = new Map(held);
      for (let step = 0; step < STEPS; step++) {
        rig.step();
        if (rig.random.below(6) === 0) slow.reader.isSlow = !slow.reader.isSlow;
        await patiently();
        if (rig.epoch !== epoch) {
          // The state has begun anew: both are closed, and come again.
          for (const each of [reader, slow.reader]) {
            assert.equal(each.dropped, 'the state was begun anew: something may be missing');
            rig.subscriptions.closeAll(each);
          }
          [held, slowHeld, epoch] = [read(rig), read(rig), rig.epoch];
          ({ reader, id } = watch(rig));
          slow = watch(rig);
        }
        apply(held, reader.take(id));
        reader.results.length = 0;
        assert.deepEqual(held, read(rig), `step ${step}`);
        if (slow.reader.isSlow) continue;
        rig.subscriptions.drained(slow.reader);
        apply(slowHeld, slow.reader.take(slow.id));
        slow.reader.results.length = 0;
        assert.deepEqual(slowHeld, read(rig), `step ${step}, slow`);
      }
      rig.subscriptions.closeAll(reader);
      rig.subscriptions.closeAll(slow.reader);
      assert.equal(rig.subscriptions.count, 0);
      const { open, pushed, skipped } = rig.counts.of('stateChanges');
      assert.deepEqual([open, pushed > 0, skipped > 0], [0, true, true]);
    });

    it(`a listener that resumes from a version holds what a reader gets (seed ${seed})`, async () => {
      const rig = new Rig(seed);
      for (let step = 0; step < STEPS; step++) {
        const [held, epoch, serial] = [
          read(rig),
          rig.epoch,
          rig.events.serialAt(rig.events.versionOf(rig.reader.newest())),
        ];
        for (let more = rig.random.below(6); more > 0; more--) rig.step();
        await patiently();
        if (serial === null) continue;
        if (rig.epoch !== epoch) {
          const refused = rig.subscriptions.open(new Reader(), stateChanges(ALL), serial);
          assert.ok(typeof refused !== 'string' && refused.error === 'notKept', 'nothing is known of what lay between');
          continue;
        }
        const { reader, id } = watch(rig, serial);
        rig.step();
        await patiently();
        if (rig.epoch !== epoch) continue;
        apply(held, reader.take(id));
        assert.deepEqual(held, read(rig), `step ${step}`);
        rig.subscriptions.closeAll(reader);
      }
    });

    it(`logs that were told and not removed are those of the chain; pending ones come once (seed ${seed})`, async () => {
      const rig = new Rig(seed);
      const reader = new Reader();
      const id = rig.subscriptions.open(reader, logs(ANY, rig.executed), null) as string;
      const pending = rig.subscriptions.open(reader, pendingLogs(ANY), null) as string;
      const transactions = rig.subscriptions.open(reader, newPendingTransactions(false), null) as string;
      const epoch = rig.epoch;
      for (let step = 0; step < STEPS; step++) {
        rig.step();
        await patiently();
        if (rig.epoch !== epoch) break;
        assert.deepEqual(standing(reader.take(id)), logsOfChain(rig.canonical.slice(1)), `step ${step}`);
      }
      const hashes = reader.take(transactions).map(String);
      assert.equal(new Set(hashes).size, hashes.length);
      const placed = reader
        .take(pending)
        .map(({ transactionHash, logIndex }) => `${transactionHash as string} ${logIndex as string}`);
      assert.equal(new Set(placed).size, placed.length);
      if (rig.epoch !== epoch) assert.equal(reader.dropped, 'the state was begun anew: something may be missing');
    });
  }

  it('whoever reads slowly is closed where nothing may be left out', async () => {
    const rig = new Rig(1);
    const reader = new Reader();
    rig.subscriptions.open(reader, newPendingTransactions(false), null);
    reader.isSlow = true;
    for (let step = 0; step < STEPS && reader.dropped === null; step++) {
      rig.step();
      await patiently();
    }
    assert.equal(reader.dropped, 'messages are not read');
    assert.deepEqual(rig.counts.closed, { slow: 1, reset: 0 });
    assert.equal(rig.subscriptions.count, 0, 'nothing more is made for it');
  });
});
