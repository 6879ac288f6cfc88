// Senders are recovered once, in parallel to the execution, and decoding a transaction does not depend on it.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { recoverSender, type RecoveredSender } from '../../../../src/transaction/recover-sender.js';
import { decodeBlockTransaction } from '../../../../src/transaction/signed-transaction.js';
import { keccak256 } from '../../../../src/lib/bytes/keccak-wasm.js';
import {
  TransactionDecoding,
  type TransactionDecodingDeps,
} from '../../../../src/feed/live/executing/transaction-decoding.js';
import { TransactionSenders } from '../../../../src/feed/live/executing/transaction-senders.js';
import { recovered } from '../../../support/recovered.js';
import { LIMITS } from '../../../../src/limits/index.js';
import { RULES, WRITER, genesis, makeBlock, type MadeBlock } from '../chain-maker.js';

const FORK = RULES.at(1, 0);

let block: MadeBlock;
let raws: Uint8Array[];
/** Number of senders in each request for recovery. */
let requested: number[];
let answer: (raw: Uint8Array) => RecoveredSender | null;
let senders: TransactionSenders;

beforeEach(async () => {
  const actions = Array.from({ length: LIMITS.sendersApartMin }, (_, at) => ({
    from: at % 3,
    to: WRITER,
    words: [BigInt(at), 1n],
  }));
  block = await makeBlock(genesis(), actions);
  raws = block.transactions.map(({ raw }) => raw);
  requested = [];
  answer = recoverSender;
  senders = new TransactionSenders((transactions) => {
    requested.push(transactions.length);
    return recovered(transactions.map((raw) => answer(raw)));
  });
});

const reported = (): { raw: Uint8Array; hash: Uint8Array; from: Uint8Array }[] =>
  block.block.transactions.map(({ raw, hash, from }) => ({ raw: raw.slice(), hash, from }));

const parts = (): TransactionDecodingDeps => ({ senders, rules: FORK, time: { pause: () => null } });

async function decode(transactions: readonly Uint8Array[]): Promise<unknown> {
  const decoded = await new TransactionDecoding(transactions, parts()).rest();
  return typeof decoded === 'string' ? decoded : decoded.map(({ hash, from }) => ({ hash, from }));
}

const expected = (): unknown =>
  raws.map((raw) => {
    const decoded = decodeBlockTransaction(raw, FORK);
    assert.notEqual(typeof decoded, 'string');
    return typeof decoded === 'string' ? decoded : { hash: decoded.hash, from: decoded.from };
  });

test('a sender is recovered once, however often its transaction is decoded', async () => {
  senders.expect(raws);
  senders.expect(raws);
  assert.deepEqual(await decode(raws), expected());
  assert.deepEqual(await decode(raws), expected());
  assert.deepEqual(requested, [raws.length]);
});

test('senders of increments are not recovered again when their block comes', async () => {
  await decode(raws);
  const again = reported();
  senders.expectBlock(again);
  assert.deepEqual(await decode(again.map(({ raw }) => raw)), expected());
  assert.deepEqual(requested, [raws.length]);
});

test('the senders of few transactions are recovered by the thread that decodes, and remembered', async () => {
  assert.equal(typeof (await decode(raws.slice(1))), 'object');
  assert.equal(typeof (await decode(raws.slice(0, 1))), 'object');
  const again = reported();
  senders.expectBlock(again);
  assert.deepEqual(await decode(again.map(({ raw }) => raw)), expected());
  assert.deepEqual(requested, []);
});

/** The reported transactions, one of them with a wrong sender. */
const withWrongSender = (at: number): ReturnType<typeof reported> =>
  reported().map((transaction, index) => (index === at ? { ...transaction, from: WRITER } : transaction));

test('a block has the senders that the node reports, until its own recovery finds one wrong', async () => {
  for (const transactions of [withWrongSender(3), withWrongSender(3).slice(2, 6)]) {
    const at = transactions.findIndex(({ from }) => from === WRITER);
    senders.expectBlock(transactions);
    assert.equal(senders.firstUntrue(transactions, false), at);
    // The wrong sender was not cached: reported again, it is found wrong again.
    const again = transactions.map((transaction) => ({ ...transaction, raw: transaction.raw.slice() }));
    senders.expectBlock(again);
    assert.equal(senders.firstUntrue(again, false), at);
  }
  const honest = reported();
  senders.expectBlock(honest);
  assert.deepEqual(await decode(honest.map(({ raw }) => raw)), expected());
  assert.equal(senders.firstUntrue(honest, false), -1);
});

test('a transaction with an invalid signature is wrong whatever sender the node reports; a deposit has no signature', () => {
  const transactions = reported();
  transactions[5]!.raw.fill(0xff, -32);
  senders.expectBlock(transactions);
  assert.equal(senders.firstUntrue(transactions, false), 5);
  const deposit = { raw: Uint8Array.of(0x7e, 0xc0), hash: new Uint8Array(32), from: WRITER };
  senders.expectBlock([deposit]);
  assert.equal(senders.firstUntrue([deposit], false), -1);
});

test('senders that the pool does not recover are recovered by the decoding thread', async () => {
  answer = () => null;
  assert.deepEqual(await decode(raws), expected());
  assert.deepEqual(requested, [raws.length]);
});

test('an invalid signature is refused with the same error as without the cache', async () => {
  const broken = raws[5]!.slice();
  broken.fill(0xff, -32);
  const without = decodeBlockTransaction(broken, FORK);
  assert.ok(typeof without === 'string');
  assert.equal(await decode([...raws.slice(0, 5), broken, raws[6]!]), `transaction 5: ${without}`);
  assert.equal(await decode([broken]), `transaction 0: ${without}`);
});

test('the number of cached senders is bounded', async () => {
  const [first] = raws;
  const sender = recoverSender(first!)!;
  let count = 0;
  answer = () => ({ ...sender, hash: keccak256(Buffer.from(`transaction ${count++}`)) });
  const many = Array.from({ length: 4 * LIMITS.sendersKeptMax }, () => new Uint8Array(1));
  await decode(raws);
  senders.expect(many);
  await decode(many);
  const again = reported();
  senders.expectBlock(again);
  assert.deepEqual(requested, [raws.length, many.length, raws.length]);
});

test('decoded transactions are returned in batches, or all at once', async () => {
  const many = Array.from({ length: LIMITS.decodedTogetherMax + 3 }, (_, at) => raws[at % raws.length]!.slice());
  const decoding = new TransactionDecoding(many, parts());
  const all = await decoding.all();
  assert.deepEqual(await decoding.next(), all.slice(0, LIMITS.decodedTogetherMax));
  assert.ok(!decoding.isOver);
  assert.deepEqual(await decoding.rest(), all.slice(LIMITS.decodedTogetherMax));
  assert.ok(decoding.isOver);
  assert.deepEqual(requested, [many.length]);
});

test('decoding many transactions yields to incoming events', async () => {
  const many = Array.from({ length: 3 * LIMITS.decodedTogetherMax }, (_, at) => raws[at % raws.length]!);
  let pauses = 0;
  const pause = (): Promise<void> | null => (pauses++ % 2 === 0 ? Promise.resolve() : null);
  await new TransactionDecoding(many, { ...parts(), time: { pause } }).next();
  assert.equal(pauses, 0);
  assert.equal((await new TransactionDecoding(many, { ...parts(), time: { pause } }).rest()).length, many.length);
  assert.equal(pauses, 2);
});
