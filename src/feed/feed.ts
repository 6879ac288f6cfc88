// The interfaces of a feed, which delivers a chain's blocks and state, and of the sink to which it reports them.
import type { AncestorBlock, CompleteBlock, ExecutedTransaction, ChainHead } from '../state/complete-block.js';
import type { StateChanges, StateDiff } from '../state/state-diff.js';
import type { KeyPresenceView, MissingKeys } from '../state/views/miss-recording-view.js';
import type { FetchedStateOutcome } from '../state/table/writer.js';
import type { StateView } from '../state/views/state-view.js';
import type { ChainDescription } from '../chain/chain-description.js';
import type { NonceSharingGroupMember } from './nonce-sharing-group.js';
import type { ExecutionStatus, LiveStatus } from './live-status.js';

export type { CompleteBlock, ExecutedTransaction, ChainHead } from '../state/complete-block.js';

/** What the main thread is notified of with a new state version, in addition to the version's position in the chain. */
export interface VersionAnnouncement {
  /** Gas used by the block so far. */
  readonly gasUsed: bigint;
  /** Blob gas used by the block so far; see HeaderFields. */
  readonly blobGasUsed: bigint;
  /** Extra data of the block's header. */
  readonly extraData: Uint8Array;
  /** The block's new transactions since its previous state version, in order. */
  readonly transactions: readonly ExecutedTransaction[];
}

/** What a state version is, in addition to its changes. */
export type VersionDetails =
  /**
   * The state version starts a block or adds transactions to it. `announcement` is `null` if the main thread need not be
   * notified: only the blocks of tags such as `safe` have changed, or the state was rolled back.
   */
  | { readonly kind: 'increment'; readonly announcement: VersionAnnouncement | null }
  /** The state version completes this block. If all of it was published before, the state does not change. */
  | { readonly kind: 'block'; readonly block: CompleteBlock }
  /**
   * The state version completes a block of which only the RLP header is known. Clients' requests for its transactions
   * and receipts are passed on to the node.
   */
  | { readonly kind: 'header'; readonly header: Uint8Array };

/**
 * Receives what a feed reports. For each report it writes the archive, then the table, and then notifies the main
 * thread.
 */
export interface FeedSink {
  /** Publishes the start of a block that is not complete yet, or a further increment of its transactions. */
  publish(diff: StateDiff, announcement: VersionAnnouncement): void;
  /**
   * Archives a complete block with everything that has changed since its parent. Then publishes `diff`, the block's
   * last changes, in which `coordinates.hash` is the block's hash.
   */
  complete(diff: StateDiff, block: CompleteBlock): Promise<void>;
  /**
   * Reverts all blocks after the complete block at `position`: removes them from the archive and publishes the state
   * after that block again. Returns the changes to the state. At most LIMITS.archiveReorgBlocksMax blocks are reverted.
   */
  goBack(position: Pick<StateDiff, 'coordinates' | 'env' | 'heads'>): Promise<StateChanges>;
  /** Returns the state at the newest published version. It stays valid while the feed builds one block on it. */
  view(): StateView;
  /**
   * Shows a line to the operator. `share` is the part of a running task that is done: 0 to 1, or `null` if unknown. The
   * next line then replaces this line. Without `share`, the line is final.
   */
  progress(text: string, share?: number | null): void;
}

/**
 * Receives what a live chain reports. The state of a live chain is incomplete, and may be resynced: dropped and loaded
 * anew from the node.
 */
export interface LiveSink extends FeedSink {
  /** The number of the newest state version; 0 before the first one. */
  readonly newest: number;
  /**
   * Number of the current state, which increases with each resync (dropping the state and loading it anew). State
   * versions and fetched values are valid only within the epoch in which they were made.
   */
  readonly epoch: number;
  view(): StateView & KeyPresenceView;
  /** Resyncs: empties the table and starts the state at `block`. `ancestors` are in order, the oldest first. */
  begin(diff: StateDiff, block: ChainHead, ancestors: readonly AncestorBlock[]): void;
  /** Publishes a state version of any kind, and notifies the main thread. Archives nothing. */
  publishVersion(diff: StateDiff, details: VersionDetails): void;
  /**
   * Adds fetched state to the table: values as of version `readAt`, visible to every version for which they are valid.
   * Keys that are already in the table are not changed. Returns whether the state was added. It is not added if it may
   * have changed in the meantime, or if the table has no space before the next publication.
   */
  addMissing(fill: StateChanges, readAt: number): FetchedStateOutcome;
  /**
   * Evicts some table entries to make space for fetched state. Returns whether another call may free more. Must not be
   * called while a publication is prepared, because its entries could be evicted.
   */
  evictSlice(): boolean;
  /**
   * Returns the slots of these accounts that the table holds at the newest state version. This scans the whole table.
   */
  residentSlots(addresses: readonly Uint8Array[]): MissingKeys['slots'];
  /** Sets the chain's rules for states that `begin` or a takeover starts after this call, not for the current state. */
  useChain(chain: ChainDescription): void;
  /**
   * Changes the chain's rules while the current state is kept. The rules may only differ for blocks after the newest
   * confirmed block of this state.
   */
  goOnBy(chain: ChainDescription): void;
  /**
   * Returns the state at a retained version. It also shows values that are fetched later, and is readable until the
   * state is loaded anew.
   */
  at(version: number): StateView;
  /** Warns the operator that responses may be stale or refused for some time. */
  warn(text: string): void;
  /** Reports the chain's status, or only that of the execution, to the main thread. */
  report(status: LiveStatus | ExecutionStatus): void;
}

