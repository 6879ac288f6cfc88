// Reads old blocks, and the state after them, from the archive.
//
// All reads within one event-loop tick see the same commit. A view may be used for longer than a tick, because the
// state after a block changes only if a reorganization removes the block. Reads are synchronous: they take 2 to 5 us if
// the pages are in the page cache, but otherwise wait for up to four disk accesses of 4 KiB. Therefore only old blocks
// are read from the archive; the newest ones are read from the shared state table.
import { LIMITS } from '../../limits/index.js';
import {
  SLOT_KEY_PREFIX_BYTES,
  type TransactionLocation,
  accountKey,
  blockKey,
  decodeAccount,
  encodeTransactionLocation,
  toBuffer,
  toPlainUint8Array,
  readBlockKey,
  readTransactionLocationKey,
  slotKey,
} from './format/keys-and-values.js';
import { type BlockRecord, decodeBlockRecord, decodeHeads, decodeTransactionRecord } from './format/block-records.js';
import { decodeLoggedTransaction, type LoggedTransaction } from './format/decode-transaction-logs.js';
import { newestValueOfEachPrefix } from './format/read-newest-values.js';
import { type ArchiveStore, META_KEYS, openForReading } from './file/lmdb-environment.js';
import type { CompleteBlock, ChainHead } from '../complete-block.js';
import type { AccountChange, BlockTags, SlotChange, StateChanges } from '../state-diff.js';
import { type AccountState, EMPTY_CODE_HASH, type StateView } from '../views/state-view.js';
import { ADDRESS_BYTES, toWord } from '../../lib/bytes/big-endian.js';

/** Reads an archive. Methods return `null` for a record that is absent, and throw ArchiveDamage for a damaged one. */
export class ArchiveReader {
  readonly #store: ArchiveStore;

  constructor(store: ArchiveStore) {
    this.#store = store;
  }

  /** Opens the archive in `dir`, which a writer has created. Throws ArchiveError. */
  static open(dir: string): ArchiveReader {
    return new ArchiveReader(openForReading(dir));
  }

  /** Returns the block numbers of the tags; `null` while the archive is empty. */
  heads(): BlockTags | null {
    const record = this.#store.meta.get(META_KEYS.heads);
    return record === undefined ? null : decodeHeads(record);
  }

  head(): ChainHead | null {
    const number = this.heads()?.latest;
    const record = number === undefined ? null : this.record(number);
    return record === null || number === undefined ? null : { number, hash: record.hash, header: record.header };
  }

  /** Returns header, hash, environment and withdrawals of a block. */
  record(number: number): BlockRecord | null {
    const record = this.#store.blocks.get(blockKey(number));
    return record === undefined ? null : decodeBlockRecord(record);
  }

  /** Returns the number of the canonical block with this hash. */
  numberOfHash(hash: Uint8Array): number | null {
    const key = this.#store.hashes.get(toBuffer(hash));
    return key === undefined ? null : readBlockKey(key);
  }

  /**
   * Returns a whole block with receipts. This takes about 10 us per transaction; for header fields, `record` is enough.
   */
  block(number: number): CompleteBlock | null {
    const record = this.record(number);
    if (record === null) return null;
    const { env: _env, ...kept } = record;
    const transactions = Array.from({ length: record.transactions }, (_, index) =>
      decodeTransactionRecord(this.#transactionRecord(number, index)),
    );
    return { ...kept, number, transactions };
  }

  /** Returns the transactions of a block, decoded only as far as is needed for their logs. */
  logged(number: number): LoggedTransaction[] | null {
    const record = this.record(number);
    if (record === null) return null;
    return Array.from({ length: record.transactions }, (_, index) =>
      decodeLoggedTransaction(toPlainUint8Array(this.#transactionRecord(number, index))),
    );
  }

  /** Returns the position in the canonical chain of the transaction with this hash. */
  transaction(hash: Uint8Array): TransactionLocation | null {
    const key = this.#store.places.get(toBuffer(hash));
    return key === undefined ? null : readTransactionLocationKey(key);
  }

  /** Returns the state after a block; `null` if the block is not in the archive. */
  viewAt(block: number): ArchiveView | null {
    const hash = this.record(block)?.hash;
    return hash === undefined ? null : new ArchiveView(this.#store, block, hash);
  }

  /** Makes later reads in this event-loop tick see the newest commit. */
  refresh(): void {
    this.#store.root.resetReadTxn();
  }

  async close(): Promise<void> {
    await this.#store.root.close();
  }

  #transactionRecord(block: number, index: number): Uint8Array {
    const record = this.#store.transactions.get(encodeTransactionLocation({ block, index }));
    if (record === undefined) throw new Error(`archive lacks transaction ${index} of block ${block}`);
    return record;
  }
}

/** A view of the state after one archived block. */
export class ArchiveView implements StateView {
  readonly block: number;
  /** Hash of the block, 32 bytes. */
  readonly hash: Uint8Array;
  readonly #store: ArchiveStore;

  constructor(store: ArchiveStore, block: number, hash: Uint8Array) {
    this.#store = store;
    this.block = block;
    this.hash = hash;
  }

  /** Implements StateView. Throws ArchiveDamage. */
  account(address: Uint8Array): AccountState | null {
    const value = this.#store.accounts.newest(accountKey(address, this.block), ADDRESS_BYTES);
    return value === null ? null : decodeAccount(value);
  }

  /**
   * Returns all accounts and slots, which takes some 8 us for each of them. Returns `null` if there are more than
   * `keysMax`. Deleted ones count, too.
   */
  contents(keysMax: number): Pick<StateChanges, 'accounts' | 'slots'> | null {
    const accounts: AccountChange[] = [];
    const slots: SlotChange[] = [];
    for (const { prefix } of newestValueOfEachPrefix(this.#store.accounts, ADDRESS_BYTES)) {
      if (accounts.length === keysMax) return null;
      const address = prefix.slice();
      accounts.push({ address, account: this.account(address) });
    }
    for (const { prefix } of newestValueOfEachPrefix(this.#store.slots, SLOT_KEY_PREFIX_BYTES)) {
      if (accounts.length + slots.length === keysMax) return null;
      const [address, slot] = [prefix.slice(0, ADDRESS_BYTES), prefix.slice(ADDRESS_BYTES)];
      slots.push({ address, slot, value: this.storage(address, slot) });
    }
    return { accounts, slots };
  }

  /** Implements StateView. Throws ArchiveDamage. */
  code(codeHash: Uint8Array): Uint8Array {
    const key = toBuffer(codeHash);
    if (key.equals(EMPTY_CODE_HASH)) return new Uint8Array(0);
    const code = this.#store.codes.get(key);
    if (code === undefined) throw new Error(`archive lacks the code ${key.toString('hex')}`);
    return code;
  }

  /** Implements StateView. Throws ArchiveDamage. */
  storage(address: Uint8Array, slot: Uint8Array): Uint8Array {
    const value = this.#store.slots.newest(slotKey(address, slot, this.block), SLOT_KEY_PREFIX_BYTES);
    return value === null ? new Uint8Array(32) : toWord(value);
  }

  /** Returns the hash of this block, or of one of the `LIMITS.blockHashesKept` blocks before it. */
  blockHash(number: number): Uint8Array | null {
    if (number > this.block || number < this.block - LIMITS.blockHashesKept || number < 0) return null;
    const record = this.#store.blocks.get(blockKey(number));
    return record === undefined ? null : decodeBlockRecord(record).hash;
  }
}
