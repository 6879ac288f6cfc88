// Senders recovered from raw bytes equal the library's, and for any bytes, decoding with a given sender returns what
// decoding without one does.
import assert from 'node:assert/strict';
import test from 'node:test';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import * as fc from 'fast-check';
import { keccak256 } from '../../src/lib/bytes/keccak-wasm.js';
import { createChainRules } from '../../src/evm/reference/fork-rules.js';
import { recoverSender } from '../../src/transaction/recover-sender.js';
import { decodeSignedTransaction, type SignedTransaction } from '../../src/transaction/signed-transaction.js';
import { DEV_CHAIN } from '../../src/feed/dev/genesis.js';
import { encodeRlp } from '../../src/lib/bytes/encode-rlp.js';
import { toBigInt } from '../../src/lib/bytes/big-endian.js';
import { encoded, signed, transaction, unsigned, type Item } from './random-transaction.js';

const SEED = 20;
const RULES = createChainRules(DEV_CHAIN).at(1, 0);
const ORDER = secp256k1.Point.Fn.ORDER;

function fieldsOrError(decoded: SignedTransaction | string): unknown {
  if (typeof decoded === 'string') return decoded;
  const { rules: _rules, ...fields } = decoded;
  return fields;
}

/** Compares decoding with and without the sender; returns whether there is one. */
function assertSame(raw: Uint8Array): boolean {
  const sender = recoverSender(raw);
  const expected = decodeSignedTransaction(raw, RULES);
  assert.deepEqual(
    fieldsOrError(decodeSignedTransaction(raw, RULES, sender)),
    fieldsOrError(expected),
    Buffer.from(raw).toString('hex'),
  );
  return sender !== null && typeof expected !== 'string';
}

test('the sender of every type of transaction is the library’s', () => {
  const property = fc.property(transaction, (tx) => {
    const raw = signed(tx);
    assert.ok(assertSame(raw));
    const publicKey = secp256k1.getPublicKey(tx.key, false).subarray(1);
    assert.deepEqual(recoverSender(raw)!.address, keccak256(publicKey).slice(12));
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
    // The other signature of the pair: mathematically valid, rejected by EIP-2.
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

/** A number with a leading zero. */
const padded = (value: Item): Item =>
  typeof value === 'object' ? value : new Uint8Array(Buffer.concat([Uint8Array.of(0), encodeRlp(value)]));

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
