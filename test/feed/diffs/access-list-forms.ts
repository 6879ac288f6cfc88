// Other forms of a block access list: the execution API's JSON, and the result of trace_replayBlockTransactions for the
// same block. Tests only.
import { RLP } from '@ethereumjs/rlp';
import { fromHex, toHex, toQuantity } from '../../../src/lib/bytes/hex.js';
import { toBigInt } from '../../../src/lib/bytes/words.js';
import type { StateView } from '../../../src/state/views/view.js';

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

/** Answer of eth_getBlockAccessList. */
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

/** Answer of trace_replayBlockTransactions for the block's transactions. `parent`: the state before the block. */
export function replaysOf(list: readonly AccountAccessJson[], hashes: readonly string[], parent: StateView): unknown[] {
  return hashes.map((transactionHash, at) => {
    const entries = list.flatMap((account) => {
      const diff = accountDiff(account, at + 1, parent);
      return diff === null ? [] : [[account.address, diff] as const];
    });
    return { output: '0x', stateDiff: Object.fromEntries(entries), trace: [], vmTrace: null, transactionHash };
  });
}

function accountDiff(account: AccountAccessJson, index: number, parent: StateView): unknown {
  const { address, storageChanges, balanceChanges, nonceChanges } = account;
  const codeChanges = account.codeChanges.map(({ index: at, code }) => ({ index: at, value: code }));
  const held = parent.account(fromHex(address));
  const lists = [balanceChanges, nonceChanges, codeChanges, ...storageChanges.map(({ changes }) => changes)];
  if (!lists.flat().some((change) => Number(change.index) === index)) return null;
  const isNew = held === null && !lists.flat().some((change) => Number(change.index) < index);
  const delta = (changes: readonly Change[], first: string): unknown => {
    const to = changes.find((change) => Number(change.index) === index)?.value;
    if (isNew) return { '+': to ?? first };
    const from = changes.findLast((change) => Number(change.index) < index)?.value ?? first;
    return to === undefined ? '=' : { '*': { from, to } };
  };
  const storage = storageChanges.flatMap(({ key, changes }) => {
    if (!changes.some((change) => Number(change.index) === index)) return [];
    return [[key, delta(changes, toHex(parent.storage(fromHex(address), fromHex(key))))] as const];
  });
  // A state that knows the hash of this code alone is not asked for it.
  const code = codeChanges.length === 0 ? '0x' : toHex(held === null ? new Uint8Array(0) : parent.code(held.codeHash));
  return {
    balance: delta(balanceChanges, toQuantity(held?.balance ?? 0n)),
    nonce: delta(nonceChanges, toQuantity(held?.nonce ?? 0n)),
    code: isNew || codeChanges.length > 0 ? delta(codeChanges, code) : '=',
    storage: Object.fromEntries(storage),
  };
}
