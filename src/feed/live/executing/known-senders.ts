// Senders by the hash of their transaction, stored as bytes: a cache that no garbage collector has to traverse.
import type { Sender } from '../../../transaction/sender.js';
import { ADDRESS_BYTES } from '../../../lib/bytes/words.js';

const HASH_BYTES = 32;
const ENTRY_BYTES = HASH_BYTES + ADDRESS_BYTES;
/** Entries of a set: a sender is in one of them; the first bytes of the hash select the set. */
const WAYS = 8;

/** A byte of the hash that does not select the set, and is compared first. */
const TAG = 8;

/** A bounded number of senders; a new one replaces the oldest one of its set. */
export class KnownSenders {
  readonly #entries: Buffer;
  /** The entry of each set that is overwritten next. */
  readonly #oldest: Uint8Array;

  /** `count`: a power of two, at least 8. */
  constructor(count: number) {
    this.#entries = Buffer.alloc(count * ENTRY_BYTES);
    this.#oldest = new Uint8Array(count / WAYS);
  }

  /** Address of the sender, a copy of 20 bytes; `null`: unknown. `hash`: 32 bytes. */
  get(hash: Uint8Array): Uint8Array | null {
    const first = this.#setOf(hash) * WAYS;
    for (let entry = first; entry < first + WAYS; entry++) {
      const at = entry * ENTRY_BYTES;
      if (this.#entries[at + TAG] !== hash[TAG]) continue;
      if (this.#entries.compare(hash, 0, HASH_BYTES, at, at + HASH_BYTES) !== 0) continue;
      return new Uint8Array(this.#entries.subarray(at + HASH_BYTES, at + ENTRY_BYTES));
    }
    return null;
  }

  /** Remembers a sender; one that is remembered already may be so twice. */
  add({ hash, address }: Sender): void {
    const set = this.#setOf(hash);
    const way = this.#oldest[set]!;
    this.#oldest[set] = (way + 1) % WAYS;
    const at = (set * WAYS + way) * ENTRY_BYTES;
    this.#entries.set(hash, at);
    this.#entries.set(address, at + HASH_BYTES);
  }

  #setOf(hash: Uint8Array): number {
    return ((hash[0]! << 16) | (hash[1]! << 8) | hash[2]!) % this.#oldest.length;
  }
}
