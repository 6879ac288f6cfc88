// Accounts and slots that were most recently read from the upstream node, or changed: what is worth fetching again
// after a resync. Values are not kept.
import { LIMITS } from '../../../limits/index.js';
import type { MissingKeys } from '../../../state/views/recording-view.js';
import { latin1 } from '../../../lib/bytes/latin1.js';
import { ADDRESS_BYTES } from '../../../lib/bytes/words.js';

/** An account's address, or that followed by a slot: 20 or 52 bytes, one character each. */
export type KeyText = string;

/** Of changes and of reads. */
interface Keys {
  readonly accounts: readonly { readonly address: Uint8Array }[];
  readonly slots: readonly { readonly address: Uint8Array; readonly slot: Uint8Array }[];
}

/** An eighth of the keys is dropped when there are too many. */
const DROPPED_FRACTION = 8;

/** Keys in the order of their last use; beyond LIMITS.warmKeysMax the least recently used ones are dropped. */
export class RecentKeys {
  readonly #keys = new Set<KeyText>();

  /** Their number. */
  get size(): number {
    return this.#keys.size;
  }

  /** These keys have changed: they are the newest now. */
  touch(keys: Keys): void {
    for (const key of textsOf(keys)) this.add(key);
  }

  /**
   * These keys have been read: unknown ones are the newest; known ones, which were fetched again, keep their position.
   */
  note(keys: Keys): void {
    for (const key of textsOf(keys)) if (!this.#keys.has(key)) this.add(key);
  }

  /** The key is the newest now. */
  add(key: KeyText): void {
    this.#keys.delete(key);
    this.#keys.add(key);
    if (this.#keys.size > LIMITS.warmKeysMax) this.#drop(this.#keys.size / DROPPED_FRACTION);
  }

  /** All of them, least recently used first. */
  all(): KeyText[] {
    return [...this.#keys];
  }

  /**
   * Many at once: a Set searches for its first entry from where its first one ever was, some 50 us past many deleted
   * ones.
   */
  #drop(count: number): void {
    let left = count;
    for (const key of this.#keys) {
      if (left-- <= 0) return;
      this.#keys.delete(key);
    }
  }
}

/** The keys that these strings encode. */
export function missingKeysOf(keys: readonly KeyText[]): MissingKeys {
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

function textsOf({ accounts, slots }: Keys): KeyText[] {
  return [
    ...accounts.map(({ address }) => latin1(address)),
    ...slots.map(({ address, slot }) => latin1(address) + latin1(slot)),
  ];
}
