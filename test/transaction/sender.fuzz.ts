// Senders that are recovered from bytes alone are those that the library finds, and whatever the bytes are, decoding
// with them answers what decoding without them does.
import assert from 'node:assert/strict';
import test from 'node:test';
import { RLP } from '@ethereumjs/rlp';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import * as fc from 'fast-check';
import { keccak256 } from '../../src/lib/keccak.js';
import { createRules } from '../../src/evm/ethereumjs/fork-rules.js';
import { senderOf } from '../../src/transaction/sender.js';
import { decodeTransaction, type SignedTransaction } from '../../src/transaction/signed.js';
import { DEV_CHAIN } from '../../src/feed/dev/genesis.js';
import { encodeNumber } from '../../src/lib/rlp.js';
import { toBigInt } from '../../src/lib/words.js';

const SEED = 20;
const RULES = createRules(DEV_CHAIN).at(1, 0);
const ORDER = secp256k1.Point.Fn.ORDER;
const CHAIN_ID = Number(DEV_CHAIN.chainId);

type Item = Uint8Array | number | bigint | readonly Item[];
type Type = 0 | 1 | 2 | 3 | 4;

const bytes = (length: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: length, maxLength: length });
const key = bytes(32).filter((secret) => secp256k1.utils.isValidSecretKey(secret));
const entry = fc.tuple(bytes(20), fc.array(bytes(32), { maxLength: 2 }));
const transaction = fc.record({
  type: fc.constantFrom<Type>(0, 1, 2, 3, 4),
  isProtected: fc.boolean(),
  nonce: fc.nat(),
  to: bytes(20),
  value: fc.bigInt({ min: 0n, max: 2n ** 128n }),
  data: fc.uint8Array({ maxLength: 60 }),
  accessList: fc.array(entry, { maxLength: 2 }),
  key,
});
type Transaction = typeof transaction extends fc.Arbitrary<infer T> ? T : never;

const AUTHORIZATION: Item = [CHAIN_ID, new Uint8Array(20).fill(9), 3, 1, 77n, 78n];
const BLOB_HASH = new Uint8Array(32).fill(1);

/** Everything in front of the signature. */
function unsigned({ type, nonce, to, value, data, accessList }: Transaction): Item[] {
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

function encoded(type: Type, items: readonly Item[]): Uint8Array {
  const payload = RLP.encode(items as Parameters<typeof RLP.encode>[0]);
  return type === 0 ? payload : new Uint8Array(Buffer.concat([Uint8Array.of(type), payload]));
}

/** EIP-2718 bytes with `change` made to v (or parity), r and s. */
function signed(tx: Transaction, change: (signature: Signature) => Signature = (same) => same): Uint8Array {
  const items = unsigned(tx);
  const replay: Item[] = tx.type === 0 && tx.isProtected ? [CHAIN_ID, 0, 0] : [];
  const hash = keccak256(encoded(tx.type, [...items, ...replay]));
  const signature = secp256k1.sign(hash, tx.key, { prehash: false, format: 'recovered' });
  const parity = BigInt(signature[0]!);
  const legacyV = tx.isProtected ? parity + 35n + 2n * BigInt(CHAIN_ID) : parity + 27n;
  const [r, s] = [toBigInt(signature.subarray(1, 33)), toBigInt(signature.subarray(33))];
  const changed = change({ v: tx.type === 0 ? legacyV : parity, r, s });
  return encoded(tx.type, [...items, changed.v, changed.r, changed.s]);
}

interface Signature {
  readonly v: bigint;
  readonly r: bigint;
  readonly s: bigint;
}

function said(decoded: SignedTransaction | string): unknown {
  if (typeof decoded === 'string') return decoded;
  const { rules: _rules, ...fields } = decoded;
  return fields;
}

/** Decoding with the sender says what decoding without it says; whether there is one. */
function assertSame(raw: Uint8Array): boolean {
  const sender = senderOf(raw);
  const expected = decodeTransaction(raw, RULES);
  assert.deepEqual(said(decodeTransaction(raw, RULES, sender)), said(expected), Buffer.from(raw).toString('hex'));
  return sender !== null && typeof expected !== 'string';
}

test('the sender of every type of transaction is the library’s', () => {
  const property = fc.property(transaction, (tx) => {
    const raw = signed(tx);
    assert.ok(assertSame(raw));
    const key = secp256k1.getPublicKey(tx.key, false).subarray(1);
    assert.deepEqual(senderOf(raw)!.address, keccak256(key).slice(12));
  });
  fc.assert(property, { seed: SEED, numRuns: 100 });
});

test('a malformed signature has the library’s sender or none', () => {
  const edge = fc.constantFrom(0n, 1n, 2n, ORDER / 2n, ORDER / 2n + 1n, ORDER - 1n, ORDER, 2n ** 256n - 1n);
  const v = fc.constantFrom(0n, 1n, 2n, 26n, 27n, 28n, 29n, 34n, 35n, 36n, 37n, 38n, 2n ** 70n);
  const change = fc.oneof(
    fc.record({ v }),
    fc.record({ r: edge }),
    fc.record({ s: edge }),
    fc.record({ v, r: edge, s: edge }),
  );
  const property = fc.property(transaction, change, (tx, other) => {
    assertSame(signed(tx, (right) => ({ ...right, ...other })));
    // The other one of the two signatures: valid mathematics, refused by EIP-2.
    assert.ok(!assertSame(signed(tx, ({ v: parity, r, s }) => ({ v: flipped(parity), r, s: ORDER - s }))));
  });
  fc.assert(property, { seed: SEED, numRuns: 150 });
});

const flipped = (v: bigint): bigint => ((v < 27n ? v : v - 27n) % 2n === 0n ? v + 1n : v - 1n);

test('damaged bytes decode the same with and without a recovered sender', () => {
  const property = fc.property(transaction, fc.nat(), fc.nat(255), fc.nat(3), (tx, at, byte, cut) => {
    const raw = signed(tx);
    raw[at % raw.length] = byte;
    assertSame(raw.subarray(0, raw.length - cut));
  });
  fc.assert(property, { seed: SEED, numRuns: 400 });
  for (const raw of ['', 'c0', '02', '02c0', '7ec0', '05c0', '80', 'f8'])
    assertSame(new Uint8Array(Buffer.from(raw, 'hex')));
});

/** A number with a zero in front. */
const padded = (value: Item): Item =>
  typeof value === 'object' ? value : new Uint8Array(Buffer.concat([Uint8Array.of(0), encodeNumber(BigInt(value))]));

test('a transaction with leading zeros in a number has no sender', () => {
  const property = fc.property(transaction, fc.nat(12), (tx, at) => {
    const items = unsigned(tx).map((item, index) => (index === at ? padded(item) : item));
    const hash = keccak256(encoded(tx.type, items));
    const signature = secp256k1.sign(hash, tx.key, { prehash: false, format: 'recovered' });
    const v = BigInt(signature[0]!) + (tx.type === 0 ? 27n : 0n);
    const [r, s] = [toBigInt(signature.subarray(1, 33)), toBigInt(signature.subarray(33))];
    assertSame(encoded(tx.type, [...items, v, r, s]));
  });
  fc.assert(property, { seed: SEED, numRuns: 150 });
});
