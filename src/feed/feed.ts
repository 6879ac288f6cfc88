// The interfaces of a feed and of the sink to which it reports.
import type { AncestorBlock, CompleteBlock, ExecutedTransaction, ChainHead } from '../state/complete-block.js';
import type { StateChanges, StateDiff } from '../state/state-diff.js';
import type { ResidentView, MissingKeys } from '../state/views/miss-recording-view.js';
import type { FetchedStateOutcome } from '../state/table/writer.js';
import type { StateView } from '../state/views/state-view.js';
import type { ChainDescription } from '../chain/chain-description.js';
import { StartError } from '../lib/start-error.js';
import type { SubmissionGroupMember } from './submission-group.js';
import type { LiveStatus } from './live-status.js';

export type { CompleteBlock, ExecutedTransaction, ChainHead } from '../state/complete-block.js';

/** What main is notified about a version besides its position in the chain. */
export interface VersionAnnouncement {
  /** Gas that the block has used so far. */
  readonly gasUsed: bigint;
  /** Blob gas that the block has used so far; see HeaderFields. */
  readonly blobGasUsed: bigint;
  /** Extra data of the block's header. */
  readonly extraData: Uint8Array;
  /** The transactions that are new in the block, in order. */
  readonly transactions: readonly ExecutedTransaction[];
}

/** Receives what a feed reports. Writes the archive and the table, then notifies main, always in that order. */
export interface FeedSink {
  /** Publishes the start of a block that is not complete yet, or an increment of it. */
  publish(diff: StateDiff, announcement: VersionAnnouncement): void;
  /**
   * Archives a complete block with everything that has changed since its parent, then publishes `diff`, the last
   * changes of the block. `coordinates.hash` is the block's hash.
   */
  complete(diff: StateDiff, block: CompleteBlock): Promise<void>;
  /**
   * Reverts everything after the complete block at `position`: removes it from the archive, publishes the state after
   * that block again, and returns what this changes. At most LIMITS.archiveReorgBlocksMax blocks are reverted.
   */
  goBack(position: Pick<StateDiff, 'coordinates' | 'env' | 'heads'>): Promise<StateChanges>;
  /** The state at the newest published version. It stays valid while the feed builds one block on it. */
  view(): StateView;
  /**
   * Shows a line to the operator. With `share`, the work still runs and this much of it is done (0 to 1, or `null` if
   * unknown); the next text replaces this one. Without it, the text is final.
   */
  progress(text: string, share?: number | null): void;
}

/** Receives what a live chain reports. Its state is incomplete, and may be resynced. */
export interface LiveSink extends FeedSink {
  /** The newest version; 0 before the first one. */
  readonly newest: number;
  /** Number of the resync: versions and fetched state belong to one of them. */
  readonly epoch: number;
  view(): StateView & ResidentView;
  /** Resyncs at `block` with an empty table. `ancestors` are in order, the oldest first. */
  begin(
    diff: StateDiff,
    block: Pick<CompleteBlock, 'number' | 'hash' | 'header'>,
    ancestors: readonly AncestorBlock[],
  ): void;
  /** See FeedSink. `announcement` is `null` if main need not be notified. */
  publish(diff: StateDiff, announcement: VersionAnnouncement | null): void;
  /** Like `complete`, for a block of which only the header is known here. The rest is requested from the node. */
  advance(diff: StateDiff, block: Pick<CompleteBlock, 'number' | 'hash' | 'header'>): void;
  /** Confirms that the published increments of `block` are all of it: publishes `diff`, and notifies main. */
  promote(diff: StateDiff, block: CompleteBlock): void;
  /**
   * Adds missing state with its values at version `readAt`, for every version that may read it. State that is already
   * resident is not changed. Returns whether it was added: it may have changed in the meantime, or there may be no
   * space until something is published.
   */
  addMissing(fill: StateChanges, readAt: number): FetchedStateOutcome;
  /**
   * Evicts some entries after fetched state found no space; returns whether another call may free more. Nothing may be
   * prepared for publication during the call, because its entries could be evicted.
   */
  evictSlice(): boolean;
  /** Slots of these accounts that are resident at the newest version. This scans the whole table. */
  residentSlots(addresses: readonly Uint8Array[]): MissingKeys['slots'];
  /** Sets the rules by which states are executed from the next resync on. */
  useChain(chain: ChainDescription): void;
  /** Changes the rules without a resync: old and new ones agree for all versions of the current state. */
  goOnBy(chain: ChainDescription): void;
  /** The state at a retained version, until the next resync. State that is fetched later is visible in it, too. */
  at(version: number): StateView;
  /** Shows a warning to the operator: until it is over, responses may be stale or refused. */
  warn(text: string): void;
  /** Reports the chain's status to main. */
  report(status: LiveStatus): void;
}

