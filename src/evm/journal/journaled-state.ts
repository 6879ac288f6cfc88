// The state that an EVM writes to: changes over a StateView, with an undo log.

// No Map is emptied for each estimate. See DECISIONS.md.
import { ByteMap, sameBytes } from '../../lib/bytes/byte-map.js';
import type { AccountChange, CodeChange, SlotChange, StateChanges } from '../../state/diff.js';
import { LIMITS } from '../../limits/index.js';
import { EMPTY_CODE_HASH, type AccountState, type StateView } from '../../state/views/view.js';
import { CodeStore } from './code-store.js';
import type { AccountEntry, SlotEntry } from './journal-entries.js';
import { StateListenerQueue, type StateListener } from './mirror.js';
import { UndoLog, type Undo } from './undo-log.js';

/** Parts that a journaled state may be given besides its view. */
export interface JournalDeps {
  /**
   * Slots of an account that the view may hold as non-zero. Needed where accounts with storage are deleted
   * (SELFDESTRUCT before EIP-6780), and to refuse creation over storage (EIP-7610): without it only slots that were
   * touched are reported as cleared, and a creation finds no storage in its way.
   */
  readonly slotsOf?: (address: Uint8Array) => Iterable<Uint8Array>;
}

/** Changes while they are gathered. */
interface ChangeLists {
  readonly accounts: AccountChange[];
  readonly slots: SlotChange[];
  readonly codes: CodeChange[];
}

/** Hears what an account was, and what it has become. */
export type AccountNote = (address: Uint8Array, before: AccountState | null, after: AccountState | null) => void;

const EMPTY = new Uint8Array(0);

/**
 * The state under every EVM of ours. Accounts, code and storage are read from the view once and kept until `reset`;
 * change sets (undo-log.ts) never copy anything. It holds no trie: roots are made elsewhere (chain/state-root.ts).
 */
export class JournaledState {
  #view: StateView;
  #deps: JournalDeps;
  /** The view's stamp when it was reset to. */
  #stamp: number | undefined;
  #accounts = new ByteMap<AccountEntry>();
  #accountCount = 0;
  /** Nothing was written since the accounts were read. */
  #isPristine = true;
  /** Accounts written since `changes()` was last called. */
  #touched: AccountEntry[] = [];
  readonly #codes = new CodeStore();
  readonly #log = new UndoLog();
  readonly #queue = new StateListenerQueue();
  /** Number of the running transaction, from 1. */
  #transaction = 1;
  #resetCount = 0;
  /** Times that storage which had been erased has come back, which a mirror cannot learn. */
  #revivals = 0;

  constructor(view: StateView, deps: JournalDeps = {}) {
    this.#view = view;
    this.#stamp = view.stamp;
    this.#deps = deps;
  }

