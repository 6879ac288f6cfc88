// A subscriber knows what a polling client reads: random chains with reorgs, abandoned blocks and resyncs, and random
// readers, some of them slow. Seeded.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toHex, toQuantity } from '../../../src/lib/bytes/hex.js';
import { LogFilter } from '../../../src/rpc/render/log-filter.js';
import {
  createLogsTopic,
  newHeadsTopic,
  newPendingTransactionsTopic,
  stateChangesTopic,
} from '../../../src/rpc/push/subscription-topic-messages.js';
import type { CompleteBlock, ExecutedTransaction } from '../../../src/state/complete-block.js';
import { addressOf, wordOf } from '../../state/diffs.js';
import { fewTicks } from './event-loop-ticks.js';
import { ADDRESSES, Reader, Rig, SLOTS, type Json } from './rig.js';
import { rounds } from '../../support/rounds.js';

const SEEDS = rounds(2);
const STEPS = 120;
/** The hash of an incomplete block. */
const NO_HASH = new Uint8Array(32);
const ANY = { filter: new LogFilter([], []), kind: 'complete' } as const;

/** The state of a client that read it once and has applied messages since. */
type Mirror = Map<string, string>;

function read(rig: Rig): Mirror {
  const mirror: Mirror = new Map();
  const snapshot = rig.reader.snapshot(rig.reader.newest());
  for (let at = 0; at < ADDRESSES; at++) {
    const address = addressOf(at);
    const known = snapshot.account(address);
    mirror.set(toHex(address), `${toQuantity(known?.nonce ?? 0n)} ${toQuantity(known?.balance ?? 0n)}`);
    for (let key = 0; key < SLOTS; key++) {
      mirror.set(toHex(address) + toHex(wordOf(key)), toHex(snapshot.storage(address, wordOf(key))));
    }
  }
  return mirror;
}

function apply(mirror: Mirror, changes: readonly Json[]): void {
  for (const { address, nonce, balance, storage } of changes) {
    if (nonce !== undefined) mirror.set(address as string, `${nonce as string} ${balance as string}`);
    for (const [key, word] of Object.entries((storage ?? {}) as Record<string, string>)) {
      mirror.set((address as string) + key, word);
    }
  }
}

const ALL = new Map(Array.from({ length: ADDRESSES }, (_, at) => [toHex(addressOf(at)), 'all' as const]));

function watch(rig: Rig, from: number | null = null): { readonly reader: Reader; readonly id: string } {
  const reader = new Reader();
  const id = rig.subscriptions.open(reader, stateChangesTopic(ALL), from);
  assert.ok(typeof id === 'string');
  return { reader, id };
}

/** Positions and identities of valid logs, with their blocks. */
type LogBlocks = Map<string, number>;

function applyLogs(valid: LogBlocks, reported: readonly Json[]): void {
  for (const { blockNumber, blockHash, logIndex, transactionHash, removed } of reported) {
    const name = [blockHash, logIndex, transactionHash].join(' ');
    if (removed === true) assert.ok(valid.delete(name), 'a log is removed that was told before');
    else assert.ok(!valid.has(name), 'a log is told once');
    if (removed !== true) valid.set(name, Number(blockNumber));
  }
}

/** The logs that remain after all additions and removals. */
function standing(reported: readonly Json[]): string[] {
  const valid: LogBlocks = new Map();
  applyLogs(valid, reported);
  return [...valid.keys()].sort();
}

/** Pre-confirmed logs of incomplete blocks. */
class Ahead {
  readonly #valid: LogBlocks = new Map();
  #applied = 0;