/** A state that is adopted from another executor, at its first version. */
export interface AdoptedStateBase {
  readonly version: number;
  /** True if absent accounts and slots are zero. */
  readonly isComplete: boolean;
  readonly position: Pick<StateDiff, 'coordinates' | 'env' | 'heads'>;
  /** Ancestors, the oldest first. */
  readonly ancestors: readonly AncestorBlock[];
  /** The block that the version completes, if it is known. */
  readonly block: CompleteBlock | null;
}

/** A state that is being adopted. It cannot be read before `finish`. */
export interface StateAdoption {
  /** Adds contents. Returns whether there was space; if the state is incomplete, what did not fit is missing. */
  seed(contents: StateChanges): boolean;
  finish(): void;
}

/** A confirmed block, and the version with the state after it. */
export interface ConfirmedBlockVersion {
  readonly number: number;
  /** Index of its last increment. */
  readonly index: number;
  readonly hash: Uint8Array;
  readonly parentHash: Uint8Array;
  readonly env: StateDiff['env'];
  readonly version: number;
}

/** Receives what a replica reports. */
export interface ReplicaSink extends LiveSink {
  /** Resyncs, with the version numbers of the other executor. */
  adopt(base: AdoptedStateBase): StateAdoption;
  /** The block that `latest` refers to; `null` if its state was before the first version. */
  latest(): ConfirmedBlockVersion | null;
}

/** The result of submitting a transaction: its hash (32 bytes), or why it was refused. */
export type SubmissionResult =
  | { readonly accepted: true; readonly hash: Uint8Array }
  | { readonly accepted: false; readonly message: string };

/** A transaction that has passed the chain's checks. */
export type AcceptedTransaction = Pick<ExecutedTransaction, 'raw' | 'hash' | 'from'>;

export type TransactionReference =
  | { readonly hash: Uint8Array }
  | { readonly from: Uint8Array; readonly nonce: bigint };

export interface CallToFetchFor {
  /** The 20-byte address that it calls; `null` if it creates a contract. */
  readonly to: Uint8Array | null;
  /** The call in the form of eth_call, if the node should be queried for what else it reads; otherwise `undefined`. */
  readonly call?: unknown;
}

/** The node behind a feed, which provides state and results that are not here. */
export interface UpstreamAccess {
  /**
   * Makes state resident at every version, as far as the node provides it, together with what else the call for which
   * it is fetched may read. Rejects with UpstreamError if the node provides none of it.
   */
  fill(missing: MissingKeys, purpose?: CallToFetchFor): Promise<void>;
  /** The result of any method, needed until `untilMs` on the monotonic clock. Rejects with UpstreamError. */
  request(method: string, params: readonly unknown[], untilMs: number): Promise<unknown>;
}

/** Snapshots to which clients can revert the chain. */
export interface ChainSnapshots {
  /** Takes a snapshot of the pre-confirmed state; returns its id. */
  take(): Promise<number>;
  /** Reverts to this snapshot, which is removed with later ones. False: none; `null`: its block is too old. */
  goBack(id: number): Promise<boolean | null>;
}

/** A source of state. `run` ends when the feed has nothing more to report (an import), or after `stop`. */
export interface Feed<Sink extends FeedSink = FeedSink> {
  readonly chain: ChainDescription;
  /** Runs from the archive's head on, or from genesis if there is none. Rejects with FeedError on bad input. */
  run(sink: Sink, head: ChainHead | null): Promise<void>;
  /** Finishes the current block if the feed makes blocks itself, and releases everything that the feed has opened. */
  stop(): Promise<void>;
  /** The port on 127.0.0.1 where followers receive increments; only on a dev chain that has one. */
  readonly devFeedPort?: number;
  /** Submits EIP-2718 bytes; only if the feed accepts transactions. */
  submit?(raw: Uint8Array): SubmissionResult | Promise<SubmissionResult>;
  /** Only if the chain is made here and can be reverted. */
  readonly snapshots?: ChainSnapshots;
  /** The accepted transaction that is not published yet; `null` if there is none. */
  waiting?(named: TransactionReference): AcceptedTransaction | null;
  /** Only if other instances follow the same executor, or follow this one. */
  readonly group?: SubmissionGroupMember;
  /** Only if the feed has an upstream node, from which missing state is read. Nothing is archived here then. */
  readonly upstream?: UpstreamAccess;
}

/** Thrown for input that cannot be used, with one line for the operator. */
export class FeedError extends StartError {}
