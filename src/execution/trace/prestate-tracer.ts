// prestateTracer: accessed accounts and slots as they were before the transaction; in diff mode, also what has changed.

// The results are those of go-ethereum's prestateTracer, including its faults, because people compare them byte by
// byte. A contract that is created and destroyed in one transaction is missing in `post`, even if the call that
// destroyed it was reverted, or the contract existed before. Changes that no instruction of the transaction makes
// (system calls, withdrawals) are in no diff. See DECISIONS.md.
import { toHex, toQuantity } from '../../lib/bytes/hex.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { parseDelegation } from '../../evm/delegation.js';
import type { JournaledState } from '../../evm/journal/journaled-state.js';
import { type AccountState, EMPTY_ACCOUNT, EMPTY_CODE_HASH, isEmptyAccount } from '../../state/views/state-view.js';
import type { TracerSpec } from '../../transaction/trace-request-types.js';
import { recoverAuthority } from '../block/authorization.js';
import type { ResponseSizeBudget } from '../call/response-size-budget.js';
import { createdContractAddress } from '../../evm/created-contract-address.js';
import { Tracer, type TracedTransaction } from './tracer.js';
import { toWord } from '../../lib/bytes/big-endian.js';

/** An account as it was when the transaction first accessed it. */
interface Seen extends AccountState {
  readonly address: Uint8Array;
  readonly code: Uint8Array;
  readonly slots: Map<string, SeenSlot>;
}

interface SeenSlot {
  readonly slot: Uint8Array;
  /** Value of the slot, 32 bytes. */
  readonly value: string;
}

/** JSON of an account. Members are in go-ethereum's order; undefined ones are left out. */
interface AccountJson {
  readonly balance: string | undefined;
  readonly code: string | undefined;
  readonly codeHash: string | undefined;
  readonly nonce: number | undefined;
  readonly storage: Slots | undefined;
}

/** Slots and their values as hex, sorted by slot. */
type Slots = readonly (readonly [string, string])[];

type Accounts = Map<string, AccountJson>;

/** Approximate number of characters in the response for an account without its code, and for a slot. */
const ACCOUNT_CHARACTERS = 260;
const SLOT_CHARACTERS = 138;
const ZERO = toHex(new Uint8Array(32));

export class PrestateTracer extends Tracer {
  override readonly seesState = true;
  override readonly seesChanges: boolean;
  readonly #spec: Extract<TracerSpec, { name: 'prestateTracer' }>;
  readonly #seen = new Map<string, Seen>();
  readonly #created = new Set<string>();
  readonly #deleted = new Set<string>();
  #transaction: TracedTransaction | null = null;
  #pre: Accounts = new Map();
  readonly #post: Accounts = new Map();

  constructor(spec: Extract<TracerSpec, { name: 'prestateTracer' }>, budget: ResponseSizeBudget) {
    super(budget);
    this.#spec = spec;
    this.seesChanges = spec.diffMode;
  }

