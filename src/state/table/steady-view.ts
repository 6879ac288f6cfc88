// The state at one version of a table that grows: a snapshot stays in the buffer that it was made on, this view follows the
// table into the next one.
// Runs on the publisher.
import type { AccountState, StateView } from '../view.js';
import { TableReader, type Snapshot } from './snapshot.js';

/** Reads a kept version in whichever buffer `table` is now; what is added later is there, too. */
export class SteadyView implements StateView {
  readonly #table: { readonly buffer: SharedArrayBuffer };
  readonly #version: number;
  #buffer: SharedArrayBuffer | null = null;
  #snapshot: Snapshot | null = null;

  /** `table`: the writer's, whose buffer changes when the table grows. */
  constructor(table: { readonly buffer: SharedArrayBuffer }, version: number) {
    this.#table = table;
    this.#version = version;
  }

  /** As StateView; throws StateMiss for what an incomplete table does not hold. */
  account(address: Uint8Array): AccountState | null {
    return this.#now().account(address);
  }

  /** As StateView. */
  code(codeHash: Uint8Array): Uint8Array {
    return this.#now().code(codeHash);
  }

  /** As StateView; throws StateMiss for what an incomplete table does not hold. */
  storage(address: Uint8Array, slot: Uint8Array): Uint8Array {
    return this.#now().storage(address, slot);
  }

  /** As StateView. */
  blockHash(number: number): Uint8Array | null {
    return this.#now().blockHash(number);
  }

  #now(): Snapshot {
    const { buffer } = this.#table;
    if (this.#snapshot === null || this.#buffer !== buffer) {
      this.#snapshot = new TableReader(buffer).snapshot(this.#version);
      this.#buffer = buffer;
    }
    return this.#snapshot;
  }
}
