// The key of an account or a slot as 32-bit words in memory order, as stored in an entry.

/** Allocated once; each `set` overwrites the key before. */
export class PackedKey {
  /** Address in words 0-4, slot in words 5-12. */
  readonly words = new Uint32Array(13);
  readonly #bytes = new Uint8Array(this.words.buffer);

  /** `address`: 20 bytes. */
  setAddress(address: Uint8Array): void {
    this.#bytes.set(address);
  }

  /** `address`: 20 bytes; `slot`: 32 bytes. */
  setSlot(address: Uint8Array, slot: Uint8Array): void {
    this.#bytes.set(address);
    this.#bytes.set(slot, 20);
  }
}
