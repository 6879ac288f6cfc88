// Random signed transactions of every type, built without the code under test: with RLP and elliptic curves of other
// libraries.
import { RLP } from '@ethereumjs/rlp';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import * as fc from 'fast-check';
import { keccak256 } from '../../src/lib/bytes/keccak-wasm.js';
import { DEV_CHAIN } from '../../src/feed/dev/genesis.js';
import { toBigInt } from '../../src/lib/bytes/big-endian.js';

const CHAIN_ID = Number(DEV_CHAIN.chainId);

export type Item = Uint8Array | number | bigint | readonly Item[];
export type Type = 0 | 1 | 2 | 3 | 4;

const bytes = (length: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: length, maxLength: length });
const key = bytes(32).filter((secret) => secp256k1.utils.isValidSecretKey(secret));
const entry = fc.tuple(bytes(20), fc.array(bytes(32), { maxLength: 2 }));
/** A transaction of any type, before it is encoded. */
export const transaction = fc.record({
  type: fc.constantFrom<Type>(0, 1, 2, 3, 4),
  isProtected: fc.boolean(),
  nonce: fc.nat(),
  to: bytes(20),
  value: fc.bigInt({ min: 0n, max: 2n ** 128n }),
  data: fc.uint8Array({ maxLength: 60 }),
  accessList: fc.array(entry, { maxLength: 2 }),
  key,
});
export type Transaction = typeof transaction extends fc.Arbitrary<infer T> ? T : never;

const AUTHORIZATION: Item = [CHAIN_ID, new Uint8Array(20).fill(9), 3, 1, 77n, 78n];
const BLOB_HASH = new Uint8Array(32).fill(1);

/** All fields before the signature. */
export function unsigned({ type, nonce, to, value, data, accessList }: Transaction): Item[] {
  const message: Item[] = [90_000, to, value, data];
  const fees: Item[] = [CHAIN_ID, nonce, 1, 10];
  switch (type) {
    case 0:
      return [nonce, 10, ...message];
    case 1:
      return [CHAIN_ID, nonce, 10, ...message, accessList];
    case 2:
      return [...fees, ...message, accessList];
    case 3:
      return [...fees, ...message, accessList, 5, [BLOB_HASH]];
    case 4:
      return [...fees, ...message, accessList, [AUTHORIZATION]];
  }
}

/** EIP-2718 bytes. */
export function encoded(type: Type, items: readonly Item[]): Uint8Array {
  const payload = RLP.encode(items as Parameters<typeof RLP.encode>[0]);
  return type === 0 ? payload : new Uint8Array(Buffer.concat([Uint8Array.of(type), payload]));
}

/** EIP-2718 bytes with `change` applied to v (or parity), r and s. `items`: all fields before the signature. */
export function signed(
  tx: Transaction,
  change: (signature: Signature) => Signature = (same) => same,
  items: readonly Item[] = unsigned(tx),
): Uint8Array {
  const replay: Item[] = tx.type === 0 && tx.isProtected ? [CHAIN_ID, 0, 0] : [];
  const hash = keccak256(encoded(tx.type, [...items, ...replay]));
  const signature = secp256k1.sign(hash, tx.key, { prehash: false, format: 'recovered' });
  const parity = BigInt(signature[0]!);
  const legacyV = tx.isProtected ? parity + 35n + 2n * BigInt(CHAIN_ID) : parity + 27n;
  const [r, s] = [toBigInt(signature.subarray(1, 33)), toBigInt(signature.subarray(33))];
  const changed = change({ v: tx.type === 0 ? legacyV : parity, r, s });
  return encoded(tx.type, [...items, changed.v, changed.r, changed.s]);
}

/** A signature as encoded in a transaction. */
export interface Signature {
  readonly v: bigint;
  readonly r: bigint;
  readonly s: bigint;
}
