// The contracts that every block calls at its start, and the slots in which they store the values (EIP-4788, EIP-2935).
import { fromHex } from '../lib/bytes/hex.js';
import { toBytes } from '../lib/bytes/words.js';

/** EIP-4788: a ring of timestamps and their beacon roots. */
export const BEACON_ROOTS = fromHex('000F3df6D732807Ef1319fB7B8bB8522d0Beac02');
/** EIP-2935: a ring of the last block hashes. */
export const BLOCK_HASHES = fromHex('0000F90827F1C53a10cb7A02335B175320002935');
/** Caller of both, and of the other system contracts. */
export const SYSTEM_ADDRESS = fromHex('fffffffffffffffffffffffffffffffffffffffe');
/** Size of either ring. */
const RING = 8191;

/** The slots that a block with this timestamp (seconds) writes: the timestamp, and the root. */
export function beaconRootSlots(timestamp: bigint): [Uint8Array, Uint8Array] {
  const at = timestamp % BigInt(RING);
  return [toBytes(at, 32), toBytes(at + BigInt(RING), 32)];
}

/** The slot of a block's hash. */
export function blockHashSlot(number: number): Uint8Array {
  return toBytes(BigInt(number % RING), 32);
}
