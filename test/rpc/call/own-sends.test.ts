// The record of submitted transactions: pending nonces, statuses, and the memory they use.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Usage } from '../../../src/fairness/usage.js';
import { Quota } from '../../../src/fairness/quota.js';
import { fromHex } from '../../../src/lib/bytes/hex.js';
import { LIMITS } from '../../../src/limits/index.js';
import { OwnTransactions } from '../../../src/rpc/call/own-sends.js';
import type { Submitted } from '../../../src/rpc/call/send.js';
import type { PublishedTransaction } from '../../../src/state/block.js';
import { keccak256 } from '../../../src/lib/bytes/keccak.js';
import { devWallet, signed } from '../../feed/keys.js';

const WALLET = devWallet(0);
const FROM = fromHex(WALLET.address);
const OLD = LIMITS.ownSendBlocksMax;

/** A book on a clock and a state of its own. */
class Desk {
  nowMs = 0;
  /** Next nonce of the state; `null`: it is not held. */
  stateNonce: bigint | null = 0n;
  readonly ledger = new Usage();
  readonly reported: string[] = [];
  readonly book: OwnTransactions;

  constructor(bytesMax = 1_000_000, clientMax = 1_000_000) {
    const shares = new Quota(this.ledger, 'sendBytes', bytesMax, clientMax);
    this.book = new OwnTransactions({ shares, nowMs: () => this.nowMs, stateNonce: () => this.stateNonce });
    this.book.onTold = (sends) => {
      for (const { nonce, fate } of sends) this.reported.push(`${nonce} ${fate.kind}`);
    };
  }

  hand(raw: Uint8Array, nonce: number): Submitted {
    const handed = this.book.submit(raw, 'a')!;
    this.book.sign(handed, FROM, BigInt(nonce));
    return handed;
  }

  /** A transaction that the node has accepted while block `head` was the newest. */
  send(nonce: number, { tip = 1, head = 10 } = {}): PublishedTransaction {
    const raw = transaction(nonce, tip);
    this.book.accept(this.hand(raw, nonce), head, null);
    return { raw, hash: keccak256(raw), from: FROM };
  }

  get next(): bigint {
    return this.book.next(FROM, this.stateNonce!);
  }

  /** Blocks above `from`, and time enough. */
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

const HASH = new Uint8Array(32).fill(7);

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
  assert.deepEqual(desk.reported, ['1 accepted']);
});

test('of two transactions with one nonce the last accepted counts, or the one in a block', () => {
  const desk = new Desk();
  const first = desk.send(0);
  const second = desk.send(0, { tip: 2 });
  assert.equal(desk.next, 1n);
  assert.deepEqual(desk.book.at(FROM, 0n)!.hash, second.hash);
  desk.book.include(11, null, [first], 0);
  assert.deepEqual(desk.book.at(FROM, 0n)!.hash, first.hash);
  assert.deepEqual(desk.reported, ['0 accepted', '0 replaced', '0 accepted', '0 replaced', '0 preconfirmed']);
  assert.equal(desk.book.guarded.size, 1);
  const [one, two] = [...desk.book.of('a')];
  assert.equal(one!.fate.kind, 'preconfirmed');
  assert.deepEqual(two!.fate, { kind: 'replaced', by: first.hash });
});

test('a transaction sent elsewhere replaces ours once it is in a block', () => {
  const desk = new Desk();
  desk.send(0);
  const raw = transaction(0, 5);
  const other = { raw, hash: keccak256(raw), from: FROM };
  desk.book.include(11, null, [other], 0);
  assert.deepEqual([...desk.book.of('a')][0]!.fate, { kind: 'replaced', by: other.hash });
  desk.stateNonce = 0n;
  assert.equal(desk.next, 0n);
});

