// Authorities of EIP-7702 authorizations compared with the reference library; invalid authorizations are skipped.
import assert from 'node:assert/strict';
import test from 'node:test';
import { RLP } from '@ethereumjs/rlp';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import * as fc from 'fast-check';
import { applyAuthorizations } from '../../../src/execution/block/authorization.js';
import type { Authorization } from '../../../src/transaction/evm-job.js';
import { keccak256 } from '../../../src/lib/bytes/keccak-wasm.js';
import type { JournaledState } from '../../../src/evm/journal/journaled-state.js';

const SEED = 7;
const CHAIN_ID = 31337n;
const ORDER = secp256k1.Point.Fn.ORDER;
const P = 2n ** 256n - 2n ** 32n - 977n;

/** A message to an empty account, whose execution does not matter. */
const NOWHERE = {
  accountOf: () => ({ nonce: 1n, balance: 0n, codeHash: new Uint8Array(32) }),
  codeOf: () => new Uint8Array(0),
  setCode: () => undefined,
  setAccount: () => undefined,
} as unknown as JournaledState;

function hashOf({ chainId, address, nonce }: Pick<Authorization, 'chainId' | 'address' | 'nonce'>): Uint8Array {
  return keccak256(new Uint8Array(Buffer.concat([Uint8Array.of(5), RLP.encode([chainId, address, nonce])])));
}

/** The authority according to EIP-7702 and the reference library; `null`: the authorization is skipped. */
function expected(authorization: Authorization): string | null {
  const { chainId, nonce, yParity, r, s } = authorization;
  if (chainId !== 0n && chainId !== CHAIN_ID) return null;
  if (nonce >= 2n ** 64n - 1n || yParity > 1n || s > ORDER / 2n) return null;
  try {
    const key = new secp256k1.Signature(r, s, Number(yParity)).recoverPublicKey(hashOf(authorization)).toBytes(false);
    return Buffer.from(keccak256(key.subarray(1)).subarray(12)).toString('hex');
  } catch {
    return null;
  }
}

function assertSame(authorization: Authorization): string | null {
  const { warm } = applyAuthorizations([authorization], CHAIN_ID, NOWHERE, null);
  const found = warm.map((address) => Buffer.from(address).toString('hex'))[0] ?? null;
  assert.equal(found, expected(authorization));
  return found;
}

const bytes = (length: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: length, maxLength: length });
const tuple = fc.record({
  chainId: fc.constantFrom(0n, CHAIN_ID, 1n),
  address: bytes(20),
  nonce: fc.constantFrom(0n, 1n, 2n ** 64n - 2n, 2n ** 64n - 1n),
});
const key = bytes(32).filter((secret) => secp256k1.utils.isValidSecretKey(secret));

test('a signed authorization recovers its signer, and a high s is refused', () => {
  let found = 0;
  const property = fc.property(tuple, key, (what, secret) => {
    const { r, s, recovery } = secp256k1.Signature.fromBytes(
      secp256k1.sign(hashOf(what), secret, { prehash: false, format: 'recovered' }),
      'recovered',
    );
    const yParity = BigInt(recovery!);
    if (assertSame({ ...what, yParity, r, s }) !== null) found++;
    assertSame({ ...what, yParity: 1n - yParity, r, s });
    assert.equal(assertSame({ ...what, yParity: 1n - yParity, r, s: ORDER - s }), null);
    assert.equal(assertSame({ ...what, yParity: yParity + 27n, r, s }), null);
  });
  fc.assert(property, { seed: SEED, numRuns: 60 });
  assert.ok(found > 15, `${found} found`);
});

test('authorizations of random numbers recover the same authority as the library, or none', () => {
  const edges = [
    0n,
    1n,
    2n,
    ORDER / 2n,
    ORDER / 2n + 1n,
    ORDER - 1n,
    ORDER,
    ORDER + 1n,
    P - ORDER,
    P - 1n,
    P,
    2n ** 256n - 1n,
  ];
  const number = fc.oneof(fc.constantFrom(...edges), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }));
  const yParity = fc.constantFrom(0n, 1n, 2n, 3n, 27n, 28n, 2n ** 255n);
  const property = fc.property(tuple, yParity, number, number, (what, parity, r, s) => {
    assertSame({ ...what, yParity: parity, r, s });
  });
  fc.assert(property, { seed: SEED, numRuns: 400 });
});
