// The cryptographic functions that the EVM libraries use in place of their own.
import { createHash } from 'node:crypto';
import type { CustomCrypto } from '@ethereumjs/common';
import { calculateSigRecovery } from '@ethereumjs/util';
import { keccak256 } from '../lib/bytes/keccak.js';
import { REFERENCE_KZG } from './reference/kzg.js';
import { recoverPublicKeys } from '../native/secp256k1/recover-public-keys.js';

/** Passed to every `Common`. sha256 is OpenSSL's, ecrecover libsecp256k1's. */
export const CUSTOM_CRYPTO: CustomCrypto = {
  ecrecover,
  kzg: REFERENCE_KZG,
  keccak256,
  sha256: (message) => new Uint8Array(createHash('sha256').update(message).digest()),
};

/**
 * The public key (64 bytes, without prefix) that has signed `hash`, as `@ethereumjs/util` returns it. `v` is a parity,
 * 27 or 28, or a value of EIP-155; `r` and `s` may have no leading zeros. Throws if there is none.
 */
function ecrecover(hash: Uint8Array, v: bigint, r: Uint8Array, s: Uint8Array, chainId?: bigint): Uint8Array {
  const parity = calculateSigRecovery(v, chainId);
  if (parity !== 0n && parity !== 1n) throw new Error('invalid signature v value');
  const [key] = recoverPublicKeys([{ hash, parity: parity === 0n ? 0 : 1, r, s }]);
  if (key === null) throw new Error('no key has made the signature');
  return key!;
}
