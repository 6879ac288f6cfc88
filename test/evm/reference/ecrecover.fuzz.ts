// Public keys recovered by libsecp256k1 are those that the reference library recovers, and what one refuses, so does
// the other.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ecrecover as reference, SECP256K1_ORDER } from '@ethereumjs/util';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import * as fc from 'fast-check';
import { CRYPTO } from '../../../src/evm/crypto.js';
import { recoverInJavaScript, recoverNatively } from '../../../src/native/secp256k1/recover.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { toBytes } from '../../../src/lib/bytes/words.js';

const SEED = 5;
const P = 2n ** 256n - 2n ** 32n - 977n;
const ours = CRYPTO.ecrecover!;

type Recover = typeof reference;
type RecoverBuild = typeof recoverInJavaScript;
type Question = Parameters<Recover>;

/** The key as hex, or null for a refusal. */
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

function keyBy(recover: RecoverBuild, ...question: Parameters<RecoverBuild>): string | null {
  try {
    return toHex(recover(...question));
  } catch {
    return null;
  }
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

test('ECRECOVER answers random numbers as the library does', () => {
  const edges = [0n, 1n, 2n, SECP256K1_ORDER - 1n, SECP256K1_ORDER, SECP256K1_ORDER + 1n, P - 1n, P, 2n ** 256n - 1n];
  const number = fc.oneof(fc.constantFrom(...edges), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }));
  const v = fc.constantFrom(0n, 1n, 2n, 26n, 27n, 28n, 29n, 35n, 36n, 37n, 38n);
  const chainId = fc.constantFrom(undefined, 1n);
  const property = fc.property(number, number, number, v, chainId, (hash, r, s, recovery, chain) => {
    assertSame([toBytes(hash, 32), recovery, toBytes(r, 32), toBytes(s, 32), chain]);
  });
  fc.assert(property, { seed: SEED, numRuns: 400 });
});

const native = { skip: recoverNatively === null && 'the addon is not built' };

test('the addon recovers the same keys as JavaScript', native, () => {
  let recovered = 0;
  const signature = fc.tuple(word, word).map((words) => new Uint8Array(Buffer.concat(words)));
  const property = fc.property(word, fc.constantFrom<0 | 1>(0, 1), signature, (hash, parity, signed) => {
    const key = keyBy(recoverNatively!, hash, parity, signed);
    assert.equal(key, keyBy(recoverInJavaScript, hash, parity, signed));
    if (key !== null) recovered++;
  });
  fc.assert(property, { seed: SEED, numRuns: 400 });
  assert.ok(recovered > 100 && recovered < 400, String(recovered));
});

test('the addon refuses and reduces what JavaScript does', native, () => {
  const edges = [0n, 1n, 2n, SECP256K1_ORDER - 1n, SECP256K1_ORDER, SECP256K1_ORDER + 1n, P - 1n, P, 2n ** 256n - 1n];
  const number = fc.oneof(fc.constantFrom(...edges), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }));
  const property = fc.property(number, fc.constantFrom<0 | 1>(0, 1), number, number, (hash, parity, r, s) => {
    const question = [toBytes(hash, 32), parity, new Uint8Array([...toBytes(r, 32), ...toBytes(s, 32)])] as const;
    assert.equal(keyBy(recoverNatively!, ...question), keyBy(recoverInJavaScript, ...question));
  });
  fc.assert(property, { seed: SEED, numRuns: 600 });
});

test('the addon refuses a key at infinity', native, () => {
  // s R = hash G, of R = 5 G.
  const { x, y } = secp256k1.Point.BASE.multiply(5n).toAffine();
  const signature = new Uint8Array([...toBytes(x, 32), ...toBytes(3n, 32)]);
  for (const parity of [0, 1] as const) {
    const key = keyBy(recoverNatively!, toBytes(15n, 32), parity, signature);
    assert.equal(key, keyBy(recoverInJavaScript, toBytes(15n, 32), parity, signature));
    assert.equal(key === null, parity === Number(y & 1n));
  }
});

test('ECRECOVER takes numbers without their leading zeros', () => {
  const short = fc.uint8Array({ minLength: 0, maxLength: 31 });
  const property = fc.property(word, short, short, (hash, r, s) => {
    assertSame([hash, 27n, r, s]);
  });
  fc.assert(property, { seed: SEED, numRuns: 60 });
});
