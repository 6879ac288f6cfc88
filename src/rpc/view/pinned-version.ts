// The state version from which the main thread answers a request body: its number, its pin and its record.
import { VersionPins } from '../../state/version-pins.js';
import type { Pin } from '../../state/table/layout/reader-pins.js';
import {
  HASH_NOT_CANONICAL,
  type Snapshot,
  type TableReader,
  type VersionRecord,
} from '../../state/table/read/table-reader-and-snapshot.js';
import type { AnsweredStatePosition } from '../answer/request-response-types.js';

/** The version of one state table that is used for the current body. */
export class PinnedVersion {
  /** The one snapshot that all reads use. It is moved from version to version without allocating memory. */
  readonly snapshot: Snapshot;
  /** Number of the version. Its state is the state at `pending`. */
  version: number;
  record: VersionRecord;
  /** The position that response headers report for this version. */
  position: AnsweredStatePosition;
  /**
   * Index of the newest increment whose transactions the responses to the current body may contain; `null` until it is
   * first needed. The main thread receives transactions later than the state. The index is fixed, so that no response
   * of a batch lacks a transaction that another one contains.
   */
  announcedIndex: number | null = null;
  readonly #table: TableReader;
  /** Keeps the version from being reclaimed while the calls of one request body are answered. */
  readonly #pin: Pin;
  /** Keep those versions from being reclaimed that are needed for longer than one event-loop tick. */
  readonly #pins: VersionPins;

  constructor(table: TableReader) {
    this.#table = table;
    this.#pin = table.acquirePin();
    this.#pins = new VersionPins(table.acquirePin());
    this.version = table.newest();
    this.record = table.record(this.version);
    this.snapshot = table.snapshot(this.version);
    this.position = positionOf(this.record);
  }

  /** Pins the newest version for a body. */
  begin(): void {
    this.announcedIndex = null;
    const version = this.#pin.pinNewest();
    if (version !== this.version) this.#set(version);
  }

  /** Moves to the newest version without a pin, for reads that may fail and end within the same event-loop tick. */
  refresh(): void {
    const version = this.#table.newest();
    if (version !== this.version) this.#set(version);
  }

  /**
   * Pins an older version again, to continue answering a body. `announcedIndex` is the value that it had for this body
   * before. Returns false, and pins nothing, if that version is no longer retained.
   */
  beginAt(version: number, announcedIndex: number | null = null): boolean {
    if (!this.#pin.pin(version)) return false;
    this.announcedIndex = announcedIndex;
    this.#set(version);
    return true;
  }

  /**
   * Retains the version, so that `beginAt` succeeds in later event-loop ticks, until the returned function is called.
   */
  hold(): () => void {
    return this.#pins.retain(this.version);
  }

  /** Releases the pin of `begin` or `beginAt`. */
  end(): void {
    this.#pin.unpin();
  }

  /** True if the state at `pending` is newer than the state at `latest`. */
  isPreconfirmed(): boolean {
    return this.version !== this.record.latestVersion;
  }

  /** Returns the version with the state after block `number`; 0 if only the archive may have that state. */
  versionOf(number: number): number {
    if (number === this.record.heads.latest) return this.record.latestVersion;
    return this.#table.versionOfBlock(number, this.version);
  }

  /**
   * Returns the version with the state after pre-confirmed block `number`, on which another pre-confirmed block is
   * built; 0 if that version is not retained. It is the newest version whose block number is not higher than `number`,
   * because replacing a block also replaces the blocks on top of it.
   */
  versionBelow(number: number): number {
    let { version } = this;
    while (this.#table.isKept(version) && this.#table.record(version).coordinates.block > number) version--;
    const isHere = this.#table.isKept(version) && this.#table.record(version).coordinates.block === number;
    return isHere ? version : 0;
  }

  /** Returns the number of the canonical block with this hash; `null` if none is known. */
  numberOf(hash: Uint8Array): number | null {
    const number = this.#table.blockOfHash(hash, this.version);
    return number < 0 ? null : number;
  }

  /** True if the block with this hash is known but not canonical. */
  hasLeft(hash: Uint8Array): boolean {
    return this.#table.blockOfHash(hash, this.version) === HASH_NOT_CANONICAL;
  }

  /** Returns the hash of a block; `null` if it is no longer known. */
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

function positionOf({ coordinates, publishedAtMs }: VersionRecord): AnsweredStatePosition {
  return { block: coordinates.block, index: coordinates.index, publishedAtMs };
}
