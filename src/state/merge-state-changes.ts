// Merges several sets of state changes into one. If a key was changed more than once, the last value counts.
import type { AccountChange, CodeChange, SlotChange, StateChanges } from './state-diff.js';
import { latin1Key, latin1SlotKey } from '../lib/bytes/latin1-key.js';

/** Collects state changes. For a key that is added more than once, the last value counts. */
export class ChangeSet {
  readonly #accounts = new Map<string, AccountChange>();
  readonly #slots = new Map<string, SlotChange>();
  readonly #codes = new Map<string, CodeChange>();

  add(diff: StateChanges): void {
    for (const change of diff.accounts) this.#accounts.set(latin1Key(change.address), change);
    for (const change of diff.slots) this.#slots.set(latin1SlotKey(change), change);
    for (const change of diff.codes) this.#codes.set(latin1Key(change.hash), change);
  }

  all(): StateChanges {
    return {
      accounts: [...this.#accounts.values()],
      slots: [...this.#slots.values()],
      codes: [...this.#codes.values()],
    };
  }
}

export function mergeStateChanges(all: readonly StateChanges[]): StateChanges {
  const set = new ChangeSet();
  for (const changes of all) set.add(changes);
  return set.all();
}
