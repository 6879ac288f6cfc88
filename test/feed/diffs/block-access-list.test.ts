// Block access lists: both encodings, the hash, and invalid lists.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RLP } from '@ethereumjs/rlp';
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import { accessListWrites } from '../../../src/feed/diffs/decode-verified-access-list.js';
import { blockChangesFromAccessList } from '../../../src/feed/diffs/block-changes-from-reported-writes.js';
import { fromHex, toHex } from '../../../src/lib/bytes/hex.js';
import { UpstreamError } from '../../../src/upstream/upstream.js';
import { bytes, MemoryView } from '../../support/memory-view.js';
import { jsonOf } from './access-list-forms.js';

const A = bytes('0a', 20);
const B = bytes('0b', 20);
type Item = Parameters<typeof RLP.encode>[0];

/** One account: slots, reads, balances, nonces, codes. */
const account = (address: Uint8Array, ...fields: readonly Item[]): Item => [
  address,
  ...fields,
  ...[[], [], [], [], []].slice(fields.length),
];

function refused(result: unknown, hash: Uint8Array, message: RegExp): void {
  assert.throws(
    () => accessListWrites(result, hash),
    (error) => error instanceof UpstreamError && error.kind === 'malformed' && message.test(error.message),
  );
}

/** The list is refused although its hash is correct. */
function refusedList(list: readonly Item[], message: RegExp): void {
  const rlp = RLP.encode(list as Item[]);
  refused(toHex(rlp), keccak256(rlp), message);
}

/** A value written by the transaction `index`. */
const write = (index: number, value: Item): Item => [index, value];
/** A slot with what was written into it. */
const slotOf = (number: number, ...writes: readonly Item[]): Item => [number, [...writes]];

const SLOTS: Item = [slotOf(1, write(1, 5), write(2, 6)), slotOf(300, write(2, new Uint8Array(0)))];
const LIST = RLP.encode([
  account(A, SLOTS, [2, 3], [write(0, 7), write(3, 8)], [write(1, 1)], [write(2, Uint8Array.of(0))]),
  account(B, [], [1]),
]);

void test('the last write of each field and slot counts, in either encoding', () => {
  for (const form of [toHex(LIST), jsonOf(toHex(LIST))]) {
    const writes = accessListWrites(form, keccak256(LIST));
    const view = new MemoryView().put(A, { balance: 1n, storage: { '12c': 4n } });
    const { accounts, slots, codes } = blockChangesFromAccessList(writes, view);
    assert.deepEqual(accounts, [
      { address: A, account: { nonce: 1n, balance: 8n, codeHash: keccak256(Uint8Array.of(0)) } },
    ]);
    assert.deepEqual(
      slots.map(({ slot, value }) => [toHex(slot), toHex(value)]),
      [
        [toHex(bytes('1', 32)), toHex(bytes('6', 32))],
        [toHex(bytes('12c', 32)), toHex(bytes('0', 32))],
      ],
    );
    assert.deepEqual(
      codes.map(({ bytes: code }) => toHex(code)),
      ['0x00'],
    );
  }
});

void test('an account that ends up empty is deleted', () => {
  const rlp = RLP.encode([account(A, [], [], [[1, new Uint8Array(0)]])]);
  const { accounts } = blockChangesFromAccessList(
    accessListWrites(toHex(rlp), keccak256(rlp)),
    new MemoryView().put(A, { balance: 1n }),
  );
  assert.deepEqual(accounts, [{ address: A, account: null }]);
});

void test('a list with another hash than in the header is refused, in either encoding', () => {
  refused(toHex(LIST), bytes('1', 32), /the access list has hash 0x.*, the header says 0x0+1$/);
  const json = jsonOf(toHex(LIST));
  refused([{ ...json[0]!, nonceChanges: [{ index: '0x1', value: '0x2' }] }, json[1]], keccak256(LIST), /has hash/);
  refused(json.slice(1), keccak256(LIST), /has hash/);
});

void test('malformed RLP and JSON are refused', () => {
  const hash = keccak256(LIST);
  refused('0xzz', hash, /no hex/);
  refused(toHex(LIST.subarray(1)), hash, /no RLP/);
  refused(`${toHex(LIST)}00`, hash, /no RLP/);
  // An RLP integer must not have leading zeros.
  refused(toHex(RLP.encode([account(A, [[Uint8Array.of(0, 1), [[1, 5]]]])])), hash, /no RLP/);
  refused(toHex(RLP.encode([account(A, [], [], [], [[1, new Uint8Array(9).fill(1)]])])), hash, /no RLP/);
  const [first] = jsonOf(toHex(LIST));
  for (const name of ['address', 'storageChanges', 'storageReads', 'balanceChanges', 'nonceChanges', 'codeChanges'])
    refused([{ ...first!, [name]: undefined }], hash, /no list|no hex/);
  refused([{ ...first!, nonceChanges: [{ index: '0x1', value: `0x1${'0'.repeat(16)}` }] }], hash, /more than 64 bits/);
});

void test('a list that is not sorted is refused', () => {
  refusedList([account(B), account(A)], /accounts in disorder/);
  refusedList([account(A), account(A)], /accounts in disorder/);
  refusedList([account(A, [], [], [write(2, 1), write(1, 1)])], /changes of .* in disorder/);
  refusedList([account(A, [], [], [], [write(1, 1), write(1, 2)])], /changes of .* in disorder/);
  refusedList([account(A, [slotOf(1, write(1, 5)), slotOf(1, write(1, 6))])], /slots of .* in disorder/);
  refusedList([account(A, [slotOf(1, write(2, 5), write(1, 6))])], /changes of .* in disorder/);
  refusedList([account(A, [], [3, 2])], /reads of .* in disorder/);
  refusedList([account(A, [[1, [[1, 5]]]], [1])], /as read and as written/);
  refusedList([account(A, [[1, []]])], /without changes/);
  assert.doesNotThrow(() => accessListWrites('0xc0', keccak256(fromHex('0xc0'))));
});
