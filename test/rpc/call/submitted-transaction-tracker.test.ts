// The tracker of submitted transactions: pending nonces, and the memory it uses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageLedger } from '../../../src/fairness/usage-ledger.js';
import { TotalAndClientLimit } from '../../../src/fairness/total-and-client-limit.js';
import { fromHex } from '../../../src/lib/bytes/hex.js';
import { LIMITS } from '../../../src/limits/index.js';
import { SubmittedTransactionTracker } from '../../../src/rpc/call/submitted-transaction-tracker.js';
import type { SubmittedRawTransaction } from '../../../src/rpc/call/submitted-nonces.js';
import type { AnnouncedTransaction } from '../../../src/state/complete-block.js';
import { keccak256 } from '../../../src/lib/bytes/keccak-wasm.js';
import { devWallet, signed } from '../../feed/keys.js';

const WALLET = devWallet(0);
const FROM = fromHex(WALLET.address);
const OLD = LIMITS.ownSendBlocksMax;

/** A tracker on its own clock and state. */
class TrackerRig {
  nowMs = 0;
  /** The account's nonce in the state. */
  stateNonce = 0n;
  readonly ledger = new UsageLedger();
  readonly tracker: SubmittedTransactionTracker;

  constructor(bytesMax = 1_000_000, clientMax = 1_000_000) {
    const shares = new TotalAndClientLimit(this.ledger, 'sendBytes', bytesMax, clientMax);
    this.tracker = new SubmittedTransactionTracker(shares, () => this.nowMs);
  }

  submit(raw: Uint8Array, nonce: number): SubmittedRawTransaction {
    const submitted = this.tracker.submit(raw, 'a')!;
    this.tracker.sign(submitted, FROM, BigInt(nonce));
    return submitted;
  }

  /** A transaction that the node accepted while block `head` was the newest. */
  send(nonce: number, { tip = 1, head = 10 } = {}): AnnouncedTransaction {
    const raw = transaction(nonce, tip);
    this.tracker.accept(this.submit(raw, nonce), head);
    return { raw, hash: keccak256(raw), from: FROM };
  }

  get next(): bigint {
    return this.tracker.next(FROM, this.stateNonce);
  }

  /** Adds the blocks after `from`, and lets enough time pass. */
  blocks(from: number, to: number): void {
    this.nowMs += LIMITS.ownSendMsMin;
    for (let number = from; number <= to; number++) this.tracker.age(number);
  }

  get count(): number {
    return this.ledger.total('sendBytes');
  }
}

function transaction(nonce: number, tip = 1): Uint8Array {
  return signed(WALLET, { nonce, maxPriorityFeePerGas: BigInt(tip) });
}

test('accepted transactions advance the pending nonce, without gaps, from the nonce in the state', () => {
  const rig = new TrackerRig();
  assert.equal(rig.next, 0n);
  rig.send(1);
  assert.equal(rig.next, 0n);
  rig.send(0);
  assert.equal(rig.next, 2n);
  rig.send(3);
  assert.equal(rig.next, 2n);
  rig.stateNonce = 3n;
  assert.equal(rig.next, 4n);
  rig.stateNonce = 9n;
  assert.equal(rig.next, 9n);
  assert.equal(rig.tracker.next(new Uint8Array(20), 5n), 5n);
});

test('an unanswered submission counts only for gaps, a refused one not at all', () => {
  const rig = new TrackerRig();
  const submitted = rig.submit(transaction(0), 0);
  assert.deepEqual([rig.next, rig.tracker.nextSent(FROM, 0n)], [0n, 1n]);
  rig.send(1);
  assert.deepEqual([rig.next, rig.tracker.nextSent(FROM, 0n)], [0n, 2n]);
  rig.tracker.refuse(submitted);
  assert.deepEqual([rig.next, rig.tracker.nextSent(FROM, 0n)], [0n, 0n]);
  assert.deepEqual(rig.tracker.counts, { accepted: 1, included: 0, expired: 0 });
});

test('of two transactions with one nonce the last accepted counts, or the one in a block', () => {
  const rig = new TrackerRig();
  const first = rig.send(0);
  const second = rig.send(0, { tip: 2 });
  assert.equal(rig.next, 1n);
  assert.deepEqual(rig.tracker.at(FROM, 0n)!.hash, second.hash);
  rig.submit(first.raw, 0);
  rig.tracker.include(11, [first], 0);
  assert.deepEqual(rig.tracker.at(FROM, 0n)!.hash, first.hash);
  assert.deepEqual([rig.tracker.size, rig.tracker.guarded.size], [1, 1]);
});

test('a transaction sent elsewhere replaces ours once it is in a block', () => {
  const rig = new TrackerRig();
  rig.send(0);
  const raw = transaction(0, 5);
  rig.tracker.include(11, [{ raw, hash: keccak256(raw), from: FROM }], 0);
  assert.deepEqual([rig.next, rig.count, rig.tracker.guarded.size], [0n, 0, 0]);
});

