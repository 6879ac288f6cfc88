// The keys that a state version has changed, stored as bytes.

// Data that the publisher retains per block is stored as bytes instead of objects, because the garbage collector would
// traverse objects again and again. This applies to changed keys and transaction senders. See DECISIONS.md.
import type { AccountAndSlotKeys } from '../../../state/views/state-view.js';
import { ADDRESS_BYTES } from '../../../lib/bytes/big-endian.js';

const SLOT_BYTES = 32;
const SLOT_KEY_BYTES = ADDRESS_BYTES + SLOT_BYTES;

/** Stores addresses and slots in one byte array. As objects, they would be most of what the garbage collector marks. */
export class ChangedKeys {
  readonly #bytes: Uint8Array;
  readonly #addresses: number;

  constructor({ accounts, slots }: AccountAndSlotKeys) {
    this.#addresses = accounts.length;
    this.#bytes = new Uint8Array(accounts.length * ADDRESS_BYTES + slots.length * SLOT_KEY_BYTES);
    let at = 0;
    for (const { address } of accounts) {
      this.#bytes.set(address, at);
      at += ADDRESS_BYTES;
    }
    for (const { address, slot } of slots) {
      this.#bytes.set(address, at);
      this.#bytes.set(slot, at + ADDRESS_BYTES);
      at += SLOT_KEY_BYTES;
    }
  }

  /** Number of bytes that the keys take. */
  get byteLength(): number {
    return this.#bytes.length;
  }

  /** Yields the addresses of changed accounts (20 bytes each), without copying. */
  *accounts(): Generator<AccountAndSlotKeys['accounts'][number]> {
    for (let index = 0; index < this.#addresses; index++)
      yield { address: this.#slice(index * ADDRESS_BYTES, ADDRESS_BYTES) };
  }

  /** Yields the changed slots, without copying. */
  *slots(): Generator<AccountAndSlotKeys['slots'][number]> {
    for (let at = this.#addresses * ADDRESS_BYTES; at < this.#bytes.length; at += SLOT_KEY_BYTES)
      yield { address: this.#slice(at, ADDRESS_BYTES), slot: this.#slice(at + ADDRESS_BYTES, SLOT_BYTES) };
  }

  #slice(at: number, bytes: number): Uint8Array {
    return this.#bytes.subarray(at, at + bytes);
  }
}
