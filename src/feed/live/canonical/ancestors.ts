// The blocks before the first one that is followed, for BLOCKHASH. Runs on the publisher.
import { BLOCK_HASHES, blockHashSlot } from '../../../chain/system-contracts.js';
import { sameBytes } from '../../../lib/bytes/byte-map.js';
import { fromHex, toQuantity } from '../../../lib/bytes/hex.js';
import { LIMITS } from '../../../limits/index.js';
import type { Ancestor } from '../../../state/block.js';
import { nullIfRefused, type Upstream, type UpstreamBlock } from '../../../upstream/upstream.js';
import { latin1 } from '../../../lib/bytes/latin1.js';

type Parts = Pick<Upstream, 'read' | 'request'>;

/**
 * The ancestors of `block` as far as BLOCKHASH reaches, oldest first, each the parent of the next: from EIP-2935's
 * contract, which answers in a few short words; where the chain does not have it, from the blocks themselves. Those that
 * the node does not know or give are left out. Rejects with UpstreamError only where the node does not answer at all.
 */
export async function ancestorsOf(block: UpstreamBlock, parentHash: Uint8Array, upstream: Parts): Promise<Ancestor[]> {
  const first = Math.max(0, block.number - LIMITS.blockHashesKept);
  const numbers = Array.from({ length: block.number - first }, (_, i) => first + i);
  if (numbers.length === 0) return [];
  const hashes = await hashesFromState(block.hash, numbers, upstream);
  const known = sameBytes(hashes.at(-1)!, parentHash) ? hashes : await hashesFromBlocks(numbers, parentHash, upstream);
  return linked(numbers, known);
}

async function hashesFromState(anchor: Uint8Array, numbers: readonly number[], upstream: Parts): Promise<Uint8Array[]> {
  const keys = numbers.map((number) => ({ address: BLOCK_HASHES, slot: blockHashSlot(number) }));
  const { slots } = await upstream.read(anchor, { accounts: [], slots: keys });
  const words = new Map(slots.map(({ slot, value }) => [latin1(slot), value]));
  return keys.map(({ slot }) => words.get(latin1(slot)) ?? new Uint8Array(32));
}

/** Zeros for those that are not known or not of this chain. */
async function hashesFromBlocks(
  numbers: readonly number[],
  parentHash: Uint8Array,
  upstream: Parts,
): Promise<Uint8Array[]> {
  const blocks = await Promise.all(numbers.map((number) => headerOf(number, upstream)));
  const hashes: Uint8Array[] = [];
  let wanted: Uint8Array | null = parentHash;
  for (const block of blocks.toReversed()) {
    const isOurs: boolean = wanted !== null && block !== null && sameBytes(block.hash, wanted);
    hashes.unshift(isOurs ? block!.hash : new Uint8Array(32));
    wanted = isOurs ? block!.parentHash : null;
  }
  return hashes;
}

async function headerOf(number: number, upstream: Parts): Promise<{ hash: Uint8Array; parentHash: Uint8Array } | null> {
  try {
    const block = (await upstream.request('eth_getBlockByNumber', [toQuantity(number), false])) as {
      readonly hash: string;
      readonly parentHash: string;
    } | null;
    return block === null ? null : { hash: fromHex(block.hash), parentHash: fromHex(block.parentHash) };
  } catch (error) {
    return nullIfRefused(error);
  }
}

/** Those from the last hole on. */
function linked(numbers: readonly number[], hashes: readonly Uint8Array[]): Ancestor[] {
  const hole = hashes.findLastIndex((hash) => hash.every((byte) => byte === 0));
  return numbers.slice(hole + 1).map((number, i) => ({
    number,
    hash: hashes[hole + 1 + i]!,
    parentHash: hashes[hole + i] ?? new Uint8Array(32),
  }));
}
