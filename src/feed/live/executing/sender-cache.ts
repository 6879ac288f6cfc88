// Cache of transaction senders by transaction hash. It is stored as bytes, so that the garbage collector has nothing to
// traverse.
import type { RecoveredSender } from '../../../transaction/recover-sender.js';
import { ADDRESS_BYTES } from '../../../lib/bytes/big-endian.js';

const HASH_BYTES = 32;
const ENTRY_BYTES = HASH_BYTES + ADDRESS_BYTES;
/**
 * Number of entries in each set of the cache. The first bytes of a transaction hash select the set; any entry of the
 * set may have the sender.
 */
const WAYS = 8;

/** Index of the hash byte that is compared first. It is not among the bytes that select the set. */
const TAG = 8;

/** Remembers a bounded number of senders. A new sender replaces the oldest one of its set. */
export class SenderCache {
  readonly #entries: Buffer;
  /** For each set, the index of the entry that is overwritten next. */
  readonly #oldest: Uint8Array;

  /** `count` is the capacity: the number of senders, a power of two and at least 8. */
  constructor(count: number) {
    this.#entries = Buffer.alloc(count * ENTRY_BYTES);
    this.#oldest = new Uint8Array(count / WAYS);
  }

  /** Returns a copy of the sender's 20-byte address; `null` if it is not in the cache. `hash` has 32 bytes. */
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

  /** Remembers a sender. Does not check whether it is in the cache already; it is then stored a second time. */
  add({ hash, address }: RecoveredSender): void {
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
