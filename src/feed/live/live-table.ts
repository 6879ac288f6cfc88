// The shared table of a live chain: incomplete, filled from the upstream node as state is asked for, and begun anew where
// coverage breaks. Table first, then main: whoever hears of a version can read it. Runs on the publisher.
import { LIMITS } from '../../limits.js';
import type { StateDiff } from '../../state/diff.js';
import { TableWriter, type StateFill } from '../../state/table/writer.js';
import { isEmpty, lackedBy, type Wants } from '../../state/recording-view.js';
import { TableReader, type Snapshot } from '../../state/table/snapshot.js';
import type { AccountState, StateView } from '../../state/view.js';
import type { LiveMessage } from './messages.js';
import type { PublishedTransaction } from '../../state/block.js';

/** A block before the first version, for BLOCKHASH. */
export interface Ancestor {
  readonly number: number;
  readonly hash: Uint8Array;
  readonly parentHash: Uint8Array;
}

/** What is announced about a version beside its diff. */
export interface Announcement {
  readonly gasUsed: bigint;
  readonly transactions: readonly PublishedTransaction[];
}

/**
 * Every key in it is known at every version that is kept: what a diff changes is filled before it is published. So a key
 * that is absent has not changed since the first version, and its value after our newest confirmed block is its value
 * at every version.
 */
export class LiveTable {
  readonly #post: (message: LiveMessage) => void;
  #table: TableWriter | null = null;
  #epoch = 0;
  #announcedTable = { epoch: 0, generation: 0 };
  #newest: { readonly buffer: SharedArrayBuffer; readonly snapshot: Snapshot } | null = null;

  constructor(post: (message: LiveMessage) => void) {
    this.#post = post;
  }

  /** Counts the tables that were begun anew; versions and fills belong to one of them. */
  get epoch(): number {
    return this.#epoch;
  }

  get newest(): number {
    return this.#table?.newest ?? 0;
  }

  /** Whether so much is held that it is better begun anew. Nothing is ever taken out of a table. */
  get isFull(): boolean {
    const { accounts, slots } = this.#writer.usage;
    return accounts + slots > LIMITS.liveKeysMax;
  }

  /** A table that knows nothing but where it stands. Answers its first version. */
  start(diff: StateDiff, ancestors: readonly Ancestor[]): number {
    const table = TableWriter.create({ complete: false });
    table.seedHashes(ancestors);
    const version = table.publish(diff);
    this.#table = table;
    this.#epoch++;
    this.#announce(version, diff, null);
    return version;
  }

  /**
   * Publishes a diff all of whose keys are held. `announcement`: `null` where main need not hear. Answers its version.
   */
  publish(diff: StateDiff, announcement: Announcement | null): number {
    const version = this.#writer.publish(diff);
    this.#announce(version, diff, announcement);
    return version;
  }

  /** Adds state read after our newest confirmed block; what is held already is left alone. */
  fill(fill: StateFill): void {
    this.#writer.addMissing(fill);
    this.#announceTable();
  }

  /** Those of `wants` that are not held. */
  lacked(wants: Wants): Wants {
    return isEmpty(wants) ? wants : lackedBy(this.view(), wants);
  }

  /** The state at the newest version; the snapshot stays there. */
  view(): Snapshot {
    const { buffer, newest } = this.#writer;
    const known = this.#newest;
    if (known !== null && known.buffer === buffer && known.snapshot.version === newest) return known.snapshot;
    const snapshot = new TableReader(buffer).snapshot(newest);
    this.#newest = { buffer, snapshot };
    return snapshot;
  }

  /** The state at a kept version, as long as the table is not begun anew; what is filled later is there too. */
  at(version: number): StateView {
    return new SteadyView(this, version);
  }

  /** Of the table at hand: another one when it has grown. */
  get buffer(): SharedArrayBuffer {
    return this.#writer.buffer;
  }

  get #writer(): TableWriter {
    if (this.#table === null) throw new Error('no table has been started');
    return this.#table;
  }

  #announce(version: number, { coordinates }: StateDiff, announcement: Announcement | null): void {
    this.#announceTable();
    if (announcement === null) return;
    const { block, index } = coordinates;
    const { gasUsed } = announcement;
    const transactions = announcement.transactions.map(({ hash, raw, from }) => ({ hash, raw, from }));
    this.#post({ kind: 'published', version, block, index, gasUsed, transactions });
  }

  /** Hands over a table that main does not have: a new one, or the larger one that took its place. */
  #announceTable(): void {
    const { generation, buffer } = this.#writer;
    const known = this.#announcedTable;
    if (known.epoch === this.#epoch && known.generation === generation) return;
    const continues = known.epoch === this.#epoch;
    this.#announcedTable = { epoch: this.#epoch, generation };
    this.#post({ kind: 'table', generation, buffer, continues });
  }
}

/** Follows the table from buffer to buffer: a snapshot stays with the one that it was made on. */
class SteadyView implements StateView {
  readonly #table: LiveTable;
  readonly #version: number;
  #buffer: SharedArrayBuffer | null = null;
  #snapshot: Snapshot | null = null;

  constructor(table: LiveTable, version: number) {
    this.#table = table;
    this.#version = version;
  }

  account(address: Uint8Array): AccountState | null {
    return this.#now().account(address);
  }

  code(codeHash: Uint8Array): Uint8Array {
    return this.#now().code(codeHash);
  }

  storage(address: Uint8Array, slot: Uint8Array): Uint8Array {
    return this.#now().storage(address, slot);
  }

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
