// The log from which a journaled state reverts changes.
import type { AccountState } from '../../state/views/state-view.js';
import type { AccountEntry, SlotEntry } from './cache-entries.js';

/** A change that can be reverted: what was written to, and the value before. */
export type UndoEntry =
  | { readonly kind: 'slot'; readonly slot: SlotEntry; readonly value: Uint8Array }
  | { readonly kind: 'account'; readonly entry: AccountEntry; readonly state: AccountState | null }
  | { readonly kind: 'cleared'; readonly entry: AccountEntry; readonly clearedIn: number };

/**
 * Nested checkpoints. Opening one is a push, committing one is a pop, and reverting one takes a step for each change.
 */
export class UndoLog {
  readonly #marks: number[] = [];
  readonly #entries: UndoEntry[] = [];

  /** Number of open checkpoints. */
  get depth(): number {
    return this.#marks.length;
  }

  /** Closes all checkpoints, and drops the recorded changes. */
  clear(): void {
    if (this.#marks.length > 0) this.#marks.length = 0;
    if (this.#entries.length > 0) this.#entries.length = 0;
  }

  /** Records a change, if a checkpoint is open. */
  add(undo: UndoEntry): void {
    if (this.#marks.length > 0) this.#entries.push(undo);
  }

  mark(): void {
    this.#marks.push(this.#entries.length);
  }

  /** Commits the innermost checkpoint: its changes then belong to the enclosing one. Throws if none is open. */
  keep(): void {
    if (this.#marks.pop() === undefined) throw new Error('keep() without an open change set');
  }

  /** Closes the innermost checkpoint, and passes its changes to `restore`, newest first. Throws if none is open. */
  undo(restore: (undo: UndoEntry) => void): void {
    const mark = this.#marks.pop();
    if (mark === undefined) throw new Error('undo() without an open change set');
    while (this.#entries.length > mark) restore(this.#entries.pop()!);
  }

  /** Commits the innermost checkpoints, one after another, until only `depth` are open. */
  joinTo(depth: number): void {
    if (this.#marks.length > depth) this.#marks.length = depth;
  }
}
