// EIP-7702 authorizations signed with a fixed key, for tests.
import { RLP } from '@ethereumjs/rlp';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import type { Authorization } from '../../src/transaction/evm-job.js';
import { bytes } from './memory-view.js';

const KEY = new Uint8Array(32).fill(7);

/** Address of the default signer. */
export const AUTHORITY = keccak256(secp256k1.getPublicKey(KEY, false).subarray(1)).subarray(12);

/** Authorization by AUTHORITY, or by the account of `key`, to run the code of `target` as its own. */
export function signedDelegation(target: string, nonce: bigint, chainId = 1337n, key: Uint8Array = KEY): Authorization {
  const address = bytes(target, 20);
  const hash = keccak256(Buffer.concat([Uint8Array.of(5), RLP.encode([chainId, address, nonce])]));
  const signature = secp256k1.Signature.fromBytes(
    secp256k1.sign(hash, key, { prehash: false, format: 'recovered' }),
    'recovered',
  );
  return { chainId, address, nonce, yParity: BigInt(signature.recovery ?? 0), r: signature.r, s: signature.s };
}
