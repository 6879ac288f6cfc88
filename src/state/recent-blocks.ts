// The newest blocks of a live chain as the publisher tells them, kept encoded until somebody asks for one: what the
// archive is to a chain that lies here whole. Runs on main.
import { LIMITS } from '../limits/index.js';
import { decodeBlock, type BlockRecord } from './archive/format/records.js';
import type { CompleteBlock } from './block.js';
import { countOf, hashAt, unpackTransactions, type PackedTransactions } from './packed-transactions.js';
import { latin1 } from '../lib/bytes/latin1.js';

/** A block and its transactions in the archive's encoding. */
export interface EncodedBlock {
  readonly number: number;
  readonly hash: Uint8Array;
  readonly record: Uint8Array;
  readonly transactions: PackedTransactions;
}

/** Where a transaction stands, in one block of perhaps several: some may have left the chain. */
export interface RecentPlace {
  readonly block: number;
  /** Of the block, 32 bytes. */
  readonly hash: Uint8Array;
  readonly index: number;
}

/** At most LIMITS.blocksKeptMax blocks, the ones announced last. */
export class RecentBlocks {
  readonly #blocks = new Map<string, EncodedBlock>();
  /** By hash of the transaction: every kept block that has it. */
  readonly #places = new Map<string, RecentPlace[]>();

  /** Keeps a block; the one announced longest ago gives way. */
  add(block: EncodedBlock): void {
    const key = latin1(block.hash);
    this.#remove(key);
    this.#blocks.set(key, block);
    this.#addPlaces(block);
    if (this.#blocks.size <= LIMITS.blocksKeptMax) return;
    const [oldest] = this.#blocks.keys();
    this.#remove(oldest!);
  }

  /** The block with this hash (32 bytes); `null`: it is not kept. */
  block(hash: Uint8Array): CompleteBlock | null {
    const encoded = this.#blocks.get(latin1(hash));
    if (encoded === undefined) return null;
    const { env: _env, ...kept } = decodeBlock(encoded.record);
    return { ...kept, number: encoded.number, transactions: unpackTransactions(encoded.transactions) };
  }

  /** The block with this hash without its transactions; `null`: it is not kept. */
  record(hash: Uint8Array): BlockRecord | null {
    const encoded = this.#blocks.get(latin1(hash));
    return encoded === undefined ? null : decodeBlock(encoded.record);
  }

  /** Where the transaction with this hash stands, in every kept block that has it. */
  places(hash: Uint8Array): readonly RecentPlace[] {
    return this.#places.get(latin1(hash)) ?? [];
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
    for (let index = 0; index < countOf(block.transactions); index++) {
      const at = latin1(hashAt(block.transactions, index));
      const left = (this.#places.get(at) ?? []).filter((place) => latin1(place.hash) !== key);
      if (left.length === 0) this.#places.delete(at);
      else this.#places.set(at, left);
    }
  }
}