test('a transaction counts as dropped after three blocks and three seconds, and not before both', () => {
  const desk = new Desk();
  desk.send(0, { head: 10 });
  desk.book.age(10 + OLD);
  assert.equal(desk.next, 1n, 'blocks of no time');
  desk.blocks(11, 10 + OLD - 1);
  assert.equal(desk.next, 1n, 'time without blocks');
  desk.blocks(10 + OLD, 10 + OLD);
  assert.equal(desk.next, 0n);
  assert.deepEqual(desk.reported, ['0 accepted', '0 dropped']);
  assert.equal(desk.count, 0);
});

test('the final status is what is known: dropped, replaced, or unknown after missed blocks', () => {
  const desk = new Desk();
  desk.send(0);
  desk.stateNonce = 1n;
  desk.blocks(11, 10 + OLD);
  assert.deepEqual([...desk.book.of('a')][0]!.fate, { kind: 'replaced', by: null });
  desk.send(1, { head: 20 });
  desk.stateNonce = 2n;
  desk.book.pass(false);
  desk.blocks(21, 20 + OLD);
  desk.send(2, { head: 30 });
  desk.stateNonce = null;
  desk.blocks(31, 30 + OLD);
  assert.deepEqual(desk.reported.slice(2), ['1 accepted', '1 unknown', '2 accepted', '2 dropped']);
});

test('a transaction accepted again counts anew, and one already in a block is reported once', () => {
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
  assert.deepEqual(desk.reported, ['0 accepted', '0 dropped', '0 accepted']);
  const { hash, raw } = [...desk.book.of('a')][0]!;
  desk.book.include(21, null, [{ hash, raw, from: FROM }], 0);
  desk.book.accept(desk.hand(raw, 0), 20, { block: 21, index: 0, hash: null });
  assert.deepEqual(desk.reported.slice(3), ['0 preconfirmed']);
});

test('a block that includes a transaction counts even if the node refuses it afterwards', () => {
  const desk = new Desk();
  const raw = transaction(0);
  const handed = desk.hand(raw, 0);
  desk.book.include(11, null, [{ hash: handed.hash, raw, from: FROM }], 0);
  assert.equal(desk.next, 1n);
  desk.book.refuse(handed);
  assert.equal(desk.next, 1n);
  assert.deepEqual(desk.reported, ['0 preconfirmed']);
});

test('a transaction counts at every step through blocks and reorgs', () => {
  const desk = new Desk();
  const send = desk.send(0);
  const stands = (): void => assert.equal(desk.book.next(FROM, 0n), 1n, desk.reported.join());
  desk.book.include(11, null, [send], 0);
  stands();
  desk.book.drop(11, 0);
  stands();
  desk.book.include(12, null, [send], 0);
  desk.book.drop(12, 1);
  assert.equal(desk.reported.at(-1), '0 preconfirmed');
  desk.book.include(12, HASH, [send], 0);
  desk.book.age(12);
  stands();
  desk.blocks(13, 40);
  stands();
  desk.book.remove(HASH);
  stands();
  desk.blocks(41, 40 + OLD - 1);
  stands();
  desk.blocks(40 + OLD, 40 + OLD);
  assert.equal(desk.next, 0n);
  const fates = ['accepted', 'preconfirmed', 'withdrawn', 'preconfirmed', 'confirmed', 'withdrawn', 'dropped'];
  assert.deepEqual(
    desk.reported,
    fates.map((fate) => `0 ${fate}`),
  );
});

test('a chain that goes back does not prolong the wait for missing transactions', () => {
  const desk = new Desk();
  desk.send(0, { head: 10 });
  desk.book.age(10);
  desk.book.goBack(7);
  desk.blocks(8, 7 + OLD);
  assert.equal(desk.next, 0n);
});

