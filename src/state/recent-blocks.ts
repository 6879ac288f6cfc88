// The newest blocks of a live chain as the publisher tells them, kept encoded until somebody asks for one: what the
// archive is to a chain that lies here whole. Runs on main.
import { LIMITS } from '../limits.js';
import { decodeBlock, decodeTransaction, type BlockRecord } from './archive/records.js';
import type { CompleteBlock } from './block.js';

/** A block and its transactions in the archive's encoding. */
export interface EncodedBlock {
  readonly number: number;
  readonly hash: Uint8Array;
  readonly record: Uint8Array;
  readonly transactions: readonly Uint8Array[];
}

/** At most LIMITS.blocksKeptMax blocks, the ones announced last. */
export class RecentBlocks {
  readonly #blocks = new Map<string, EncodedBlock>();

  /** Keeps a block; the one announced longest ago gives way. */
  add(block: EncodedBlock): void {
    const key = keyOf(block.hash);
    this.#blocks.delete(key);
    this.#blocks.set(key, block);
    if (this.#blocks.size <= LIMITS.blocksKeptMax) return;
    const [oldest] = this.#blocks.keys();
    this.#blocks.delete(oldest!);
  }

  /** The block with this hash (32 bytes); `null`: it is not kept. */
  block(hash: Uint8Array): CompleteBlock | null {
    const encoded = this.#blocks.get(keyOf(hash));
    if (encoded === undefined) return null;
    const { header, sizeBytes, withdrawals } = decodeBlock(encoded.record);
    const transactions = encoded.transactions.map(decodeTransaction);
    return { number: encoded.number, hash, header, sizeBytes, transactions, withdrawals };
  }

  /** The same without its transactions. */
  record(hash: Uint8Array): BlockRecord | null {
    const encoded = this.#blocks.get(keyOf(hash));
    return encoded === undefined ? null : decodeBlock(encoded.record);
  }
}

function keyOf(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('latin1');
}
