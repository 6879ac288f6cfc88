// State roots compared with those of @ethereumjs/statemanager.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MerkleStateManager } from '@ethereumjs/statemanager';
import { Account, Address } from '@ethereumjs/util';
import { StateTrie } from '../../src/chain/state-root.js';
import { EMPTY_TRIE_ROOT } from '../../src/chain/trie.js';
import { toHex } from '../../src/lib/bytes/hex.js';
import { toBytes } from '../../src/lib/bytes/big-endian.js';
import type { AccountChange, SlotChange } from '../../src/state/state-diff.js';
import { EMPTY_CODE_HASH } from '../../src/state/views/state-view.js';

const address = (n: number): Uint8Array => toBytes(BigInt(n), 20);
const word = (n: number): Uint8Array => toBytes(BigInt(n), 32);
const slot = (account: number, at: number, value: number): SlotChange => ({
  address: address(account),
  slot: word(at),
  value: word(value),
});
const account = (n: number, balance: number): AccountChange => ({
  address: address(n),
  account: { nonce: BigInt(n), balance: BigInt(balance), codeHash: EMPTY_CODE_HASH },
});

async function reference(accounts: readonly AccountChange[], slots: readonly SlotChange[]): Promise<string> {
  const manager = new MerkleStateManager();
  await manager.checkpoint();
  for (const { address: at, account: state } of accounts)
    await manager.putAccount(new Address(at), new Account(state?.nonce ?? 0n, state?.balance ?? 0n));
  for (const { address: at, slot: key, value } of slots)
    await manager.putStorage(new Address(at), key, value.subarray(value.findIndex((byte) => byte !== 0)));
  await manager.commit();
  return toHex(await manager.getStateRoot());
}

const accounts = Array.from({ length: 200 }, (_, i) => account(i + 1, i * 1000));
const slots = Array.from({ length: 500 }, (_, i) => slot(1 + (i % 7), i, i + 1));

void test('the root of accounts and storage equals that of the library', async () => {
  const trie = new StateTrie();
  trie.apply({ accounts, slots });
  assert.equal(toHex(trie.root()), await reference(accounts, slots));
});

void test('computing roots between changes does not alter later roots', async () => {
  const trie = new StateTrie();
  for (const change of accounts) {
    trie.apply({ accounts: [change], slots: [] });
    trie.root();
  }
  for (const change of slots) {
    trie.apply({ accounts: [], slots: [slot(1, 9, 77), change] });
    trie.root();
  }
  trie.apply({ accounts: [], slots: [slot(1, 9, 0)] });
  const without = slots.filter(
    ({ address: at, slot: key }) => toHex(at) + toHex(key) !== toHex(address(1)) + toHex(word(9)),
  );
  assert.equal(toHex(trie.root()), await reference(accounts, without));
});

void test('a deleted account loses its storage, and can be created again without it', async () => {
  const trie = new StateTrie();
  trie.apply({ accounts, slots });
  trie.root();
  trie.apply({ accounts: [{ address: address(3), account: null }], slots: [] });
  const others = accounts.filter(({ address: at }) => toHex(at) !== toHex(address(3)));
  const otherSlots = slots.filter(({ address: at }) => toHex(at) !== toHex(address(3)));
  assert.equal(toHex(trie.root()), await reference(others, otherSlots));
  trie.apply({ accounts: [account(3, 5)], slots: [] });
  assert.equal(toHex(trie.root()), await reference([...others, account(3, 5)], otherSlots));
});

void test('an account that was only ever deleted leaves the trie empty', () => {
  const trie = new StateTrie();
  trie.apply({ accounts: [{ address: address(1), account: null }], slots: [slot(1, 1, 0)] });
  assert.deepEqual(trie.root(), EMPTY_TRIE_ROOT);
});

void test('a trie built from its contents is the same, and lists the nonzero slots', () => {
  const trie = new StateTrie();
  trie.apply({ accounts, slots });
  trie.apply({ accounts: [], slots: [slot(2, 1, 0)] });
  const kept = slots.filter(
    ({ address: at, slot: key }) => toHex(at) + toHex(key) !== toHex(address(2)) + toHex(word(1)),
  );
  const rebuilt = StateTrie.of({ accounts: () => accounts, slots: () => kept });
  assert.equal(toHex(rebuilt.root()), toHex(trie.root()));
  const ofSecond = kept
    .filter(({ address: at }) => toHex(at) === toHex(address(2)))
    .map((change) => toHex(change.slot));
  assert.deepEqual([...trie.slotsOf(address(2))].map(toHex).toSorted(), ofSecond.toSorted());
  assert.deepEqual([...trie.slotsOf(address(150))], []);
});
