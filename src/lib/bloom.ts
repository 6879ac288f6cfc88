// The 2048-bit log filter of blocks and receipts (yellow paper 4.3.1). Runs on every thread.
import { keccak256 } from './keccak.js';
import { LIMITS } from '../limits.js';
import { latin1 } from './latin1.js';

const BLOOM_BYTES = 256;

/** The filter over addresses and topics of logs, 256 bytes. */
export function logsBloom(logs: readonly { address: Uint8Array; topics: readonly Uint8Array[] }[]): Uint8Array {
  const bloom = new Uint8Array(BLOOM_BYTES);
  for (const log of logs) {
    add(bloom, log.address);
    for (const topic of log.topics) add(bloom, topic);
  }
  return bloom;
}

/** Whether `item` may be in the filter; what is in it always is. */
export function bloomHas(bloom: Uint8Array, item: Uint8Array): boolean {
  const bits = bitsOf(item);
  for (let shift = 0; shift < 3 * 11; shift += 11) {
    const bit = Math.floor(bits / 2 ** shift) & 2047;
    if ((bloom[BLOOM_BYTES - 1 - (bit >> 3)]! & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}

function add(bloom: Uint8Array, item: Uint8Array): void {
  const bits = bitsOf(item);
  for (let shift = 0; shift < 3 * 11; shift += 11) {
    const bit = Math.floor(bits / 2 ** shift) & 2047;
    bloom[BLOOM_BYTES - 1 - (bit >> 3)]! |= 1 << (bit & 7);
  }
}

/**
 * The three bits that stand for an item, 11 binary digits each. They are kept: a receipt's filter is needed again for
 * its block's, and the same contracts and events come in every block. Gain: 4 us of hashing each time, against 0.2 for
 * the look-up. Price: half a megabyte a thread.
 */
function bitsOf(item: Uint8Array): number {
  const key = latin1(item);
  let bits = kept.get(key);
  if (bits !== undefined) return bits;
  if (kept.size >= LIMITS.bloomItemsKeptMax) kept.clear();
  kept.set(key, (bits = hashed(item)));
  return bits;
}

const kept = new Map<string, number>();

function hashed(item: Uint8Array): number {
  const hash = keccak256(item);
  const bit = (at: number): number => ((hash[at]! << 8) | hash[at + 1]!) & 2047;
  return bit(0) + bit(2) * 2 ** 11 + bit(4) * 2 ** 22;
}