  get standing(): string[] {
    return [...this.#valid.keys()].sort();
  }

  /** Applies messages. */
  take(reported: readonly Json[]): void {
    applyLogs(this.#valid, reported.slice(this.#applied));
    this.#applied = reported.length;
  }

  /** Blocks up to this number are complete or gone. */
  settle(number: number): void {
    for (const [name, block] of this.#valid) if (block <= number) this.#valid.delete(name);
  }
}

function logsOfChain(blocks: readonly CompleteBlock[]): string[] {
  return blocks.flatMap(({ hash, transactions }) => logsOf(hash, transactions)).sort();
}

function logsOf(blockHash: Uint8Array, transactions: readonly ExecutedTransaction[]): string[] {
  const hashes = transactions.flatMap(({ hash, receipt }) => receipt.logs.map(() => hash));
  return hashes.map((hash, index) => [toHex(blockHash), toQuantity(index), toHex(hash)].join(' ')).sort();
}

describe('push', () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    it(`a subscriber to state changes has what a reader gets, at every version (seed ${seed})`, async () => {
      const rig = new Rig(seed);
      let [mirror, epoch] = [read(rig), rig.epoch];
      let { reader, id } = watch(rig);
      let slow = watch(rig);
      let slowMirror = new Map(mirror);
      for (let step = 0; step < STEPS; step++) {
        rig.step();
        if (rig.random.below(6) === 0) slow.reader.isSlow = !slow.reader.isSlow;
        await fewTicks();
        if (rig.epoch !== epoch) {
          // After a resync both connections are closed and reopened.
          for (const each of [reader, slow.reader]) {
            assert.equal(each.dropped, 'the state was begun anew: something may be missing');
            rig.subscriptions.closeAll(each);
          }
          [mirror, slowMirror, epoch] = [read(rig), read(rig), rig.epoch];
          ({ reader, id } = watch(rig));
          slow = watch(rig);
        }
        apply(mirror, reader.take(id));
        reader.results.length = 0;
        assert.deepEqual(mirror, read(rig), `step ${step}`);
        if (slow.reader.isSlow) continue;
        rig.subscriptions.drained(slow.reader);
        apply(slowMirror, slow.reader.take(slow.id));
        slow.reader.results.length = 0;
        assert.deepEqual(slowMirror, read(rig), `step ${step}, slow`);
      }
      rig.subscriptions.closeAll(reader);
      rig.subscriptions.closeAll(slow.reader);
      assert.equal(rig.subscriptions.count, 0);
      const { open, pushed, skipped } = rig.counts.of('stateChanges');
      assert.deepEqual([open, pushed > 0, skipped > 0], [0, true, true]);
    });

    it(`a subscriber that resumes from a version has what a reader gets (seed ${seed})`, async () => {
      const rig = new Rig(seed);
      for (let step = 0; step < STEPS; step++) {
        const [mirror, epoch, serial] = [
          read(rig),
          rig.epoch,
          rig.events.serialAt(rig.events.versionOf(rig.reader.newest())),
        ];
        for (let more = rig.random.below(6); more > 0; more--) rig.step();
        await fewTicks();
        if (serial === null) continue;
        if (rig.epoch !== epoch) {
          const refused = rig.subscriptions.open(new Reader(), stateChangesTopic(ALL), serial);
          assert.ok(typeof refused !== 'string' && refused.error === 'notKept', 'nothing is known of what lay between');
          continue;
        }
        const { reader, id } = watch(rig, serial);
        rig.step();
        await fewTicks();
        if (rig.epoch !== epoch) continue;
        apply(mirror, reader.take(id));
        assert.deepEqual(mirror, read(rig), `step ${step}`);
        rig.subscriptions.closeAll(reader);
      }
    });

    it(`announced minus removed logs are those of the chain, and pending logs those of the pending block (seed ${seed})`, async () => {
      const rig = new Rig(seed);
      const reader = new Reader();
      const id = rig.subscriptions.open(reader, createLogsTopic(ANY, rig.executed), null) as string;
      const pending = rig.subscriptions.open(
        reader,
        createLogsTopic({ ...ANY, kind: 'preConfirmed' }, rig.executed),
        null,
      ) as string;
      const transactions = rig.subscriptions.open(reader, newPendingTransactionsTopic(false), null) as string;
      const epoch = rig.epoch;
      const ahead = new Ahead();
      for (let step = 0; step < STEPS; step++) {
        rig.step();
        await fewTicks();
        if (rig.epoch !== epoch) break;
        assert.deepEqual(standing(reader.take(id)), logsOfChain(rig.canonical.slice(1)), `step ${step}`);
        ahead.take(reader.take(pending));
        ahead.settle(rig.tip.number);
        if (rig.open !== null) assert.deepEqual(ahead.standing, logsOf(NO_HASH, rig.open), `step ${step}, pending`);
      }
      const hashes = reader.take(transactions).map(String);
      assert.equal(new Set(hashes).size, hashes.length);
      if (rig.epoch !== epoch) assert.equal(reader.dropped, 'the state was begun anew: something may be missing');
    });
  }

  for (let seed = 1; seed <= SEEDS; seed++) {
    it(`the newest announced head is that of the chain, also after it went back or was resynced (seed ${seed})`, async () => {
      const rig = new Rig(seed);
      const reader = new Reader();
      const id = rig.subscriptions.open(reader, newHeadsTopic({ timestampMs: () => null }), null) as string;
      let last = rig.tip;
      let reported = toHex(last.hash);
      for (let step = 0; step < STEPS; step++) {
        rig.step();
        await fewTicks();
        const heads = reader.take(id).map(({ hash }) => hash as string);
        reader.results.length = 0;
        if (rig.tip === last) assert.deepEqual(heads, [], `step ${step}`);
        last = rig.tip;
        reported = heads.at(-1) ?? reported;
        assert.equal(reported, toHex(last.hash), `step ${step}`);
      }
    });
  }

  it('a slow reader of topics without gaps is disconnected', async () => {
    const rig = new Rig(1);
    const reader = new Reader();
    rig.subscriptions.open(reader, newPendingTransactionsTopic(false), null);
    reader.isSlow = true;
    for (let step = 0; step < STEPS && reader.dropped === null; step++) {
      rig.step();
      await fewTicks();
    }
    assert.equal(reader.dropped, 'messages are not read');
    assert.deepEqual(rig.counts.closed, { slow: 1, reset: 0 });
    assert.equal(rig.subscriptions.count, 0, 'nothing more is made for it');
  });
});
