// The state that an EVM writes to: changes over a StateView, with an undo log. Runs on publisher and estimators.
import type { AccountFields, StateManagerInterface } from '@ethereumjs/common';
import { Account, type Address, KECCAK256_RLP } from '@ethereumjs/util';
import { LIMITS } from '../limits.js';
import type { AccountChange, CodeChange, SlotChange } from '../state/diff.js';
import { EMPTY_CODE_HASH, type AccountState, type StateView } from '../state/view.js';
import { ByteMap, sameBytes } from '../lib/byte-map.js';
import { keccak256 } from '../lib/keccak.js';

/** What a journaled state may be given besides its view. */
export interface JournalParts {
  /**
   * Slots of an account that the view may hold as non-zero. Needed where accounts with storage are deleted (SELFDESTRUCT
   * before EIP-6780), and to refuse creation over storage (EIP-7610): without it only slots that were touched are reported
   * as cleared, and a creation finds no storage in its way.
   */
  readonly slotsOf?: (address: Uint8Array) => Iterable<Uint8Array>;
}

/** What has changed, in the form of a StateDiff. */
export interface Changes {
  readonly accounts: AccountChange[];
  readonly slots: SlotChange[];
  readonly codes: CodeChange[];
}

/** An account as last read or written, and what is needed to say how it differs. */
interface AccountEntry {
  readonly address: Uint8Array;
  state: AccountState | null;
  /** The state that `changes()` last reported, or the view's. */
  reported: AccountState | null;
  /** Transaction that cleared its storage last, 0 for none: a slot that is not in `slots` is zero then. */
  clearedIn: number;
  /** The one before that. */
  clearedBefore: number;
  clearedReported: boolean;
  /** Listed in `touched`. */
  touched: boolean;
  slots: ByteMap<SlotEntry> | null;
  touchedSlots: SlotEntry[];
  /** Listed in `unmirrored`; and what has to be mirrored besides. */
  unmirrored: boolean;
  erasedUnmirrored: boolean;
}

interface SlotEntry {
  readonly account: AccountEntry;
  readonly key: Uint8Array;
  /** Big endian without leading zeros, empty for zero: the form that the EVM passes and expects. */
  value: Uint8Array;
  reported: Uint8Array;
  /** Value when transaction `transaction` began; meaningless in any other. */
  original: Uint8Array;
  transaction: number;
  touched: boolean;
  /** First asked for when its account was cleared already; were that undone, it would hold what the view says. */
  unread: boolean;
  /** Listed in `unmirroredSlots`. */
  unmirrored: boolean;
}

/** Keeps a copy of the state elsewhere, and hears what it holds now wherever that has been written. */
export interface Mirror {
  /** `erased`: the storage was emptied; slots written since are mirrored as well. */
  accountWritten(address: Uint8Array, state: AccountState | null, erased: boolean): void;
  /** `value`: big endian without leading zeros. */
  slotWritten(address: Uint8Array, key: Uint8Array, value: Uint8Array): void;
}

/** What has been written in change sets that are open, and is another than before them. */
export interface Written {
  /** Accounts that were written, be it as they were. */
  readonly accounts: readonly { readonly address: Uint8Array; readonly before: AccountState | null }[];
  /** `value`: big endian without leading zeros. */
  readonly slots: readonly { readonly address: Uint8Array; readonly key: Uint8Array; readonly value: Uint8Array }[];
  /** Accounts whose storage was emptied. */
  readonly erased: readonly Uint8Array[];
}

/** A change that can be taken back: what was written to, and what stood there. */
type Undo =
  | { readonly kind: 'slot'; readonly slot: SlotEntry; readonly value: Uint8Array }
  | { readonly kind: 'account'; readonly entry: AccountEntry; readonly state: AccountState | null }
  | { readonly kind: 'cleared'; readonly entry: AccountEntry; readonly clearedIn: number };

const EMPTY = new Uint8Array(0);
/** Stands for any root of storage that is not empty: the library only asks whether it is. */
const SOME_ROOT = new Uint8Array(32);

/**
 * The StateManagerInterface that every EVM of ours runs on. `checkpoint` costs a push, `commit` a pop, `revert` as
 * many steps as there were changes; nothing is ever copied. Accounts, code and storage are read from the view once
 * and kept until `reset`. It holds no trie: state roots are evm/state-root.ts's matter, and the methods for them throw.
 */
