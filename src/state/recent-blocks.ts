// The newest blocks of a live chain as the publisher tells them, kept encoded until somebody asks for one: what the
// archive is to a chain that lies here whole. Runs on main.
import { LIMITS } from '../limits/index.js';
import { decodeBlock, type BlockRecord } from './archive/format/records.js';
import { readLogged, type LoggedTransaction } from './archive/format/logged-transaction.js';
import type { CompleteBlock } from './block.js';
import { countOf, hashAt, recordAt, unpackTransactions, type PackedTransactions } from './packed-transactions.js';
import { latin1 } from '../lib/bytes/latin1.js';

/** A block and its transactions in the archive's encoding. */
export interface EncodedBlock {
  readonly number: number;
  readonly hash: Uint8Array;
  readonly record: Uint8Array;
  readonly transactions: PackedTransactions;
}

/** `timestamp`: seconds, of the header. */
interface Kept extends EncodedBlock {
  readonly timestamp: bigint;
}

/** Place of a transaction, in one block of perhaps several: some may have left the chain. */
export interface RecentPlace {
  readonly block: number;
  /** Of the block, 32 bytes. */
  readonly hash: Uint8Array;
  readonly index: number;
}

/** The last LIMITS.blocksKeptMax blocks that were announced, and those within LIMITS.keptWindowMs, as far as LIMITS.windowBytesMax go. */
export class RecentBlocks {
  readonly #blocks = new Map<string, Kept>();
  #bytes = 0;
  /** By hash of the transaction: every kept block that has it. */
  readonly #places = new Map<string, RecentPlace[]>();

  /** Keeps a block; the one announced longest ago gives way. */
  add(block: EncodedBlock): void {
    const key = latin1(block.hash);
    this.#remove(key);
    const kept = { ...block, timestamp: decodeBlock(block.record).env.timestamp };
    this.#blocks.set(key, kept);
    this.#bytes += bytesOf(kept);
    this.#addPlaces(block);
    while (this.#blocks.size > LIMITS.blocksKeptMax && this.#isOver(kept)) {
      const [oldest] = this.#blocks.keys();
      this.#remove(oldest!);
    }
  }

  /** The block with this hash (32 bytes); `null`: it is not kept. */
  block(hash: Uint8Array): CompleteBlock | null {
    const encoded = this.#blocks.get(latin1(hash));
    if (encoded === undefined) return null;
    const { env: _env, ...kept } = decodeBlock(encoded.record);
    return { ...kept, number: encoded.number, transactions: unpackTransactions(encoded.transactions) };
  }

  /** Its transactions as far as their logs need them; `null`: it is not kept. */
  logged(hash: Uint8Array): LoggedTransaction[] | null {
    const transactions = this.#blocks.get(latin1(hash))?.transactions;
    return transactions === undefined
      ? null
      : Array.from(transactions.ends, (_, i) => readLogged(recordAt(transactions, i)));
  }

  /** The block with this hash without its transactions; `null`: it is not kept. */
  record(hash: Uint8Array): BlockRecord | null {
    const encoded = this.#blocks.get(latin1(hash));
    return encoded === undefined ? null : decodeBlock(encoded.record);
  }

  /** Places of the transaction with this hash, in every kept block that has it. */
  places(hash: Uint8Array): readonly RecentPlace[] {
    return this.#places.get(latin1(hash)) ?? [];
  }

  /** The oldest block is of no use once `newest` is here. */
  #isOver(newest: Kept): boolean {
    const [oldest] = this.#blocks.values();
    const ageMs = Number(newest.timestamp - oldest!.timestamp) * 1000;
    const isFull = this.#blocks.size > LIMITS.blocksInWindowMax || this.#bytes > LIMITS.windowBytesMax;
    return isFull || ageMs > LIMITS.keptWindowMs;
  }

  #addPlaces({ number, hash, transactions }: EncodedBlock): void {
    for (let index = 0; index < countOf(transactions); index++) {
      const key = latin1(hashAt(transactions, index));
      const place = { block: number, hash, index };
      const places = this.#places.get(key);
      if (places === undefined) this.#places.set(key, [place]);
      else places.push(place);
    }
  }

  #remove(key: string): void {
    const block = this.#blocks.get(key);
    if (block === undefined) return;
    this.#blocks.delete(key);
    this.#bytes -= bytesOf(block);
    for (let index = 0; index < countOf(block.transactions); index++) {
      const at = latin1(hashAt(block.transactions, index));
      const left = (this.#places.get(at) ?? []).filter((place) => latin1(place.hash) !== key);
      if (left.length === 0) this.#places.delete(at);
      else this.#places.set(at, left);
    }
  }
}

function bytesOf({ record, transactions: { hashes, ends, records } }: EncodedBlock): number {
  return record.length + hashes.length + ends.byteLength + records.length;
}
