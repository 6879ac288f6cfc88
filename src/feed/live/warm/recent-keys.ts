// Accounts and slots that were read from the upstream node, or changed, most recently: what is worth holding again
// after a new beginning. Values are not kept.
import { LIMITS } from '../../../limits/index.js';
import type { MissingKeys } from '../../../state/views/recording-view.js';
import { latin1 } from '../../../lib/bytes/latin1.js';
import { ADDRESS_BYTES } from '../../../lib/bytes/words.js';

/** An account's address, or that and a slot behind it: 20 or 52 bytes, one character each. */
export type KeyText = string;

/** Of changes and of reads. */
interface Keys {
  readonly accounts: readonly { readonly address: Uint8Array }[];
  readonly slots: readonly { readonly address: Uint8Array; readonly slot: Uint8Array }[];
}

/** An eighth of the keys is dropped when there are too many. */
const DROPPED_FRACTION = 8;

/** Keys in the order of their last touch; beyond LIMITS.warmKeysMax those are dropped that were touched longest ago. */
export class RecentKeys {
  readonly #keys = new Set<KeyText>();

  /** Their number. */
  get size(): number {
    return this.#keys.size;
  }

  /** These have changed: they are the newest now. */
  touch(keys: Keys): void {
    for (const key of textsOf(keys)) this.add(key);
  }

  /** These have been read: those that are new are the newest; others, which are held again, stay where they are. */
  note(keys: Keys): void {
    for (const key of textsOf(keys)) if (!this.#keys.has(key)) this.add(key);
  }

  /** One is the newest now. */
  add(key: KeyText): void {
    this.#keys.delete(key);
    this.#keys.add(key);
    if (this.#keys.size > LIMITS.warmKeysMax) this.#drop(this.#keys.size / DROPPED_FRACTION);
  }

  /** All of them, the one touched longest ago first. */
  all(): KeyText[] {
    return [...this.#keys];
  }

  /**
   * Many at once: a Set looks for its first entry from where the first one ever was, some 50 us behind many that are
   * gone.
   */
  #drop(count: number): void {
    let left = count;
    for (const key of this.#keys) {
      if (left-- <= 0) return;
      this.#keys.delete(key);
    }
  }
}

/** The keys that texts stand for. */
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