test('a transaction counts until three blocks and three seconds have passed, and both', () => {
  const rig = new TrackerRig();
  rig.send(0, { head: 10 });
  rig.tracker.age(10 + OLD);
  assert.equal(rig.next, 1n, 'blocks of no time');
  rig.blocks(11, 10 + OLD - 1);
  assert.equal(rig.next, 1n, 'time without blocks');
  rig.blocks(10 + OLD, 10 + OLD);
  assert.deepEqual([rig.next, rig.count], [0n, 0]);
  assert.deepEqual(rig.tracker.counts, { accepted: 1, included: 0, expired: 1 });
});

test('a transaction that is accepted again counts anew', () => {
  const rig = new TrackerRig();
  rig.send(0);
  rig.nowMs = LIMITS.ownSendMsMin;
  rig.send(0, { head: 12 });
  rig.blocks(13, 10 + OLD);
  assert.equal(rig.next, 1n);
  rig.blocks(12 + OLD, 12 + OLD);
  assert.equal(rig.next, 0n);
  rig.send(0, { head: 20 });
  assert.equal(rig.next, 1n);
});

test('a block that includes a transaction counts even if the node refuses it afterwards', () => {
  const rig = new TrackerRig();
  const raw = transaction(0);
  const submitted = rig.submit(raw, 0);
  rig.nowMs = 7;
  rig.tracker.include(11, [{ hash: submitted.hash, raw, from: FROM }], 0);
  rig.tracker.refuse(submitted);
  assert.equal(rig.next, 1n);
  assert.deepEqual(rig.tracker.counts, { accepted: 0, included: 1, expired: 0 });
  assert.equal(rig.tracker.times.count, 1);
});

test('a transaction counts for three blocks after the one that includes it, also if that is reorged out', () => {
  const rig = new TrackerRig();
  const send = rig.send(0);
  const isCounted = (): void => assert.equal(rig.tracker.next(FROM, 0n), 1n);
  rig.tracker.include(12, [send], 0);
  rig.blocks(11, 12 + OLD - 1);
  isCounted();
  rig.tracker.goBack(11);
  rig.tracker.age(11 + OLD);
  isCounted();
  rig.blocks(12, 11 + OLD);
  assert.equal(rig.next, 0n);
  assert.deepEqual(rig.tracker.counts, { accepted: 1, included: 1, expired: 0 });
});

test('a chain that goes back does not prolong the wait for missing transactions', () => {
  const rig = new TrackerRig();
  rig.send(0, { head: 10 });
  rig.tracker.age(10);
  rig.tracker.goBack(7);
  rig.blocks(8, 7 + OLD);
  assert.equal(rig.next, 0n);
});

test('after a reset of the state three blocks are counted from the first one that is seen', () => {
  const rig = new TrackerRig();
  rig.send(0);
  rig.tracker.restart();
  rig.blocks(100, 100 + OLD - 1);
  assert.equal(rig.next, 1n);
  rig.blocks(100 + OLD, 100 + OLD);
  assert.equal(rig.next, 0n);
});

test('each client has a quota of the memory, which is freed when its transactions end', () => {
  const weight = LIMITS.ownSendOverheadBytes + transaction(0).length;
  const rig = new TrackerRig(3 * weight, 2 * weight);
  rig.send(0);
  rig.send(1);
  assert.equal(rig.tracker.submit(transaction(2), 'a'), null);
  const other = rig.tracker.submit(transaction(2), 'b')!;
  assert.notEqual(other, null);
  assert.equal(rig.tracker.submit(transaction(3), 'c'), null);
  rig.tracker.refuse(other);
  assert.deepEqual([rig.count, rig.tracker.size], [2 * weight, 2]);
  rig.blocks(12, 12 + OLD);
  assert.deepEqual([rig.count, rig.tracker.size, rig.tracker.guarded.size], [0, 0, 0]);
});

test('reports of another instance count, use memory of their client, and are passed on to instances that join', () => {
  const [one, other] = [new TrackerRig(), new TrackerRig()];
  one.send(0);
  one.send(1);
  one.nowMs = 500;
  const reports = one.tracker.reports();
  assert.deepEqual(
    reports.map(({ nonce, client, ageMs }) => [nonce, client, ageMs]),
    [
      [0n, 'a', 500],
      [1n, 'a', 500],
    ],
  );
  for (const report of [...reports, ...reports]) other.tracker.learn(report, 10);
  assert.deepEqual([other.next, other.count], [2n, one.count]);
  other.blocks(11, 10 + OLD);
  assert.deepEqual([other.next, other.count, other.tracker.reports()], [0n, 0, []]);
});