export class JournaledState implements StateManagerInterface {
  readonly originalStorageCache: StateManagerInterface['originalStorageCache'];
  private view: StateView;
  private parts: JournalParts;
  private accounts = new ByteMap<AccountEntry>();
  private touched: AccountEntry[] = [];
  private codes = new Map<string, Uint8Array>();
  private newCodes = new Map<string, CodeChange>();
  private readonly marks: number[] = [];
  private readonly log: Undo[] = [];
  private transaction = 1;
  private unmirrored: AccountEntry[] = [];
  private unmirroredSlots: SlotEntry[] = [];
  private resetCount = 0;
  /** How often storage that had been erased has come back, which a mirror cannot learn. */
  private revivals = 0;

  constructor(view: StateView, parts: JournalParts = {}) {
    this.view = view;
    this.parts = parts;
    this.originalStorageCache = {
      get: (address, key) => Promise.resolve(this.original(address.bytes, key)),
      clear: () => this.beginTransaction(),
    };
  }

  /** Forgets every change and reads from `view` from now on. Code, which its hash identifies, is kept. */
  reset(view: StateView, parts: JournalParts = {}): void {
    this.view = view;
    this.parts = parts;
    // Not cleared: V8 chains the tables of a Map that is, and a dead one in old space keeps all that came after it.
    this.accounts = new ByteMap();
    this.touched = [];
    if (this.newCodes.size > 0) this.newCodes = new Map();
    this.marks.length = 0;
    this.log.length = 0;
    this.transaction++;
    this.unmirrored.length = 0;
    this.unmirroredSlots.length = 0;
    this.resetCount++;
    if (this.codes.size > LIMITS.codesKeptMax) this.codes = new Map();
  }

  /**
   * What differs from the last call's answer, or from the view: final values, each key once. A deleted account's
   * slots come as zero words. Ends the transaction. Must be called with no checkpoint open.
   */
  changes(): Changes {
    if (this.marks.length > 0) throw new Error('changes() inside a checkpoint');
    const changes: Changes = { accounts: [], slots: [], codes: [] };
    for (const entry of this.touched) this.reportAccount(entry, changes);
    this.touched = [];
    this.settle();
    return changes;
  }

  /** The slot values that SSTORE calls original are those of this moment. */
  beginTransaction(): void {
    this.transaction++;
  }

  // ---- synchronous forms, for callers that are not an EVM ----

  /** The account now; `null` when there is none. */
  accountOf(address: Uint8Array): AccountState | null {
    return this.entry(address).state;
  }

  /** Writes or, with `null`, removes the account record; storage is left alone. */
  setAccount(address: Uint8Array, state: AccountState | null): void {
    const entry = this.entry(address);
    this.remember({ kind: 'account', entry, state: entry.state });
    entry.state = state;
    this.touch(entry);
    this.tell(entry);
  }

  /** Code of the account; empty when it has none. */
  codeOf(address: Uint8Array): Uint8Array {
    const state = this.entry(address).state;
    return state === null ? EMPTY : this.code(state.codeHash);
  }

  /** Code by its hash, also where it was created here. */
  codeOfHash(hash: Uint8Array): Uint8Array {
    return this.code(hash);
  }

  /** Gives the account this code, creating it if need be. */
  setCode(address: Uint8Array, code: Uint8Array): void {
    const state = this.entry(address).state;
    this.setAccount(address, {
      nonce: state?.nonce ?? 0n,
      balance: state?.balance ?? 0n,
      codeHash: this.keepCode(code),
    });
  }

  /** Gives the account code whose hash is known already. */
  setHashedCode(address: Uint8Array, state: AccountState, code: Uint8Array): void {
    const key = latin1(state.codeHash);
    this.codes.set(key, code);
    this.newCodes.set(key, { hash: state.codeHash, bytes: code });
    this.setAccount(address, state);
  }

  /** The word in a slot, big endian without leading zeros. */
  storageOf(address: Uint8Array, slot: Uint8Array): Uint8Array {
    return this.slot(this.entry(address), slot).value;
  }

  /** Writes a word of at most 32 bytes. */
  setStorage(address: Uint8Array, slot: Uint8Array, value: Uint8Array): void {
    const entry = this.slot(this.entry(address), slot);
    this.keepOriginal(entry);
    this.writeSlot(entry, shortest(value));
  }

