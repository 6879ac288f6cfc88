// A block of an OP Stack chain as a feed announces it: the first deposit alone, then a few transactions at a time.
import { blockEnvOfHeader, type Header } from '../../../src/chain/block/header.js';
import { FlashblockEncoder } from '../../../src/feed/dev/flashblock-encoder.js';
import type { ExecutedTransaction } from '../../../src/state/complete-block.js';

/** The fields of a block that frames contain. */
export interface OpBlock {
  readonly number: number;
  readonly parsed: Header;
  readonly transactions: readonly ExecutedTransaction[];
}

/** Feed messages with `size` transactions each, except the first. */
export function opFrames({ parsed, number, transactions }: OpBlock, size: number): string[] {
  const frames = new FlashblockEncoder(parsed.extraData);
  const groups = [transactions.slice(0, 1)];
  for (let at = 1; at < transactions.length; at += size) groups.push(transactions.slice(at, at + size));
  return groups.map((group, index) => {
    const coordinates = { block: number, index, hash: null, parentHash: parsed.parentHash };
    const heads = { latest: number - 1, safe: null, finalized: null };
    const diff = { coordinates, env: blockEnvOfHeader(parsed), heads, accounts: [], slots: [], codes: [] };
    return frames.message(diff, group);
  });
}
