// The view of the state from which one request body is answered. All block tags in the body refer to one pinned state
// version, so that no two responses of a batch contradict each other.
import { blockNotFound, rpcError, stateNotRetained, type RpcError } from '../../rpc-errors.js';
import type { JobReadPosition } from '../../transaction/evm-job.js';
import { toHex, toQuantity } from '../../lib/bytes/hex.js';
import type { BlockEnv } from '../../state/state-diff.js';
import { MissRecordingView, type MissingKeys } from '../../state/views/miss-recording-view.js';
import type { Snapshot, TableReader, VersionRecord } from '../../state/table/read/table-reader-and-snapshot.js';
import type { StateView } from '../../state/views/state-view.js';
import { StoredBlocks, type CompleteBlockSource, type UpstreamBlockRef } from './stored-blocks.js';
import type { PlainReads } from '../reads/native-plain-reads.js';
import { PinnedVersion } from './pinned-version.js';
import type { BlockParam } from './block-param-types.js';

/**
 * What a block parameter refers to: a state in this process, with its block number, or a reference to a block at the
 * upstream node, if only the node may have that state.
 */
export type ResolvedBlockPosition = LocalPosition | UpstreamBlockRef;
/** A position whose state is in this process, with the number of its block. */
export type LocalPosition = JobReadPosition & { readonly block: number };

interface ReadViewDeps {
  readonly table: TableReader;
  /** Number of resets of the state table. Version numbers from before a reset mean nothing after it. */
  readonly epoch: number;
  readonly source: CompleteBlockSource;
  readonly missCount: MissCounter;
  /** Answers plain reads through the addon; `null` if they are answered like all other calls. */
  readonly plainReads: PlainReads | null;
}

/** Counts reads of state that is missing in the table, over all state tables so far. */
export interface MissCounter {
  count: number;
}

function isZero(hash: Uint8Array): boolean {
  return hash.every((byte) => byte === 0);
}

/**
 * Reads the state and blocks of one state table. A version is pinned before each request body and released after it.
 */
export class ReadView {
  readonly pinned: PinnedVersion;
  readonly blocks: StoredBlocks;
  readonly epoch: number;
  readonly plainReads: PlainReads | null;
  readonly #table: TableReader;
  readonly #missCount: MissCounter;
  /**
   * Records which accounts and slots were read but missing since the last `takeMissingKeys`. If there are any, no
   * result computed since then is valid.
   */
  #recorder: MissRecordingView | null = null;
  /** Record of the version, other than the pinned version, that was used last. */
  #other: VersionRecord | null = null;

  constructor(deps: ReadViewDeps) {
    this.#table = deps.table;
    this.#missCount = deps.missCount;
    this.epoch = deps.epoch;
    this.plainReads = deps.plainReads;
    this.pinned = new PinnedVersion(deps.table);
    this.blocks = new StoredBlocks(this.pinned, deps.source);
  }

  /** Pins the newest state version while `read` runs, and returns its result. */
  atNewest<T>(read: (readView: ReadView) => T): T {
    this.pinned.begin();
    try {
      return read(this);
    } finally {
      this.pinned.end();
    }
  }

  /** Returns the state that was missed since the last call; `null` if there is none. */
  takeMissingKeys(): MissingKeys | null {
    const recorder = this.#recorder;
    this.#recorder = null;
    if (recorder?.hasMissed !== true) return null;
    this.#missCount.count += recorder.count;
    return recorder.missingKeys;
  }

  /** True if a read has missed state since the last `takeMissingKeys`. */
  get hasMissed(): boolean {
    return this.#recorder?.hasMissed === true;
  }

  /** Finds the state and block to which a block parameter refers in the pinned version. */
  resolve(ref: BlockParam): ResolvedBlockPosition | RpcError {
    const { version, record } = this.pinned;
    const { heads } = record;
    switch (ref.kind) {
      case 'pending':
        return { kind: 'version', version, block: record.coordinates.block };
      case 'latest':
        return { kind: 'version', version: record.latestVersion, block: heads.latest };
      case 'safe':
      case 'finalized':
        return heads[ref.kind] === null ? rpcError('unknownBlock') : this.#atNumber(heads[ref.kind]!);
      case 'earliest':
        return this.#atNumber(0);
      case 'number':
        return ref.number > BigInt(heads.latest) ? this.#ahead(ref) : this.#atNumber(Number(ref.number));
      case 'hash':
        return isZero(ref.hash) ? this.#ahead(ref) : this.#atHash(ref.hash, ref.requireCanonical === true);
    }
  }

