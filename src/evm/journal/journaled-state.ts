// The state that an EVM writes to: changes on top of a read-only StateView, with an undo log to revert them.

// Maps are replaced by new ones for each estimate instead of being cleared. See DECISIONS.md.
import { ByteMap, sameBytes } from '../../lib/bytes/byte-map.js';
import type { AccountChange, CodeChange, SlotChange, StateChanges } from '../../state/state-diff.js';
import { LIMITS } from '../../limits/index.js';
import {
  EMPTY_ACCOUNT,
  type AccountState,
  hasCode,
  type StateView,
  sameAccount,
} from '../../state/views/state-view.js';
import { CodeStore } from './code-store.js';
import type { AccountEntry, SlotEntry } from './cache-entries.js';
import { UnreportedStateChanges, type StateListener } from './state-listener.js';
import { UndoLog, type UndoEntry } from './undo-log.js';
import { EMPTY_BYTES, toWord } from '../../lib/bytes/big-endian.js';

/** Optional dependencies of a journaled state besides its view. */
export interface JournalDeps {
  /**
   * Returns the slots of an account that may be non-zero in the view. Needed to clear the storage of a deleted account
   * (SELFDESTRUCT before EIP-6780), and to refuse a creation at an address with storage (EIP-7610). If absent, only
   * slots that were accessed are reported as cleared, and a creation never finds storage at its address.
   */
  readonly slotsOf?: (address: Uint8Array) => Iterable<Uint8Array>;
}

interface ChangeLists {
  readonly accounts: AccountChange[];
  readonly slots: SlotChange[];
  readonly codes: CodeChange[];
}

/** Called for one account with its state before and after. */
export type OnAccountChange = (address: Uint8Array, before: AccountState | null, after: AccountState | null) => void;

/**
 * State of one EVM. Accounts, code and storage are read from the view once, and cached until `reset`. Opening a
 * checkpoint copies nothing (undo-log.ts). There are no tries here; chain/state-root.ts computes the roots.
 */
export class JournaledState {
  #view: StateView;
  #deps: JournalDeps;
  /** Stamp that the view had at the last reset. Views with the same stamp have the same state. */
  #stamp: number | undefined;
  #accounts = new ByteMap<AccountEntry>();
  #accountCount = 0;
  /** True if nothing was written since the last reset that dropped the accounts. */
  #isPristine = true;
  /** Accounts that were written since the last call of `changes()`. */
  #touched: AccountEntry[] = [];
  readonly #codes = new CodeStore();
  readonly #log = new UndoLog();
  readonly #queue = new UnreportedStateChanges();
  /** Number of the current transaction, starting at 1. */
  #transaction = 1;
  #resetCount = 0;
  /**
   * Number of reverts that restored erased storage. A listener cannot be notified of restored storage; it must drop its
   * copy of the state.
   */
  #revivals = 0;

  constructor(view: StateView, deps: JournalDeps = {}) {
    this.#view = view;
    this.#stamp = view.stamp;
    this.#deps = deps;
  }

  /**
   * Drops all changes; reads come from `view` from now on. Cached codes stay, because their hash identifies them.
   * Cached accounts stay if nothing was written and the view has the previous view's stamp, because consecutive jobs
   * often use the same accounts.
   */
  reset(view: StateView, deps: JournalDeps = {}): void {
    const { stamp } = view;
    const isSame = stamp !== undefined && stamp === this.#stamp;
    this.#view = view;
    this.#stamp = stamp;
    this.#deps = deps;
    if (!isSame || !this.#isPristine || this.#accountCount > LIMITS.accountsKeptMax) this.#forget();
    this.#codes.reset();
    this.#queue.clear();
    this.#settle();
    this.#resetCount++;
  }

  #forget(): void {
    // Replaced instead of cleared: when a Map is cleared, V8 links its old table to the new one, and a dead table in
    // the old generation of the heap keeps all later ones alive.
    this.#accounts = new ByteMap();
    this.#accountCount = 0;
    this.#isPristine = true;
    this.#touched = [];
  }

