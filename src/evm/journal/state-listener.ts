// The interface for mirroring a journaled state elsewhere, as in the kernel.
import type { AccountState } from '../../state/views/state-view.js';
import type { AccountEntry, SlotEntry } from './journal-entries.js';

/** A copy of the state elsewhere, which is notified of the current value of every account or slot that was written. */
export interface StateListener {
  /** Called for an account. `erased`: its storage was erased; slots written after that are reported as well. */
  accountWritten(address: Uint8Array, state: AccountState | null, erased: boolean): void;
  /** Called for a slot. `value` is big endian without leading zeros. */
  slotWritten(address: Uint8Array, key: Uint8Array, value: Uint8Array): void;
}

/** The entries that were written or reverted since a mirror was last notified. */
export class StateListenerQueue {
  #accounts: AccountEntry[] = [];
  #slots: SlotEntry[] = [];

  /** Forgets the entries that were not reported. */
  clear(): void {
    // New arrays, because setting a length takes V8 as long as a look-up in the table.
    if (this.#accounts.length > 0) this.#accounts = [];
    if (this.#slots.length > 0) this.#slots = [];
  }

  /** Adds an account, once. */
  addAccount(entry: AccountEntry): void {
    if (entry.unmirrored) return;
    entry.unmirrored = true;
    this.#accounts.push(entry);
  }

  /** Adds a slot, once. */
  addSlot(slot: SlotEntry): void {
    if (slot.unmirrored) return;
    slot.unmirrored = true;
    this.#slots.push(slot);
  }

  /** Notifies `mirror` of the listed accounts, then of the listed slots, and forgets them. */
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
