// The tracker of submitted transactions: pending nonces, and the memory it uses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageLedger } from '../../../src/fairness/usage-ledger.js';
import { UsageLimit } from '../../../src/fairness/usage-limit.js';
import { fromHex } from '../../../src/lib/bytes/hex.js';
import { LIMITS } from '../../../src/limits/index.js';
import { SubmittedTransactionTracker } from '../../../src/rpc/call/submitted-transaction-tracker.js';
import type { SubmittedRawTransaction } from '../../../src/rpc/call/submitted-nonces.js';
import type { AnnouncedTransaction } from '../../../src/state/complete-block.js';
import { keccak256 } from '../../../src/lib/bytes/keccak.js';
import { devWallet, signed } from '../../feed/keys.js';

const WALLET = devWallet(0);
const FROM = fromHex(WALLET.address);
const OLD = LIMITS.ownSendBlocksMax;

/** A tracker on its own clock and state. */
class Desk {
  nowMs = 0;
  /** The account's nonce in the state. */
  stateNonce = 0n;
  readonly ledger = new UsageLedger();
  readonly book: SubmittedTransactionTracker;

  constructor(bytesMax = 1_000_000, clientMax = 1_000_000) {
    const shares = new UsageLimit(this.ledger, 'sendBytes', bytesMax, clientMax);
    this.book = new SubmittedTransactionTracker({ shares, nowMs: () => this.nowMs });
  }

  hand(raw: Uint8Array, nonce: number): SubmittedRawTransaction {
    const handed = this.book.submit(raw, 'a')!;
    this.book.sign(handed, FROM, BigInt(nonce));
    return handed;
  }

  /** A transaction that the node accepted while block `head` was the newest. */
  send(nonce: number, { tip = 1, head = 10 } = {}): AnnouncedTransaction {
    const raw = transaction(nonce, tip);
    this.book.accept(this.hand(raw, nonce), head);
    return { raw, hash: keccak256(raw), from: FROM };
  }

  get next(): bigint {
    return this.book.next(FROM, this.stateNonce);
  }

  /** Adds the blocks after `from`, and lets enough time pass. */
  blocks(from: number, to: number): void {
    this.nowMs += LIMITS.ownSendMsMin;
    for (let number = from; number <= to; number++) this.book.age(number);
  }

  get count(): number {
    return this.ledger.total('sendBytes');
  }
}

function transaction(nonce: number, tip = 1): Uint8Array {
  return signed(WALLET, { nonce, maxPriorityFeePerGas: BigInt(tip) });
}

test('accepted transactions advance the pending nonce, without gaps, from the nonce in the state', () => {
  const desk = new Desk();
  assert.equal(desk.next, 0n);
  desk.send(1);
  assert.equal(desk.next, 0n);
  desk.send(0);
  assert.equal(desk.next, 2n);
  desk.send(3);
  assert.equal(desk.next, 2n);
  desk.stateNonce = 3n;
  assert.equal(desk.next, 4n);
  desk.stateNonce = 9n;
  assert.equal(desk.next, 9n);
  assert.equal(desk.book.next(new Uint8Array(20), 5n), 5n);
});

test('an unanswered submission counts only for gaps, a refused one not at all', () => {
  const desk = new Desk();
  const handed = desk.hand(transaction(0), 0);
  assert.deepEqual([desk.next, desk.book.nextSent(FROM, 0n)], [0n, 1n]);
  desk.send(1);
  assert.deepEqual([desk.next, desk.book.nextSent(FROM, 0n)], [0n, 2n]);
  desk.book.refuse(handed);
  assert.deepEqual([desk.next, desk.book.nextSent(FROM, 0n)], [0n, 0n]);
  assert.deepEqual(desk.book.counts, { accepted: 1, included: 0, expired: 0 });
});

test('of two transactions with one nonce the last accepted counts, or the one in a block', () => {
  const desk = new Desk();
  const first = desk.send(0);
  const second = desk.send(0, { tip: 2 });
  assert.equal(desk.next, 1n);
  assert.deepEqual(desk.book.at(FROM, 0n)!.hash, second.hash);
  desk.hand(first.raw, 0);
  desk.book.include(11, [first], 0);
  assert.deepEqual(desk.book.at(FROM, 0n)!.hash, first.hash);
  assert.deepEqual([desk.book.size, desk.book.guarded.size], [1, 1]);
});

test('a transaction sent elsewhere replaces ours once it is in a block', () => {
  const desk = new Desk();
  desk.send(0);
  const raw = transaction(0, 5);
  desk.book.include(11, [{ raw, hash: keccak256(raw), from: FROM }], 0);
  assert.deepEqual([desk.next, desk.count, desk.book.guarded.size], [0n, 0, 0]);
});

