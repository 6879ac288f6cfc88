// The transactions of the pre-confirmed block, as the publisher tells them. Runs on main.
import type { FromPublisher } from '../../publisher/protocol.js';
import type { PublishedTransaction } from '../../state/block.js';
import { unpackTransactions } from '../../state/packed-transactions.js';

type Published = Extract<FromPublisher, { kind: 'published' }>;

/**
 * Increments of the newest block. The table may be ahead of the messages by some microseconds, so what is asked for is
 * a position: increments behind it are left out, and one that has not been announced yet is missing from the list.
 */
export class PendingBlock {
  #block = -1;
  #increments: Published[] = [];

  /** Notes an increment as it is announced; the first of a block replaces the block before. */
  add(message: Published): void {
    if (message.block !== this.#block || message.index === 0) {
      this.#block = message.block;
      this.#increments = [];
    }
    this.#increments.push(message);
  }

  /** Gas used and transactions of `block` up to and with increment `index`. */
  at(block: number, index: number): { gasUsed: bigint; transactions: PublishedTransaction[] } {
    const announced = block === this.#block ? this.#increments.filter((increment) => increment.index <= index) : [];
    return {
      gasUsed: announced.at(-1)?.gasUsed ?? 0n,
      transactions: announced.flatMap((increment) => unpackTransactions(increment.transactions)),
    };
  }
}
