// Finds the blocks below a given block: the ones that connect it to our chain, and the ancestors that BLOCKHASH can
// reach.
import { HISTORY_STORAGE_ADDRESS, blockHashSlot } from '../../../chain/block-start-system-contracts.js';
import { decodeHeader } from '../../../chain/block/header.js';
import { sameBytes } from '../../../lib/bytes/byte-map.js';
import { LIMITS } from '../../../limits/index.js';
import type { AncestorBlock } from '../../../state/complete-block.js';
import { nullIfRefused, type Upstream, type UpstreamBlock, type UpstreamHead } from '../../../upstream/upstream.js';
import { latin1Key } from '../../../lib/bytes/latin1-key.js';

type AncestorDeps = Pick<Upstream, 'read' | 'header'>;

/**
 * Returns the ancestors of `block` that BLOCKHASH can reach, oldest first, each the parent of the next. They are read
 * from the storage of EIP-2935's contract, or as headers on a chain that has no such contract. Blocks that the node
 * does not know or provide are left out. Rejects with UpstreamError only if the node does not respond at all.
 */
export async function fetchBlockhashAncestors(block: UpstreamBlock, upstream: AncestorDeps): Promise<AncestorBlock[]> {
  const { parentHash } = decodeHeader(block.header);
  const first = Math.max(0, block.number - LIMITS.blockHashesKept);
  const numbers = Array.from({ length: block.number - first }, (_, i) => first + i);
  if (numbers.length === 0) return [];
  const hashes = await hashesFromState(block.hash, numbers, upstream);
  return sameBytes(hashes.at(-1)!, parentHash) ? linked(numbers, hashes) : headersOf(numbers, parentHash, upstream);
}

/**
 * Returns the headers of the blocks between block `number` and `head`, oldest first, each the parent of the next. They
 * are requested by number, all at once. If the node's chain has changed meanwhile, only the headers that lead to `head`
 * are returned. If there is only one block in between, the list is empty: the caller can fetch it by `head.parentHash`.
 */
export async function fetchHeadersBetween(
  number: number,
  head: UpstreamHead,
  upstream: AncestorDeps,
): Promise<UpstreamHead[]> {
  const numbers = Array.from({ length: Math.max(0, head.number - number - 1) }, (_, i) => number + 1 + i);
  return numbers.length < 2 ? [] : headersOf(numbers, head.parentHash, upstream);
}

async function hashesFromState(
  anchor: Uint8Array,
  numbers: readonly number[],
  upstream: AncestorDeps,
): Promise<Uint8Array[]> {
  const keys = numbers.map((number) => ({ address: HISTORY_STORAGE_ADDRESS, slot: blockHashSlot(number) }));
  const { slots } = await upstream.read(anchor, { accounts: [], slots: keys });
  const words = new Map(slots.map(({ slot, value }) => [latin1Key(slot), value]));
  return keys.map(({ slot }) => words.get(latin1Key(slot)) ?? new Uint8Array(32));
}

/**
 * Reads the headers with these numbers. Returns the ones that lead to the block with hash `last`, each the parent of
 * the next.
 */
async function headersOf(
  numbers: readonly number[],
  last: Uint8Array,
  upstream: AncestorDeps,
): Promise<UpstreamHead[]> {
  const headers = await Promise.all(numbers.map((number) => upstream.header(number).catch(nullIfRefused)));
  const found: UpstreamHead[] = [];
  let wanted = last;
  for (const header of headers.toReversed()) {
    if (header === null || !sameBytes(header.hash, wanted)) break;
    found.unshift(header);
    wanted = header.parentHash;
  }
  return found;
}

/** Returns blocks with their hashes, starting after the last block whose hash is missing (all zeros). */
function linked(numbers: readonly number[], hashes: readonly Uint8Array[]): AncestorBlock[] {
  const hole = hashes.findLastIndex((hash) => hash.every((byte) => byte === 0));
  return numbers.slice(hole + 1).map((number, i) => ({
    number,
    hash: hashes[hole + 1 + i]!,
    parentHash: hashes[hole + i] ?? new Uint8Array(32),
  }));
}