  /**
   * Forgets every change and reads from `view` from now on. Code, which its hash identifies, is kept, and so are
   * accounts that were read where nothing was written and the view has the stamp of the one before: jobs that follow
   * one another name the same ones.
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
    // Not cleared: V8 chains the tables of a Map that is, and a dead one in old space keeps all that came after it.
    this.#accounts = new ByteMap();
    this.#accountCount = 0;
    this.#isPristine = true;
    this.#touched = [];
  }

  /**
   * Differences from the last call's answer, or from the view: final values, each key once. A deleted account's slots
   * come as zero words. Ends the transaction. Throws while a change set is open. `note`: called for each account that
   * differs.
   */
  changes(note: AccountNote | null = null): StateChanges {
    if (this.#log.depth > 0) throw new Error('changes() while a change set is open');
    const changes: ChangeLists = { accounts: [], slots: [], codes: [] };
    for (const entry of this.#touched) this.#reportAccount(entry, changes, note);
    this.#touched = [];
    this.#settle();
    return changes;
  }

  /**
   * What differs now from the last answer of `changes`, or from the view, in no order; nothing counts as reported by
   * that. Slots of an account that is deleted are not among it.
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

  /** Begins a transaction: its original slot values (EIP-2200) are those of this moment. */
  beginTransaction(): void {
    this.#transaction++;
  }

  // ---- accounts, code and storage ----

  /** The account now; `null` when there is none. */
  accountOf(address: Uint8Array): AccountState | null {
    return this.#entry(address).state;
  }

  /** Writes or, with `null`, removes the account record; storage is left alone. */
  setAccount(address: Uint8Array, state: AccountState | null): void {
    const entry = this.#entry(address);
    this.#log.add({ kind: 'account', entry, state: entry.state });
    entry.state = state;
    this.#touch(entry);
    this.#queue.addAccount(entry);
  }

  /** Code of the account; empty when it has none. */
  codeOf(address: Uint8Array): Uint8Array {
    const state = this.#entry(address).state;
    return state === null ? EMPTY : this.#codes.get(state.codeHash, this.#view);
  }

  /** Code by its hash, also where it was created here. */
  codeOfHash(hash: Uint8Array): Uint8Array {
    return this.#codes.get(hash, this.#view);
  }

  /** Code by its hash, read from the view each time where it is not known: for a mirror, which copies it at once. */
  peekCode(hash: Uint8Array): Uint8Array {
    return this.#codes.known(hash) ?? this.#view.code(hash);
  }

  /** Gives the account this code, creating it if need be. */
  setCode(address: Uint8Array, code: Uint8Array): void {
    const state = this.#entry(address).state;
    this.setAccount(address, {
      nonce: state?.nonce ?? 0n,
      balance: state?.balance ?? 0n,
      codeHash: this.#codes.add(code),
    });
  }

  /** Gives the account code whose hash is known already. */
  setHashedCode(address: Uint8Array, state: AccountState, code: Uint8Array): void {
    this.#codes.addHashed(state.codeHash, code);
    this.setAccount(address, state);
  }

  /** The word in a slot, big endian without leading zeros. */
  storageOf(address: Uint8Array, slot: Uint8Array): Uint8Array {
    return this.#slot(this.#entry(address), slot).value;
  }

  /** Writes a word of at most 32 bytes. */
  setStorage(address: Uint8Array, slot: Uint8Array, value: Uint8Array): void {
    const entry = this.#slot(this.#entry(address), slot);
    this.#keepOriginal(entry);
    this.#writeSlot(entry, shortest(value));
  }

  /** Sets every slot of the account to zero. */
  eraseStorage(address: Uint8Array): void {
    const entry = this.#entry(address);
    if (entry.slots !== null) {
      for (const slot of entry.slots.values()) {
        if (slot.value.length === 0) continue;
        this.#keepOriginal(slot);
        this.#writeSlot(slot, EMPTY);
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

  /** Removes account and storage. */
  removeAccount(address: Uint8Array): void {
    this.eraseStorage(address);
    this.setAccount(address, null);
  }

  /** The word that SSTORE calls original: that of the transaction's start (EIP-2200), without leading zeros. */
  originalOf(address: Uint8Array, slot: Uint8Array): Uint8Array {
    const entry = this.#slot(this.#entry(address), slot);
    // A storage erased in this transaction counts as empty from the start.
    if (entry.account.clearedIn === this.#transaction) return EMPTY;
    return entry.transaction === this.#transaction ? entry.original : entry.value;
  }

  // ---- change sets ----

  /** Opens a nested change set. */
  mark(): void {
    this.#log.mark();
  }

  /** Keeps the changes of the innermost change set. */
  keep(): void {
    this.#log.keep();
    if (this.#log.depth === 0) this.#settle();
  }

  /** Undoes the changes of the innermost change set. */
  undo(): void {
    this.#log.undo((undo) => this.#restore(undo));
    if (this.#log.depth === 0) this.#settle();
  }

  /** Undoes every open change set, however many an execution that was broken off has left. */
  undoAll(): void {
    if (this.#log.depth === 0) return;
    this.#log.joinTo(1);
    this.undo();
  }

  // ---- for a copy of the state elsewhere ----

  /** Calls of `reset` so far: what was mirrored before means nothing any more. */
  get resets(): number {
    return this.#resetCount;
  }

  /** The view's stamp: two views with the same one say the same. */
  get stamp(): number | undefined {
    return this.#stamp;
  }

  /** Changes when erased storage has come back: a mirror has to forget everything. */
  get revivalCount(): number {
    return this.#revivals;
  }

  /** Tells `mirror` what has been written, or taken back, since the last time. */
  notifyListener(mirror: StateListener): void {
    this.#queue.notify(mirror);
  }

  /** The account, read from the view each time where it is not known: for a mirror, which remembers it. */
  peekAccount(address: Uint8Array): AccountState | null {
    const entry = this.#accounts.get(address);
    return entry === undefined ? this.#view.account(address) : entry.state;
  }

  /** The word in a slot, read likewise; big endian, with leading zeros or without. */
  peekStorage(address: Uint8Array, key: Uint8Array): Uint8Array {
    const entry = this.#accounts.get(address);
    if (entry === undefined) return this.#view.storage(address, key);
    const slot = entry.slots?.get(key);
    if (slot !== undefined) return slot.value;
    return entry.clearedIn > 0 ? EMPTY : this.#view.storage(address, key);
  }

  /**
   * EIP-7610: whether the account has storage, but neither nonce nor code; nothing can be created there. False where
   * nobody knows all slots of an account.
   */
  hasStorageAlone(address: Uint8Array): boolean {
    if (this.#deps.slotsOf === undefined) return false;
    const state = this.peekAccount(address);
    if (state === null || state.nonce !== 0n || !sameBytes(state.codeHash, EMPTY_CODE_HASH)) return false;
    const { slots = null, clearedIn = 0 } = this.#accounts.get(address) ?? {};
    for (const { value } of slots?.values() ?? []) if (value.length > 0) return true;
    if (clearedIn > 0) return false;
    for (const slot of this.#deps.slotsOf(address))
      if (slots?.get(slot) === undefined && shortest(this.#view.storage(address, slot)).length > 0) return true;
    return false;
  }

  /** True if account, code or storage has been written since `reset`, even if that was taken back. */
  isWritten(address: Uint8Array): boolean {
    return this.#accounts.get(address)?.touched ?? false;
  }

  // ---- inside ----

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
    const reported = account.clearedReported ? EMPTY : shortest(this.#view.storage(account.address, key));
    const isCleared = account.clearedIn > 0;
    // Cleared unread in this transaction: at the transaction's start it held what it would hold without that.
    const original = account.clearedBefore > 0 ? EMPTY : reported;
    const transaction = account.clearedIn === this.#transaction ? this.#transaction : 0;
    const entry: SlotEntry = {
      account,
      key,
      value: isCleared ? EMPTY : reported,
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

  #restore(undo: Undo): void {
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

  #reportAccount(entry: AccountEntry, changes: ChangeLists, note: AccountNote | null): void {
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
  const value = new Uint8Array(32);
  value.set(slot.value, 32 - slot.value.length);
  changes.slots.push({ address: slot.account.address, slot: slot.key, value });
}

function sameAccount(a: AccountState | null, b: AccountState | null): boolean {
  if (a === null || b === null) return a === b;
  return a.nonce === b.nonce && a.balance === b.balance && sameBytes(a.codeHash, b.codeHash);
}

/** The word without leading zeros, in memory of its own. */
function shortest(word: Uint8Array): Uint8Array {
  let start = 0;
  while (start < word.length && word[start] === 0) start++;
  return start === word.length ? EMPTY : word.slice(start);
}