  /** Sets every slot of the account to zero. */
  eraseStorage(address: Uint8Array): void {
    const entry = this.entry(address);
    if (entry.slots !== null) {
      for (const slot of entry.slots.values()) {
        if (slot.value.length === 0) continue;
        this.keepOriginal(slot);
        this.writeSlot(slot, EMPTY);
      }
    }
    if (entry.clearedIn === this.transaction) return;
    this.remember({ kind: 'cleared', entry, clearedIn: entry.clearedIn });
    entry.clearedBefore = entry.clearedIn;
    entry.clearedIn = this.transaction;
    this.touch(entry);
    entry.erasedUnmirrored = true;
    this.tell(entry);
  }

  /** Removes account and storage. */
  removeAccount(address: Uint8Array): void {
    this.eraseStorage(address);
    this.setAccount(address, null);
  }

  /** Opens a nested change set. */
  mark(): void {
    this.marks.push(this.log.length);
  }

  /** Keeps the changes of the innermost change set. */
  keep(): void {
    if (this.marks.pop() === undefined) throw new Error('commit without checkpoint');
    if (this.marks.length === 0) this.settle();
  }

  /** Undoes the changes of the innermost change set. */
  undo(): void {
    const mark = this.marks.pop();
    if (mark === undefined) throw new Error('revert without checkpoint');
    for (let i = this.log.length - 1; i >= mark; i--) this.restore(this.log[i]!);
    this.log.length = mark;
    if (this.marks.length === 0) this.settle();
  }

  /** Undoes every open change set, however many an execution that was broken off has left. */
  undoAll(): void {
    this.marks.length = Math.min(this.marks.length, 1);
    if (this.marks.length > 0) this.undo();
  }

  /** Change sets that are open. */
  get depth(): number {
    return this.marks.length;
  }

  /** Undoes change sets until `depth` are open. */
  undoTo(depth: number): void {
    if (this.marks.length <= depth) return;
    this.marks.length = depth + 1;
    this.undo();
  }

  /** What has been written since there were `depth` change sets. */
  changedSince(depth: number): Written {
    const accounts = new Map<AccountEntry, AccountState | null>();
    const slots = new Map<SlotEntry, Uint8Array>();
    const erased = new Set<AccountEntry>();
    for (const undo of this.log.slice(this.marks[depth])) {
      if (undo.kind === 'cleared') erased.add(undo.entry);
      else if (undo.kind === 'slot') slots.set(undo.slot, slots.get(undo.slot) ?? undo.value);
      else if (!accounts.has(undo.entry)) accounts.set(undo.entry, undo.state);
    }
    return {
      accounts: [...accounts].map(([{ address }, before]) => ({ address, before })),
      slots: [...slots]
        .filter(([slot, before]) => !sameBytes(slot.value, before))
        .map(([{ account, key, value }]) => ({ address: account.address, key, value })),
      erased: [...erased].map(({ address }) => address),
    };
  }

  // ---- for a copy of the state elsewhere ----

  /** Calls of `reset` so far: what was mirrored before means nothing any more. */
  get resets(): number {
    return this.resetCount;
  }

  /** The view's. */
  get stamp(): number | undefined {
    return this.view.stamp;
  }

  /** Changes when erased storage has come back: a mirror has to forget everything. */
  get revivalCount(): number {
    return this.revivals;
  }

  /** Tells `mirror` what has been written, or taken back, since the last time. */
  tellMirror(mirror: Mirror): void {
    for (const entry of this.unmirrored) {
      mirror.accountWritten(entry.address, entry.state, entry.erasedUnmirrored);
      entry.unmirrored = false;
      entry.erasedUnmirrored = false;
    }
    for (const slot of this.unmirroredSlots) {
      mirror.slotWritten(slot.account.address, slot.key, slot.value);
      slot.unmirrored = false;
    }
    this.unmirrored.length = 0;
    this.unmirroredSlots.length = 0;
  }

  /** The account, for a mirror, which remembers it: read anew each time. */
  peekAccount(address: Uint8Array): AccountState | null {
    const entry = this.accounts.get(address);
    return entry === undefined ? this.view.account(address) : entry.state;
  }

  /** The word in a slot, likewise; big endian, with leading zeros or without. */
  peekStorage(address: Uint8Array, key: Uint8Array): Uint8Array {
    const entry = this.accounts.get(address);
    if (entry === undefined) return this.view.storage(address, key);
    const slot = entry.slots?.get(key);
    if (slot !== undefined) return slot.value;
    return entry.clearedIn > 0 ? EMPTY : this.view.storage(address, key);
  }