  /**
   * Ends the transaction and returns its changes: the final value of each account and slot that differs from what the
   * last call returned (from the view, if this is the first call). Slots of a deleted account are returned as zero.
   * Throws while a checkpoint is open. Calls `note` for each account that has changed.
   */
  changes(note: OnAccountChange | null = null): StateChanges {
    if (this.#log.depth > 0) throw new Error('changes() while a change set is open');
    const changes: ChangeLists = { accounts: [], slots: [], codes: [] };
    for (const entry of this.#touched) this.#reportAccount(entry, changes, note);
    this.#touched = [];
    this.#settle();
    return changes;
  }

  /**
   * Returns the accounts and slots that differ from what the last call of `changes` returned (from the view, if there
   * was no call), in no particular order. The next call of `changes` still returns them. Slots of a deleted account are
   * not included.
   */
  differences(): Pick<StateChanges, 'accounts' | 'slots'> {
    const written = this.#touched.flatMap(({ touchedSlots }) => touchedSlots);
    return {
      accounts: this.#touched
        .filter(({ state, reported }) => !sameAccount(state, reported))
        .map(({ address, state: account }) => ({ address, account })),
      slots: written
        .filter(({ value, reported }) => !sameBytes(value, reported))
        .map(({ account, key: slot, value }) => ({ address: account.address, slot, value })),
    };
  }

  /** Starts a transaction. The slot values of this moment are its original values (EIP-2200). */
  beginTransaction(): void {
    this.#transaction++;
  }

  // ---- accounts, code and storage ----

  /** Returns the account's current state; `null` if it does not exist. */
  accountOf(address: Uint8Array): AccountState | null {
    return this.#entry(address).state;
  }

  /** Writes the account, or removes it if `state` is `null`. Does not change its storage. */
  setAccount(address: Uint8Array, state: AccountState | null): void {
    const entry = this.#entry(address);
    this.#log.add({ kind: 'account', entry, state: entry.state });
    entry.state = state;
    this.#touch(entry);
    this.#queue.addAccount(entry);
  }

  /** Returns the account's code; empty if it has none. */
  codeOf(address: Uint8Array): Uint8Array {
    const state = this.#entry(address).state;
    return state === null ? EMPTY_BYTES : this.#codes.get(state.codeHash, this.#view);
  }

  /** Returns the code with this hash, including code that was created in this state. */
  codeOfHash(hash: Uint8Array): Uint8Array {
    return this.#codes.get(hash, this.#view);
  }

  /** Like `codeOfHash`, but does not cache a code that is not cached yet. For a listener that copies it at once. */
  peekCode(hash: Uint8Array): Uint8Array {
    return this.#codes.known(hash) ?? this.#view.code(hash);
  }

  /** Sets the account's code. Creates the account if necessary. */
  setCode(address: Uint8Array, code: Uint8Array): void {
    const { nonce, balance } = this.accountOf(address) ?? EMPTY_ACCOUNT;
    this.setAccount(address, { nonce, balance, codeHash: this.#codes.add(code) });
  }

  /** Writes the account and adds its new code, whose hash is `state.codeHash`, to the cache. */
  setHashedCode(address: Uint8Array, state: AccountState, code: Uint8Array): void {
    this.#codes.addHashed(state.codeHash, code);
    this.setAccount(address, state);
  }

  /** Returns the value of a slot, big endian without leading zeros. */
  storageOf(address: Uint8Array, slot: Uint8Array): Uint8Array {
    return this.#slot(this.#entry(address), slot).value;
  }

  /** Sets the value of a slot, at most 32 bytes. */
  setStorage(address: Uint8Array, slot: Uint8Array, value: Uint8Array): void {
    const entry = this.#slot(this.#entry(address), slot);
    this.#keepOriginal(entry);
    this.#writeSlot(entry, shortest(value));
  }

  /** Sets all slots of the account to zero. */
  eraseStorage(address: Uint8Array): void {
    const entry = this.#entry(address);
    if (entry.slots !== null) {
      for (const slot of entry.slots.values()) {
        if (slot.value.length === 0) continue;
        this.#keepOriginal(slot);
        this.#writeSlot(slot, EMPTY_BYTES);
      }
    }
    if (entry.clearedIn === this.#transaction) return;
    this.#log.add({ kind: 'cleared', entry, clearedIn: entry.clearedIn });
    entry.clearedBefore = entry.clearedIn;
    entry.clearedIn = this.#transaction;
    this.#touch(entry);
    entry.erasedUnmirrored = true;
    this.#queue.addAccount(entry);
  }

  /** Removes the account and its storage. */
  removeAccount(address: Uint8Array): void {
    this.eraseStorage(address);
    this.setAccount(address, null);
  }

  /**
   * Returns the slot's value at the start of the transaction, without leading zeros. EIP-2200 calls it the original
   * value.
   */
  originalOf(address: Uint8Array, slot: Uint8Array): Uint8Array {
    const entry = this.#slot(this.#entry(address), slot);
    // If the storage was erased in this transaction, its slots count as empty from the transaction's start.
    if (entry.account.clearedIn === this.#transaction) return EMPTY_BYTES;
    return entry.transaction === this.#transaction ? entry.original : entry.value;
  }

  // ---- checkpoints ----

  /** Opens a checkpoint within the current one. */
  mark(): void {
    this.#log.mark();
  }

  /** Commits the changes since the innermost checkpoint: they belong to the enclosing checkpoint from now on. */
  keep(): void {
    this.#log.keep();
    if (this.#log.depth === 0) this.#settle();
  }

  /** Reverts the changes since the innermost checkpoint. */
  undo(): void {
    this.#log.undo((undo) => this.#restore(undo));
    if (this.#log.depth === 0) this.#settle();
  }

  /** Reverts all open checkpoints, however many an aborted execution has left open. */
  undoAll(): void {
    if (this.#log.depth === 0) return;
    this.#log.joinTo(1);
    this.undo();
  }

  // ---- for listeners that mirror this state ----

  /** Number of calls of `reset` so far. A listener must drop what it has copied when this changes. */
  get resets(): number {
    return this.#resetCount;
  }

  /** The view's stamp. Two views with the same stamp have the same state. */
  get stamp(): number | undefined {
    return this.#stamp;
  }

  /**
   * Number that changes when a revert brings erased storage back. A listener must then drop everything it has copied.
   */
  get revivalCount(): number {
    return this.#revivals;
  }

  /** Notifies a listener of everything that was written or reverted since the last call. */
  notifyListener(mirror: StateListener): void {
    this.#queue.notify(mirror);
  }

  /** Returns an account without caching it, for a listener that stores it itself. */
  peekAccount(address: Uint8Array): AccountState | null {
    const entry = this.#accounts.get(address);
    return entry === undefined ? this.#view.account(address) : entry.state;
  }

  /** Returns the value of a slot without caching it; big endian, with or without leading zeros. */
  peekStorage(address: Uint8Array, key: Uint8Array): Uint8Array {
    const entry = this.#accounts.get(address);
    if (entry === undefined) return this.#view.storage(address, key);
    const slot = entry.slots?.get(key);
    if (slot !== undefined) return slot.value;
    return entry.clearedIn > 0 ? EMPTY_BYTES : this.#view.storage(address, key);
  }

  /**
   * True if the account has storage but neither nonce nor code, so that no contract can be created there (EIP-7610).
   * False if the slots of the account are not known.
   */
  hasStorageAlone(address: Uint8Array): boolean {
    if (this.#deps.slotsOf === undefined) return false;
    const state = this.peekAccount(address);
    if (state === null || state.nonce !== 0n || hasCode(state)) return false;
    const { slots = null, clearedIn = 0 } = this.#accounts.get(address) ?? {};
    for (const { value } of slots?.values() ?? []) if (value.length > 0) return true;
    if (clearedIn > 0) return false;
    for (const slot of this.#deps.slotsOf(address))
      if (slots?.get(slot) === undefined && shortest(this.#view.storage(address, slot)).length > 0) return true;
    return false;
  }

  /** True if the account, its code or storage was written since `reset`, even if that was reverted. */
  isWritten(address: Uint8Array): boolean {
    return this.#accounts.get(address)?.touched ?? false;
  }

  // ---- private helpers ----

  #entry(address: Uint8Array): AccountEntry {
    const known = this.#accounts.get(address);
    if (known !== undefined) return known;
    const state = this.#view.account(address);
    const entry: AccountEntry = {
      address: address.slice(),
      state,
      reported: state,
      clearedIn: 0,
      clearedBefore: 0,
      clearedReported: false,
      touched: false,
      slots: null,
      touchedSlots: [],
      unmirrored: false,
      erasedUnmirrored: false,
    };
    this.#accounts.set(entry.address, entry);
    this.#accountCount++;
    return entry;
  }

  #slot(account: AccountEntry, slot: Uint8Array): SlotEntry {
    account.slots ??= new ByteMap();
    const known = account.slots.get(slot);
    if (known !== undefined) return known;
    const key = slot.slice();
    const reported = account.clearedReported ? EMPTY_BYTES : shortest(this.#view.storage(account.address, key));
    const isCleared = account.clearedIn > 0;
    // The slot's original value is only used if the clearing of the storage in this transaction is reverted. It is zero
    // if an earlier transaction had already cleared the storage.
    const original = account.clearedBefore > 0 ? EMPTY_BYTES : reported;
    const transaction = account.clearedIn === this.#transaction ? this.#transaction : 0;
    const entry: SlotEntry = {
      account,
      key,
      value: isCleared ? EMPTY_BYTES : reported,
      reported,
      original,
      transaction,
      touched: false,
      unread: isCleared,
      unmirrored: false,
    };
    account.slots.set(key, entry);
    return entry;
  }

  #keepOriginal(slot: SlotEntry): void {
    if (slot.transaction === this.#transaction) return;
    slot.transaction = this.#transaction;
    slot.original = slot.value;
  }

  #writeSlot(slot: SlotEntry, value: Uint8Array): void {
    this.#log.add({ kind: 'slot', slot, value: slot.value });
    slot.value = value;
    this.#queue.addSlot(slot);
    this.#touchSlot(slot);
    this.#touch(slot.account);
  }

  #restore(undo: UndoEntry): void {
    switch (undo.kind) {
      case 'slot':
        undo.slot.value = undo.value;
        return this.#queue.addSlot(undo.slot);
      case 'account':
        undo.entry.state = undo.state;
        return this.#queue.addAccount(undo.entry);
      case 'cleared':
        undo.entry.clearedIn = undo.clearedIn;
        if (undo.clearedIn > 0) return;
        this.#revivals++;
        for (const slot of undo.entry.slots?.values() ?? []) readAgain(slot);
    }
  }

  #touch(entry: AccountEntry): void {
    if (entry.touched) return;
    entry.touched = true;
    this.#isPristine = false;
    this.#touched.push(entry);
  }

  #settle(): void {
    this.#log.clear();
    this.#transaction++;
  }

  #reportAccount(entry: AccountEntry, changes: ChangeLists, note: OnAccountChange | null): void {
    entry.touched = false;
    if (entry.clearedIn > 0 && !entry.clearedReported) {
      for (const slot of this.#deps.slotsOf?.(entry.address) ?? []) this.#touchSlot(this.#slot(entry, slot));
      entry.clearedReported = true;
    }
    for (const slot of entry.touchedSlots) reportSlot(slot, changes);
    entry.touchedSlots = [];
    if (sameAccount(entry.state, entry.reported)) return;
    note?.(entry.address, entry.reported, entry.state);
    entry.reported = entry.state;
    changes.accounts.push({ address: entry.address, account: entry.state });
    if (entry.state !== null) this.#reportCode(entry.state.codeHash, changes);
  }

  #touchSlot(slot: SlotEntry): void {
    if (slot.touched) return;
    slot.touched = true;
    slot.account.touchedSlots.push(slot);
  }

  #reportCode(hash: Uint8Array, changes: ChangeLists): void {
    const code = this.#codes.takeNew(hash);
    if (code !== undefined) changes.codes.push(code);
  }
}

function readAgain(slot: SlotEntry): void {
  if (slot.unread) slot.value = slot.reported;
  slot.unread = false;
}

function reportSlot(slot: SlotEntry, changes: ChangeLists): void {
  slot.touched = false;
  if (sameBytes(slot.value, slot.reported)) return;
  slot.reported = slot.value;
  changes.slots.push({ address: slot.account.address, slot: slot.key, value: toWord(slot.value) });
}

/** Copies a word without its leading zeros. */
function shortest(word: Uint8Array): Uint8Array {
  let start = 0;
  while (start < word.length && word[start] === 0) start++;
  return start === word.length ? EMPTY_BYTES : word.slice(start);
}
