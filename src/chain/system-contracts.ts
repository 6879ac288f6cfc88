// The contracts called at the start of every block, and the slots that they write (EIP-4788, EIP-2935).
import { fromHex } from '../lib/bytes/hex.js';
import { toBytes } from '../lib/bytes/big-endian.js';

/** EIP-4788: a ring of timestamps and their beacon roots. */
export const BEACON_ROOTS_ADDRESS = fromHex('000F3df6D732807Ef1319fB7B8bB8522d0Beac02');
/** EIP-2935: a ring of the last block hashes. */
export const HISTORY_STORAGE_ADDRESS = fromHex('0000F90827F1C53a10cb7A02335B175320002935');
/** The address that calls these two and the other system contracts. */
export const SYSTEM_ADDRESS = fromHex('fffffffffffffffffffffffffffffffffffffffe');
/** The number of entries in each ring. */
const RING = 8191;

/** The two slots that a block with this timestamp (seconds) writes: the timestamp and the beacon root. */
export function beaconRootSlots(timestamp: bigint): [Uint8Array, Uint8Array] {
  const at = timestamp % BigInt(RING);
  return [toBytes(at, 32), toBytes(at + BigInt(RING), 32)];
}

/** The slot that stores the hash of a block. */
export function blockHashSlot(number: number): Uint8Array {
  return toBytes(BigInt(number % RING), 32);
}