  override begin(transaction: TracedTransaction): void {
    this.#transaction = transaction;
    const { from, to, coinbase, authorizations } = transaction;
    if (to === null) this.creates(createdContractAddress(from, this.#state.accountOf(from)?.nonce ?? 0n));
    else this.called(to);
    this.named(from);
    this.named(coinbase);
    for (const authorization of authorizations) {
      const authority = recoverAuthority(authorization, authorization.chainId);
      if (authority !== null) this.named(authority);
    }
  }

  override named(address: Uint8Array): void {
    const key = toHex(address);
    if (!this.#seen.has(key)) this.#see(key, address);
  }

  override called(address: Uint8Array): void {
    this.named(address);
    if (!this.#transaction!.rules.common.isActivatedEIP(7702)) return;
    const delegate = parseDelegation(this.#state.codeOf(address));
    if (delegate !== null) this.named(delegate);
  }

  override namedSlot(address: Uint8Array, slot: Uint8Array, value: Uint8Array): void {
    if (this.#spec.disableStorage) return;
    const account = toHex(address);
    const { slots } = this.#seen.get(account) ?? this.#see(account, address);
    const key = toHex(slot);
    if (slots.has(key)) return;
    this.take(SLOT_CHARACTERS);
    slots.set(key, { slot: slot.slice(), value: wordText(value) });
  }

  override creates(address: Uint8Array): void {
    this.named(address);
    this.#created.add(toHex(address));
  }

  override destroys(address: Uint8Array): void {
    const key = toHex(address);
    const isForGood = this.#created.has(key) || !this.#transaction!.rules.common.isActivatedEIP(6780);
    if (isForGood) this.#deleted.add(key);
  }

  override end(): void {
    for (const [key, seen] of this.#seen) {
      if (this.#spec.diffMode) this.#addDifference(key, seen);
      else this.#pre.set(key, this.#shown(seen, allSlots(seen)));
    }
    if (this.#spec.includeEmpty) return;
    for (const [key, seen] of this.#seen) if (isEmptyAccount(seen)) this.#pre.delete(key);
  }

  text(): string {
    const pre = accountsText(this.#pre);
    return this.#spec.diffMode ? `{"post":${accountsText(this.#post)},"pre":${pre}}` : pre;
  }

  get #state(): JournaledState {
    return this.#transaction!.state;
  }

  #see(key: string, address: Uint8Array): Seen {
    const account = this.#state.accountOf(address);
    const { balance, nonce, codeHash } = account ?? EMPTY_ACCOUNT;
    const code = this.#state.codeOf(address);
    this.take(ACCOUNT_CHARACTERS + (this.#spec.disableCode ? 0 : 2 * code.length));
    const seen = { address: address.slice(), balance, nonce, codeHash, code, slots: new Map<string, SeenSlot>() };
    this.#seen.set(key, seen);
    return seen;
  }

  #shown({ balance, nonce, code, codeHash }: Seen, storage: Slots | undefined): AccountJson {
    const hasCode = code.length > 0;
    return {
      balance: toQuantity(balance),
      code: hasCode && !this.#spec.disableCode ? toHex(code) : undefined,
      codeHash: sameBytes(codeHash, EMPTY_CODE_HASH) ? undefined : toHex(codeHash),
      nonce: shownNonce(nonce),
      storage,
    };
  }

  /**
   * Adds an account to the diff. For a deleted account, `pre` has everything that was accessed, and `post` has nothing.
   */
  #addDifference(key: string, seen: Seen): void {
    if (this.#deleted.has(key)) return void this.#pre.set(key, this.#shown(seen, allSlots(seen)));
    const { balance, nonce, codeHash } = this.#state.accountOf(seen.address) ?? GONE;
    const isRecoded = !sameBytes(codeHash, seen.codeHash);
    const slots = this.#changedSlots(seen);
    const isModified =
      balance !== seen.balance || nonce !== seen.nonce || isRecoded || slots.before !== null || slots.after !== null;
    if (!isModified) return;
    this.take(ACCOUNT_CHARACTERS);
    this.#pre.set(key, this.#shown(seen, slots.before ?? undefined));
    this.#post.set(key, {
      balance: balance === seen.balance ? undefined : toQuantity(balance),
      code: isRecoded && !this.#spec.disableCode ? this.#changedCode(seen) : undefined,
      codeHash: isRecoded ? toHex(codeHash) : undefined,
      nonce: nonce === seen.nonce ? undefined : shownNonce(nonce),
      storage: slots.after ?? undefined,
    });
  }

  #changedCode(seen: Seen): string | undefined {
    const code = this.#state.codeOf(seen.address);
    this.take(2 * code.length);
    return sameBytes(code, seen.code) ? undefined : toHex(code);
  }

  /** Returns the changed slots before and after, without zero values; `null` if there are none. */
  #changedSlots({ address, slots }: Seen): Record<'before' | 'after', Slots | null> {
    const before: [string, string][] = [];
    const after: [string, string][] = [];
    for (const [key, { slot, value }] of slots) {
      const now = wordText(this.#state.storageOf(address, slot));
      if (now === value) continue;
      if (value !== ZERO) before.push([key, value]);
      if (now !== ZERO) after.push([key, now]);
    }
    this.take(SLOT_CHARACTERS * after.length);
    return { before: sorted(before), after: sorted(after) };
  }
}

/** A missing account as go-ethereum sees it: without a code hash, which it therefore reports as a change. */
const GONE = { balance: 0n, nonce: 0n, codeHash: new Uint8Array(32) };

/** Formats a slot's value, which may come without its leading zeros. */
function wordText(value: Uint8Array): string {
  return toHex(value.length === 32 ? value : toWord(value));
}

function shownNonce(nonce: bigint): number | undefined {
  return nonce === 0n ? undefined : Number(nonce);
}

function allSlots({ slots }: Seen): Slots | undefined {
  return sorted([...slots].map(([key, { value }]) => [key, value])) ?? undefined;
}

function sorted(entries: [string, string][]): Slots | null {
  if (entries.length === 0) return null;
  return entries.sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * Renders JSON by hand: JSON.stringify would scan every character of the codes, and would need an object for the slots
 * of each account.
 */
function accountsText(accounts: Accounts): string {
  const texts = [...accounts].sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${texts.map(([address, account]) => `"${address}":${accountText(account)}`).join(',')}}`;
}

function accountText({ balance, code, codeHash, nonce, storage }: AccountJson): string {
  let members = '';
  if (balance !== undefined) members += `,"balance":"${balance}"`;
  if (code !== undefined) members += `,"code":"${code}"`;
  if (codeHash !== undefined) members += `,"codeHash":"${codeHash}"`;
  if (nonce !== undefined) members += `,"nonce":${nonce}`;
  if (storage !== undefined)
    members += `,"storage":{${storage.map(([key, value]) => `"${key}":"${value}"`).join(',')}}`;
  return `{${members.slice(1)}}`;
}
