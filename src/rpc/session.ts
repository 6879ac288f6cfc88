// The pinned snapshot from which one body is answered: every tag in it is resolved against the same version, so that
// no answer of a batch contradicts another. Runs on main.
import { rpcError, type RpcError } from '../errors.js';
import type { JobPosition } from '../evm/call.js';
import { toHex, toQuantity } from '../lib/hex.js';
import type { ArchiveReader } from '../state/archive-reader.js';
import type { TransactionPlace } from '../state/archive-keys.js';
import type { CompleteBlock } from '../state/block.js';
import type { Pin } from '../state/pins.js';
import type { Snapshot, TableReader, VersionRecord } from '../state/snapshot.js';
import type { StateView } from '../state/view.js';
import type { AnswerPosition } from './answer.js';
import type { BlockRef } from './arguments.js';

/** Where a block reference leads: state to read, and the number of the block it belongs to. */
export type Position = JobPosition & { readonly block: number };

export interface SessionParts {
  readonly table: TableReader;
  readonly pin: Pin;
  readonly archive: ArchiveReader;
}

/** One per table; begun and ended around every body. */
export class Session {
  /** Hot reads go through this one: aimed at another version without allocating. */
  readonly hot: Snapshot;
  /** The pinned version: what `pending` reads. */
  version: number;
  record: VersionRecord;
  position: AnswerPosition;
  readonly #archive: ArchiveReader;
  readonly #table: TableReader;
  readonly #pin: Pin;

  constructor(parts: SessionParts) {
    this.#table = parts.table;
    this.#pin = parts.pin;
    this.#archive = parts.archive;
    this.version = parts.table.newest();
    this.record = parts.table.record(this.version);
    this.hot = parts.table.snapshot(this.version);
    this.position = positionOf(this.record);
  }

  /** Pins the newest version. */
  begin(): void {
    const version = this.#pin.pinNewest();
    if (version === this.version) return;
    this.version = version;
    this.record = this.#table.record(version);
    this.position = positionOf(this.record);
  }

  end(): void {
    this.#pin.unpin();
  }

  /** Whether `pending` is ahead of `latest`. */
  isPreconfirmed(): boolean {
    return this.version !== this.record.latestVersion;
  }

  /** The version that holds the state after block `number`; 0 when only the archive can have it. */
  versionOf(number: number): number {
    if (number === this.record.heads.latest) return this.record.latestVersion;
    return this.#table.versionOfBlock(number, this.version);
  }

  /** State and block that a reference stands for, seen from the pinned version. */
  resolve(ref: BlockRef): Position | RpcError {
    const { heads } = this.record;
    switch (ref.kind) {
      case 'pending':
        return { kind: 'version', version: this.version, block: this.record.coordinates.block };
      case 'latest':
        return { kind: 'version', version: this.record.latestVersion, block: heads.latest };
      case 'safe':
      case 'finalized':
        return heads[ref.kind] === null ? rpcError('unknownBlock') : this.#atNumber(heads[ref.kind]!);
      case 'earliest':
        return this.#atNumber(0);
      case 'number':
        if (ref.number > BigInt(heads.latest)) return blockNotFound(toQuantity(ref.number));
        return this.#atNumber(Number(ref.number));
      case 'hash':
        return this.#atHash(ref.hash);
    }
  }

  /** The state at a position that `resolve` gave. */
  view(position: Position): StateView {
    if (position.kind === 'version') {
      this.hot.aim(position.version);
      return this.hot;
    }
    const view = this.#archive.viewAt(position.block);
    if (view === null) throw new Error(`the archive lost block ${position.block}`);
    return view;
  }

  /** A complete block of the chain as seen from here. */
  block(number: number): CompleteBlock | null {
    return number > this.record.heads.latest ? null : this.#archived((archive) => archive.block(number));
  }

  /** RLP header of a complete block. */
  header(number: number): Uint8Array | null {
    return number > this.record.heads.latest ? null : this.#archived((archive) => archive.header(number));
  }

  /** Where a confirmed transaction stands. */
  transaction(hash: Uint8Array): TransactionPlace | null {
    const place = this.#archived((archive) => archive.transaction(hash));
    return place !== null && place.block <= this.record.heads.latest ? place : null;
  }

  #atNumber(block: number): Position | RpcError {
    const version = this.versionOf(block);
    if (version !== 0) return { kind: 'version', version, block };
    if (this.header(block) !== null) return { kind: 'archive', block };
    return rpcError('stateNotKept', `missing trie node: state at block ${block} is not available`);
  }

  #atHash(hash: Uint8Array): Position | RpcError {
    const number = this.#archived((archive) => archive.numberOfHash(hash));
    if (number !== null && number <= this.record.heads.latest) return this.#atNumber(number);
    return blockNotFound(toHex(hash));
  }

  /**
   * Reads the archive. A commit is seen from the next turn of the event loop on, but the version that belongs to it at
   * once: what is missing is looked for again in the newest commit.
   */
  #archived<T>(read: (archive: ArchiveReader) => T | null): T | null {
    const found = read(this.#archive);
    if (found !== null) return found;
    this.#archive.refresh();
    return read(this.#archive);
  }
}

function blockNotFound(block: string): RpcError {
  return rpcError('blockNotFound', `block not found: ${block}`);
}

function positionOf(record: VersionRecord): AnswerPosition {
  const { coordinates, publishedAtMs } = record;
  return { block: coordinates.block, index: coordinates.index, publishedAtMs };
}
