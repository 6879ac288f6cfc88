// The changes that a journaled state can take back. Runs on publisher and estimators.
import { sameBytes } from '../lib/byte-map.js';
import type { AccountState } from '../state/view.js';
import type { AccountEntry, SlotEntry } from './journal-entries.js';

/** A change that can be undone: what was written to, and what stood there. */
export type Undo =
  | { readonly kind: 'slot'; readonly slot: SlotEntry; readonly value: Uint8Array }
  | { readonly kind: 'account'; readonly entry: AccountEntry; readonly state: AccountState | null }
  | { readonly kind: 'cleared'; readonly entry: AccountEntry; readonly clearedIn: number };

/** What has been written in open change sets, and differs from before them. */
export interface Written {
  /** Accounts that were written, even with what they held. */
  readonly accounts: readonly { readonly address: Uint8Array; readonly before: AccountState | null }[];
  /** `value`: big endian without leading zeros. */
  readonly slots: readonly { readonly address: Uint8Array; readonly key: Uint8Array; readonly value: Uint8Array }[];
  /** Accounts whose storage was emptied. */
  readonly erased: readonly Uint8Array[];
}

/** Change sets, one inside another. Opening one costs a push, keeping it a pop, undoing it a step for each change. */
export class UndoLog {
  readonly #marks: number[] = [];
  readonly #entries: Undo[] = [];

  /** Change sets that are open. */
  get depth(): number {
    return this.#marks.length;
  }

  /** Closes every change set and forgets what it would undo. */
  clear(): void {
    if (this.#marks.length > 0) this.#marks.length = 0;
    if (this.#entries.length > 0) this.#entries.length = 0;
  }

  /** Records a change, if a change set is open. */
  add(undo: Undo): void {
    if (this.#marks.length > 0) this.#entries.push(undo);
  }

  /** Opens a change set. */
  mark(): void {
    this.#marks.push(this.#entries.length);
  }

  /** Closes the innermost change set; its changes belong to the one around it. Throws where none is open. */
  keep(): void {
    if (this.#marks.pop() === undefined) throw new Error('keep() without an open change set');
  }

  /** Closes the innermost change set and hands its changes to `restore`, newest first. Throws where none is open. */
  undo(restore: (undo: Undo) => void): void {
    const mark = this.#marks.pop();
    if (mark === undefined) throw new Error('undo() without an open change set');
    while (this.#entries.length > mark) restore(this.#entries.pop()!);
  }

  /** Joins change sets until `depth` are open. */
  joinTo(depth: number): void {
    if (this.#marks.length > depth) this.#marks.length = depth;
  }

  /** What has been written since there were `depth` change sets. */
  writtenSince(depth: number): Written {
    const accounts = new Map<AccountEntry, AccountState | null>();
    const slots = new Map<SlotEntry, Uint8Array>();
    const erased = new Set<AccountEntry>();
    for (const undo of this.#entries.slice(this.#marks[depth])) {
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
}
