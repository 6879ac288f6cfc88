// The key of an account or a slot as 32-bit words, exactly as it is stored in an entry of the state table.

/** A buffer for one key. It is reused: each call of a setter overwrites the key. */
export class PackedKey {
  /** The address in words 0 to 4, the slot in words 5 to 12. */
  readonly words = new Uint32Array(13);
  readonly #bytes = new Uint8Array(this.words.buffer);

  /** Sets the key of an account; `address` has 20 bytes. */
  setAddress(address: Uint8Array): void {
    this.#bytes.set(address);
  }

  /** Sets the key of a slot; `address` has 20 bytes, `slot` 32. */
  setSlot(address: Uint8Array, slot: Uint8Array): void {
    this.#bytes.set(address);
    this.#bytes.set(slot, 20);
  }
}
