// Finds a transaction by sender and nonce. A binary search over the sender's nonce in retained states finds the block.
import { rawTransactionNonce } from '../../transaction/raw-transaction-fields.js';
import type { ExecutedTransaction } from '../../state/complete-block.js';
import type { ExecutedBlock, Inclusion } from './executed-block-types.js';
import type { ExecutedBlockLookup } from './executed-block-lookup.js';
import type { ReadView } from './pinned-read-view.js';

/**
 * Result of a search. `unused`: the nonce is not used in the pre-confirmed state. `otherwise`: the nonce was used, but
 * not by a transaction of the sender: by an authorization (EIP-7702) or a creation. `elsewhere`: the block is not
 * stored. `arriving`: the nonce was used in the newest increment, whose transactions the main thread has not received
 * yet. `lacking`: state that the search needs has to be fetched first.
 */
type SenderSearchResult =
  | { readonly kind: 'found'; readonly inclusion: Inclusion }
  | { readonly kind: 'unused' | 'otherwise' | 'elsewhere' | 'arriving' | 'lacking' };

/** Sender (20 bytes) and nonce of a transaction. */
export interface SenderNonce {
  readonly from: Uint8Array;
  readonly nonce: bigint;
}

/** Searches pre-confirmed and complete blocks as of the pinned state version. */
export function findBySenderAndNonce(
  readView: ReadView,
  executed: ExecutedBlockLookup,
  wanted: SenderNonce,
): SenderSearchResult {
  const { latest } = readView.pinned.record.heads;
  const pending = readView.pendingState().account(wanted.from);
  if (readView.hasMissed) return { kind: 'lacking' };
  if ((pending?.nonce ?? 0n) <= wanted.nonce) return { kind: 'unused' };
  const confirmed = nonceAt(readView, latest, wanted);
  if (confirmed === null || confirmed <= wanted.nonce) {
    const found = inPreConfirmed(readView, executed, wanted);
    return found.kind === 'otherwise' && confirmed === null ? { kind: 'elsewhere' } : found;
  }
  const number = firstUsed(readView, latest, wanted);
  const found = inBlock(executed.complete(readView.blocks, number), wanted);
  const isExact = number === 0 || nonceAt(readView, number - 1, wanted) !== null;
  return found.kind === 'otherwise' && !isExact ? { kind: 'elsewhere' } : found;
}

/**
 * Searches the pre-confirmed blocks. The transaction may be in an increment that is visible in the state but not
 * announced yet.
 */
function inPreConfirmed(readView: ReadView, executed: ExecutedBlockLookup, wanted: SenderNonce): SenderSearchResult {
  const { heads, coordinates } = readView.pinned.record;
  for (let number = coordinates.block; number > heads.latest; number--) {
    const found = inBlock(executed.preConfirmed(readView, number), wanted);
    if (found.kind === 'found') return found;
  }
  return executed.isAnnounced(readView) ? { kind: 'otherwise' } : { kind: 'arriving' };
}

function inBlock(block: ExecutedBlock | null, { from, nonce }: SenderNonce): SenderSearchResult {
  if (block === null) return { kind: 'elsewhere' };
  const isMeant = (transaction: ExecutedTransaction): boolean => {
    const { receipt, raw } = transaction;
    return Buffer.compare(transaction.from, from) === 0 && (receipt.depositNonce ?? rawTransactionNonce(raw)) === nonce;
  };
  const index = block.transactions.findIndex(isMeant);
  return index < 0 ? { kind: 'otherwise' } : { kind: 'found', inclusion: { block, index } };
}

/** Returns the first block after which the nonce is known to be used. The caller knows that it is used at `latest`. */
function firstUsed(readView: ReadView, latest: number, wanted: SenderNonce): number {
  let [low, high] = [0, latest];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const nonce = nonceAt(readView, middle, wanted);
    if (nonce !== null && nonce > wanted.nonce) high = middle;
    else low = middle + 1;
  }
  return high;
}

/** Returns the sender's nonce after a block; `null` if the state after that block is not stored. */
function nonceAt(readView: ReadView, block: number, { from }: SenderNonce): bigint | null {
  const position = readView.resolve({ kind: 'number', number: BigInt(block) });
  if ('error' in position || position.kind === 'upstream') return null;
  const nonce = readView.view(position).account(from)?.nonce ?? 0n;
  return readView.takeMissingKeys() === null ? nonce : null;
}
