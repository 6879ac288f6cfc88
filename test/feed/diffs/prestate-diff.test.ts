// Diffs of prestateTracer: the resulting changes, and invalid ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PRESTATE_DIFF_TRACER_CONFIG, parsePrestateDiffs } from '../../../src/feed/diffs/prestate-diff.js';
import { prestateContradiction, blockWritesFromTraces } from '../../../src/feed/diffs/transaction-diff.js';
import { fromHex, toHex } from '../../../src/lib/bytes/hex.js';
import { keccak256 } from '../../../src/lib/bytes/keccak-wasm.js';
import { UpstreamError } from '../../../src/upstream/upstream.js';
import { bytes, MemoryView } from '../../support/memory-view.js';

const HASH = bytes('aa', 32);
const A = `0x${'0a'.repeat(20)}`;
const B = `0x${'0b'.repeat(20)}`;
const DELEGATION = `0xef0100${'0c'.repeat(20)}`;
const word = (value: number): string => toHex(bytes(value.toString(16), 32));

type Sides = Readonly<Record<string, unknown>>;

function traced(
  ...diffs: readonly { readonly pre: Sides; readonly post: Sides }[]
): ReturnType<typeof parsePrestateDiffs> {
  return parsePrestateDiffs(
    diffs.map((result) => ({ txHash: toHex(HASH), result })),
    diffs.map(() => HASH),
  );
}

function refused(result: unknown, message: RegExp): void {
  assert.throws(
    () => parsePrestateDiffs(result, [HASH]),
    (error) => error instanceof UpstreamError && error.kind === 'malformed' && message.test(error.message),
  );
}

void test('the tracer is requested in diff mode', () => {
  assert.deepEqual(PRESTATE_DIFF_TRACER_CONFIG, { tracer: 'prestateTracer', tracerConfig: { diffMode: true } });
});

void test('omitted fields stay, a slot only in pre becomes zero, and the last transaction counts', () => {
  const first = {
    pre: { [A]: { balance: '0x5', nonce: 3, storage: { [word(1)]: word(7) } } },
    post: { [A]: { nonce: 4 }, [B]: { balance: '0x1' } },
  };
  const second = {
    pre: { [A]: { balance: '0x5', nonce: 4 } },
    post: { [A]: { nonce: '0x5', storage: { [word(2)]: word(9) } } },
  };
  const writes = blockWritesFromTraces(traced(first, second));
  assert.deepEqual(writes.fieldsOf(fromHex(A)), { nonce: 5n, balance: null, code: null });
  assert.deepEqual(writes.fieldsOf(fromHex(B)), { nonce: null, balance: 1n, code: null });
  assert.equal(toHex(writes.wordOf(fromHex(A), fromHex(word(1)))!), word(0));
  assert.equal(toHex(writes.wordOf(fromHex(A), fromHex(word(2)))!), word(9));
  assert.deepEqual(writes.unverified, []);
});

void test('an account reported as deleted is read again', () => {
  const writes = blockWritesFromTraces(traced({ pre: { [A]: { balance: '0x5' } }, post: {} }));
  assert.deepEqual(writes.unverified.map(toHex), [A]);
  const nowhere = { [A]: { balance: '0x0', codeHash: word(0) } };
  assert.deepEqual(
    blockWritesFromTraces(traced({ pre: { [A]: { balance: '0x5' } }, post: nowhere })).unverified.map(toHex),
    [A],
  );
});

void test('an account that was touched and does not exist changes nothing', () => {
  const writes = blockWritesFromTraces(traced({ pre: {}, post: { [A]: { codeHash: word(0) } } }));
  assert.deepEqual(writes.unverified, []);
  assert.deepEqual(writes.fieldsOf(fromHex(A)), { nonce: null, balance: null, code: null });
});

void test('an account that differs between the end of one transaction and the start of the next is read again', () => {
  const ends = { pre: { [A]: { balance: '0x5' } }, post: { [A]: { balance: '0x6', storage: { [word(1)]: word(1) } } } };
  const begins = (account: Sides): Sides => ({ pre: { [A]: account }, post: { [A]: { nonce: 1 } } });
  const doubts = (account: Sides): string[] =>
    blockWritesFromTraces(traced(ends, begins(account) as { pre: Sides; post: Sides })).unverified.map(toHex);
  assert.deepEqual(doubts({ balance: '0x6' }), []);
  assert.deepEqual(doubts({ balance: '0x7' }), [A]);
  assert.deepEqual(doubts({ balance: '0x6', nonce: 1 }), []);
  assert.deepEqual(doubts({ balance: '0x6', storage: { [word(1)]: word(2) } }), [A]);
});

