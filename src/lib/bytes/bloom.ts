// The 2048-bit bloom filter over the logs of a block or receipt (yellow paper 4.3.1).
import { keccak256 } from './keccak-wasm.js';

const BLOOM_BYTES = 256;
/** Each of the first three byte pairs of an item's hash selects a bit. They end at this offset. */
const PAIRS_END = 6;

/** Computes the bloom filter of the addresses and topics of logs: 256 bytes. */
export function logsBloom(logs: readonly { address: Uint8Array; topics: readonly Uint8Array[] }[]): Uint8Array {
  const bloom = new Uint8Array(BLOOM_BYTES);
  for (const log of logs) {
    add(bloom, log.address);
    for (const topic of log.topics) add(bloom, topic);
  }
  return bloom;
}

/** True if `item` may have been added to the filter. Always true for an item that was added. */
export function bloomHas(bloom: Uint8Array, item: Uint8Array): boolean {
  const hash = keccak256(item);
  for (let pair = 0; pair < PAIRS_END; pair += 2) {
    const bit = bitOf(hash, pair);
    if ((bloom[BLOOM_BYTES - 1 - (bit >> 3)]! & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}

function add(bloom: Uint8Array, item: Uint8Array): void {
  const hash = keccak256(item);
  for (let pair = 0; pair < PAIRS_END; pair += 2) {
    const bit = bitOf(hash, pair);
    bloom[BLOOM_BYTES - 1 - (bit >> 3)]! |= 1 << (bit & 7);
  }
}

/** Returns the index of one of the three bits of an item: the low 11 bits of a byte pair of its hash. */
function bitOf(hash: Uint8Array, pair: number): number {
  return ((hash[pair]! << 8) | hash[pair + 1]!) & 2047;
}
