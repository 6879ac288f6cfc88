// Caches complete blocks as JSON text.
import { BoundedCache } from '../../lib/memory/bounded-cache.js';
import { LIMITS } from '../../limits/index.js';
import type { StoredBlocks } from '../view/stored-blocks.js';
import type { ExecutedBlockLookup } from '../view/executed-block-lookup.js';
import { renderBlock } from './blocks-and-transactions.js';

/** The JSON text of the most recently requested blocks. */
export class BlockJsonCache {
  readonly #texts = new BoundedCache<string, string>(LIMITS.blockTextBytesMax);
  readonly #executed: ExecutedBlockLookup;

  constructor(executed: ExecutedBlockLookup) {
    this.#executed = executed;
  }

  /**
   * Returns block `number` as in eth_getBlockByNumber, with whole transactions if `full`; `null` if the block is not
   * stored.
   */
  at(blocks: StoredBlocks, number: number, full: boolean): string | null {
    const block = blocks.key(number);
    if (block === null) return null;
    const key = `${block}${full ? ' full' : ''}`;
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const complete = blocks.at(number);
    if (complete === null) return null;
    const text = JSON.stringify(renderBlock(complete, full ? this.#executed.complete(blocks, number) : null));
    this.#texts.set(key, text, text.length);
    return text;
  }
}
