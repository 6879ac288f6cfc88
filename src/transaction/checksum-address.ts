// Formats an address in the form that go-ethereum uses in messages.
import { keccak256 } from '../lib/bytes/keccak-wasm.js';

/** Returns `0x` and forty hex digits in checksum case (EIP-55). */
export function checksumAddress(address: Uint8Array): string {
  const digits = Buffer.from(address.buffer, address.byteOffset, address.byteLength).toString('hex');
  const hash = keccak256(Buffer.from(digits, 'latin1'));
  return `0x${digits.replace(/[a-f]/g, (digit, i: number) => (nibble(hash, i) >= 8 ? digit.toUpperCase() : digit))}`;
}

function nibble(bytes: Uint8Array, index: number): number {
  const byte = bytes[index >> 1]!;
  return index % 2 === 0 ? byte >> 4 : byte & 15;
}
