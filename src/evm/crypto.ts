// The cryptographic functions that the EVM libraries are given in place of their own. Runs on publisher and estimators.
import { createHash } from 'node:crypto';
import type { CustomCrypto } from '@ethereumjs/common';
import { keccak256 } from 'ethereum-cryptography/keccak.js';
import { KZG } from './kzg.js';

/** Passed to every `Common`. sha256 by OpenSSL. */
export const CRYPTO: CustomCrypto = {
  kzg: KZG,
  keccak256,
  sha256: (message) => new Uint8Array(createHash('sha256').update(message).digest()),
};

export { keccak256 };
