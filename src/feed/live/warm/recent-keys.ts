// The accounts and slots that were changed or read from the upstream node most recently. When the state is loaded
// anew, they are fetched again in advance. Only the keys are remembered, not their values.
import { LIMITS } from '../../../limits/index.js';
import type { MissingKeys } from '../../../state/views/miss-recording-view.js';
import type { AccountAndSlotKeys } from '../../../state/views/state-view.js';
import { latin1Key, latin1SlotKey } from '../../../lib/bytes/latin1-key.js';
import { ADDRESS_BYTES } from '../../../lib/bytes/big-endian.js';

/** A key as a string with one character for each byte: an address (20 bytes), or an address and a slot (52 bytes). */
export type RecentKey = string;

/** If there are too many keys, one eighth of all keys is dropped at once: the least recently used ones. */
const DROPPED_FRACTION = 8;

/**
 * A set of keys in the order of their last use. If it has more than LIMITS.warmKeysMax keys, the least recently used
 * ones are dropped.
 */
export class RecentKeys {
  readonly #keys = new Set<RecentKey>();

  get size(): number {
    return this.#keys.size;
  }

  /** Records that the values of these keys have changed: they become the most recently used ones. */
  touch(keys: AccountAndSlotKeys): void {
    for (const key of textsOf(keys)) this.add(key);
  }

  /** Records that these keys were fetched. Keys not in the set become the most recent; others keep their position. */
  note(keys: AccountAndSlotKeys): void {
    for (const key of textsOf(keys)) if (!this.#keys.has(key)) this.add(key);
  }

  /** Makes a key the most recently used one. */
  add(key: RecentKey): void {
    this.#keys.delete(key);
    this.#keys.add(key);
    if (this.#keys.size > LIMITS.warmKeysMax) this.#drop(this.#keys.size / DROPPED_FRACTION);
  }

  /** Returns all keys, least recently used first. */
  all(): RecentKey[] {
    return [...this.#keys];
  }

  /**
   * Drops the `count` least recently used keys. Many at once, because the search for a Set's first key has to skip all
   * deleted keys, which takes some 50 us if there are many.
   */
  #drop(count: number): void {
    let left = count;
    for (const key of this.#keys) {
      if (left-- <= 0) return;
      this.#keys.delete(key);
    }
  }
}

/** Converts keys from strings to addresses and slots. */
export function unpackKeys(keys: readonly RecentKey[]): MissingKeys {
  const bytes = keys.map((key) => Buffer.from(key, 'latin1'));
  return {
    accounts: bytes.filter(({ length }) => length === ADDRESS_BYTES).map((key) => new Uint8Array(key)),
    slots: bytes
      .filter(({ length }) => length > ADDRESS_BYTES)
      .map((key) => ({
        address: new Uint8Array(key.subarray(0, ADDRESS_BYTES)),
        slot: new Uint8Array(key.subarray(ADDRESS_BYTES)),
      })),
  };
}

function textsOf({ accounts, slots }: AccountAndSlotKeys): RecentKey[] {
  return [...accounts.map(({ address }) => latin1Key(address)), ...slots.map(latin1SlotKey)];
}
