// The address of a contract that a transaction or CREATE creates (yellow paper 7).
import { keccak256 } from '../lib/bytes/keccak-wasm.js';
import { encodeRlp } from '../lib/bytes/encode-rlp.js';

/** Returns the address of the contract. `nonce` is the creator's nonce before the creation. */
export function createdContractAddress(from: Uint8Array, nonce: bigint): Uint8Array {
  return keccak256(encodeRlp([from, nonce])).slice(12);
}
