// Block access lists (EIP-7928): everything that a block reads, and every write with its block access index. Index 0 is
// before the transactions, 1 to n are the transactions, n + 1 is after them. Pure.
import { RlpReader } from '../../lib/bytes/rlp-reader.js';
import { encodeRlp, type RlpInput } from '../../lib/bytes/rlp.js';
import { WORD_BYTES } from '../../lib/bytes/big-endian.js';

/** A written value and its block access index. */
export interface AccessChange<T> {
  readonly index: number;
  readonly value: T;
}

/** Changes by ascending index. */
export type AccessChanges<T> = readonly AccessChange<T>[];

/** A slot that was written. */
export interface SlotChanges {
  readonly slot: bigint;
  readonly changes: AccessChanges<bigint>;
}

/** One account of a list, with everything that was written to it. Slots and words are 256-bit integers. */
export interface AccountAccess {
  readonly address: Uint8Array;
  /** Written slots, in ascending order. `reads` has the slots that were read but not written, also ascending. */
  readonly storage: readonly SlotChanges[];
  readonly reads: readonly bigint[];
  readonly balances: AccessChanges<bigint>;
  readonly nonces: AccessChanges<bigint>;
  readonly codes: AccessChanges<Uint8Array>;
}

/** Accounts in ascending order. */
export type BlockAccessList = readonly AccountAccess[];

/** EIP-7928: bytes of an index, a nonce and a word. */
const INDEX_BYTES = 4;
const NONCE_BYTES = 8;
/** EIP-7928: a block may access one account or slot for so much gas of its gas limit. */
const ITEM_GAS = 2000n;

/** The RLP of a list without any access. */
export const EMPTY_BLOCK_ACCESS_LIST_RLP = Uint8Array.of(0xc0);

/** Decodes a list from RLP; `null` if it is malformed. */
export function decodeBlockAccessList(rlp: Uint8Array): BlockAccessList | null {
  const reader = new RlpReader(rlp);
  const list = reader.list(readAccount);
  return reader.isSound && reader.isAtEnd ? list : null;
}

/** Encodes a list as RLP; the header contains the hash of this. */
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

/** Counts the accounts and slots in a list, and how many a block with this gas limit may have. */
export function countAccessListItems(
  list: BlockAccessList,
  gasLimit: bigint,
): { readonly items: number; readonly itemsMax: bigint } {
  const items = list.reduce((sum, { storage, reads }) => sum + storage.length + reads.length, list.length);
  return { items, itemsMax: gasLimit / ITEM_GAS };
}

function pairsOf<T extends RlpInput>(changes: AccessChanges<T>): RlpInput {
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