test('a transaction counts until three blocks and three seconds have passed, and both', () => {
  const desk = new Desk();
  desk.send(0, { head: 10 });
  desk.book.age(10 + OLD);
  assert.equal(desk.next, 1n, 'blocks of no time');
  desk.blocks(11, 10 + OLD - 1);
  assert.equal(desk.next, 1n, 'time without blocks');
  desk.blocks(10 + OLD, 10 + OLD);
  assert.deepEqual([desk.next, desk.count], [0n, 0]);
  assert.deepEqual(desk.book.counts, { accepted: 1, included: 0, expired: 1 });
});

test('a transaction that is accepted again counts anew', () => {
  const desk = new Desk();
  desk.send(0);
  desk.nowMs = LIMITS.ownSendMsMin;
  desk.send(0, { head: 12 });
  desk.blocks(13, 10 + OLD);
  assert.equal(desk.next, 1n);
  desk.blocks(12 + OLD, 12 + OLD);
  assert.equal(desk.next, 0n);
  desk.send(0, { head: 20 });
  assert.equal(desk.next, 1n);
});

test('a block that includes a transaction counts even if the node refuses it afterwards', () => {
  const desk = new Desk();
  const raw = transaction(0);
  const handed = desk.hand(raw, 0);
  desk.nowMs = 7;
  desk.book.include(11, [{ hash: handed.hash, raw, from: FROM }], 0);
  desk.book.refuse(handed);
  assert.equal(desk.next, 1n);
  assert.deepEqual(desk.book.counts, { accepted: 0, included: 1, expired: 0 });
  assert.equal(desk.book.times.count, 1);
});

test('a transaction counts for three blocks after the one that includes it, also if that is reorged out', () => {
  const desk = new Desk();
  const send = desk.send(0);
  const stands = (): void => assert.equal(desk.book.next(FROM, 0n), 1n);
  desk.book.include(12, [send], 0);
  desk.blocks(11, 12 + OLD - 1);
  stands();
  desk.book.goBack(11);
  desk.book.age(11 + OLD);
  stands();
  desk.blocks(12, 11 + OLD);
  assert.equal(desk.next, 0n);
  assert.deepEqual(desk.book.counts, { accepted: 1, included: 1, expired: 0 });
});

test('a chain that goes back does not prolong the wait for missing transactions', () => {
  const desk = new Desk();
  desk.send(0, { head: 10 });
  desk.book.age(10);
  desk.book.goBack(7);
  desk.blocks(8, 7 + OLD);
  assert.equal(desk.next, 0n);
});

test('after a reset of the state three blocks are counted from the first one that is seen', () => {
  const desk = new Desk();
  desk.send(0);
  desk.book.restart();
  desk.blocks(100, 100 + OLD - 1);
  assert.equal(desk.next, 1n);
  desk.blocks(100 + OLD, 100 + OLD);
  assert.equal(desk.next, 0n);
});

test('each client has a quota of the memory, which is freed when its transactions end', () => {
  const weight = LIMITS.ownSendOverheadBytes + transaction(0).length;
  const desk = new Desk(3 * weight, 2 * weight);
  desk.send(0);
  desk.send(1);
  assert.equal(desk.book.submit(transaction(2), 'a'), null);
  const other = desk.book.submit(transaction(2), 'b')!;
  assert.notEqual(other, null);
  assert.equal(desk.book.submit(transaction(3), 'c'), null);
  desk.book.refuse(other);
  assert.deepEqual([desk.count, desk.book.size], [2 * weight, 2]);
  desk.blocks(12, 12 + OLD);
  assert.deepEqual([desk.count, desk.book.size, desk.book.guarded.size], [0, 0, 0]);
});

test('reports of another instance count, use memory of their client, and are passed on to instances that join', () => {
  const [one, other] = [new Desk(), new Desk()];
  one.send(0);
  one.send(1);
  one.nowMs = 500;
  const reports = one.book.reports();
  assert.deepEqual(
    reports.map(({ nonce, client, ageMs }) => [nonce, client, ageMs]),
    [
      [0n, 'a', 500],
      [1n, 'a', 500],
    ],
  );
  for (const report of [...reports, ...reports]) other.book.learn(report, 10);
  assert.deepEqual([other.next, other.count], [2n, one.count]);
  other.blocks(11, 10 + OLD);
  assert.deepEqual([other.next, other.count, other.book.reports()], [0n, 0, []]);
});
