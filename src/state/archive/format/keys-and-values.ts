// The byte layout of the archive's keys, and of account and slot values. Pure.
//
// Keys; the number after each field is its length in bytes:
//   account   address 20 | block 6            -> the account's value; empty if that block has deleted the account
//   slot      address 20 | slot 32 | block 6  -> the slot's value; empty for zero
//   block     block 6                         (big endian, so that keys are in the order of the blocks)
//   place     block 6 | index 4               position of a transaction
//
// Values:
//   account   head 1 | nonce 0..8 | code hash 0 or 32 | balance 0..32 (both numbers without leading zeros)
//             head: bits 0-3 length of the nonce, bit 4 set if there is a code hash
//   slot      the word without leading zeros
import { type AccountState, EMPTY_CODE_HASH } from '../../views/state-view.js';
import { ADDRESS_BYTES, toBigInt } from '../../../lib/bytes/big-endian.js';

/** Length of an address and a slot. The keys of a slot start with these, followed by a block number. */
export const SLOT_KEY_PREFIX_BYTES = 52;

const BLOCK_BYTES = 6;
const LOCATION_BYTES = BLOCK_BYTES + 4;
const NONCE_LENGTH = 0x0f;
const HAS_CODE = 0x10;
const NOTHING = Buffer.alloc(0);

export function accountKey(address: Uint8Array, block: number): Buffer {
  const key = Buffer.allocUnsafe(ADDRESS_BYTES + BLOCK_BYTES);
  key.set(address);
  key.writeUIntBE(block, ADDRESS_BYTES, BLOCK_BYTES);
  return key;
}

export function slotKey(address: Uint8Array, slot: Uint8Array, block: number): Buffer {
  const key = Buffer.allocUnsafe(SLOT_KEY_PREFIX_BYTES + BLOCK_BYTES);
  key.set(address);
  key.set(slot, ADDRESS_BYTES);
  key.writeUIntBE(block, SLOT_KEY_PREFIX_BYTES, BLOCK_BYTES);
  return key;
}

/** Returns the key of a record that exists once for each block. */
export function blockKey(block: number): Buffer {
  const key = Buffer.allocUnsafe(BLOCK_BYTES);
  key.writeUIntBE(block, 0, BLOCK_BYTES);
  return key;
}

export function readBlockKey(key: Uint8Array): number {
  return toBuffer(key).readUIntBE(0, BLOCK_BYTES);
}

/** Position of a transaction: its block, and its index in the block. */
export interface TransactionLocation {
  readonly block: number;
  readonly index: number;
}

export function encodeTransactionLocation(location: TransactionLocation): Buffer {
  const key = Buffer.allocUnsafe(LOCATION_BYTES);
  key.writeUIntBE(location.block, 0, BLOCK_BYTES);
  key.writeUInt32BE(location.index, BLOCK_BYTES);
  return key;
}

export function readTransactionLocationKey(key: Uint8Array): TransactionLocation {
  return { block: toBuffer(key).readUIntBE(0, BLOCK_BYTES), index: toBuffer(key).readUInt32BE(BLOCK_BYTES) };
}

/** Encodes an account; `null`, a deleted account, is empty. It usually takes 10 to 20 bytes, and 32 more with code. */
export function encodeAccount(account: AccountState | null): Buffer {
  if (account === null) return NOTHING;
  const nonce = minimalBytes(account.nonce);
  const hasCode = !toBuffer(account.codeHash).equals(EMPTY_CODE_HASH);
  const head = Buffer.of(nonce.length | (hasCode ? HAS_CODE : 0));
  return Buffer.concat([head, nonce, hasCode ? account.codeHash : NOTHING, minimalBytes(account.balance)]);
}

/** Decodes an account; returns `null` if it was deleted. */
export function decodeAccount(value: Uint8Array): AccountState | null {
  const head = value[0];
  if (head === undefined) return null;
  const nonceEnd = 1 + (head & NONCE_LENGTH);
  const codeEnd = nonceEnd + ((head & HAS_CODE) === 0 ? 0 : 32);
  return {
    nonce: toBigInt(value.subarray(1, nonceEnd)),
    balance: toBigInt(value.subarray(codeEnd)),
    codeHash: codeEnd === nonceEnd ? EMPTY_CODE_HASH : value.slice(nonceEnd, codeEnd),
  };
}

/** Encodes a slot's value: the word without its leading zeros. The result shares the memory of `word`. */
export function encodeSlotValue(word: Uint8Array): Uint8Array {
  let zeros = 0;
  while (zeros < word.length && word[zeros] === 0) zeros++;
  return zeros === word.length ? NOTHING : word.subarray(zeros);
}

/**
 * Returns a plain Uint8Array over the memory of lmdb's Buffer, so that the caller can copy parts of it by `slice`.
 * `slice` of a Buffer does not copy.
 */
export function toPlainUint8Array(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function minimalBytes(value: bigint): Buffer {
  if (value === 0n) return NOTHING;
  const digits = value.toString(16);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
}

/** Returns a Buffer over the same memory. */
export function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
