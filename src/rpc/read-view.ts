// The pinned snapshot from which one body is answered: every tag in it is resolved against the same version, so that
// no answer of a batch contradicts another. Runs on main.
import { blockNotFound, rpcError, type RpcError } from '../errors.js';
import type { JobPosition } from '../transaction/call-request.js';
import { toHex, toQuantity } from '../lib/hex.js';
import type { ArchiveReader } from '../state/archive/reader.js';
import type { TransactionPlace } from '../state/archive/keys.js';
import type { CompleteBlock } from '../state/block.js';
import type { VersionPins } from '../state/version-pins.js';
import type { BlockEnv } from '../state/diff.js';
import type { Pin } from '../state/table/pins.js';
import type { RecentBlocks } from '../state/recent-blocks.js';
import { RecordingView, type Wants } from '../state/recording-view.js';
import type { Snapshot, TableReader, VersionRecord } from '../state/table/snapshot.js';
import type { StateView } from '../state/view.js';
import type { AnswerPosition } from './answer.js';
import type { BlockRef } from './methods/arguments.js';

/**
 * Where a block reference leads: state to read, and the number of the block it belongs to; or the same block as a
 * parameter for the upstream node, which alone may know its state.
 */
export type Position = LocalPosition | UpstreamPosition;
export type LocalPosition = JobPosition & { readonly block: number };

export interface UpstreamPosition {
  readonly kind: 'upstream';
  /** EIP-1898: never a tag, which might mean another block there. */
  readonly ref: string | { readonly blockHash: string };
}

/** Blocks and old state of a chain that lies here whole, or the newest blocks of a live one. */
export type BlockSource =
  | { readonly kind: 'archive'; readonly archive: ArchiveReader }
  | { readonly kind: 'live'; readonly recent: RecentBlocks };

export interface ReadViewParts {
  readonly table: TableReader;
  readonly pin: Pin;
  /** Versions that are needed for longer than one turn of the event loop. */
  readonly pins: VersionPins;
  /** Counts the tables that began anew: versions of one mean nothing in another. */
  readonly epoch: number;
  readonly source: BlockSource;
}

/** One per table; begun and ended around every body. */
export class ReadView {
  /** The one snapshot that all reads go through: aimed at another version without allocating. */
  readonly snapshot: Snapshot;
  readonly epoch: number;
  /** The pinned version: what `pending` reads. */
  version: number;
  record: VersionRecord;
  position: AnswerPosition;
  /** What was read and is not held, since `begin`: then no result counts. */
  #recorder: RecordingView | null = null;
  /** Of the version that was asked for last beside the pinned one. */
  #other: VersionRecord | null = null;
  readonly #source: BlockSource;
  readonly #table: TableReader;
  readonly #pin: Pin;
  readonly #pins: VersionPins;

