// Converts bytes to strings of one character per byte, so that short byte strings can be keys of Maps and Sets.
import { latin1Slice } from './decode-text.js';

/** Returns a string with one character from U+0000 to U+00FF for each byte. Different bytes give different strings. */
export function latin1Key(bytes: Uint8Array): string {
  return latin1Slice(bytes, 0, bytes.byteLength);
}

/** Returns the key of a storage slot: that of the account's address, followed by that of the slot. */
export function latin1SlotKey({ address, slot }: { readonly address: Uint8Array; readonly slot: Uint8Array }): string {
  return latin1Key(address) + latin1Key(slot);
}
