// The newest blocks of a live chain, as the publisher sends them to the main thread. A block is decoded only when it is
// requested. For a live chain, which has no archive, these are the only blocks that are stored locally.
import { LIMITS } from '../limits/index.js';
import { decodeBlockRecord, type BlockRecord } from './archive/format/block-records.js';
import { decodeLoggedTransaction, type LoggedTransaction } from './archive/format/decode-transaction-logs.js';
import type { CompleteBlock } from './complete-block.js';
import {
  countPackedTransactions,
  packedHashAt,
  packedRecordAt,
  unpackExecutedTransactions,
  type PackedTransactions,
} from './packed-transactions.js';
import { latin1Key } from '../lib/bytes/latin1-key.js';

/** A block and its transactions, encoded as in the archive. */
export interface EncodedBlock {
  readonly number: number;
  readonly hash: Uint8Array;
  readonly record: Uint8Array;
  readonly transactions: PackedTransactions;
}

/** A retained block with the timestamp of its header in seconds. */
interface Kept extends EncodedBlock {
  readonly timestamp: bigint;
}

/**
 * Position of a transaction in one block. After a reorganization, a transaction may be in several retained blocks, of
 * which only one is canonical.
 */
export interface RecentTransactionLocation {
  readonly block: number;
  /** Hash of the block, 32 bytes. */
  readonly hash: Uint8Array;
  readonly index: number;
}

/**
 * Retains the last LIMITS.blocksKeptMax blocks. Older blocks are retained, too, if they are not older than
 * LIMITS.keptWindowMs, and all blocks together do not exceed LIMITS.blocksInWindowMax and LIMITS.windowBytesMax.
 */
export class RecentBlocks {
  readonly #blocks = new Map<string, Kept>();
  #bytes = 0;
  /** For each transaction hash, the transaction's positions in all retained blocks. */
  readonly #locations = new Map<string, RecentTransactionLocation[]>();

  /** Adds a block, and evicts the blocks that were added first, as far as the limits require. */
  add(block: EncodedBlock): void {
    const key = latin1Key(block.hash);
    this.#remove(key);
    const kept = { ...block, timestamp: decodeBlockRecord(block.record).env.timestamp };
    this.#blocks.set(key, kept);
    this.#bytes += encodedBlockBytes(kept);
    this.#addLocations(block);
    while (this.#blocks.size > LIMITS.blocksKeptMax && this.#isOver(kept)) {
      const [oldest] = this.#blocks.keys();
      this.#remove(oldest!);
    }
  }

  /** Returns the block with this hash (32 bytes); `null` if it is not retained. */
  block(hash: Uint8Array): CompleteBlock | null {
    const encoded = this.#blocks.get(latin1Key(hash));
    if (encoded === undefined) return null;
    const { env: _env, ...kept } = decodeBlockRecord(encoded.record);
    return { ...kept, number: encoded.number, transactions: unpackExecutedTransactions(encoded.transactions) };
  }

  /**
   * Returns the transactions of a block, decoded only as far as is needed for their logs; `null` if the block is not
   * retained.
   */
  logged(hash: Uint8Array): LoggedTransaction[] | null {
    const transactions = this.#blocks.get(latin1Key(hash))?.transactions;
    return transactions === undefined
      ? null
      : Array.from(transactions.ends, (_, i) => decodeLoggedTransaction(packedRecordAt(transactions, i)));
  }

  /** Returns the block with this hash without its transactions; `null` if it is not retained. */
  record(hash: Uint8Array): BlockRecord | null {
    const encoded = this.#blocks.get(latin1Key(hash));
    return encoded === undefined ? null : decodeBlockRecord(encoded.record);
  }

  /** Returns the positions of the transaction with this hash in all retained blocks that contain it. */
  locations(hash: Uint8Array): readonly RecentTransactionLocation[] {
    return this.#locations.get(latin1Key(hash)) ?? [];
  }

  /** Returns true if the oldest block can be evicted after `newest` was added. */
  #isOver(newest: Kept): boolean {
    const [oldest] = this.#blocks.values();
    const ageMs = Number(newest.timestamp - oldest!.timestamp) * 1000;
    const isFull = this.#blocks.size > LIMITS.blocksInWindowMax || this.#bytes > LIMITS.windowBytesMax;
    return isFull || ageMs > LIMITS.keptWindowMs;
  }

  #addLocations({ number, hash, transactions }: EncodedBlock): void {
    for (let index = 0; index < countPackedTransactions(transactions); index++) {
      const key = latin1Key(packedHashAt(transactions, index));
      const location = { block: number, hash, index };
      const locations = this.#locations.get(key);
      if (locations === undefined) this.#locations.set(key, [location]);
      else locations.push(location);
    }
  }

  #remove(key: string): void {
    const block = this.#blocks.get(key);
    if (block === undefined) return;
    this.#blocks.delete(key);
    this.#bytes -= encodedBlockBytes(block);
    for (let index = 0; index < countPackedTransactions(block.transactions); index++) {
      const at = latin1Key(packedHashAt(block.transactions, index));
      const left = (this.#locations.get(at) ?? []).filter((location) => latin1Key(location.hash) !== key);
      if (left.length === 0) this.#locations.delete(at);
      else this.#locations.set(at, left);
    }
  }
}

function encodedBlockBytes({ record, transactions: { hashes, ends, records } }: EncodedBlock): number {
  return record.length + hashes.length + ends.byteLength + records.length;
}
