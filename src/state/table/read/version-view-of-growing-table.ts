// A view of the state at one version of a growing table. A snapshot always reads the buffer for which it was created.
// This view also continues when the table moves to a larger buffer.
//
// The new buffer may lack the code of an account that was evicted after the view had read it. The view then keeps a
// copy of the code.
import type { AccountState, StateView } from '../../views/state-view.js';
import { ByteMap } from '../../../lib/bytes/byte-map.js';
import { TableReader, type Snapshot } from './table-reader-and-snapshot.js';

/**
 * Reads a retained version, always from the current buffer of `table`. State that is added to the table later is
 * visible, too.
 */
export class VersionViewAcrossTables implements StateView {
  readonly #table: { readonly buffer: SharedArrayBuffer };
  readonly #version: number;
  #buffer: SharedArrayBuffer | null = null;
  #snapshot: Snapshot | null = null;
  /** `#hashes`: code hashes of the accounts that were read. `#codes`: copies of codes that the buffer lacks. */
  readonly #hashes = new Set<Uint8Array>();
  readonly #codes = new ByteMap<Uint8Array>();

  /** `table` is the writer's table, whose buffer changes when it grows. */
  constructor(table: { readonly buffer: SharedArrayBuffer }, version: number) {
    this.#table = table;
    this.#version = version;
  }

  /** Implements StateView. Throws StateMiss if an incomplete table lacks the account. */
  account(address: Uint8Array): AccountState | null {
    const account = this.#now().account(address);
    if (account !== null) this.#hashes.add(account.codeHash);
    return account;
  }

  code(codeHash: Uint8Array): Uint8Array {
    const snapshot = this.#now();
    return this.#codes.get(codeHash) ?? snapshot.code(codeHash);
  }

  /** Implements StateView. Throws StateMiss if an incomplete table lacks the slot. */
  storage(address: Uint8Array, slot: Uint8Array): Uint8Array {
    return this.#now().storage(address, slot);
  }

  blockHash(number: number): Uint8Array | null {
    return this.#now().blockHash(number);
  }

  #now(): Snapshot {
    const { buffer } = this.#table;
    if (this.#snapshot === null || this.#buffer !== buffer) {
      const next = new TableReader(buffer).snapshot(this.#version);
      if (this.#snapshot !== null) this.#keepCodes(this.#snapshot, next);
      this.#snapshot = next;
      this.#buffer = buffer;
    }
    return this.#snapshot;
  }

  #keepCodes(before: Snapshot, next: Snapshot): void {
    for (const hash of this.#hashes)
      if (!next.hasCode(hash) && before.hasCode(hash)) this.#codes.set(hash, before.code(hash).slice());
  }
}
