// Keeping a copy of a journaled state elsewhere, as the kernel has one.
import type { AccountState } from '../../state/views/view.js';
import type { AccountEntry, SlotEntry } from './journal-entries.js';

/** A copy of the state elsewhere; it hears what an account or slot holds now wherever that has been written. */
export interface StateListener {
  /** `erased`: the storage was emptied; slots written since are mirrored as well. */
  accountWritten(address: Uint8Array, state: AccountState | null, erased: boolean): void;
  /** `value`: big endian without leading zeros. */
  slotWritten(address: Uint8Array, key: Uint8Array, value: Uint8Array): void;
}

/** Entries written, or taken back, since a mirror was told last. */
export class StateListenerQueue {
  #accounts: AccountEntry[] = [];
  #slots: SlotEntry[] = [];

  /** Forgets what has not been told. */
  clear(): void {
    // New arrays: to set a length takes V8 as long as a look-up in the table.
    if (this.#accounts.length > 0) this.#accounts = [];
    if (this.#slots.length > 0) this.#slots = [];
  }

  /** Lists an account, once. */
  addAccount(entry: AccountEntry): void {
    if (entry.unmirrored) return;
    entry.unmirrored = true;
    this.#accounts.push(entry);
  }

  /** Lists a slot, once. */
  addSlot(slot: SlotEntry): void {
    if (slot.unmirrored) return;
    slot.unmirrored = true;
    this.#slots.push(slot);
  }

  /** Tells `mirror` what is listed, accounts before slots, and forgets it. */
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
