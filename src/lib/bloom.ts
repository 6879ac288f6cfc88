// The 2048-bit log filter of blocks and receipts (yellow paper 4.3.1). Runs on every thread.
import { keccak256 } from 'ethereum-cryptography/keccak.js';

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

function add(bloom: Uint8Array, item: Uint8Array): void {
  const hash = keccak256(item);
  for (let i = 0; i < 6; i += 2) {
    const bit = ((hash[i]! << 8) | hash[i + 1]!) & 2047;
    bloom[BLOOM_BYTES - 1 - (bit >> 3)]! |= 1 << (bit & 7);
  }
}
