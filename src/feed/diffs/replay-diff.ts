// Diffs of trace_replayBlockTransactions with `stateDiff`, as Erigon, Nethermind and reth answer: each field of an account is `=`,
// or an object with the one member `+`, `-` or `*`. Pure. Runs on the publisher.
//
// Reth tells the code of accounts that are new, and calls any other unchanged, though a delegation was set (EIP-7702). That raises
// the nonce of its authority.
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { toBytes } from '../../lib/bytes/words.js';
import { bytesOf, isAbsent, listOf, membersOf, quantityOf, wrong, type Members } from '../../upstream/reads/json.js';
import type { AccountDiff, SlotDiff, TransactionDiff } from './transaction-diff.js';
import { UNTOUCHED } from './writes.js';

/** Parameter of trace_replayBlockTransactions behind the block's hash. */
export const STATE_DIFF = ['stateDiff'] as const;

/** A value before and after. `before`: `null` where there was none; `after`: `null` where there is none any more. */
interface Delta<T> {
  readonly before: T | null;
  readonly after: T | null;
}

type Read<T> = (value: unknown, what: string) => T;

const ZERO_WORD = new Uint8Array(32);
const NO_CODE = new Uint8Array(0);
const wordOf: Read<Uint8Array> = (value, what) => toBytes(quantityOf(value, what), 32);
const codeOf: Read<Uint8Array> = (value, what) => bytesOf(value, what, null);

/** A transaction by its hash and its sender. */
interface Sent {
  readonly hash: Uint8Array;
  readonly from: Uint8Array;
}

/**
 * Answer to trace_replayBlockTransactions with STATE_DIFF. `transactions`: those of the block, in order. Throws UpstreamError where
 * the answer is wrong, of other transactions, or lacks one.
 */
export function replayDiffs(result: unknown, transactions: readonly Sent[]): TransactionDiff[] {
  const list = listOf(result, 'the replayed transactions of a block');
  if (list.length !== transactions.length) wrong(`${list.length} replays for ${transactions.length} transactions`);
  return list.map((each, at) => {
    const { hash, from } = transactions[at]!;
    const { transactionHash, stateDiff } = membersOf(each, 'a replay');
    if (!isAbsent(transactionHash) && !sameBytes(bytesOf(transactionHash, 'transactionHash', 32), hash))
      wrong('a replay is of another transaction');
    return replayDiff(membersOf(stateDiff, 'stateDiff'), from);
  });
}

function replayDiff(accounts: Members, from: Uint8Array): TransactionDiff {
  const seen = new Set<string>();
  return Object.entries(accounts).map(([name, json]) => {
    if (seen.size === seen.add(name.toLowerCase()).size) wrong(`stateDiff has ${name} twice`);
    return accountDiff(bytesOf(name, 'an address', 20), membersOf(json, 'an account'), from);
  });
}

function accountDiff(address: Uint8Array, account: Members, from: Uint8Array): AccountDiff {
  const nonce = deltaOf(account['nonce'], 'nonce', quantityOf);
  const balance = deltaOf(account['balance'], 'balance', quantityOf);
  const code = deltaOf(account['code'], 'code', codeOf);
  const before = {
    nonce: nonce === null ? null : (nonce.before ?? 0n),
    balance: balance === null ? null : (balance.before ?? 0n),
    code: code === null ? null : (code.before ?? NO_CODE),
  };
  const isGone = [nonce, balance].some((delta) => delta !== null && delta.after === null);
  if (isGone) return { address, before, after: UNTOUCHED, isGone, isVague: false, slots: [] };
  const after = {
    nonce: nonce?.after ?? null,
    balance: balance?.after ?? null,
    code: code === null ? null : (code.after ?? NO_CODE),
  };
  const slots = Object.entries(membersOf(account['storage'] ?? {}, 'storage')).flatMap(slotOf);
  // Its own transaction raises a sender's nonce by one.
  const rise = (after.nonce ?? 0n) - (before.nonce ?? 0n);
  const isVague = code === null && rise > (sameBytes(address, from) ? 1n : 0n);
  return { address, before, after, isGone, isVague, slots };
}

function slotOf([name, json]: [string, unknown]): SlotDiff[] {
  const delta = deltaOf(json, 'a slot', wordOf);
  if (delta === null) return [];
  return [{ slot: wordOf(name, 'a slot'), before: delta.before ?? ZERO_WORD, after: delta.after ?? ZERO_WORD }];
}

/** `null`: unchanged. */
function deltaOf<T>(json: unknown, what: string, read: Read<T>): Delta<T> | null {
  if (json === '=' || isAbsent(json)) return null;
  const members = Object.entries(membersOf(json, what));
  if (members.length !== 1) return wrong(`${what} has ${members.length} changes`);
  const [[sign, value]] = members as [[string, unknown]];
  switch (sign) {
    case '+':
      return { before: null, after: read(value, what) };
    case '-':
      return { before: read(value, what), after: null };
    case '*': {
      const { from, to } = membersOf(value, what);
      return { before: read(from, what), after: read(to, what) };
    }
    default:
      return wrong(`${what} changes by ${sign.slice(0, 8)}`);
  }
}
