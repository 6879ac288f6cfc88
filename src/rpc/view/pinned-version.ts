// The version that main answers from: its pin, and what is known of it. Runs on main.
import type { VersionPins } from '../../state/version-pins.js';
import type { Pin } from '../../state/table/layout/pins.js';
import {
  HASH_NOT_CANONICAL,
  type Snapshot,
  type TableReader,
  type VersionRecord,
} from '../../state/table/read/snapshot.js';
import type { AnswerPosition } from '../answer/answer.js';

/** Parts of a PinnedVersion. */
export interface PinnedVersionParts {
  readonly table: TableReader;
  /** Taken around every body. */
  readonly pin: Pin;
  /** Versions that are needed for longer than one turn of the event loop. */
  readonly pins: VersionPins;
}

/** One per table, aimed at a version around every body. */
export class PinnedVersion {
  /** The one snapshot that all reads go through: aimed at another version without allocating. */
  readonly snapshot: Snapshot;
  /** The version's number: what `pending` reads. */
  version: number;
  record: VersionRecord;
  /** Position that an answer from this version tells. */
  position: AnswerPosition;
  readonly #table: TableReader;
  readonly #pin: Pin;
  readonly #pins: VersionPins;

  constructor({ table, pin, pins }: PinnedVersionParts) {
    this.#table = table;
    this.#pin = pin;
    this.#pins = pins;
    this.version = table.newest();
    this.record = table.record(this.version);
    this.snapshot = table.snapshot(this.version);
    this.position = positionOf(this.record);
  }

  /** Pins the newest version. */
  begin(): void {
    const version = this.#pin.pinNewest();
    if (version !== this.version) this.#set(version);
  }

  /** Aims at the newest version without a pin: for reads that may fail, and end before this returns to the event loop. */
  refresh(): void {
    const version = this.#table.newest();
    if (version !== this.version) this.#set(version);
  }

  /** Pins an older version again; false when it is not kept any more, and nothing is pinned then. */
  beginAt(version: number): boolean {
    if (!this.#pin.pin(version)) return false;
    this.#set(version);
    return true;
  }

  /** Keeps the version until the answer is called, for `beginAt` in later turns of the event loop. */
  hold(): () => void {
    return this.#pins.hold(this.version);
  }

  /** Ends what `begin` or `beginAt` began. */
  end(): void {
    this.#pin.unpin();
  }

  /** True if `pending` is ahead of `latest`. */
  isPreconfirmed(): boolean {
    return this.version !== this.record.latestVersion;
  }

  /** The version that holds the state after block `number`; 0 when only the archive can have it. */
  versionOf(number: number): number {
    if (number === this.record.heads.latest) return this.record.latestVersion;
    return this.#table.versionOfBlock(number, this.version);
  }

  /**
   * The version that holds the state after block `number`, which is pre-confirmed as the parent of what is shown; 0 where that
   * is not kept. What replaces a block replaces those above it, so its last version is the newest that is not above it.
   */
  versionBelow(number: number): number {
    let { version } = this;
    while (this.#table.isKept(version) && this.#table.record(version).coordinates.block > number) version--;
    const isHere = this.#table.isKept(version) && this.#table.record(version).coordinates.block === number;
    return isHere ? version : 0;
  }

  /** Number of the canonical block with this hash, `null` where none is known. */
  numberOf(hash: Uint8Array): number | null {
    const number = this.#table.blockOfHash(hash, this.version);
    return number < 0 ? null : number;
  }

  /** True if the block with this hash is known, and is not part of the chain. */
  hasLeft(hash: Uint8Array): boolean {
    return this.#table.blockOfHash(hash, this.version) === HASH_NOT_CANONICAL;
  }

  /** Hash of a block, `null` where it is not known any more. */
  hashOf(number: number): Uint8Array | null {
    this.snapshot.aim(this.version);
    return this.snapshot.blockHash(number);
  }

  #set(version: number): void {
    this.version = version;
    this.record = this.#table.record(version);
    this.position = positionOf(this.record);
  }
}

function positionOf({ coordinates, publishedAtMs }: VersionRecord): AnswerPosition {
  return { block: coordinates.block, index: coordinates.index, publishedAtMs };
}
