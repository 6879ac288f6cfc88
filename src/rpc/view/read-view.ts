// The view of the state from which one body is answered. All its tags refer to blocks of one pinned version, so that no
// two responses of a batch contradict each other.
import { blockNotFound, rpcError, stateNotRetained, type RpcError } from '../../errors.js';
import type { JobPosition } from '../../transaction/evm-job.js';
import { toHex, toQuantity } from '../../lib/bytes/hex.js';
import type { BlockEnv } from '../../state/state-diff.js';
import { MissRecordingView, type MissingKeys } from '../../state/views/miss-recording-view.js';
import type { Snapshot, TableReader, VersionRecord } from '../../state/table/read/snapshot.js';
import type { StateView } from '../../state/views/state-view.js';
import { ChainBlocks, type CompleteBlockSource, type UpstreamPosition } from './chain-blocks.js';
import type { PlainReads } from '../reads/plain-reads.js';
import { PinnedVersion, type PinnedVersionDeps } from './pinned-version.js';
import type { BlockParam } from './block-ref.js';

/**
 * What a block parameter refers to: either a state that is here, with the number of its block, or a reference for the
 * upstream node, because only that may have the state.
 */
export type ReadPosition = LocalPosition | UpstreamPosition;
/** A position whose state is available here, with the number of its block. */
export type LocalPosition = JobPosition & { readonly block: number };

interface ReadViewDeps extends PinnedVersionDeps {
  /** Number of resets of the table: versions from before a reset mean nothing after it. */
  readonly epoch: number;
  readonly source: CompleteBlockSource;
  readonly missCount: MissCounter;
  /** Answers plain reads; `null` if they are answered like all other calls. */
  readonly plainReads: PlainReads | null;
}

/** State misses, counted over all tables. */
export interface MissCounter {
  count: number;
}

function isZero(hash: Uint8Array): boolean {
  return hash.every((byte) => byte === 0);
}

/** The view of one table. A version is pinned before each body and released after it. */
export class ReadView {
  readonly pinned: PinnedVersion;
  readonly blocks: ChainBlocks;
  readonly epoch: number;
  readonly plainReads: PlainReads | null;
  readonly #table: TableReader;
  readonly #missCount: MissCounter;
  /** Records state misses since the last `takeWants`. If there was one, no result is valid. */
  #recorder: MissRecordingView | null = null;
  /** Record of the version that was last used besides the pinned one. */
  #other: VersionRecord | null = null;

  constructor(deps: ReadViewDeps) {
    this.#table = deps.table;
    this.#missCount = deps.missCount;
    this.epoch = deps.epoch;
    this.plainReads = deps.plainReads;
    this.pinned = new PinnedVersion(deps);
    this.blocks = new ChainBlocks(this.pinned, deps.source);
  }

  /** Returns the state that was missed since the last call; `null` if there is none. */
  takeMissingKeys(): MissingKeys | null {
    const recorder = this.#recorder;
    this.#recorder = null;
    if (recorder?.hasMissed !== true) return null;
    this.#missCount.count += recorder.count;
    return recorder.missingKeys;
  }

  /** True if state was missed since the last `takeWants`, through the newest view. */
  get hasMissed(): boolean {
    return this.#recorder?.hasMissed === true;
  }

  /** The state and block to which a reference refers in the pinned version. */
  resolve(ref: BlockParam): ReadPosition | RpcError {
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
   * The number of the pre-confirmed block to which a reference refers by tag, by number, or by the hash of zeros that
   * receipts have in place of its hash; `null` if it refers to another block.
   */
  preConfirmedNumber(ref: BlockParam): number | null {
    const { coordinates, heads } = this.pinned.record;
    if (!this.pinned.isPreconfirmed()) return null;
    if (ref.kind === 'pending' || (ref.kind === 'hash' && isZero(ref.hash))) return coordinates.block;
    const isAhead =
      ref.kind === 'number' && ref.number > BigInt(heads.latest) && ref.number <= BigInt(coordinates.block);
    return isAhead ? Number(ref.number) : null;
  }

  /** The state at a position that `resolve` has returned. */
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

  /** State and environment of a version, for estimates without code. Throws `VersionNotKept`, and `StateMiss` later. */
  stateAt(version: number): { readonly view: Snapshot; readonly env: BlockEnv } {
    const { snapshot: view, record } = this.pinned;
    view.aim(version);
    if (version === this.pinned.version) return { view, env: record.env };
    if (this.#other?.version !== version) this.#other = this.#table.record(version);
    return { view, env: this.#other.env };
  }

  /** Resolves a block that is not complete. */
  #ahead(ref: Extract<BlockParam, { kind: 'number' | 'hash' }>): ReadPosition | RpcError {
    const { pinned } = this;
    const block = this.preConfirmedNumber(ref);
    if (block === null) return blockNotFound(ref.kind === 'number' ? toQuantity(ref.number) : toHex(ref.hash));
    const version = block === pinned.record.coordinates.block ? pinned.version : pinned.versionBelow(block);
    return version === 0 ? rpcError('stateNotKept') : { kind: 'version', version, block };
  }

  #atNumber(block: number): ReadPosition | RpcError {
    const version = this.pinned.versionOf(block);
    if (version !== 0) return { kind: 'version', version, block };
    const upstream = this.blocks.upstream(block);
    if (upstream !== null) return upstream;
    if (this.blocks.header(block) !== null) return { kind: 'archive', block };
    return stateNotRetained(block);
  }

  /** Resolves a hash. For a block not canonical here the node is asked: it may be ahead, or keep removed ones. */
  #atHash(hash: Uint8Array, requireCanonical: boolean): ReadPosition | RpcError {
    const number = this.blocks.numberOf(hash);
    if (number === null && requireCanonical && this.pinned.hasLeft(hash)) return rpcError('notCanonical');
    const elsewhere = this.blocks.upstreamByHash(hash, requireCanonical);
    if (number === null) return elsewhere === null ? blockNotFound(toHex(hash)) : { ...elsewhere, isUnknown: true };
    const position = this.#atNumber(number);
    return elsewhere !== null && !('error' in position) && position.kind === 'upstream' ? elsewhere : position;
  }
}
