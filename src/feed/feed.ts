// A feed, and the sink that it reports to.
import type { Ancestor, CompleteBlock, ConfirmedTransaction, Head } from '../state/block.js';
import type { StateChanges, StateDiff } from '../state/diff.js';
import type { ResidentView, MissingKeys } from '../state/views/recording-view.js';
import type { StateFetchWrite } from '../state/table/writer.js';
import type { StateView } from '../state/views/view.js';
import type { ChainDescription } from '../chain/spec.js';
import { StartError } from '../lib/start-error.js';
import type { GroupMember } from './group-member.js';
import type { LiveStatus } from './status.js';

export type { CompleteBlock, ConfirmedTransaction, Head } from '../state/block.js';

/** What main is told about a version, besides its position in the chain. */
export interface Announcement {
  /** Gas used by the block so far. */
  readonly gasUsed: bigint;
  /** Same; see HeaderFields. */
  readonly blobGasUsed: bigint;
  /** Of the block's header. */
  readonly extraData: Uint8Array;
  /** The transactions that are new in the block, in order. */
  readonly transactions: readonly ConfirmedTransaction[];
}

/** Receives a feed's reports: writes the archive and the table, then notifies main, always in that order. */
export interface FeedSink {
  /** Publishes the opening of a block that is not complete yet, or an increment of it. */
  publish(diff: StateDiff, announcement: Announcement): void;
  /**
   * Archives a complete block with everything that changed since its parent, then publishes `diff`, the rest of the
   * block (`coordinates.hash` is the block's hash).
   */
  complete(diff: StateDiff, block: CompleteBlock): Promise<void>;
  /**
   * Reverts everything after the complete block at `position`: removes it from the archive, publishes the state after
   * that block again and returns what this changes. LIMITS.archiveReorgBlocksMax blocks at most.
   */
  goBack(position: Pick<StateDiff, 'coordinates' | 'env' | 'heads'>): Promise<StateChanges>;
  /** State at the newest published version. Stays valid while the feed builds one block on it. */
  view(): StateView;
  /**
   * Shows a line to the operator. `share`: the work is still running, and this much of it is done (0 to 1, `null`:
   * unknown), and the next text replaces this one; without it the text is final.
   */
  progress(text: string, share?: number | null): void;
}

/** Receives a live chain's reports: its state is incomplete, and may be resynced. */
export interface LiveSink extends FeedSink {
  /** The newest version; 0 before the first one. */
  readonly newest: number;
  /** Counts the resyncs: versions and fills belong to one of them. */
  readonly epoch: number;
  view(): StateView & ResidentView;
  /** Resyncs at `block`, with an empty table. `ancestors`: oldest first. */
  begin(
    diff: StateDiff,
    block: Pick<CompleteBlock, 'number' | 'hash' | 'header'>,
    ancestors: readonly Ancestor[],
  ): void;
  /** See FeedSink; `announcement`: `null` if nothing is new to main. */
  publish(diff: StateDiff, announcement: Announcement | null): void;
  /** Like `complete`, for a block of which only the header is known here: the rest is requested from the node. */
  advance(diff: StateDiff, block: Pick<CompleteBlock, 'number' | 'hash' | 'header'>): void;
  /**
   * The increments published of `block` are all of it: publishes `diff`, which says so, and notifies main of the block.
   */
  promote(diff: StateDiff, block: CompleteBlock): void;
  /**
   * Adds missing state, as it was at version `readAt`, at every version that may read it; what is resident already is
   * left alone. Returns whether it was added: it may have changed since, or there may be no space until something is
   * published.
   */
  addMissing(fill: StateChanges, readAt: number): StateFetchWrite;
  /**
   * One step of evicting entries after a fill that found no space; returns whether another step may free more. Nothing
   * may be in preparation for a publication: its entries could be evicted.
   */
  evictSlice(): boolean;
  /** Slots of these accounts that are resident at the newest version: scans the whole table. */
  residentSlots(addresses: readonly Uint8Array[]): MissingKeys['slots'];
  /** The rules by which states are executed from the next resync on. */
  useChain(chain: ChainDescription): void;
  /** The current state is valid by these rules as well: they agree on all of its versions. */
  goOnBy(chain: ChainDescription): void;
  /** The state at a kept version, until the next resync; what is filled later is there, too. */
  at(version: number): StateView;
  /** Shows a warning to the operator: answers may be stale, or are refused, until it has passed. */
  warn(text: string): void;
  /** Reports the chain's status to main. */
  report(status: LiveStatus): void;
}

