// Cryptographic functions that @ethereumjs uses in place of its own.
import { createHash } from 'node:crypto';
import type { CustomCrypto } from '@ethereumjs/common';
import { calculateSigRecovery } from '@ethereumjs/util';
import { keccak256 } from '../lib/bytes/keccak-wasm.js';
import { REFERENCE_KZG } from './reference/kzg.js';
import { recoverPublicKeys } from '../native/secp256k1/recover-public-keys.js';

/** Passed to every `Common` of @ethereumjs. sha256 is OpenSSL's, ecrecover libsecp256k1's. */
export const CUSTOM_CRYPTO: CustomCrypto = {
  ecrecover,
  kzg: REFERENCE_KZG,
  keccak256,
  sha256: (message) => new Uint8Array(createHash('sha256').update(message).digest()),
};

/**
 * Returns the public key that has signed `hash`: 64 bytes without a prefix, as in `@ethereumjs/util`. `v` is a parity,
 * 27 or 28, or a value of EIP-155; `r` and `s` may come without leading zeros. Throws if there is no such key.
 */
function ecrecover(hash: Uint8Array, v: bigint, r: Uint8Array, s: Uint8Array, chainId?: bigint): Uint8Array {
  const parity = calculateSigRecovery(v, chainId);
  if (parity !== 0n && parity !== 1n) throw new Error('invalid signature v value');
  const [key] = recoverPublicKeys([{ hash, parity: parity === 0n ? 0 : 1, r, s }]);
  if (key === null) throw new Error('no key has made the signature');
  return key!;
}
