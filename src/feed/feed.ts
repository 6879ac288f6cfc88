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

/** News of a version for main, beside its place in the chain. */
export interface Announcement {
  /** Gas used by the block so far. */
  readonly gasUsed: bigint;
  /** Likewise; see HeaderFields. */
  readonly blobGasUsed: bigint;
  /** Of the block's header. */
  readonly extraData: Uint8Array;
  /** The transactions that are new in the block, in order. */
  readonly transactions: readonly ConfirmedTransaction[];
}

/** The receiver of a feed's reports: writes the archive and the table, then tells main, always in that order. */
export interface FeedSink {
  /** Publishes the opening of a block that is not complete yet, or an increment of it. */
  publish(diff: StateDiff, announcement: Announcement): void;
  /**
   * Archives a complete block with everything that changed since its parent, then publishes `diff`, the rest of the
   * block (`coordinates.hash` is the block's hash).
   */
  complete(diff: StateDiff, block: CompleteBlock): Promise<void>;
  /**
   * Leaves all that came after the complete block at `place`: takes it out of the archive, publishes the state after
   * that block again and answers what this changes. LIMITS.archiveReorgBlocksMax blocks at most.
   */
  goBack(place: Pick<StateDiff, 'coordinates' | 'env' | 'heads'>): Promise<StateChanges>;
  /** State at the newest published version. Stays valid while the feed builds one block on it. */
  view(): StateView;
  /**
   * Shown to the operator. `share`: the work goes on, this much of it is done (0 to 1, `null` where that is not known),
   * and the next text takes the place of this one; without it the text stands for itself.
   */
  progress(text: string, share?: number | null): void;
}

/** The receiver of a live chain's reports: the state that it holds is not complete, and may begin anew. */
export interface LiveSink extends FeedSink {
  /** The newest version; 0 before the first one. */
  readonly newest: number;
  /** Counts the beginnings: versions and fills belong to one of them. */
  readonly epoch: number;
  view(): StateView & ResidentView;
  /** Begins anew with `block`, with a state of which nothing is held. `ancestors`: oldest first. */
  begin(
    diff: StateDiff,
    block: Pick<CompleteBlock, 'number' | 'hash' | 'header'>,
    ancestors: readonly Ancestor[],
  ): void;
  /** See FeedSink; `announcement`: `null` where nothing is new to main. */
  publish(diff: StateDiff, announcement: Announcement | null): void;
  /** Like `complete`, of a block of which nothing but its header is known here: the node is asked for the rest. */
  advance(diff: StateDiff, block: Pick<CompleteBlock, 'number' | 'hash' | 'header'>): void;
  /**
   * All that was published of `block` is the whole of it: publishes `diff`, which says so, and tells main of the block.
   */
  promote(diff: StateDiff, block: CompleteBlock): void;
  /**
   * Adds state that was not held, as it was at version `readAt`, at every version that may read it; what is held
   * already is left alone. Answers whether it was added: it may have changed since, or there is no room for it before
   * something is published.
   */
  addMissing(fill: StateChanges, readAt: number): StateFetchWrite;
  /**
   * A slice of making room after a fill that found none; answers whether another one may make more. Nothing that is
   * held may be about to be published: it could be given up.
   */
  evictSlice(): boolean;
  /** Slots of these accounts that are held at the newest version: the whole table is looked at. */
  residentSlots(addresses: readonly Uint8Array[]): MissingKeys['slots'];
  /** The rules by which the states are executed that begin from now on. */
  useChain(chain: ChainDescription): void;
  /** By these rules the state at hand goes on as well: they say the same of all of its versions. */
  goOnBy(chain: ChainDescription): void;
  /** The state at a kept version, until it begins anew; what is filled later is there, too. */
  at(version: number): StateView;
  /** Shown to the operator as a warning: answers may be stale, or are refused, until it has passed. */
  warn(text: string): void;
  /** Tells main how the chain fares. */
  report(status: LiveStatus): void;
}

