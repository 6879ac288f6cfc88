// The meaning of a canonical block for the pre-confirmed ones: decided purely, as a named case. Never by block hash of ours
// or state root, which builders leave out. Runs on the publisher.
import { sameBytes } from '../../../lib/bytes/byte-map.js';
import type { CanonicalBlock, ReorgReason } from '../../stream.js';

/** A pre-confirmed block that is served. */
export interface PendingBlock {
  readonly number: number;
  /** 32 bytes; `null`: not told, it follows the block before it. */
  readonly parentHash: Uint8Array | null;
  /** In order, 32 bytes each. */
  readonly transactionHashes: readonly Uint8Array[];
  /** Hash of the transaction of type 0x7D that ends the block without being executed, where the feed announced one. */
  readonly postExecHash: Uint8Array | null;
}

/** The meaning of a canonical block for the pre-confirmed ones. */
export type Reconciliation =
  /** None is pre-confirmed, or the block is the one that all of them are built on. */
  | { readonly kind: 'nothing' }
  /** Ours of this number is the canonical one: it moves to `latest` as it is; those above stay. */
  | { readonly kind: 'promote'; readonly block: number }
  /** Ours of this number and all above are of another chain, or lack the end of the block, or cannot be judged. */
  | { readonly kind: 'reorg'; readonly block: number; readonly reason: ReorgReason }
  /** Ours are more than `depth` blocks ahead: all of them go. */
  | { readonly kind: 'drop'; readonly aheadBlocks: number }
  /** The canonical chain is beyond all of ours. */
  | { readonly kind: 'ahead' };

/** `pending`: without a hole, ascending. `depth`: blocks that the last of them may be ahead of `canonical`. */
export function reconcile(pending: readonly PendingBlock[], canonical: CanonicalBlock, depth: number): Reconciliation {
  const [first, last] = [pending[0], pending.at(-1)];
  if (first === undefined || last === undefined) return { kind: 'nothing' };
  if (last.number < canonical.number) return { kind: 'ahead' };
  const aheadBlocks = last.number - canonical.number;
  if (aheadBlocks > depth) return { kind: 'drop', aheadBlocks };
  if (canonical.number < first.number) return below(first, canonical);
  if (canonical.number > first.number) return { kind: 'reorg', block: first.number, reason: 'skipped' };
  return compare(first, canonical);
}

function below(first: PendingBlock, canonical: CanonicalBlock): Reconciliation {
  const isAnchor = canonical.number === first.number - 1 && isParent(first, canonical.hash);
  return isAnchor ? { kind: 'nothing' } : { kind: 'reorg', block: first.number, reason: 'anchor' };
}

function isParent({ parentHash }: PendingBlock, hash: Uint8Array): boolean {
  return parentHash === null || sameBytes(parentHash, hash);
}

function compare(ours: PendingBlock, canonical: CanonicalBlock): Reconciliation {
  const block = ours.number;
  if (!isParent(ours, canonical.parentHash)) return { kind: 'reorg', block, reason: 'parent' };
  const [list, theirs] = [ours.transactionHashes, canonical.transactionHashes];
  if (!list.every((hash, index) => index < theirs.length && sameBytes(hash, theirs[index]!)))
    return { kind: 'reorg', block, reason: 'transactions' };
  const rest = theirs.slice(list.length);
  const ended = rest.length === 1 && ours.postExecHash !== null && sameBytes(rest[0]!, ours.postExecHash);
  return rest.length === 0 || ended ? { kind: 'promote', block } : { kind: 'reorg', block, reason: 'incomplete' };
}
