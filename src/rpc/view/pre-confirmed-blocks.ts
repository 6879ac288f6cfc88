// Collects the pre-confirmed blocks, which the publisher announces increment by increment.
import type { TransactionLocation } from '../../state/archive/format/keys-and-values.js';
import type { IncrementPublishedMessage } from '../../publisher/publisher-protocol.js';
import type { ExecutedTransaction } from '../../state/complete-block.js';
import {
  countPackedTransactions,
  packedHashAt,
  unpackExecutedTransactions,
  type PackedTransactions,
} from '../../state/packed-transactions.js';
import { latin1Key } from '../../lib/bytes/latin1-key.js';

/** One increment of a block. Its gas figures are those of the whole block up to and including this increment. */
interface Increment {
  readonly index: number;
  readonly gasUsed: bigint;
  readonly blobGasUsed: bigint;
  readonly packed: PackedTransactions;
  /** The increment's transactions, decoded when they are first used; `null` until then. */
  transactions: readonly ExecutedTransaction[] | null;
}

/** A pre-confirmed block with its increments up to some index. Extra data is empty if it was not announced yet. */
export interface BlockSoFar extends Omit<IncrementPublishedMessage, 'kind' | 'version' | 'transactions'> {
  readonly transactions: readonly ExecutedTransaction[];
}

/**
 * What an increment (a part of a pre-confirmed block) adds to its block, and which announced transactions it drops from
 * that block and the blocks on top.
 */
interface AddedTransactions {
  /** Index of the first transaction that was not announced at this index before. */
  readonly first: number;
  /** Returns the block up to this increment, whatever happens to the block later. */
  readonly read: () => BlockSoFar;
  /** Transactions that were announced before and are now dropped, from this block or from the blocks on top of it. */
  readonly dropped: readonly DroppedTransactions[];
}

/** Announced transactions that are no longer in their block, or no longer at their index. */
export interface DroppedTransactions {
  readonly block: number;
  /** Index of the first dropped transaction. All transactions after it are dropped as well. */
  readonly first: number;
  /** Returns the block as it was announced, with the transactions that are now dropped. */
  readonly read: () => BlockSoFar;
}

/**
 * Compares the transactions of an increment with those of a block from index `before` on. Returns how many are the
 * same, counted from the first.
 */
function sameHashes(own: PackedTransactions, packed: PackedTransactions, before: number): number {
  const count = Math.min(countPackedTransactions(own), Math.max(0, countPackedTransactions(packed) - before));
  for (let index = 0; index < count; index++) {
    if (Buffer.compare(packedHashAt(own, index), packedHashAt(packed, before + index)) !== 0) return index;
  }
  return count;
}

/** One pre-confirmed block, built increment by increment. */
class OpenBlock {
  readonly #first: IncrementPublishedMessage;
  readonly #increments: Increment[] = [];
  isComplete = false;
  /** Positions of the block's transactions by hash. */
  readonly locations = new Map<string, TransactionLocation>();

  constructor(first: IncrementPublishedMessage) {
    this.#first = first;
    this.add(first);
  }

  get lastIndex(): number {
    return this.#increments.at(-1)?.index ?? -1;
  }

  /** Adds an increment. Returns how many transactions the block had before it. */
  add({ coordinates, gasUsed, blobGasUsed, transactions: packed }: IncrementPublishedMessage): number {
    const before = this.locations.size;
    for (let i = 0; i < countPackedTransactions(packed); i++) {
      this.locations.set(latin1Key(packedHashAt(packed, i)), { block: coordinates.block, index: before + i });
    }
    this.#increments.push({ index: coordinates.index, gasUsed, blobGasUsed, packed, transactions: null });
    return before;
  }

  /** Returns how many of `packed`, counted from the first, are at the same index in this block. */
  sameAs(packed: PackedTransactions): number {
    let before = 0;
    for (const { packed: own } of this.#increments) {
      const same = sameHashes(own, packed, before);
      before += same;
      if (same < countPackedTransactions(own)) break;
    }
    return before;
  }

  /**
   * Returns the transactions that are dropped if the block now has exactly the transactions `packed`; `null` means no
   * transactions. If the block is complete, none are dropped.
   */
  droppedBy(packed: PackedTransactions | null): DroppedTransactions[] {
    const first = packed === null ? 0 : this.sameAs(packed);
    if (this.isComplete || first === this.locations.size) return [];
    return [{ block: this.#first.coordinates.block, first, read: () => this.upTo(Infinity) }];
  }

  upTo(index: number): BlockSoFar {
    const { coordinates, env, extraData } = this.#first;
    const seen = this.#increments.filter((increment) => increment.index <= index);
    return {
      coordinates,
      env,
      extraData,
      gasUsed: seen.at(-1)?.gasUsed ?? 0n,
      blobGasUsed: seen.at(-1)?.blobGasUsed ?? 0n,
      transactions: seen.flatMap((each) => (each.transactions ??= unpackExecutedTransactions(each.packed))),
    };
  }
}

/**
 * The blocks that are not complete, and the blocks that were completed last, which a body may still read. The state
 * table may be ahead of the announcements by some microseconds. So blocks are requested up to a position: increments
 * after it are left out, and an increment that was not announced yet is missing.
 */
export class PreConfirmedBlocks {
  readonly #blocks = new Map<number, OpenBlock>();

  /**
   * Adds an announced increment. If it does not follow the last increment of its block, the block is built anew. The
   * blocks on top of its block are dropped.
   */
  add(message: IncrementPublishedMessage): AddedTransactions {
    const { coordinates, transactions } = message;
    const { block, index } = coordinates;
    const dropped = this.#voidAbove(block);
    const known = this.#blocks.get(block);
    const isNext = known !== undefined && known.lastIndex < index;
    const open = isNext ? known : new OpenBlock(message);
    this.#blocks.set(block, open);
    const read = (): BlockSoFar => open.upTo(index);
    if (isNext) return { first: known.add(message), read, dropped };
    if (known !== undefined) dropped.push(...known.droppedBy(transactions));
    return { first: known?.sameAs(transactions) ?? 0, read, dropped };
  }

  /**
   * Records that block `number` is complete, and releases older blocks. `packed` are its final transactions, if they
   * may differ from those announced.
   */
  complete(number: number, packed: PackedTransactions | null): DroppedTransactions[] {
    for (const known of this.#blocks.keys()) if (known < number) this.#blocks.delete(known);
    const open = this.#blocks.get(number);
    const dropped = packed === null ? [] : (open?.droppedBy(packed) ?? []);
    if (open !== undefined) open.isComplete = true;
    return dropped;
  }

  /** Returns block `number` up to and including increment `index`; `null` if it was not announced. */
  at(number: number, index = Infinity): BlockSoFar | null {
    return this.#blocks.get(number)?.upTo(index) ?? null;
  }

  /** Returns the index of the newest announced increment of block `number`; -1 if there is none. */
  lastIndex(number: number): number {
    return this.#blocks.get(number)?.lastIndex ?? -1;
  }

  #voidAbove(block: number): DroppedTransactions[] {
    const above = [...this.#blocks].filter(([number]) => number > block);
    return above.flatMap(([number, open]) => {
      this.#blocks.delete(number);
      return open.droppedBy(null);
    });
  }

  /** Finds the position of a transaction; `null` if it is in none of these blocks. */
  find(hash: Uint8Array): TransactionLocation | null {
    const key = latin1Key(hash);
    for (const { locations } of this.#blocks.values()) {
      const location = locations.get(key);
      if (location !== undefined) return location;
    }
    return null;
  }
}
