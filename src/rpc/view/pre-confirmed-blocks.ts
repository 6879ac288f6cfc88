// The pre-confirmed blocks, as the publisher tells them increment by increment. Runs on main.
import type { PublishedMessage } from '../../publisher/protocol.js';
import type { ConfirmedTransaction } from '../../state/block.js';
import type { BlockEnv, Coordinates } from '../../state/diff.js';
import { countOf, hashAt, unpackTransactions, type PackedTransactions } from '../../state/packed-transactions.js';
import { latin1 } from '../../lib/bytes/latin1.js';

/** An increment of a block, and what was before it. */
interface Increment {
  readonly index: number;
  readonly gasUsed: bigint;
  readonly blobGasUsed: bigint;
  readonly packed: PackedTransactions;
  /** Decoded when somebody asks first. */
  transactions: readonly ConfirmedTransaction[] | null;
}

/** A block up to an increment. */
export interface BlockSoFar {
  readonly coordinates: Coordinates;
  readonly env: BlockEnv;
  /** Extra data of its header; empty where that was not announced yet. */
  readonly extraData: Uint8Array;
  readonly gasUsed: bigint;
  /** See HeaderParts. */
  readonly blobGasUsed: bigint;
  readonly transactions: readonly ConfirmedTransaction[];
}

/** Additions of an increment to its block. */
export interface Added {
  /** Index of the first transaction that was not announced at its place before. */
  readonly first: number;
  /** The block up to the increment, whatever becomes of it. */
  readonly read: () => BlockSoFar;
  /** Transactions dropped from the block as it was before, and from those above it. */
  readonly dropped: readonly Dropped[];
}

/** Transactions that were announced and are not in their block, at least not at their places. */
export interface Dropped {
  readonly block: number;
  /** Index of the first of them; all behind it are. */
  readonly first: number;
  /** The block as it was announced. */
  readonly read: () => BlockSoFar;
}

/** Place of a transaction: block, increment, place in the block. */
export interface PreConfirmedPlace {
  readonly block: number;
  readonly increment: number;
  readonly index: number;
}

/** Number of transactions of an increment that stand at these places of a block, behind `before` others. */
function sameHashes(own: PackedTransactions, packed: PackedTransactions, before: number): number {
  const count = Math.min(countOf(own), Math.max(0, countOf(packed) - before));
  for (let index = 0; index < count; index++) {
    if (Buffer.compare(hashAt(own, index), hashAt(packed, before + index)) !== 0) return index;
  }
  return count;
}

/** One block, increment by increment. */
class OpenBlock {
  readonly #coordinates: Coordinates;
  readonly #env: BlockEnv;
  readonly #extraData: Uint8Array;
  readonly #increments: Increment[] = [];
  #isComplete = false;
  /** Places of transactions by hash. */
  readonly places = new Map<string, PreConfirmedPlace>();

  constructor(first: PublishedMessage) {
    this.#coordinates = first.coordinates;
    this.#env = first.env;
    this.#extraData = first.extraData;
    this.add(first);
  }

  get lastIndex(): number {
    return this.#increments.at(-1)?.index ?? -1;
  }

  /** Answers how many transactions were there before. */
  add({ coordinates, gasUsed, blobGasUsed, transactions: packed }: PublishedMessage): number {
    const { block, index: increment } = coordinates;
    const before = this.places.size;
    for (let i = 0; i < countOf(packed); i++) {
      this.places.set(latin1(hashAt(packed, i)), { block, increment, index: before + i });
    }
    this.#increments.push({ index: increment, gasUsed, blobGasUsed, packed, transactions: null });
    return before;
  }

  /** Number of these transactions, from the first one on, that stand here at the same places. */
  sameAs(packed: PackedTransactions): number {
    let before = 0;
    for (const { packed: own } of this.#increments) {
      const same = sameHashes(own, packed, before);
      before += same;
      if (same < countOf(own)) break;
    }
    return before;
  }

  /** Transactions that are void where the block consists of these alone. Once it is complete nothing is. */
  droppedBy(packed: PackedTransactions | null): Dropped[] {
    const first = packed === null ? 0 : this.sameAs(packed);
    if (this.#isComplete || first === this.places.size) return [];
    return [{ block: this.#coordinates.block, first, read: () => this.upTo(Infinity) }];
  }

  complete(): void {
    this.#isComplete = true;
  }

  upTo(index: number): BlockSoFar {
    const seen = this.#increments.filter((increment) => increment.index <= index);
    return {
      coordinates: this.#coordinates,
      env: this.#env,
      extraData: this.#extraData,
      gasUsed: seen.at(-1)?.gasUsed ?? 0n,
      blobGasUsed: seen.at(-1)?.blobGasUsed ?? 0n,
      transactions: seen.flatMap((each) => (each.transactions ??= unpackTransactions(each.packed))),
    };
  }
}

/**
 * The blocks that are not complete, and those completed last, which a body may still look at. The table may be ahead of the
 * messages by some microseconds, so what is asked for is a position: increments behind it are left out, and one that has
 * not been announced yet is missing.
 */
export class PreConfirmedBlocks {
  readonly #blocks = new Map<number, OpenBlock>();

  /**
   * Notes an increment as it is announced. One that is not behind those before it begins its block anew, and those above it
   * are void.
   */
  add(message: PublishedMessage): Added {
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
   * Block `number` is complete: what lies below it is let go. `packed`: its transactions, where they may be others than
   * those that were announced.
   */
  complete(number: number, packed: PackedTransactions | null): Dropped[] {
    for (const known of this.#blocks.keys()) if (known < number) this.#blocks.delete(known);
    const open = this.#blocks.get(number);
    const dropped = packed === null ? [] : (open?.droppedBy(packed) ?? []);
    open?.complete();
    return dropped;
  }

  /** Block `number` up to and with increment `index`; `null` where it was not announced. */
  at(number: number, index = Infinity): BlockSoFar | null {
    return this.#blocks.get(number)?.upTo(index) ?? null;
  }

  /** Index of the newest increment of block `number` that was announced; -1: none was. */
  lastIndex(number: number): number {
    return this.#blocks.get(number)?.lastIndex ?? -1;
  }

  #voidAbove(block: number): Dropped[] {
    const above = [...this.#blocks].filter(([number]) => number > block);
    return above.flatMap(([number, open]) => {
      this.#blocks.delete(number);
      return open.droppedBy(null);
    });
  }

  /** Place of a transaction in one of the blocks; `null` where it is in none. */
  find(hash: Uint8Array): PreConfirmedPlace | null {
    const key = latin1(hash);
    for (const { places } of this.#blocks.values()) {
      const place = places.get(key);
      if (place !== undefined) return place;
    }
    return null;
  }
}
