// The changes that a journaled state can take back.
import type { AccountState } from '../../state/views/view.js';
import type { AccountEntry, SlotEntry } from './journal-entries.js';

/** A change that can be undone: what was written to, and what stood there. */
export type Undo =
  | { readonly kind: 'slot'; readonly slot: SlotEntry; readonly value: Uint8Array }
  | { readonly kind: 'account'; readonly entry: AccountEntry; readonly state: AccountState | null }
  | { readonly kind: 'cleared'; readonly entry: AccountEntry; readonly clearedIn: number };

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
}
