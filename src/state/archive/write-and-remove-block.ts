// Writes and removes all archive records of one block, within a transaction of the writer.
import { LIMITS } from '../../limits/index.js';
import {
  SLOT_KEY_PREFIX_BYTES,
  accountKey,
  blockKey,
  encodeAccount,
  encodeSlotValue,
  encodeTransactionLocation,
  slotKey,
} from './format/keys-and-values.js';
import type { ArchiveReader } from './reader.js';
import { encodeBlockRecord, encodeTransactionRecord } from './format/block-records.js';
import type { ArchiveStore } from './file/lmdb-environment.js';
import type { CompleteBlock } from '../complete-block.js';
import type { BlockEnv, StateChanges } from '../state-diff.js';
import { type AccountAndSlotKeys, type StateView, readKeyValues } from '../views/state-view.js';
import { ADDRESS_BYTES } from '../../lib/bytes/big-endian.js';

/** Writes the values that accounts and slots have after the block. */
export function putStateRecords(store: ArchiveStore, block: number, changes: StateChanges): void {
  for (const { address, account } of changes.accounts) {
    store.accounts.put(accountKey(address, block), encodeAccount(account));
  }
  for (const { address, slot, value } of changes.slots) {
    store.slots.put(slotKey(address, slot, block), encodeSlotValue(value));
  }
  for (const { hash, bytes } of changes.codes) store.codes.put(Buffer.from(hash), bytes);
}

/**
 * Writes a block's header, environment and transactions, and the indices by which block and transactions are found by
 * hash.
 */
export function putBlockRecords(store: ArchiveStore, block: CompleteBlock, env: BlockEnv): void {
  const key = blockKey(block.number);
  store.blocks.put(key, encodeBlockRecord(block, env));
  store.hashes.put(Buffer.from(block.hash), key);
  block.transactions.forEach((transaction, index) => {
    const location = encodeTransactionLocation({ block: block.number, index });
    store.transactions.put(location, encodeTransactionRecord(transaction));
    store.places.put(Buffer.from(transaction.hash), location);
  });
}

/**
 * Writes the list of keys that the block has changed, which `prepareBlockRollback` needs. Deletes the list of the block
 * that has just become too old to be removed by a reorganization. The list contains the number of accounts (4 bytes),
 * their addresses, then address and slot of each changed slot.
 */
export function putChangedKeyList(store: ArchiveStore, block: number, changes: StateChanges): void {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(changes.accounts.length);
  const addresses = changes.accounts.map((change) => change.address);
  const slots = changes.slots.flatMap((change) => [change.address, change.slot]);
  store.changes.put(blockKey(block), Buffer.concat([count, ...addresses, ...slots]));
  const tooDeep = block - LIMITS.archiveReorgBlocksMax;
  if (tooDeep >= 0) store.changes.remove(blockKey(tooDeep));
}

/**
 * Returns the keys that `block` has changed, each with its value in `view`; `null` if the block is too old to be
 * removed.
 */
export function readChangedKeyValuesOfBlock(store: ArchiveStore, view: StateView, block: number): StateChanges | null {
  const changed = store.changes.get(blockKey(block));
  return changed === undefined ? null : readKeyValues(view, keysIn(changed));
}

/**
 * Reads which records belong to a block, and returns the function that deletes them; `null` if the block is too old to
 * be removed.
 */
export function prepareBlockRollback(store: ArchiveStore, reader: ArchiveReader, block: number): (() => void) | null {
  const changed = store.changes.get(blockKey(block));
  const { hash, transactions } = reader.block(block) ?? {};
  if (changed === undefined || hash === undefined || transactions === undefined) return null;
  const { accounts, slots } = keysIn(changed);
  return () => {
    for (const { address } of accounts) store.accounts.remove(accountKey(address, block));
    for (const { address, slot } of slots) store.slots.remove(slotKey(address, slot, block));
    store.blocks.remove(blockKey(block));
    store.changes.remove(blockKey(block));
    store.hashes.remove(Buffer.from(hash));
    transactions.forEach((transaction, index) => {
      store.transactions.remove(encodeTransactionLocation({ block, index }));
      store.places.remove(Buffer.from(transaction.hash));
    });
  };
}

/** Decodes a list that `putChangedKeyList` has written. */
function keysIn(list: Uint8Array): AccountAndSlotKeys {
  const changed = Buffer.from(list);
  const accounts: AccountAndSlotKeys['accounts'][number][] = [];
  const slots: AccountAndSlotKeys['slots'][number][] = [];
  const slotsAt = 4 + changed.readUInt32BE(0) * ADDRESS_BYTES;
  for (let at = 4; at < slotsAt; at += ADDRESS_BYTES)
    accounts.push({ address: changed.subarray(at, at + ADDRESS_BYTES) });
  for (let at = slotsAt; at < changed.length; at += SLOT_KEY_PREFIX_BYTES) {
    const slotAt = at + ADDRESS_BYTES;
    slots.push({ address: changed.subarray(at, slotAt), slot: changed.subarray(slotAt, at + SLOT_KEY_PREFIX_BYTES) });
  }
  return { accounts, slots };
}
