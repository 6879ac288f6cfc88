// The language between main and the publisher thread. Runs on both.
import type { ChainDescription } from '../chain/spec.js';
import type { KernelSettings } from '../evm/kernel/engines.js';
import type { FillPurpose } from '../feed/feed.js';
import type { GroupSend } from '../feed/group-member.js';
import type { LiveStatus } from '../feed/status.js';
import type { BusOptions, FeedOptions } from '../feed/options.js';
import type { ReplicationStatus } from '../replicas/status.js';
import type { BlockEnv, Coordinates } from '../state/diff.js';
import type { PackedChanges } from '../state/packed-changes.js';
import type { PackedTransactions } from '../state/packed-transactions.js';
import type { Wants } from '../state/views/recording-view.js';
import type { TableSettings } from '../state/table/writer.js';
import type { RpcErrorObject } from '../upstream/upstream.js';

/** The publisher's task, handed over as workerData. */
export interface PublisherOptions {
  readonly source: FeedOptions;
  /** The bus on which versions are told to replicas; absent: nowhere. */
  readonly publishTo?: BusOptions;
  /** Transactions that other instances have submitted count here, too. */
  readonly countsSends?: boolean;
  /** Folder of the archive; exists. A live chain leaves it alone. */
  readonly dataDir: string;
  readonly kernel: KernelSettings;
  /** Settings of the table; its memory at least. */
  readonly table: TableSettings;
  /** The Histogram `visible` of the metrics. */
  readonly visible: SharedArrayBuffer;
}

/** Asked by main on behalf of a client. */
export type Ask =
  /** Take this raw transaction: its hash. */
  | { readonly kind: 'transaction'; readonly raw: Uint8Array }
  /** The signer of this transaction and its nonce, `{from, nonce}`; null where there is no such sender. */
  | { readonly kind: 'sender'; readonly raw: Uint8Array }
  /** The accepted transaction with this hash that is not published, `{from, raw}`, or null. */
  | { readonly kind: 'waiting'; readonly hash: Uint8Array }
  /** The one of this sender with this nonce, likewise. */
  | { readonly kind: 'waitingAt'; readonly from: Uint8Array; readonly nonce: bigint }
  /** Take a snapshot of the chain: its id. */
  | { readonly kind: 'snapshot' }
  /** Take the chain back to this snapshot: true; false where there is none, null where it is too old. */
  | { readonly kind: 'revert'; readonly snapshot: number }
  /** Make this state held, as far as the node gives it; refused where it gives nothing of it. `purpose`: the call that it is for. */
  | { readonly kind: 'fill'; readonly wants: Wants; readonly purpose?: FillPurpose | undefined }
  /** Sign this digest of 32 bytes by an account of the dev chain: r, s and the parity of y as hex. */
  | { readonly kind: 'sign'; readonly account: Uint8Array; readonly digest: Uint8Array }
  /** Report this transaction to the group, or to the member `to`: '' once it counts there. */
  | { readonly kind: 'report'; readonly send: GroupSend; readonly to: string | null }
  /** The transaction that a member has reported under this id counts here. */
  | { readonly kind: 'acknowledge'; readonly member: string; readonly send: number }
  /** Any method, for the upstream node: its result. Of use until `untilMs` of the monotonic clock. */
  | {
      readonly kind: 'request';
      readonly method: string;
      readonly params: readonly unknown[];
      readonly untilMs: number;
    };

/** A question; the answer has the same `id`. */
export type Question = Ask & { readonly id: number };

/** Main to publisher. */
export type ToPublisher =
  | Question
  /** Finish the block at hand, flush the archive, answer `stopped`. */
  | { readonly kind: 'stop' };

/** The answer to a question. */
export type Answer =
  /** JSON text, or '' where there is nothing to tell. */
  | { readonly kind: 'response'; readonly id: number; readonly result: string }
  /** The chain does not take the transaction. */
  | { readonly kind: 'rejected'; readonly id: number; readonly message: string }
  /** `rpc`: the error that the upstream has answered; `null`: it has not answered. */
  | { readonly kind: 'refusal'; readonly id: number; readonly message: string; readonly rpc: RpcErrorObject | null };