/** A state that is adopted from elsewhere, at its first version. */
export interface TableBase {
  readonly version: number;
  /** Absent means zero. */
  readonly isComplete: boolean;
  readonly position: Pick<StateDiff, 'coordinates' | 'env' | 'heads'>;
  /** Oldest first. */
  readonly ancestors: readonly Ancestor[];
  /** The block that the version completes, where it is known. */
  readonly block: CompleteBlock | null;
}

/** A state while it is adopted: nobody reads it before `finish`. */
export interface Adoption {
  /** Adds part of the contents. Returns whether there was space; what is left out of an incomplete state is missing. */
  seed(contents: StateChanges): boolean;
  finish(): void;
}

/** A confirmed block and the version that holds the state after it. */
export interface ConfirmedPosition {
  readonly number: number;
  /** Of its last increment. */
  readonly index: number;
  readonly hash: Uint8Array;
  readonly parentHash: Uint8Array;
  readonly env: StateDiff['env'];
  readonly version: number;
}

/** The receiver of a replica's reports. */
export interface ReplicaSink extends LiveSink {
  /** Resyncs, with versions as they are numbered elsewhere. */
  adopt(base: TableBase): Adoption;
  /** The block that `latest` names; `null` if its state was before the first version. */
  latest(): ConfirmedPosition | null;
}

/** The result of a submitted transaction: its hash (32 bytes), or why it was refused. */
export type Submission =
  | { readonly accepted: true; readonly hash: Uint8Array }
  | { readonly accepted: false; readonly message: string };

/** A transaction that has passed the chain's checks. */
export type SubmittedTransaction = Pick<ConfirmedTransaction, 'raw' | 'hash' | 'from'>;

/** The call for which state is read. */
export interface FetchPurpose {
  /** Address of 20 bytes that it calls; `null`: it creates a contract. */
  readonly to: Uint8Array | null;
  /** The call as eth_call takes it, if the node is to be asked what else it reads; `undefined`: it is not. */
  readonly call?: unknown;
}

/** The node behind a feed, for state and results that are not here. */
export interface UpstreamAccess {
  /**
   * Makes state resident at every version, as far as the node provides it, together with what the call it is for may
   * read besides. Rejects with UpstreamError if the node provides nothing of it.
   */
  fill(missing: MissingKeys, purpose?: FetchPurpose): Promise<void>;
  /** Any method's result. `untilMs` of the monotonic clock: when it is no longer needed. Rejects with UpstreamError. */
  request(method: string, params: readonly unknown[], untilMs: number): Promise<unknown>;
}

/** Blocks that the chain can be reverted to, as clients name them. */
export interface Snapshots {
  /** Takes one of the pre-confirmed state: its id. */
  take(): Promise<number>;
  /**
   * Reverts the chain to the snapshot with this id, which is removed with those after it. False if there is none,
   * `null` if its block is too deep.
   */
  goBack(id: number): Promise<boolean | null>;
}

/** One source of state. `run` ends when the feed has nothing more to report (import) or after `stop`. */
export interface Feed<Sink extends FeedSink = FeedSink> {
  readonly chain: ChainDescription;
  /** Starts from the archive's head, or from genesis if there is none. Rejects with FeedError on bad input. */
  run(sink: Sink, head: Head | null): Promise<void>;
  /** Finishes the current block if the feed makes blocks itself; releases everything that the feed has opened. */
  stop(): Promise<void>;
  /** Only if a dev chain sends its increments to followers: the port on 127.0.0.1. */
  readonly devFeedPort?: number;
  /** Only where the feed accepts transactions (EIP-2718 bytes). */
  submit?(raw: Uint8Array): Submission | Promise<Submission>;
  /** Only if the chain is made here and can be reverted. */
  readonly snapshots?: Snapshots;
  /** An accepted transaction that is not published yet, by its hash; `null`: there is none. */
  waiting?(hash: Uint8Array): SubmittedTransaction | null;
  /** The one of a sender with this nonce. */
  waitingAt?(from: Uint8Array, nonce: bigint): SubmittedTransaction | null;
  /** Only if other instances follow the same executor, or are followed by it. */
  readonly group?: GroupMember;
  /** Only for a feed with an upstream node: missing state is read there, and nothing is archived here. */
  readonly upstream?: UpstreamAccess;
}

/** Input that cannot be used: one clear line for the operator. */
export class FeedError extends StartError {}
