// Interface for copies of a journaled state that follow its changes, such as the kernel's tables.
import type { AccountState } from '../../state/views/state-view.js';
import type { AccountEntry, SlotEntry } from './cache-entries.js';

/** Keeps its own copy of the state. It is notified of the current value of every account and slot that was written. */
export interface StateListener {
  /**
   * Called for a written account. `erased`: its whole storage was erased; slots that were written after that are
   * reported, too.
   */
  accountWritten(address: Uint8Array, state: AccountState | null, erased: boolean): void;
  /** Called for a written slot. `value` is big endian without leading zeros. */
  slotWritten(address: Uint8Array, key: Uint8Array, value: Uint8Array): void;
}

/** Queue of the accounts and slots that were written or reverted since the listener was last notified. */
export class UnreportedStateChanges {
  #accounts: AccountEntry[] = [];
  #slots: SlotEntry[] = [];

  /** Empties the queue without notifying anybody. */
  clear(): void {
    // New arrays, because setting an array's length takes V8 as long as a hash table look-up.
    if (this.#accounts.length > 0) this.#accounts = [];
    if (this.#slots.length > 0) this.#slots = [];
  }

  /** Queues an account, unless it is already queued. */
  addAccount(entry: AccountEntry): void {
    if (entry.unmirrored) return;
    entry.unmirrored = true;
    this.#accounts.push(entry);
  }

  /** Queues a slot, unless it is already queued. */
  addSlot(slot: SlotEntry): void {
    if (slot.unmirrored) return;
    slot.unmirrored = true;
    this.#slots.push(slot);
  }

  /** Notifies the listener of all queued accounts, then of all queued slots, and empties the queue. */
  notify(mirror: StateListener): void {
    for (const entry of this.#accounts) {
      mirror.accountWritten(entry.address, entry.state, entry.erasedUnmirrored);
      entry.unmirrored = false;
      entry.erasedUnmirrored = false;
    }
    for (const slot of this.#slots) {
      mirror.slotWritten(slot.account.address, slot.key, slot.value);
      slot.unmirrored = false;
    }
    this.clear();
  }
}
