// A set of accounts whose nonce at `pending` the addon must not answer from the state, because submitted transactions
// change it. It is one sorted array, which the addon reads directly.
import { Buffer } from 'node:buffer';
import { ADDRESS_BYTES } from '../../lib/bytes/big-endian.js';

const ADDRESS_WORDS = ADDRESS_BYTES / Uint32Array.BYTES_PER_ELEMENT;

/**
 * A bounded set of addresses. The addon searches the set for each request of a nonce at `pending`. If the set is empty,
 * this takes one comparison.
 */
export class SubmittedNonceAddresses {
  /** First word: number of addresses. Then the 20 bytes of each address, which fill five words. */
  readonly words: Uint32Array;
  readonly #bytes: Buffer;

  constructor(accountsMax: number) {
    this.words = new Uint32Array(1 + accountsMax * ADDRESS_WORDS);
    this.#bytes = Buffer.from(this.words.buffer, Uint32Array.BYTES_PER_ELEMENT);
  }

  /** Number of addresses. */
  get size(): number {
    return this.words[0]!;
  }

  /** Adds an address, 20 bytes. */
  add(address: Uint8Array): void {
    const index = this.#indexOf(address);
    if (this.#isAt(index, address)) return;
    const at = index * ADDRESS_BYTES;
    if (at === this.#bytes.length) throw new Error('more accounts are guarded than there is room for');
    this.#bytes.copyWithin(at + ADDRESS_BYTES, at, this.size * ADDRESS_BYTES);
    this.#bytes.set(address, at);
    this.words[0]!++;
  }

  /** Removes an address, if it is present. */
  delete(address: Uint8Array): void {
    const index = this.#indexOf(address);
    if (!this.#isAt(index, address)) return;
    const at = index * ADDRESS_BYTES;
    this.#bytes.copyWithin(at, at + ADDRESS_BYTES, this.size * ADDRESS_BYTES);
    this.words[0]!--;
  }

  /** Returns the index of the first address in the set that is not less than this address. */
  #indexOf(address: Uint8Array): number {
    let [low, high] = [0, this.size];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (Buffer.compare(this.#at(middle), address) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #isAt(index: number, address: Uint8Array): boolean {
    return index < this.size && Buffer.compare(this.#at(index), address) === 0;
  }

  #at(index: number): Buffer {
    return this.#bytes.subarray(index * ADDRESS_BYTES, (index + 1) * ADDRESS_BYTES);
  }
}
