// Samples of the keys that a diff changed, and differences between their values.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstDifference, sampleChangedKeys } from '../../../src/feed/diffs/sample-changed-values.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { toBytes } from '../../../src/lib/bytes/big-endian.js';
import type { AccountChange, SlotChange, StateChanges } from '../../../src/state/state-diff.js';
import { EMPTY_CODE_HASH } from '../../../src/state/views/state-view.js';
import { bytes } from '../../support/memory-view.js';

const A = bytes('0a', 20);
const word = (value: bigint): string => toHex(toBytes(value, 32));
const BLOCK = bytes('b1', 32);
const accountOf = (address: Uint8Array, balance = 1n, nonce = 0n): AccountChange => ({
  address,
  account: { nonce, balance, codeHash: EMPTY_CODE_HASH },
});
const slotOf = (slot: bigint, value = 1n): SlotChange => ({
  address: A,
  slot: toBytes(slot, 32),
  value: toBytes(value, 32),
});
const changesOf = (accounts: readonly AccountChange[], slots: readonly SlotChange[]): StateChanges => ({
  accounts,
  slots,
  codes: [],
});

const MANY = changesOf(
  Array.from({ length: 500 }, (_, at) => accountOf(toBytes(BigInt(at), 20))),
  Array.from({ length: 500 }, (_, at) => slotOf(BigInt(at))),
);
const namesOf = ({ accounts, slots }: ReturnType<typeof sampleChangedKeys>): string =>
  [...accounts, ...slots.map(({ slot }) => slot)].map(toHex).join();
const sizeOf = ({ accounts, slots }: ReturnType<typeof sampleChangedKeys>): number => accounts.length + slots.length;

void test('a sample has about its share of accounts and of slots', () => {
  const { accounts, slots } = sampleChangedKeys(MANY, BLOCK, 0.1);
  for (const { length } of [accounts, slots]) assert.ok(length > 25 && length < 80, `${length} of 500`);
  assert.equal(sizeOf(sampleChangedKeys(MANY, BLOCK, 1)), 1000);
  assert.equal(sizeOf(sampleChangedKeys(MANY, BLOCK, 0)), 0);
});

void test('the block hash decides which keys are sampled, at least one', () => {
  assert.equal(namesOf(sampleChangedKeys(MANY, BLOCK, 0.1)), namesOf(sampleChangedKeys(MANY, BLOCK, 0.1)));
  assert.notEqual(namesOf(sampleChangedKeys(MANY, BLOCK, 0.1)), namesOf(sampleChangedKeys(MANY, bytes('b2', 32), 0.1)));
  assert.equal(sizeOf(sampleChangedKeys(MANY, BLOCK, 1e-12)), 1);
  assert.equal(sizeOf(sampleChangedKeys(changesOf([], []), BLOCK, 1)), 0);
});

void test('a difference is reported with both values', () => {
  const changes = changesOf([accountOf(A, 5n, 2n)], [slotOf(1n, 7n)]);
  assert.equal(firstDifference(changes, changes), null);
  const read = (accounts: readonly AccountChange[], slots: readonly SlotChange[] = []): string | null =>
    firstDifference(changes, changesOf(accounts, slots));
  assert.equal(read([accountOf(A, 5n, 3n)]), `nonce of ${toHex(A)} is 2 by the diff, 3 at the node`);
  assert.equal(read([accountOf(A, 6n, 2n)]), `balance of ${toHex(A)} is 5 by the diff, 6 at the node`);
  assert.equal(read([{ address: A, account: null }]), `nonce of ${toHex(A)} is 2 by the diff, 0 at the node`);
  const hash = bytes('c1', 32);
  const coded = { address: A, account: { nonce: 2n, balance: 5n, codeHash: hash } };
  assert.equal(
    read([coded]),
    `code hash of ${toHex(A)} is ${toHex(EMPTY_CODE_HASH)} by the diff, ${toHex(hash)} at the node`,
  );
  assert.equal(
    read([], [slotOf(1n, 8n)]),
    `slot ${word(1n)} of ${toHex(A)} is ${word(7n)} by the diff, ${word(8n)} at the node`,
  );
  assert.equal(read([accountOf(bytes('0b', 20))], [slotOf(2n)]), null);
});
