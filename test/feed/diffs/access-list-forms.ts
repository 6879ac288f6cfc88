// Converts a block access list from RLP to the execution API's JSON.
import { RLP } from '@ethereumjs/rlp';
import { fromHex, toHex, toQuantity } from '../../../src/lib/bytes/hex.js';
import { toBigInt } from '../../../src/lib/bytes/big-endian.js';

interface Change {
  readonly index: string;
  readonly value: string;
}

export interface AccountAccessJson {
  readonly address: string;
  readonly storageChanges: readonly { readonly key: string; readonly changes: readonly Change[] }[];
  readonly storageReads: readonly string[];
  readonly balanceChanges: readonly Change[];
  readonly nonceChanges: readonly Change[];
  readonly codeChanges: readonly { readonly index: string; readonly code: string }[];
}

type Pair = readonly [Uint8Array, Uint8Array];
type Account = readonly [
  Uint8Array,
  readonly (readonly [Uint8Array, readonly Pair[]])[],
  readonly Uint8Array[],
  readonly Pair[],
  readonly Pair[],
  readonly Pair[],
];

const word = (bytes: Uint8Array): string => `0x${toHex(bytes).slice(2).padStart(64, '0')}`;
const quantity = (bytes: Uint8Array): string => toQuantity(toBigInt(bytes));

function changesOf(pairs: readonly Pair[], form: (bytes: Uint8Array) => string): Change[] {
  return pairs.map(([index, value]) => ({ index: quantity(index), value: form(value) }));
}

/** The result of eth_getBlockAccessList. */
export function jsonOf(rlp: string): AccountAccessJson[] {
  const accounts = RLP.decode(fromHex(rlp)) as unknown as readonly Account[];
  return accounts.map(([address, slots, reads, balances, nonces, codes]) => ({
    address: toHex(address),
    storageChanges: slots.map(([key, pairs]) => ({ key: word(key), changes: changesOf(pairs, word) })),
    storageReads: reads.map(word),
    balanceChanges: changesOf(balances, quantity),
    nonceChanges: changesOf(nonces, quantity),
    codeChanges: codes.map(([index, code]) => ({ index: quantity(index), code: toHex(code) })),
  }));
}
