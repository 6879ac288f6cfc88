// Several diffs as one: of what was changed more than once, the last value counts. Runs on the publisher.
import type { AccountChange, CodeChange, SlotChange, StateDiff } from './diff.js';

const key = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

export class ChangeSet {
  readonly #accounts = new Map<string, AccountChange>();
  readonly #slots = new Map<string, SlotChange>();
  readonly #codes = new Map<string, CodeChange>();

  add(diff: Pick<StateDiff, 'accounts' | 'slots' | 'codes'>): void {
    for (const change of diff.accounts) this.#accounts.set(key(change.address), change);
    for (const change of diff.slots) this.#slots.set(key(change.address) + key(change.slot), change);
    for (const change of diff.codes) this.#codes.set(key(change.hash), change);
  }

  /** Everything added, at the place in the chain where `last` stands. */
  diff(last: StateDiff): StateDiff {
    return { ...last, ...this.all() };
  }

  /** Everything added. */
  all(): Pick<StateDiff, 'accounts' | 'slots' | 'codes'> {
    return {
      accounts: [...this.#accounts.values()],
      slots: [...this.#slots.values()],
      codes: [...this.#codes.values()],
    };
  }
}