/** A state that is taken over from elsewhere, at the version where it begins. */
export interface TableBase {
  readonly version: number;
  /** Absent means zero. */
  readonly isComplete: boolean;
  readonly place: Pick<StateDiff, 'coordinates' | 'env' | 'heads'>;
  /** Oldest first. */
  readonly ancestors: readonly Ancestor[];
  /** The block that the version completes, where it is known. */
  readonly block: CompleteBlock | null;
}

/** A state while it is taken over: nobody reads it before `finish`. */
export interface Adoption {
  /** Part of the contents. Answers whether there was room; what is left out of an incomplete state is missing. */
  seed(contents: StateChanges): boolean;
  finish(): void;
}

/** A confirmed block and the version that holds the state after it. */
export interface ConfirmedPlace {
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
  /** Begins anew, with versions as they are numbered elsewhere. */
  adopt(base: TableBase): Adoption;
  /** The block that `latest` stands for; `null` where its state was before the first version. */
  latest(): ConfirmedPlace | null;
}

/** The answer to a transaction that was handed in: its hash (32 bytes), or why it was refused. */
export type Submission =
  | { readonly accepted: true; readonly hash: Uint8Array }
  | { readonly accepted: false; readonly message: string };

/** A transaction that has passed the chain's checks. */
export type SubmittedTransaction = Pick<ConfirmedTransaction, 'raw' | 'hash' | 'from'>;

/** The call for which state is read. */
export interface FetchPurpose {
  /** Address of 20 bytes that it calls; `null`: it creates a contract. */
  readonly to: Uint8Array | null;
  /** The call as eth_call takes it, where the node is to be asked what else it reads; `undefined`: it is not. */
  readonly call?: unknown;
}

/** The node behind a feed, for those who need what is not here. */
export interface UpstreamAccess {
  /**
   * Makes state held at every version, as far as the node gives it, and what the call that it is for may read besides.
   * Rejects with UpstreamError where the node gives nothing of it.
   */
  fill(wants: MissingKeys, purpose?: FetchPurpose): Promise<void>;
  /**
   * Any method's result. `untilMs` of the monotonic clock: when it is of no use any more. Rejects with UpstreamError.
   */
  request(method: string, params: readonly unknown[], untilMs: number): Promise<unknown>;
}

/** Blocks that the chain can be taken back to, as clients name them. */
export interface Snapshots {
  /** Takes one of what is pre-confirmed: its id. */
  take(): Promise<number>;
  /**
   * Takes the chain back to the snapshot with this id, which is gone then with those after it. False where there is
   * none,
   * `null` where its block lies too deep.
   */
  goBack(id: number): Promise<boolean | null>;
}

/** One source of state. `run` ends when the feed has nothing more to tell (import) or after `stop`. */
export interface Feed<Sink extends FeedSink = FeedSink> {
  readonly chain: ChainDescription;
  /** Starts from the archive's head, or from the beginning when there is none. Rejects with FeedError on bad input. */
  run(sink: Sink, head: Head | null): Promise<void>;
  /** Finishes the block at hand where the feed makes blocks itself; lets go of everything that the feed has opened. */
  stop(): Promise<void>;
  /** Only where a dev chain tells its increments to others: the port on 127.0.0.1. */
  readonly devFeedPort?: number;
  /** Only where the feed accepts transactions (EIP-2718 bytes). */
  submit?(raw: Uint8Array): Submission | Promise<Submission>;
  /** Only where the chain is made here and can be taken back. */
  readonly snapshots?: Snapshots;
  /** A transaction that it has accepted and not published, by its hash; `null`: there is none. */
  waiting?(hash: Uint8Array): SubmittedTransaction | null;
  /** The one of a sender with this nonce. */
  waitingAt?(from: Uint8Array, nonce: bigint): SubmittedTransaction | null;
  /** Only where other instances follow the same executor, or are followed by it. */
  readonly group?: GroupMember;
  /** Only where a node stands behind the feed: state that is not held is read there, and nothing is archived here. */
  readonly upstream?: UpstreamAccess;
}

/** Input that cannot be used: one clear line for the operator. */
export class FeedError extends StartError {}
