// System contracts called at the start of every block, and the slots that they write (EIP-4788, EIP-2935).
import { fromHex } from '../lib/bytes/hex.js';
import { toBytes } from '../lib/bytes/big-endian.js';

/** Contract that stores beacon roots in a ring buffer by timestamp (EIP-4788). */
export const BEACON_ROOTS_ADDRESS = fromHex('000F3df6D732807Ef1319fB7B8bB8522d0Beac02');
/** Contract that stores the last block hashes in a ring buffer (EIP-2935). */
export const HISTORY_STORAGE_ADDRESS = fromHex('0000F90827F1C53a10cb7A02335B175320002935');
/** Address from which the system contracts are called. */
export const SYSTEM_ADDRESS = fromHex('fffffffffffffffffffffffffffffffffffffffe');
/** Number of entries in each of the two ring buffers. */
const RING = 8191;

/**
 * Returns the two slots that a block with this timestamp (seconds) writes: for the timestamp and for the beacon root.
 */
export function beaconRootSlots(timestamp: bigint): [Uint8Array, Uint8Array] {
  const at = timestamp % BigInt(RING);
  return [toBytes(at, 32), toBytes(at + BigInt(RING), 32)];
}

/** Returns the slot in which a block's hash is stored. */
export function blockHashSlot(number: number): Uint8Array {
  return toBytes(BigInt(number % RING), 32);
}
