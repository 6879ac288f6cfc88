// The changes of one transaction as a tracer shows them: its accounts before and after, and the slots that changed.
// Pure.
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { toHex } from '../../lib/bytes/hex.js';
import { latin1Key } from '../../lib/bytes/latin1-key.js';
import type { StateChanges } from '../../state/state-diff.js';
import { EMPTY_ACCOUNT, isEmptyAccount, type StateView } from '../../state/views/state-view.js';
import { BlockWrites, codeHashOf, type AccountFields } from './block-writes.js';

/** A changed slot: its values before and after the transaction. `before` is `null` if the tracer does not show it. */
export interface SlotDiff {
  readonly slot: Uint8Array;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array;
}

export interface AccountDiff {
  readonly address: Uint8Array;
  /** Fields before the transaction; `null` for a field that the tracer does not show. */
  readonly before: AccountFields;
  /** Fields after the transaction; `null` for a field that has not changed. */
  readonly after: AccountFields;
  /** True if the tracer shows the account as deleted. */
  readonly isGone: boolean;
  /** True if the tracer may have left out a change of the account's code. */
  readonly isVague: boolean;
  readonly slots: readonly SlotDiff[];
}

export type TransactionDiff = readonly AccountDiff[];

/**
 * Collects everything that the transactions of a block write. An account is marked as unverified in three cases: a
 * tracer shows it as deleted (go-ethereum also does so for contracts that survive), it is shown incompletely, or its
 * values before a transaction contradict those after the previous one.
 */
export function blockWritesFromTraces(diffs: readonly TransactionDiff[]): BlockWrites {
  const writes = new BlockWrites();
  for (const account of diffs.flat()) {
    const { address, after, slots, isGone, isVague } = account;
    if (isGone || isVague || !follows(account, writes)) writes.suspect(address);
    writes.write(address, after);
    for (const { slot, after: word } of slots) writes.writeSlot(address, slot, word);
  }
  return writes;
}

/**
 * Returns values as they were before the block, as far as a tracer shows them. Leaves out accounts that `writes` marks
 * as unverified, and accounts that the tracer does not show completely.
 */
export function valuesBeforeBlock(diffs: readonly TransactionDiff[], writes: BlockWrites): StateChanges {
  const accounts = new Map<string, StateChanges['accounts'][number]>();
  const slots = new Map<string, StateChanges['slots'][number]>();
  const codes = new Map<string, StateChanges['codes'][number]>();
  const seen = new Set<string>();
  for (const { address, before, slots: changed } of diffs.flat()) {
    if (writes.isUnverified(address)) continue;
    const name = latin1Key(address);
    for (const { slot, before: value } of changed) {
      const key = name + latin1Key(slot);
      if (!seen.has(key) && value !== null) slots.set(key, { address, slot, value });
      seen.add(key);
    }
    const { nonce, balance, code } = before;
    if (!seen.has(name) && nonce !== null && balance !== null && code !== null) {
      const codeHash = codeHashOf(code);
      const account = { nonce, balance, codeHash };
      accounts.set(name, { address, account: isEmptyAccount(account) ? null : account });
      if (code.length > 0) codes.set(latin1Key(codeHash), { hash: codeHash, bytes: code });
    }
    seen.add(name);
  }
  return { accounts: [...accounts.values()], slots: [...slots.values()], codes: [...codes.values()] };
}

/**
 * Compares the values before the block, as the tracer shows them, with `view`, the state after the block's parent.
 * Returns the first difference as one line, or `null`. Accounts that `writes` marks as unverified are skipped. Throws
 * StateMiss if `view` lacks a value that the block changes.
 */
export function prestateContradiction(
  diffs: readonly TransactionDiff[],
  writes: BlockWrites,
  view: StateView,
): string | null {
  const seen = new Set<string>();
  const isFirst = (name: string): boolean => seen.size < seen.add(name).size;
  for (const { address, before, slots } of diffs.flat()) {
    if (writes.isUnverified(address)) continue;
    const name = toHex(address);
    const mismatch = isFirst(name) ? fieldsMismatch(before, view, address) : null;
    if (mismatch !== null) return `${mismatch} before the block`;
    for (const { slot, before: word } of slots) {
      const key = toHex(slot);
      if (!isFirst(name + key) || word === null) continue;
      const known = view.storage(address, slot);
      if (!sameBytes(known, word))
        return `slot ${key} of ${name} is ${toHex(known)} here, ${toHex(word)} before the block`;
    }
  }
  return null;
}

function fieldsMismatch({ nonce, balance, code }: AccountFields, view: StateView, address: Uint8Array): string | null {
  const known = view.account(address) ?? EMPTY_ACCOUNT;
  const name = toHex(address);
  if (nonce !== null && known.nonce !== nonce) return `nonce of ${name} is ${known.nonce} here, ${nonce}`;
  if (balance !== null && known.balance !== balance) return `balance of ${name} is ${known.balance} here, ${balance}`;
  const hash = code === null ? known.codeHash : codeHashOf(code);
  return sameBytes(known.codeHash, hash)
    ? null
    : `code of ${name} has hash ${toHex(known.codeHash)} here, ${toHex(hash)}`;
}

/**
 * Returns true if an account's values before a transaction equal the values that earlier transactions have written.
 * Values that are not shown are not compared.
 */
function follows({ address, before, slots }: AccountDiff, writes: BlockWrites): boolean {
  const { nonce, balance, code } = writes.fieldsOf(address);
  const isFieldRight = isSame(nonce, before.nonce) && isSame(balance, before.balance) && isSameBytes(code, before.code);
  return isFieldRight && slots.every(({ slot, before: word }) => isSameBytes(writes.wordOf(address, slot), word));
}

function isSame(a: bigint | null, b: bigint | null): boolean {
  return a === null || b === null || a === b;
}

function isSameBytes(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a === null || b === null || sameBytes(a, b);
}
