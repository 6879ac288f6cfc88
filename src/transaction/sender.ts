// Who has sent a transaction, from its bytes alone: what can be found out before its block is known, on another thread.
// Runs on publisher and senders.
import { RLP, type NestedUint8Array } from '@ethereumjs/rlp';
import { keccak256 } from '../lib/keccak.js';
import { toBigInt } from '../lib/words.js';
import { recoverKey } from '../lib/secp256k1.js';

/** What follows from a transaction's bytes where its signature is in order. */
export interface Sender {
  /** keccak-256 of the transaction, 32 bytes. */
  readonly hash: Uint8Array;
  /** 64 bytes, without prefix. */
  readonly publicKey: Uint8Array;
  /** 20 bytes. */
  readonly address: Uint8Array;
}

/** In order; `null`: not recovered, which says nothing about the signature. Never rejects. */
export type RecoverSenders = (transactions: readonly Uint8Array[]) => Promise<readonly (Sender | null)[]>;

type Item = Uint8Array | NestedUint8Array;

/** Items of the RLP list, and which one is `to`, by EIP-2718 type: EIP-155, EIP-2930, EIP-1559, EIP-4844, EIP-7702. */
const SHAPES: readonly { readonly items: number; readonly to: number }[] = [
  { items: 9, to: 3 },
  { items: 11, to: 4 },
  { items: 12, to: 5 },
  { items: 14, to: 5 },
  { items: 13, to: 5 },
];
/** The last items, which sign the others. */
const SIGNATURE_ITEMS = 3;
/** Value and data follow `to`. */
const TO_DATA = 2;
/** EIP-2: half of the order of secp256k1, rounded down. */
const S_MAX = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * The sender of EIP-2718 bytes by the rules of EIP-2 and EIP-155. `null` where there is none or the bytes are not as
 * they should be: what is wrong with them is for the decoder to say. An answer says nothing about the other fields, and
 * a legacy transaction may be for another chain.
 */
export function senderOf(raw: Uint8Array): Sender | null {
  try {
    const type = raw[0]! >= 0xc0 ? 0 : raw[0]!;
    const items = RLP.decode(type === 0 ? raw : raw.subarray(1)) as NestedUint8Array;
    const shape = SHAPES[type];
    if (shape === undefined || items.length !== shape.items || !isCanonical(items, shape.to)) return null;
    const publicKey = type === 0 ? legacyKey(items) : typedKey(type, items);
    if (publicKey === null) return null;
    return { hash: keccak256(raw), publicKey, address: keccak256(publicKey).subarray(12) };
  } catch {
    // Bytes that are no RLP, or a signature without a key: expected, and the libraries only throw.
    return null;
  }
}

/** Whether no number has leading zeros: the library hashes the number, not the bytes as written. */
function isCanonical(items: readonly Item[], to: number): boolean {
  return items.every((item, at) => at === to || at === to + TO_DATA || !(item instanceof Uint8Array) || item[0] !== 0);
}

function legacyKey(items: readonly Item[]): Uint8Array | null {
  const v = numberOf(items[6]);
  const message = items.slice(0, -SIGNATURE_ITEMS);
  if (v === 27n || v === 28n) return keyOf(keccak256(RLP.encode(message)), v - 27n, items);
  if (v < 35n) return null;
  const chainId = (v - 35n) / 2n;
  return keyOf(keccak256(RLP.encode([...message, chainId, 0, 0])), (v - 35n) % 2n, items);
}

function typedKey(type: number, items: readonly Item[]): Uint8Array | null {
  const message = RLP.encode(items.slice(0, -SIGNATURE_ITEMS));
  const signed = new Uint8Array(1 + message.length);
  signed[0] = type;
  signed.set(message, 1);
  return keyOf(keccak256(signed), numberOf(items.at(-SIGNATURE_ITEMS)), items);
}

function keyOf(hash: Uint8Array, parity: bigint, items: readonly Item[]): Uint8Array | null {
  const [r, s] = items.slice(-2) as [Uint8Array, Uint8Array];
  if (parity > 1n || numberOf(s) > S_MAX) return null;
  return recoverKey(hash, parity === 0n ? 0 : 1, r, s);
}

function numberOf(item: Item | undefined): bigint {
  if (!(item instanceof Uint8Array)) throw new Error('a list where a number should be');
  return toBigInt(item);
}
