// Signs with the private keys of the dev chain's accounts, which are public.
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { fromHex } from '../../lib/bytes/hex.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { DEV_ACCOUNT_ADDRESSES, DEV_PRIVATE_KEYS } from './accounts-and-contract-addresses.js';

/**
 * Signs a digest of 32 bytes with an account's key. Returns r, s and the parity of y (65 bytes), or `null` if the
 * account is not one of the ten dev accounts.
 */
export function signDigestAsDevAccount(account: Uint8Array, digest: Uint8Array): Uint8Array | null {
  const key = DEV_PRIVATE_KEYS[DEV_ACCOUNT_ADDRESSES.findIndex((each) => sameBytes(each, account))];
  if (key === undefined) return null;
  const signature = secp256k1.sign(digest, fromHex(key), { prehash: false, format: 'recovered' });
  // The library puts the parity byte first.
  return Uint8Array.of(...signature.subarray(1), signature[0]!);
}