/** A version has been published: what it has changed. Comes before what else is told of it. */
export interface ChangedMessage {
  readonly kind: 'changed';
  readonly version: number;
  readonly coordinates: Coordinates;
  readonly changes: PackedChanges;
}

/** A block with which a state begins, or one with what is not known here: more of it than its header is not known. */
export interface BegunBlock {
  readonly number: number;
  readonly hash: Uint8Array;
  /** RLP. */
  readonly header: Uint8Array;
}

/** An increment of a block has been published: the transactions new in it, and the gas used by the block so far. */
export interface PublishedMessage {
  readonly kind: 'published';
  readonly version: number;
  readonly coordinates: Coordinates;
  readonly env: BlockEnv;
  readonly gasUsed: bigint;
  /** See HeaderParts. */
  readonly blobGasUsed: bigint;
  /** Extra data of the block's header. */
  readonly extraData: Uint8Array;
  readonly transactions: PackedTransactions;
}

/** A block is complete, in the place of those from its number on. */
export interface CompletedMessage {
  readonly kind: 'completed';
  /** The one that says so. */
  readonly version: number;
  readonly number: number;
  readonly hash: Uint8Array;
  /** Present where no more is known of it than its header: that, RLP. */
  readonly header?: Uint8Array;
  /** Without an archive: the block as that would keep it, environment and receipts included. */
  readonly kept: { readonly record: Uint8Array; readonly transactions: PackedTransactions } | null;
}

/** Another member of the group has had this transaction accepted, or knows none of those from here. */
export type GroupNews =
  | { readonly kind: 'send'; readonly send: GroupSend; readonly member: string; readonly sendId: number }
  | { readonly kind: 'member'; readonly member: string };

/** Publisher to main. */
export type FromPublisher =
  | Answer
  /** First message: the chain is known, the archive can be opened for reading. */
  | {
      readonly kind: 'chain';
      readonly chain: ChainDescription;
      readonly acceptsTransactions: boolean;
      /** Versions keep coming: a static chain is not stale because it is old. */
      readonly renewed: boolean;
      /** The port at which the dev chain tells its increments; `null`: nowhere. */
      readonly devFeedPort: number | null;
    }
  /** A table to read from now on: the first one, or a larger one that takes the place of a full one. */
  | {
      readonly kind: 'table';
      readonly generation: number;
      readonly buffer: SharedArrayBuffer;
      /** Versions go on from those of the table before; otherwise everything is new. */
      readonly continues: boolean;
      /** The block that a live chain begins anew with; `null`: it does not, or it tells of that block as of others. */
      readonly begins: BegunBlock | null;
      /** The rules of its versions, where they are others than the first message has told. */
      readonly chain?: ChainDescription;
    }
  | ChangedMessage
  | PublishedMessage
  | CompletedMessage
  | GroupNews
  /** The state of a live chain. */
  | { readonly kind: 'live'; readonly status: LiveStatus }
  /** The state of publishing or following. */
  | { readonly kind: 'replication'; readonly status: ReplicationStatus }
  /** Something that an operator should see; `share` as in feed.ts. */
  | { readonly kind: 'progress'; readonly text: string; readonly share?: number | null | undefined }
  /** Something that an operator has to see to. */
  | { readonly kind: 'warning'; readonly text: string }
  /** One clear line; the process ends with this exit code. */
  | { readonly kind: 'fatal'; readonly message: string; readonly exitCode: 1 | 2 }
  | { readonly kind: 'stopped' };

/** News of the publisher once there is a table to read. */
export type PublisherNews = Exclude<FromPublisher, Answer | { readonly kind: 'chain' | 'table' | 'fatal' | 'stopped' }>;
