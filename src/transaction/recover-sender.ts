// Recovers the sender of a transaction from its bytes alone. This needs no fork rules, so other threads can do it
// before the transaction's block is known.

// libsecp256k1 recovers senders. It is part of our native addon, built from the sources in the npm package `secp256k1`.
// One sender takes 0.05 ms; 0.04 ms if eight or more share a modular inversion. Without the addon, `@noble/curves`
// takes 1.5 ms. See DECISIONS.md.
import { keccak256 } from '../lib/bytes/keccak-wasm.js';
import { EncodedRlp, encodeRlp } from '../lib/bytes/encode-rlp.js';
import { WORD_BYTES, toBigInt } from '../lib/bytes/big-endian.js';
import { recoverPublicKeys, type HashSignature } from '../native/secp256k1/recover-public-keys.js';
import { RawTransactionReader } from './raw-transaction-fields.js';

/** Hash and sender of a transaction whose signature is valid. */
export interface RecoveredSender {
  /** keccak-256 of the transaction, 32 bytes. */
  readonly hash: Uint8Array;
  /** Address of the sender, 20 bytes. */
  readonly address: Uint8Array;
}

/** Highest valid s: half of the order of secp256k1, rounded down (EIP-2). */
const S_MAX = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * Returns the sender of a transaction in EIP-2718 bytes by the rules of EIP-2 and EIP-155. `null` if the signature is
 * invalid, or the bytes are malformed (which the decoder will report). The other fields are not checked, and a legacy
 * transaction may be for another chain. With `isHighAllowed`, high values of s are valid too, as before EIP-2.
 */
export function recoverSender(raw: Uint8Array, isHighAllowed = false): RecoveredSender | null {
  return recoverSenders([raw], isHighAllowed)[0]!;
}

/** Like `recoverSender`, for many transactions at once, which is faster than one by one. */
export function recoverSenders(raws: readonly Uint8Array[], isHighAllowed = false): (RecoveredSender | null)[] {
  const signatures = raws.map((raw) => signatureOf(raw));
  const isValid = (signature: HashSignature | null): signature is HashSignature =>
    signature !== null && (isHighAllowed || toBigInt(signature.s) <= S_MAX);
  const keys = recoverPublicKeys(signatures.filter(isValid)).values();
  return raws.map((raw, at) => (isValid(signatures[at]!) ? senderBy(keys.next().value!, raw) : null));
}

function senderBy(key: Uint8Array | null, raw: Uint8Array): RecoveredSender | null {
  return key === null ? null : { hash: keccak256(raw), address: keccak256(key).slice(12) };
}

/** Reads the signature; returns `null` if the bytes are malformed or the parity is neither 0 nor 1. */
function signatureOf(raw: Uint8Array): HashSignature | null {
  const transaction = RawTransactionReader.of(raw);
  if (transaction === null || transaction.at.r < 0) return null;
  const { type, at } = transaction;
  const unsigned = new EncodedRlp(transaction.unsigned);
  const { v } = transaction;
  const [r, s] = [transaction.bytes(at.r), transaction.bytes(at.s)];
  if (!transaction.isWhole() || r.length > WORD_BYTES || s.length > WORD_BYTES) return null;
  if (type === 0) return legacySignature(unsigned, v, r, s);
  return v > 1n ? null : { hash: keccak256(encodeRlp([unsigned], type)), parity: parityOf(v), r, s };
}

function legacySignature(unsigned: EncodedRlp, v: bigint, r: Uint8Array, s: Uint8Array): HashSignature | null {
  if (v === 27n || v === 28n) return { hash: keccak256(encodeRlp([unsigned])), parity: parityOf(v - 27n), r, s };
  if (v < 35n) return null;
  const hash = keccak256(encodeRlp([unsigned, (v - 35n) / 2n, 0, 0]));
  return { hash, parity: parityOf((v - 35n) % 2n), r, s };
}

/** `bit` must be 0 or 1. */
function parityOf(bit: bigint): 0 | 1 {
  return bit === 0n ? 0 : 1;
}

/** Senders of a list of transactions, which other threads are recovering. */
export interface SendersBeingRecovered {
  /** Returns a sender, as `recoverSender` does. If no thread has recovered it yet, this thread does. */
  at(index: number): RecoveredSender | null;
}

/** Starts recovering the senders of these transactions on other threads. */
export type StartSenderRecovery = (transactions: readonly Uint8Array[]) => SendersBeingRecovered;
