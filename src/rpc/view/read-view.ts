// The view from which one body is answered: every tag in it is resolved against the same pinned version, so that no two
// answers of a batch contradict each other.
import { blockNotFound, rpcError, stateNotKept, type RpcError } from '../../errors.js';
import type { JobPosition } from '../../transaction/call-request.js';
import { toHex, toQuantity } from '../../lib/bytes/hex.js';
import type { BlockEnv } from '../../state/diff.js';
import { RecordingView, type MissingKeys } from '../../state/views/recording-view.js';
import type { Snapshot, TableReader, VersionRecord } from '../../state/table/read/snapshot.js';
import type { StateView } from '../../state/views/view.js';
import { ChainBlocks, type BlockSource, type UpstreamPosition } from './chain-blocks.js';
import type { PlainReads } from '../reads/plain-reads.js';
import { PinnedVersion, type PinnedVersionDeps } from './pinned-version.js';
import type { BlockParam } from './block-ref.js';

/**
 * What a block reference resolves to: state to read with the number of its block, or a reference for the upstream node,
 * which alone may have its state.
 */
export type ReadPosition = LocalPosition | UpstreamPosition;
/** State that is here, and the number of its block. */
export type LocalPosition = JobPosition & { readonly block: number };

/** What a `ReadView` needs. */
export interface ReadViewDeps extends PinnedVersionDeps {
  /** Counts the resets of the table: versions of one mean nothing in another. */
  readonly epoch: number;
  readonly source: BlockSource;
  readonly missCount: Misses;
  /** `null`: plain reads are answered like all other calls. */
  readonly plainReads: PlainReads | null;
}

/** State misses, counted across tables. */
export interface Misses {
  count: number;
}

function isZero(hash: Uint8Array): boolean {
  return hash.every((byte) => byte === 0);
}

/** One per table; its version is pinned and released around every body. */
export class ReadView {
  readonly pinned: PinnedVersion;
  readonly blocks: ChainBlocks;
  /** See `ReadViewDeps`. */
  readonly epoch: number;
  /** See `ReadViewDeps`. */
  readonly plainReads: PlainReads | null;
  readonly #table: TableReader;
  readonly #missCount: Misses;
  /** Records state misses since `takeWants`: after one, no result is valid. */
  #recorder: RecordingView | null = null;
  /** Record of the last version used besides the pinned one. */
  #other: VersionRecord | null = null;

  constructor(deps: ReadViewDeps) {
    this.#table = deps.table;
    this.#missCount = deps.missCount;
    this.epoch = deps.epoch;
    this.plainReads = deps.plainReads;
    this.pinned = new PinnedVersion(deps);
    this.blocks = new ChainBlocks(this.pinned, deps.source);
  }

  /** The state missed since the last call of this; `null`: none. */
  takeWants(): MissingKeys | null {
    const recorder = this.#recorder;
    this.#recorder = null;
    if (recorder?.hasMissed !== true) return null;
    this.#missCount.count += recorder.count;
    return recorder.wants;
  }

  /** True if state was missed since the last `takeWants`, through the newest view. */
  get hasMissed(): boolean {
    return this.#recorder?.hasMissed === true;
  }

  /** The state and block that a reference means as of the pinned version. */
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
   * The number of the pre-confirmed block that a reference means: by tag, by number, or by the zero hash that receipts
   * have instead of its hash; `null` if it means another block.
   */
  preConfirmedNumber(ref: BlockParam): number | null {
    const { coordinates, heads } = this.pinned.record;
    if (!this.pinned.isPreconfirmed()) return null;
    if (ref.kind === 'pending' || (ref.kind === 'hash' && isZero(ref.hash))) return coordinates.block;
    const isAhead =
      ref.kind === 'number' && ref.number > BigInt(heads.latest) && ref.number <= BigInt(coordinates.block);
    return isAhead ? Number(ref.number) : null;
  }

  /** The state at a position returned by `resolve`. */
  view(position: LocalPosition): StateView {
    if (position.kind === 'version') {
      const { snapshot } = this.pinned;
      snapshot.aim(position.version);
      return this.#table.isComplete ? snapshot : (this.#recorder = new RecordingView(snapshot));
    }
    const view = this.blocks.archivedState(position.block);
    if (view === null) throw new Error(`the archive lost block ${position.block}`);
    return view;
  }

  /**
   * State and block environment of a version, for estimates without code; throws `VersionNotKept`, or `StateMiss` when
   * it is read.
   */
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
    return stateNotKept(block);
  }

  /**
   * For a block that is not canonical here the upstream node is asked: it may be ahead of us, or keep removed blocks.
   */
  #atHash(hash: Uint8Array, requireCanonical: boolean): ReadPosition | RpcError {
    const number = this.blocks.numberOf(hash);
    if (number === null && requireCanonical && this.pinned.hasLeft(hash)) return rpcError('notCanonical');
    const elsewhere = this.blocks.upstreamByHash(hash, requireCanonical);
    if (number === null) return elsewhere === null ? blockNotFound(toHex(hash)) : { ...elsewhere, isUnknown: true };
    const position = this.#atNumber(number);
    return elsewhere !== null && !('error' in position) && position.kind === 'upstream' ? elsewhere : position;
  }
}