/**
 * The start of a state that this instance takes over (adopts) from another executor: its first version, and the
 * position of that version in the chain.
 */
export interface AdoptedStateBase {
  readonly version: number;
  /** True if the state is complete, so that an account or slot that is not in the table is zero. */
  readonly isComplete: boolean;
  readonly position: Pick<StateDiff, 'coordinates' | 'env' | 'heads'>;
  /** The ancestor blocks, the oldest first. */
  readonly ancestors: readonly AncestorBlock[];
  /** The block that ends at this state version, if it is known. */
  readonly block: CompleteBlock | null;
}

/** Loads a state that is taken over from another executor. The state cannot be read before `finish` is called. */
export interface AdoptedStateLoader {
  /**
   * Adds accounts, slots and codes. Returns whether there was space. In an incomplete state, values that did not fit
   * can be fetched later.
   */
  seed(contents: StateChanges): boolean;
  finish(): void;
}

/** A confirmed block, and the number of the version that holds the state after it. */
export interface ConfirmedBlockVersion extends AncestorBlock {
  /** Index of the block's last increment. */
  readonly index: number;
  readonly env: StateDiff['env'];
  readonly version: number;
}

/** Receives what the feed of a replica reports. */
export interface ReplicaFeedSink extends LiveSink {
  /** Starts to take over the state of another executor, with that executor's version numbers. */
  adopt(base: AdoptedStateBase): AdoptedStateLoader;
  /** Returns the block that `latest` refers to; `null` if that block is older than the first state version. */
  latest(): ConfirmedBlockVersion | null;
}

/** The result of submitting a transaction: its hash (32 bytes), or why it was refused. */
export type SubmissionResult =
  | { readonly accepted: true; readonly hash: Uint8Array }
  | { readonly accepted: false; readonly message: string };

/** A transaction that has passed the chain's checks and was accepted. */
export type AcceptedTransaction = Pick<ExecutedTransaction, 'raw' | 'hash' | 'from'>;

export type HashOrSenderNonce = { readonly hash: Uint8Array } | { readonly from: Uint8Array; readonly nonce: bigint };

/** A client's call that needs missing state. Other state that the call reads is fetched together with it. */
export interface CallToPrefetchFor {
  /** The 20-byte address that is called; `null` if the call creates a contract. */
  readonly to: Uint8Array | null;
  /** The call as the parameter of eth_call. If present, the node is queried for other state that the call reads. */
  readonly call?: unknown;
}

/** Gives access to the node from which a feed reads, for state and results that this process does not have. */
export interface UpstreamAccess {
  /**
   * Fetches missing state into the table, visible at every version. Also fetches other state that the call in `purpose`
   * may read. Rejects with UpstreamError if the node provides none of it.
   */
  fill(missing: MissingKeys, purpose?: CallToPrefetchFor): Promise<void>;
  /**
   * Sends a request with any method to the node. The response is needed by `untilMs` on the monotonic clock. Rejects
   * with UpstreamError.
   */
  request(method: string, params: readonly unknown[], untilMs: number): Promise<unknown>;
}

/** Snapshots of the dev chain to which clients can revert it. */
export interface RevertibleSnapshots {
  /** Takes a snapshot of the pre-confirmed state and returns its id. */
  take(): Promise<number>;
  /**
   * Reverts to a snapshot, and removes it and all later ones. Resolves to false if there is no such snapshot, to `null`
   * if its block is too old.
   */
  goBack(id: number): Promise<boolean | null>;
}

/** Delivers a chain to a sink. `run` ends when the feed has nothing more to report (an import), or after `stop`. */
export interface Feed<Sink extends FeedSink = FeedSink> {
  readonly chain: ChainDescription;
  /**
   * Continues after the archive's head, or starts at genesis if there is none. Rejects with StartError on unusable
   * input.
   */
  run(sink: Sink, head: ChainHead | null): Promise<void>;
  /** Completes the current block if the feed builds blocks itself, and releases everything that the feed has opened. */
  stop(): Promise<void>;
  /** The port on 127.0.0.1 where followers receive the dev chain's increments; `undefined` without such a server. */
  readonly devFeedPort?: number;
  /** Submits the EIP-2718 bytes of a transaction. Missing if the feed accepts no transactions. */
  submit?(raw: Uint8Array): SubmissionResult | Promise<SubmissionResult>;
  /** The dev chain's snapshots. Missing for all other feeds: a chain that others build cannot be reverted. */
  readonly snapshots?: RevertibleSnapshots;
  /** Returns an accepted transaction that is not published yet; `null` if there is none. */
  waiting?(named: HashOrSenderNonce): AcceptedTransaction | null;
  /** This instance's membership in a group of instances that follow the same executor. Missing without such a group. */
  readonly group?: NonceSharingGroupMember;
  /**
   * Access to the upstream node from which missing state is read. Absent if the feed has no such node; if it has one,
   * nothing is archived.
   */
  readonly upstream?: UpstreamAccess;
}
