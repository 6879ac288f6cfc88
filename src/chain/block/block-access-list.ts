// Block access lists (EIP-7928): everything that a block has read, and every write with its block access index. Index 0
// means before the transactions, 1 to n the transactions, n + 1 after them. Pure.
import { RlpReader } from '../../lib/bytes/rlp-reader.js';
import { encodeRlp, type RlpInput } from '../../lib/bytes/encode-rlp.js';
import { WORD_BYTES } from '../../lib/bytes/big-endian.js';

/** A written value, and the block access index at which it was written. */
export interface AccessChange<T> {
  readonly index: number;
  readonly value: T;
}

/** The writes to one value, by ascending index. */
export type ValueChanges<T> = readonly AccessChange<T>[];

/** A written slot, with all values that were written to it. */
export interface SlotChanges {
  readonly slot: bigint;
  readonly changes: ValueChanges<bigint>;
}

/** One account of a block access list, with everything that was written to it. Slots and words are 256-bit integers. */
export interface AccountAccess {
  readonly address: Uint8Array;
  /** Written slots in ascending order. `reads`: slots that were read but not written, in ascending order. */
  readonly storage: readonly SlotChanges[];
  readonly reads: readonly bigint[];
  readonly balances: ValueChanges<bigint>;
  readonly nonces: ValueChanges<bigint>;
  readonly codes: ValueChanges<Uint8Array>;
}

/** All accessed accounts, by ascending address. */
export type BlockAccessList = readonly AccountAccess[];

/** Sizes in bytes: block access index, nonce and storage word (EIP-7928). */
const INDEX_BYTES = 4;
const NONCE_BYTES = 8;
/** Gas of the block's gas limit per account or slot that the list may have (EIP-7928). */
const ITEM_GAS = 2000n;

/** RLP of an empty block access list. */
export const EMPTY_BLOCK_ACCESS_LIST_RLP = Uint8Array.of(0xc0);

/** Decodes a block access list from RLP; returns `null` if it is malformed. */
export function decodeBlockAccessList(rlp: Uint8Array): BlockAccessList | null {
  const reader = new RlpReader(rlp);
  const list = reader.list(readAccount);
  return reader.isSound && reader.isAtEnd ? list : null;
}

/** Encodes a block access list as RLP. The header contains the hash of these bytes. */
export function encodeBlockAccessList(list: BlockAccessList): Uint8Array {
  return encodeRlp(
    list.map(({ address, storage, reads, balances, nonces, codes }) => [
      address,
      storage.map(({ slot, changes }) => [slot, pairsOf(changes)]),
      reads,
      pairsOf(balances),
      pairsOf(nonces),
      pairsOf(codes),
    ]),
  );
}

/** Returns the number of accounts and slots in a list, and the largest number allowed under the block's gas limit. */
export function countAccessListItems(
  list: BlockAccessList,
  gasLimit: bigint,
): { readonly items: number; readonly itemsMax: bigint } {
  const items = list.reduce((sum, { storage, reads }) => sum + storage.length + reads.length, list.length);
  return { items, itemsMax: gasLimit / ITEM_GAS };
}

function pairsOf<T extends RlpInput>(changes: ValueChanges<T>): RlpInput {
  return changes.map(({ index, value }) => [index, value]);
}

function readAccount(reader: RlpReader): AccountAccess {
  const outer = reader.enter();
  const account = {
    address: reader.exactly(20).slice(),
    storage: reader.list(readSlot),
    reads: reader.list(readWord),
    balances: reader.list((each) => readChange(each, readWord)),
    nonces: reader.list((each) => readChange(each, readNonce)),
    codes: reader.list((each) => readChange(each, readCode)),
  };
  reader.leave(outer);
  return account;
}

function readSlot(reader: RlpReader): SlotChanges {
  const outer = reader.enter();
  const entry = { slot: readWord(reader), changes: reader.list((each) => readChange(each, readWord)) };
  reader.leave(outer);
  return entry;
}

function readChange<T>(reader: RlpReader, read: (reader: RlpReader) => T): AccessChange<T> {
  const outer = reader.enter();
  const change = { index: Number(reader.integer(INDEX_BYTES)), value: read(reader) };
  reader.leave(outer);
  return change;
}

function readWord(reader: RlpReader): bigint {
  return reader.integer(WORD_BYTES);
}

function readNonce(reader: RlpReader): bigint {
  return reader.integer(NONCE_BYTES);
}

function readCode(reader: RlpReader): Uint8Array {
  return reader.string().slice();
}
