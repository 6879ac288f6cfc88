// Fields of a transaction from its bytes alone, without the rules of a fork. Runs on main, publisher and estimators.
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

/** Items in front of the receiver, by EIP-2718 type: those of EIP-155, EIP-2930, EIP-1559, EIP-4844, EIP-7702. */
const ITEMS_BEFORE: readonly number[] = [3, 4, 5, 5, 5];

/** Receiver, 20 bytes, or `null` where a contract is created; and the data. Views of the transaction's bytes. */
export interface ReceivedMessage {
  readonly to: Uint8Array | null;
  readonly data: Uint8Array;
}

/** The message of EIP-2718 bytes; `null` where they are not as they should be, which is for the decoder to say. */
export function messageIn(raw: Uint8Array): ReceivedMessage | null {
  const type = raw[0]! >= FIRST_LEGACY ? 0 : raw[0]!;
  const items = ITEMS_BEFORE[type];
  if (items === undefined) return null;
  const reader = new RlpReader(raw, type === 0 ? 0 : 1);
  reader.enter();
  for (let item = 0; item < items; item++) reader.skip();
  const to = reader.string();
  reader.skip();
  const data = reader.string();
  if (!reader.isSound || (to.length !== 0 && to.length !== 20)) return null;
  return { to: to.length === 0 ? null : to, data };
}