  /**
   * Returns the number of the pre-confirmed block to which a block parameter refers: by tag, by number, or by the hash
   * of zeros that receipts have in place of its hash. Returns `null` if it refers to another block.
   */
  preConfirmedNumber(ref: BlockParam): number | null {
    const { coordinates, heads } = this.pinned.record;
    if (!this.pinned.isPreconfirmed()) return null;
    if (ref.kind === 'pending' || (ref.kind === 'hash' && isZero(ref.hash))) return coordinates.block;
    const isAhead =
      ref.kind === 'number' && ref.number > BigInt(heads.latest) && ref.number <= BigInt(coordinates.block);
    return isAhead ? Number(ref.number) : null;
  }

  /** Returns the state of the pinned version, which `pending` reads. */
  pendingState(): StateView {
    const { version, record } = this.pinned;
    return this.view({ kind: 'version', version, block: record.coordinates.block });
  }

  /** Returns the state at a position that `resolve` has returned. */
  view(position: LocalPosition): StateView {
    if (position.kind === 'version') {
      const { snapshot } = this.pinned;
      snapshot.aim(position.version);
      return this.#table.isComplete ? snapshot : (this.#recorder = new MissRecordingView(snapshot));
    }
    const view = this.blocks.archivedState(position.block);
    if (view === null) throw new Error(`the archive lost block ${position.block}`);
    return view;
  }

  /**
   * Returns state and block environment of a version, for estimates that execute no code. Throws `VersionNotKept`;
   * later reads may throw `StateMiss`.
   */
  stateAt(version: number): { readonly view: Snapshot; readonly env: BlockEnv } {
    const { snapshot: view, record } = this.pinned;
    view.aim(version);
    if (version === this.pinned.version) return { view, env: record.env };
    if (this.#other?.version !== version) this.#other = this.#table.record(version);
    return { view, env: this.#other.env };
  }

  /**
   * Resolves a number or hash for which there is no complete block: it may be a pre-confirmed block, or a block at the
   * node.
   */
  #ahead(ref: Extract<BlockParam, { kind: 'number' | 'hash' }>): ResolvedBlockPosition | RpcError {
    const { pinned } = this;
    const block = this.preConfirmedNumber(ref);
    if (block === null) return blockNotFound(ref.kind === 'number' ? toQuantity(ref.number) : toHex(ref.hash));
    const version = block === pinned.record.coordinates.block ? pinned.version : pinned.versionBelow(block);
    return version === 0 ? rpcError('stateNotKept') : { kind: 'version', version, block };
  }

  #atNumber(block: number): ResolvedBlockPosition | RpcError {
    const version = this.pinned.versionOf(block);
    if (version !== 0) return { kind: 'version', version, block };
    const upstream = this.blocks.upstream(block);
    if (upstream !== null) return upstream;
    if (this.blocks.header(block) !== null) return { kind: 'archive', block };
    return stateNotRetained(block);
  }

  /**
   * Resolves a block hash. If our chain does not contain the block, returns a reference for the upstream node, which
   * may be ahead of us or may have retained a removed block.
   */
  #atHash(hash: Uint8Array, requireCanonical: boolean): ResolvedBlockPosition | RpcError {
    const number = this.blocks.numberOf(hash);
    if (number === null && requireCanonical && this.pinned.hasLeft(hash)) return rpcError('notCanonical');
    const elsewhere = this.blocks.upstreamByHash(hash, requireCanonical);
    if (number === null) return elsewhere === null ? blockNotFound(toHex(hash)) : { ...elsewhere, isUnknown: true };
    const position = this.#atNumber(number);
    return elsewhere !== null && !('error' in position) && position.kind === 'upstream' ? elsewhere : position;
  }
}

/** Returns the block number that a number or tag means; `null` if it is unknown. */
export function blockNumberOf(ref: BlockParam, { pinned }: ReadView): bigint | null {
  const { heads, coordinates } = pinned.record;
  switch (ref.kind) {
    case 'pending':
      return BigInt(pinned.isPreconfirmed() ? coordinates.block : heads.latest);
    case 'safe':
    case 'finalized':
    case 'latest':
      return heads[ref.kind] === null ? null : BigInt(heads[ref.kind]!);
    case 'number':
      return ref.number;
    default:
      return 0n;
  }
}
