// The pinned snapshot from which one body is answered: every tag in it is resolved against the same version, so that
// no answer of a batch contradicts another. Runs on main.
import { rpcError, type RpcError } from '../errors.js';
import type { JobPosition } from '../evm/call.js';
import { toHex, toQuantity } from '../lib/hex.js';
import type { ArchiveReader } from '../state/archive-reader.js';
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
  readonly archive: ArchiveReader;
  /** Hot reads go through this one: aimed at another version without allocating. */
  readonly hot: Snapshot;
  /** The pinned version: what `pending` reads. */
  version: number;
  record: VersionRecord;
  position: AnswerPosition;
  readonly #table: TableReader;
  readonly #pin: Pin;

  constructor(parts: SessionParts) {
    this.#table = parts.table;
    this.#pin = parts.pin;
    this.archive = parts.archive;
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
    const view = this.archive.viewAt(position.block);
    if (view === null) throw new Error(`the archive lost block ${position.block}`);
    return view;
  }

  /** A complete block of the canonical chain. */
  block(number: number): CompleteBlock | null {
    const record = this.archive.record(number);
    const body = record === null ? null : this.archive.body(number);
    return record === null || body === null ? null : { number, ...record, ...body };
  }

  #atNumber(block: number): Position | RpcError {
    const version = this.versionOf(block);
    if (version !== 0) return { kind: 'version', version, block };
    if (this.archive.record(block) !== null) return { kind: 'archive', block };
    return rpcError('stateNotKept', `missing trie node: state at block ${block} is not available`);
  }

  #atHash(hash: Uint8Array): Position | RpcError {
    const number = this.archive.numberOfHash(hash);
    if (number !== null && number <= this.record.heads.latest) return this.#atNumber(number);
    return blockNotFound(toHex(hash));
  }
}

function blockNotFound(block: string): RpcError {
  return rpcError('blockNotFound', `block not found: ${block}`);
}

function positionOf(record: VersionRecord): AnswerPosition {
  const { coordinates, publishedAtMs } = record;
  return { block: coordinates.block, index: coordinates.index, publishedAtMs };
}