  constructor(parts: ReadViewParts) {
    this.#table = parts.table;
    this.#pin = parts.pin;
    this.#pins = parts.pins;
    this.epoch = parts.epoch;
    this.#source = parts.source;
    this.version = parts.table.newest();
    this.record = parts.table.record(this.version);
    this.snapshot = parts.table.snapshot(this.version);
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

  /** Pins an older version again; false when it is not kept any more, and nothing is pinned then. */
  beginAt(version: number): boolean {
    if (!this.#pin.pin(version)) return false;
    this.version = version;
    this.record = this.#table.record(version);
    this.position = positionOf(this.record);
    return true;
  }

  /** Keeps the pinned version until the answer is called, for `beginAt` in later turns of the event loop. */
  hold(): () => void {
    return this.#pins.hold(this.version);
  }

  /** What has been read since the last call of this and is not held; `null`: nothing. */
  takeWants(): Wants | null {
    const recorder = this.#recorder;
    this.#recorder = null;
    return recorder?.hasMissed === true ? recorder.wants : null;
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
  view(position: LocalPosition): StateView {
    if (position.kind === 'version') {
      this.snapshot.aim(position.version);
      return this.#table.isComplete ? this.snapshot : (this.#recorder = new RecordingView(this.snapshot));
    }
    const view = this.#archived((archive) => archive.viewAt(position.block));
    if (view === null) throw new Error(`the archive lost block ${position.block}`);
    return view;
  }

  /** State and block environment of a version, for what runs no code; throws VersionNotKept, or StateMiss when it is read. */
  stateAt(version: number): { readonly view: Snapshot; readonly env: BlockEnv } {
    this.snapshot.aim(version);
    if (version === this.version) return { view: this.snapshot, env: this.record.env };
    if (this.#other?.version !== version) this.#other = this.#table.record(version);
    return { view: this.snapshot, env: this.#other.env };
  }

  /** What a complete block is known by for good: its hash where blocks may be replaced. `null`: it is not here. */
  blockKey(number: number): string | null {
    if (number > this.record.heads.latest) return null;
    if (this.#source.kind === 'archive') return `${number}`;
    const hash = this.#hashOf(number);
    return hash === null ? null : toHex(hash);
  }

  /** A complete block of the chain as seen from here. */
  block(number: number): CompleteBlock | null {
    if (number > this.record.heads.latest) return null;
    return this.#source.kind === 'live'
      ? this.#recent((recent, hash) => recent.block(hash), number)
      : this.#archived((archive) => archive.block(number));
  }

  /** RLP header of a complete block. */
  header(number: number): Uint8Array | null {
    if (number > this.record.heads.latest) return null;
    return this.#source.kind === 'live'
      ? this.#recent((recent, hash) => recent.record(hash)?.header ?? null, number)
      : this.#archived((archive) => archive.header(number));
  }

  /** How to ask the upstream node for a block that is not here; `null` where there is no such node. */
  upstreamRef(number: number): UpstreamPosition | null {
    return this.#source.kind === 'live' ? { kind: 'upstream', ref: this.#refOf(number) } : null;
  }

  /** Where a confirmed transaction stands. */
  transaction(hash: Uint8Array): TransactionPlace | null {
    const place = this.#archived((archive) => archive.transaction(hash));
    return place !== null && place.block <= this.record.heads.latest ? place : null;
  }

  #atNumber(block: number): Position | RpcError {
    const version = this.versionOf(block);
    if (version !== 0) return { kind: 'version', version, block };
    if (this.#source.kind === 'live') return { kind: 'upstream', ref: this.#refOf(block) };
    if (this.header(block) !== null) return { kind: 'archive', block };
    return rpcError('stateNotKept', `missing trie node: state at block ${block} is not available`);
  }

  /** By hash where it is known: the chain may turn another way before the node is asked. */
  #refOf(block: number): UpstreamPosition['ref'] {
    const hash = this.#hashOf(block);
    return hash === null ? toQuantity(block) : { blockHash: toHex(hash) };
  }

  #hashOf(block: number): Uint8Array | null {
    this.snapshot.aim(this.version);
    return this.snapshot.blockHash(block);
  }

  #atHash(hash: Uint8Array): Position | RpcError {
    if (this.#source.kind === 'live') {
      const block = this.#table.blockOfHash(hash, this.version);
      return block >= 0 ? this.#atNumber(block) : { kind: 'upstream', ref: { blockHash: toHex(hash) } };
    }
    const number = this.#archived((archive) => archive.numberOfHash(hash));
    if (number !== null && number <= this.record.heads.latest) return this.#atNumber(number);
    return blockNotFound(toHex(hash));
  }

  /**
   * Reads the archive. A commit is seen from the next turn of the event loop on, but the version that belongs to it at
   * once: what is missing is looked for again in the newest commit.
   */
  #archived<T>(read: (archive: ArchiveReader) => T | null): T | null {
    if (this.#source.kind !== 'archive') return null;
    const { archive } = this.#source;
    const found = read(archive);
    if (found !== null) return found;
    archive.refresh();
    return read(archive);
  }

  #recent<T>(read: (recent: RecentBlocks, hash: Uint8Array) => T | null, number: number): T | null {
    const hash = this.#source.kind === 'live' ? this.#hashOf(number) : null;
    return hash === null || this.#source.kind !== 'live' ? null : read(this.#source.recent, hash);
  }
}

function positionOf(record: VersionRecord): AnswerPosition {
  const { coordinates, publishedAtMs } = record;
  return { block: coordinates.block, index: coordinates.index, publishedAtMs };
}