  /**
   * EIP-7610: whether the account has storage, but neither nonce nor code; nothing can be created there. False where
   * nobody knows all slots of an account.
   */
  hasStorageAlone(address: Uint8Array): boolean {
    if (this.parts.slotsOf === undefined) return false;
    const state = this.peekAccount(address);
    if (state === null || state.nonce !== 0n || !sameBytes(state.codeHash, EMPTY_CODE_HASH)) return false;
    const { slots = null, clearedIn = 0 } = this.accounts.get(address) ?? {};
    for (const { value } of slots?.values() ?? []) if (value.length > 0) return true;
    if (clearedIn > 0) return false;
    for (const slot of this.parts.slotsOf(address))
      if (slots?.get(slot) === undefined && shortest(this.view.storage(address, slot)).length > 0) return true;
    return false;
  }

  /** Whether account, code or storage has been written since `reset`, be it that it was taken back. */
  isWritten(address: Uint8Array): boolean {
    return this.accounts.get(address)?.touched ?? false;
  }

  // ---- StateManagerInterface ----

  getAccount(address: Address): Promise<Account | undefined> {
    const state = this.entry(address.bytes).state;
    if (state === null) return Promise.resolve(undefined);
    const storageRoot = this.hasStorageAlone(address.bytes) ? SOME_ROOT : KECCAK256_RLP;
    // A new object each time: the EVM changes what it is given before it puts it back.
    return Promise.resolve(new Account(state.nonce, state.balance, storageRoot, state.codeHash));
  }

  putAccount(address: Address, account?: Account): Promise<void> {
    const state = account && { nonce: account.nonce, balance: account.balance, codeHash: account.codeHash };
    this.setAccount(address.bytes, state ?? null);
    return Promise.resolve();
  }

  deleteAccount(address: Address): Promise<void> {
    this.removeAccount(address.bytes);
    return Promise.resolve();
  }

  modifyAccountFields(address: Address, fields: AccountFields): Promise<void> {
    const state = this.entry(address.bytes).state;
    this.setAccount(address.bytes, {
      nonce: fields.nonce ?? state?.nonce ?? 0n,
      balance: fields.balance ?? state?.balance ?? 0n,
      codeHash: fields.codeHash ?? state?.codeHash ?? EMPTY_CODE_HASH,
    });
    return Promise.resolve();
  }

  putCode(address: Address, code: Uint8Array): Promise<void> {
    this.setCode(address.bytes, code);
    return Promise.resolve();
  }

  getCode(address: Address): Promise<Uint8Array> {
    return Promise.resolve(this.codeOf(address.bytes));
  }

  getCodeSize(address: Address): Promise<number> {
    return Promise.resolve(this.codeOf(address.bytes).length);
  }

  getStorage(address: Address, key: Uint8Array): Promise<Uint8Array> {
    return Promise.resolve(this.storageOf(address.bytes, key));
  }

  putStorage(address: Address, key: Uint8Array, value: Uint8Array): Promise<void> {
    this.setStorage(address.bytes, key, value);
    return Promise.resolve();
  }

  clearStorage(address: Address): Promise<void> {
    this.eraseStorage(address.bytes);
    return Promise.resolve();
  }

  checkpoint(): Promise<void> {
    this.mark();
    return Promise.resolve();
  }

  commit(): Promise<void> {
    this.keep();
    return Promise.resolve();
  }

  revert(): Promise<void> {
    this.undo();
    return Promise.resolve();
  }

  clearCaches(): void {
    // What is kept here is not a cache of something that could change beneath it.
  }

  getStateRoot(): Promise<Uint8Array> {
    throw new Error('a journaled state has no state root');
  }

  setStateRoot(): Promise<void> {
    throw new Error('a journaled state has no state root');
  }

  hasStateRoot(): Promise<boolean> {
    throw new Error('a journaled state has no state root');
  }

  shallowCopy(): StateManagerInterface {
    throw new Error('a journaled state cannot be copied');
  }

  // ---- inside ----

  private entry(address: Uint8Array): AccountEntry {
    const known = this.accounts.get(address);
    if (known !== undefined) return known;
    const state = this.view.account(address);
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
    this.accounts.set(entry.address, entry);
    return entry;
  }

