// Diffs of trace_replayBlockTransactions: the resulting changes, and invalid ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replayDiffs, STATE_DIFF } from '../../../src/feed/diffs/replay-diff.js';
import { tracedWrites } from '../../../src/feed/diffs/transaction-diff.js';
import { fromHex, toHex } from '../../../src/lib/bytes/hex.js';
import { UpstreamError } from '../../../src/upstream/upstream.js';
import { bytes } from '../../support/memory-view.js';

const HASH = bytes('aa', 32);
const A = `0x${'0a'.repeat(20)}`;
const FROM = bytes('01', 20);
const word = (value: number): string => toHex(bytes(value.toString(16), 32));
const SAME = { balance: '=', nonce: '=', code: '=', storage: {} };

function replayed(...stateDiffs: readonly unknown[]): ReturnType<typeof replayDiffs> {
  return replayDiffs(
    stateDiffs.map((stateDiff) => ({ stateDiff, transactionHash: toHex(HASH) })),
    stateDiffs.map(() => ({ hash: HASH, from: FROM })),
  );
}

function refused(result: unknown, message: RegExp): void {
  assert.throws(
    () => replayDiffs(result, [{ hash: HASH, from: FROM }]),
    (error) => error instanceof UpstreamError && error.kind === 'malformed' && message.test(error.message),
  );
}

void test('stateDiff is requested', () => assert.deepEqual(STATE_DIFF, ['stateDiff']));

void test('each kind of change (+, *, -, =) is applied', () => {
  const storage = {
    [word(1)]: { '+': word(5) },
    [word(2)]: { '*': { from: word(6), to: word(7) } },
    [word(3)]: { '-': word(8) },
    [word(4)]: '=',
  };
  const [[account] = []] = replayed({
    [A]: { balance: { '*': { from: '0x5', to: '0x6' } }, nonce: '=', code: { '+': '0x00' }, storage },
  });
  assert.deepEqual(account!.before, { nonce: null, balance: 5n, code: new Uint8Array(0) });
  assert.deepEqual(account!.after, { nonce: null, balance: 6n, code: Uint8Array.of(0) });
  assert.deepEqual(
    account!.slots.map(({ before, after }) => [toHex(before!), toHex(after)]),
    [
      [word(0), word(5)],
      [word(6), word(7)],
      [word(8), word(0)],
    ],
  );
});

void test('a new account starts empty, and a deleted one is read again', () => {
  const born = { balance: { '+': '0x1' }, nonce: { '+': '0x0' }, code: { '+': '0x' }, storage: {} };
  const gone = {
    balance: { '-': '0x1' },
    nonce: { '-': '0x0' },
    code: { '-': '0x' },
    storage: { [word(1)]: { '-': word(1) } },
  };
  const writes = tracedWrites(replayed({ [A]: born }));
  assert.deepEqual(writes.fieldsOf(fromHex(A)), { nonce: 0n, balance: 1n, code: new Uint8Array(0) });
  assert.deepEqual(writes.doubted, []);
  assert.deepEqual(tracedWrites(replayed({ [A]: born }, { [A]: gone })).doubted.map(toHex), [A]);
});

/** Accounts in doubt where one nonce changes. */
function doubts(address: string, from: string, to: string, code: unknown = '='): number {
  const diffs = replayed({ [address]: { ...SAME, code, nonce: { '*': { from, to } } } });
  return tracedWrites(diffs).doubted.length;
}

void test('an account whose nonce rises may have created a contract and is read again', () => {
  assert.equal(doubts(A, '0x1', '0x2'), 1);
  assert.equal(doubts(A, '0x1', '0x2', { '*': { from: '0x', to: '0x00' } }), 0);
  assert.equal(doubts(toHex(FROM), '0x1', '0x2'), 0);
  assert.equal(doubts(toHex(FROM), '0x1', '0x3'), 1);
});

void test('malformed replays are refused', () => {
  const of = (account: unknown): unknown => [{ stateDiff: { [A]: account } }];
  refused({}, /no list/);
  refused([], /0 replays for 1 transactions/);
  refused([{ stateDiff: null }], /stateDiff is no object/);
  refused([{ stateDiff: {}, transactionHash: word(1) }], /another transaction/);
  refused([{ stateDiff: { [A]: SAME, [A.toUpperCase().replace('X', 'x')]: SAME } }], /twice/);
  refused(of({ ...SAME, balance: '+' }), /balance is no object/);
  refused(of({ ...SAME, balance: {} }), /balance has 0 changes/);
  refused(of({ ...SAME, balance: { '/': '0x1' } }), /balance changes by \//);
  refused(of({ ...SAME, balance: { '*': { from: '0x1' } } }), /balance is no quantity/);
  refused(of({ ...SAME, code: { '+': '0x0' } }), /code is no hex/);
  refused(of({ ...SAME, storage: { '0xzz': '=', [word(1)]: { '+': null } } }), /a slot is no quantity/);
});
