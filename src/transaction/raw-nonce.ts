// The nonce of a transaction from its bytes alone. Runs on main and on the publisher.
import { RlpReader } from '../lib/bytes/rlp-reader.js';

const FIRST_LEGACY = 0xc0;
const NONCE_BYTES = 8;

/** The nonce of EIP-2718 bytes; `null` where they are not as they should be, or of a type that has none. */
export function nonceOf(raw: Uint8Array): bigint | null {
  const isLegacy = raw[0]! >= FIRST_LEGACY;
  const reader = new RlpReader(raw, isLegacy ? 0 : 1);
  reader.enter();
  if (!isLegacy) reader.skip();
  const nonce = reader.integer(NONCE_BYTES);
  return reader.isSound ? nonce : null;
}