void test('a delegation that may have been revoked without notice is read again', () => {
  const pre = { [A]: { balance: '0x5', nonce: 1, code: DELEGATION } };
  const doubts = (before: Sides, after: unknown): number =>
    blockWritesFromTraces(traced({ pre: before, post: { [A]: after } })).unverified.length;
  assert.equal(doubts(pre, { nonce: 2 }), 1);
  assert.equal(doubts(pre, { balance: '0x6' }), 0);
  assert.equal(doubts(pre, { nonce: 2, code: '0x' }), 0);
  // With a node that reports code hashes, the change would be visible.
  const hashed = { [A]: { ...pre[A], codeHash: toHex(keccak256(fromHex(DELEGATION))) } };
  assert.equal(doubts(hashed, { nonce: 2 }), 0);
  assert.equal(doubts(hashed, { nonce: 2, codeHash: word(1) }), 1);
});

void test('values before the block are compared with the state after its parent', () => {
  const view = new MemoryView().put(A, { balance: 5n, nonce: 3n, storage: { '1': 7n } });
  const mismatch = (account: Sides): string | null => {
    const diffs = traced({ pre: { [A]: account }, post: { [A]: { balance: '0x9' } } });
    return prestateContradiction(diffs, blockWritesFromTraces(diffs), view);
  };
  assert.equal(mismatch({ balance: '0x5', nonce: 3, storage: { [word(1)]: word(7) } }), null);
  assert.equal(mismatch({ balance: '0x4', nonce: 3 }), `balance of ${A} is 5 here, 4 before the block`);
  assert.equal(mismatch({ balance: '0x5' }), `nonce of ${A} is 3 here, 0 before the block`);
  assert.match(mismatch({ balance: '0x5', nonce: 3, code: '0x00' })!, /^code of .* has hash 0xc5d246/);
  const slot = { balance: '0x5', nonce: 3, storage: { [word(1)]: word(8) } };
  assert.equal(mismatch(slot), `slot ${word(1)} of ${A} is ${word(7)} here, ${word(8)} before the block`);
  const later = traced(
    { pre: { [A]: { balance: '0x5', nonce: 3 } }, post: { [A]: { balance: '0x6' } } },
    { pre: { [A]: { balance: '0x6', nonce: 3 } }, post: { [A]: { balance: '0x7' } } },
  );
  assert.equal(prestateContradiction(later, blockWritesFromTraces(later), view), null);
});

void test('malformed diffs are refused', () => {
  const result = (pre: unknown, post: unknown = {}): unknown => [{ txHash: toHex(HASH), result: { pre, post } }];
  refused(null, /no list/);
  refused([], /0 traces for 1 transactions/);
  refused([{ txHash: toHex(HASH), error: 'out of time' }], /cannot be traced: "out of time"/);
  refused([{ txHash: word(1), result: { pre: {}, post: {} } }], /another transaction/);
  refused([{ txHash: toHex(HASH) }], /a diff is no object/);
  refused(result(null), /pre is no object/);
  refused(result({ '0x01': {} }), /an address has not 20 bytes/);
  refused(result({ [A]: {}, [A.toUpperCase().replace('X', 'x')]: {} }), /pre has .* twice/);
  refused(result({ [A]: { balance: 5 } }), /balance is no quantity/);
  refused(result({ [A]: { nonce: -1 } }), /nonce is no quantity/);
  refused(result({ [A]: { nonce: 2 ** 53 } }), /nonce is no quantity/);
  refused(result({ [A]: { code: '0x0' } }), /code is no hex/);
  refused(result({ [A]: { code: '0x00', codeHash: word(1) } }), /codeHash is not that of the code/);
  refused(result({ [A]: { storage: { [word(1)]: 'zz' } } }), /a word is no quantity/);
  refused(result({ [A]: { storage: { [`${word(1)}00`]: word(1) } } }), /a slot is no quantity/);
});
