// Public keys recovered by libsecp256k1 equal those of the reference library, and both refuse the same signatures.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ecrecover as reference, SECP256K1_ORDER } from '@ethereumjs/util';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import * as fc from 'fast-check';
import { CUSTOM_CRYPTO } from '../../../src/evm/ethereumjs-custom-crypto.js';
import {
  recoverPublicKeysInJavaScript,
  recoverPublicKeysNatively,
  type HashSignature,
  type RecoverPublicKeys,
} from '../../../src/native/secp256k1/recover-public-keys.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { toBytes } from '../../../src/lib/bytes/big-endian.js';

const SEED = 5;
const P = 2n ** 256n - 2n ** 32n - 977n;
const ours = CUSTOM_CRYPTO.ecrecover!;

type Recover = typeof reference;
type Question = Parameters<Recover>;

/** The key as hex, or null if it was refused. */
function answer(recover: Recover, question: Question): string | null {
  try {
    return Buffer.from(recover(...question)).toString('hex');
  } catch {
    return null;
  }
}

function assertSame(question: Question): string | null {
  const expected = answer(reference, question);
  assert.equal(answer(ours, question), expected);
  return expected;
}

function keysBy(recover: RecoverPublicKeys, signatures: readonly HashSignature[]): (string | null)[] {
  return recover(signatures).map((key) => key && toHex(key));
}

const word = fc.uint8Array({ minLength: 32, maxLength: 32 });

test('ECRECOVER finds the signer of every signature', () => {
  const key = word.filter((bytes) => secp256k1.utils.isValidSecretKey(bytes));
  let recovered = 0;
  const property = fc.property(key, word, fc.boolean(), (secret, hash, isHigh) => {
    const signed = secp256k1.sign(hash, secret, { prehash: false, format: 'recovered' });
    const [parity, r, s] = [signed[0]!, signed.subarray(1, 33), signed.subarray(33)];
    const flipped = toBytes(SECP256K1_ORDER - BigInt(`0x${Buffer.from(s).toString('hex')}`), 32);
    const v = BigInt(isHigh ? 1 - parity : parity) + 27n;
    if (assertSame([hash, v, r, isHigh ? flipped : s]) !== null) recovered++;
  });
  fc.assert(property, { seed: SEED, numRuns: 60 });
  assert.equal(recovered, 60);
});

test('ECRECOVER treats random numbers as the library does', () => {
  const edges = [0n, 1n, 2n, SECP256K1_ORDER - 1n, SECP256K1_ORDER, SECP256K1_ORDER + 1n, P - 1n, P, 2n ** 256n - 1n];
  const number = fc.oneof(fc.constantFrom(...edges), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }));
  const v = fc.constantFrom(0n, 1n, 2n, 26n, 27n, 28n, 29n, 35n, 36n, 37n, 38n);
  const chainId = fc.constantFrom(undefined, 1n);
  const property = fc.property(number, number, number, v, chainId, (hash, r, s, recovery, chain) => {
    assertSame([toBytes(hash, 32), recovery, toBytes(r, 32), toBytes(s, 32), chain]);
  });
  fc.assert(property, { seed: SEED, numRuns: 400 });
});

const native = { skip: recoverPublicKeysNatively === null && 'the addon is not built' };

/** Signatures per call: more than one batch of shared inversions. */
const SIGNATURES_MAX = 40;
const parity = fc.constantFrom<0 | 1>(0, 1);

test('the addon recovers the same keys as JavaScript, one at a time or in batches', native, () => {
  let [recovered, refused] = [0, 0];
  const signatures = fc.array(fc.record({ hash: word, parity, r: word, s: word }), { maxLength: SIGNATURES_MAX });
  const property = fc.property(signatures, (all) => {
    const keys = keysBy(recoverPublicKeysNatively!, all);
    assert.deepEqual(keys, keysBy(recoverPublicKeysInJavaScript, all));
    for (const key of keys) {
      if (key === null) refused++;
      else recovered++;
    }
  });
  fc.assert(property, { seed: SEED, numRuns: 40 });
  assert.ok(recovered > 50 && refused > 50, `${recovered} and ${refused}`);
});

test('the addon refuses and reduces the same numbers as JavaScript, in batches with valid signatures', native, () => {
  const edges = [0n, 1n, 2n, SECP256K1_ORDER - 1n, SECP256K1_ORDER, SECP256K1_ORDER + 1n, P - 1n, P, 2n ** 256n - 1n];
  const number = fc.oneof(fc.constantFrom(...edges), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }));
  const numbers = number.map((value) => toBytes(value, 32));
  const signature = fc.record({ hash: numbers, parity, r: numbers, s: numbers });
  const property = fc.property(fc.array(signature, { maxLength: SIGNATURES_MAX }), (all) => {
    assert.deepEqual(keysBy(recoverPublicKeysNatively!, all), keysBy(recoverPublicKeysInJavaScript, all));
  });
  fc.assert(property, { seed: SEED, numRuns: 60 });
});

test('the addon refuses a key at infinity, and recovers the others of its batch', native, () => {
  // s R = hash G, with R = 5 G.
  const { x, y } = secp256k1.Point.BASE.multiply(5n).toAffine();
  const [r, s] = [toBytes(x, 32), toBytes(3n, 32)];
  const all = ([0, 1, 0, 1] as const).map((bit, at) => ({
    hash: toBytes(15n + BigInt(at >> 1), 32),
    parity: bit,
    r,
    s,
  }));
  const keys = keysBy(recoverPublicKeysNatively!, all);
  assert.deepEqual(keys, keysBy(recoverPublicKeysInJavaScript, all));
  assert.deepEqual(
    keys.map((key) => key === null),
    [Number(y & 1n) === 0, Number(y & 1n) === 1, false, false],
  );
});

test('ECRECOVER accepts numbers without their leading zeros', () => {
  const short = fc.uint8Array({ minLength: 0, maxLength: 31 });
  const property = fc.property(word, short, short, (hash, r, s) => {
    assertSame([hash, 27n, r, s]);
  });
  fc.assert(property, { seed: SEED, numRuns: 60 });
});