  private slot(account: AccountEntry, slot: Uint8Array): SlotEntry {
    account.slots ??= new ByteMap();
    const known = account.slots.get(slot);
    if (known !== undefined) return known;
    const key = slot.slice();
    const reported = account.clearedReported ? EMPTY : shortest(this.view.storage(account.address, key));
    const isCleared = account.clearedIn > 0;
    // Cleared unread in this transaction: what it held when the transaction began is what it would have been without that.
    const original = account.clearedBefore > 0 ? EMPTY : reported;
    const transaction = account.clearedIn === this.transaction ? this.transaction : 0;
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

  private original(address: Uint8Array, slot: Uint8Array): Uint8Array {
    const entry = this.slot(this.entry(address), slot);
    // Made anew in this transaction: for SSTORE it has always been empty.
    if (entry.account.clearedIn === this.transaction) return EMPTY;
    return entry.transaction === this.transaction ? entry.original : entry.value;
  }

  private keepOriginal(slot: SlotEntry): void {
    if (slot.transaction === this.transaction) return;
    slot.transaction = this.transaction;
    slot.original = slot.value;
  }

  private writeSlot(slot: SlotEntry, value: Uint8Array): void {
    this.remember({ kind: 'slot', slot, value: slot.value });
    slot.value = value;
    this.tellSlot(slot);
    if (slot.touched) return;
    slot.touched = true;
    slot.account.touchedSlots.push(slot);
    this.touch(slot.account);
  }

  private restore(undo: Undo): void {
    switch (undo.kind) {
      case 'slot':
        undo.slot.value = undo.value;
        return this.tellSlot(undo.slot);
      case 'account':
        undo.entry.state = undo.state;
        return this.tell(undo.entry);
      case 'cleared':
        undo.entry.clearedIn = undo.clearedIn;
        if (undo.clearedIn > 0) return;
        this.revivals++;
        for (const slot of undo.entry.slots?.values() ?? []) readAgain(slot);
    }
  }

  private tell(entry: AccountEntry): void {
    if (entry.unmirrored) return;
    entry.unmirrored = true;
    this.unmirrored.push(entry);
  }

  private tellSlot(slot: SlotEntry): void {
    if (slot.unmirrored) return;
    slot.unmirrored = true;
    this.unmirroredSlots.push(slot);
  }

  private remember(undo: Undo): void {
    if (this.marks.length > 0) this.log.push(undo);
  }

  private touch(entry: AccountEntry): void {
    if (entry.touched) return;
    entry.touched = true;
    this.touched.push(entry);
  }

  private settle(): void {
    this.log.length = 0;
    this.transaction++;
  }

  private code(hash: Uint8Array): Uint8Array {
    if (sameBytes(hash, EMPTY_CODE_HASH)) return EMPTY;
    const key = latin1(hash);
    let code = this.codes.get(key);
    if (code === undefined) this.codes.set(key, (code = this.view.code(hash)));
    return code;
  }

  private keepCode(bytes: Uint8Array): Uint8Array {
    if (bytes.length === 0) return EMPTY_CODE_HASH;
    const code = bytes.slice();
    const hash = keccak256(code);
    const key = latin1(hash);
    this.codes.set(key, code);
    this.newCodes.set(key, { hash, bytes: code });
    return hash;
  }

  private reportAccount(entry: AccountEntry, changes: Changes): void {
    entry.touched = false;
    if (entry.clearedIn > 0 && !entry.clearedReported) {
      for (const slot of this.parts.slotsOf?.(entry.address) ?? []) this.touchSlot(this.slot(entry, slot));
      entry.clearedReported = true;
    }
    for (const slot of entry.touchedSlots) reportSlot(slot, changes);
    entry.touchedSlots = [];
    if (sameAccount(entry.state, entry.reported)) return;
    entry.reported = entry.state;
    changes.accounts.push({ address: entry.address, account: entry.state });
    if (entry.state !== null) this.reportCode(entry.state.codeHash, changes);
  }

  private touchSlot(slot: SlotEntry): void {
    if (slot.touched) return;
    slot.touched = true;
    slot.account.touchedSlots.push(slot);
  }

  private reportCode(hash: Uint8Array, changes: Changes): void {
    const key = latin1(hash);
    const code = this.newCodes.get(key);
    if (code === undefined) return;
    this.newCodes.delete(key);
    changes.codes.push(code);
  }
}

function readAgain(slot: SlotEntry): void {
  if (slot.unread) slot.value = slot.reported;
  slot.unread = false;
}

function reportSlot(slot: SlotEntry, changes: Changes): void {
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

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