test('after a resync nothing confirmed before is known', () => {
  const desk = new Desk();
  const [one, two] = [desk.send(0), desk.send(1)];
  desk.book.include(11, HASH, [one], 0);
  desk.book.include(12, null, [two], 0);
  desk.book.pass(true);
  assert.equal(desk.next, 0n);
  assert.equal(desk.book.next(FROM, 1n), 2n);
  desk.blocks(3, 3 + OLD);
  assert.equal(desk.book.next(FROM, 1n), 1n);
  assert.deepEqual(desk.reported.slice(-2), ['1 withdrawn', '1 dropped']);
  assert.equal(desk.count, 0);
});

test('each client has a share of the memory, which is freed when its transactions end', () => {
  const weight = LIMITS.ownSendOverheadBytes + transaction(0).length;
  const desk = new Desk(3 * weight, 2 * weight);
  const [one] = [desk.send(0), desk.send(1)];
  assert.equal(desk.book.submit(transaction(2), 'a'), null);
  const other = desk.book.submit(transaction(2), 'b')!;
  assert.notEqual(other, null);
  assert.equal(desk.book.submit(transaction(3), 'c'), null);
  desk.book.refuse(other);
  desk.book.include(11, HASH, [one], 0);
  assert.equal(desk.count, weight);
  desk.book.remove(HASH);
  assert.equal(desk.count, 2 * weight);
  desk.blocks(12, 12 + OLD);
  assert.deepEqual([desk.count, desk.book.onTheWay], [0, 0]);
});

test('the newest settled transactions are retained, within a bound', () => {
  const desk = new Desk(Infinity, Infinity);
  const kept = Math.floor(LIMITS.ownSendsSettledBytesMax / (LIMITS.ownSendOverheadBytes + 100));
  const raw = new Uint8Array(100);
  for (let n = 0; n <= kept; n++) {
    new DataView(raw.buffer).setUint32(0, n);
    const handed = desk.book.submit(Uint8Array.from(raw), 'a')!;
    desk.book.sign(handed, FROM, BigInt(n));
    desk.book.accept(handed, 10, { block: 9, index: n, hash: HASH });
  }
  assert.equal(desk.book.at(FROM, 0n), null);
  assert.equal([...desk.book.of('a')].length, kept);
  assert.equal(desk.book.guarded.size, 1);
});

test('settled transactions are forgotten when a reorg cannot reach their block any more', () => {
  const desk = new Desk();
  const send = desk.send(0);
  desk.book.include(11, HASH, [send], 0);
  desk.nowMs += LIMITS.keptWindowMs - 1;
  desk.book.age(12);
  assert.equal(desk.book.isEmpty, false);
  desk.nowMs += 1;
  desk.book.age(13);
  assert.deepEqual([desk.book.isEmpty, desk.book.guarded.size, desk.book.of('a').size], [true, 0, 0]);
});

test('reports of another instance count, use memory of their client, and are passed on to instances that join', () => {
  const [one, other] = [new Desk(), new Desk()];
  const [first] = [one.send(0), one.send(1)];
  one.nowMs = 500;
  const reports = one.book.reports();
  assert.deepEqual(
    reports.map(({ nonce, client, ageMs }) => [nonce, client, ageMs]),
    [
      [0n, 'a', 500],
      [1n, 'a', 500],
    ],
  );
  for (const report of [...reports, ...reports]) other.book.learn(report, 10, () => null);
  assert.deepEqual([other.next, other.count, other.reported], [2n, one.count, ['0 accepted', '1 accepted']]);
  other.book.include(11, new Uint8Array(32).fill(1), [first], 0);
  other.book.learn(reports[0]!, 11, () => null);
  assert.deepEqual([other.next, other.reported.at(-1)], [2n, '0 confirmed']);
  other.blocks(11, 10 + OLD);
  assert.deepEqual([other.count, other.reported.at(-1)], [0, '1 dropped']);
  assert.deepEqual(other.book.reports(), []);
  const where = { block: 12, index: 3, hash: null };
  other.book.learn(reports[1]!, 12, () => where);
  assert.equal(other.reported.at(-1), '1 preconfirmed');
});
