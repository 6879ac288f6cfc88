// Caches contract codes by their hash.
import { LIMITS } from '../../limits/index.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { keccak256 } from '../../lib/bytes/keccak-wasm.js';
import type { CodeChange } from '../../state/state-diff.js';
import { EMPTY_CODE_HASH, type StateView } from '../../state/views/state-view.js';
import { latin1Key } from '../../lib/bytes/latin1-key.js';
import { EMPTY_BYTES } from '../../lib/bytes/big-endian.js';

/**
 * Cache of contract codes by code hash. It contains codes that were read (they survive a reset, because a hash always
 * means the same code), and codes that were created since the last reset.
 */
export class CodeStore {
  #known = new Map<string, Uint8Array>();
  /** Total length of the cached codes in bytes. */
  #bytes = 0;
  #made = new Map<string, CodeChange>();

  /**
   * From now on, no cached code counts as newly created. Drops all codes if they exceed `codesKeptMax` or
   * `codeBytesKeptMax`.
   */
  reset(): void {
    // Replaced instead of cleared, for the reason given in JournaledState's `#forget`.
    if (this.#made.size > 0) this.#made = new Map();
    if (this.#known.size <= LIMITS.codesKeptMax && this.#bytes <= LIMITS.codeBytesKeptMax) return;
    this.#known = new Map();
    this.#bytes = 0;
  }

  /**
   * Returns the code with this hash; calls with the same hash return the same object. If the code is not cached, it is
   * read from `view` and copied.
   */
  get(hash: Uint8Array, view: StateView): Uint8Array {
    if (sameBytes(hash, EMPTY_CODE_HASH)) return EMPTY_BYTES;
    const key = latin1Key(hash);
    let code = this.#known.get(key);
    if (code === undefined) this.#keep(key, (code = view.code(hash).slice()));
    return code;
  }

  /** Returns the code with this hash if it is cached. */
  known(hash: Uint8Array): Uint8Array | undefined {
    return this.#known.get(latin1Key(hash));
  }

  /** Caches a copy of new code, and returns its hash. */
  add(bytes: Uint8Array): Uint8Array {
    if (bytes.length === 0) return EMPTY_CODE_HASH;
    const code = bytes.slice();
    const hash = keccak256(code);
    this.addHashed(hash, code);
    return hash;
  }

  /** Caches new code whose hash is already known. */
  addHashed(hash: Uint8Array, bytes: Uint8Array): void {
    const key = latin1Key(hash);
    this.#keep(key, bytes);
    this.#made.set(key, { hash, bytes });
  }

  #keep(key: string, code: Uint8Array): void {
    this.#bytes += code.length;
    this.#known.set(key, code);
  }

  /** Returns the code with this hash if it is new and was not returned by this method before. */
  takeNew(hash: Uint8Array): CodeChange | undefined {
    const key = latin1Key(hash);
    const code = this.#made.get(key);
    this.#made.delete(key);
    return code;
  }
}
