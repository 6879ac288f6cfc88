// The messages between main and the publisher thread.
import type { ChainDescription } from '../chain/spec.js';
import type { KernelSettings } from '../evm/kernel/engines.js';
import type { FetchPurpose } from '../feed/feed.js';
import type { GroupSend } from '../feed/group-member.js';
import type { LiveStatus } from '../feed/status.js';
import type { BusOptions, FeedOptions } from '../feed/options.js';
import type { ReplicationStatus } from '../replicas/status.js';
import type { BlockEnv, Coordinates } from '../state/diff.js';
import type { PackedChanges } from '../state/packed-changes.js';
import type { PackedTransactions } from '../state/packed-transactions.js';
import type { MissingKeys } from '../state/views/recording-view.js';
import type { TableSettings } from '../state/table/writer.js';
import type { RpcErrorObject } from '../upstream/upstream.js';

/** The publisher's options, passed as workerData. */
export interface PublisherOptions {
  readonly source: FeedOptions;
  /** The bus on which versions are published to replicas; absent: they are not. */
  readonly publishTo?: BusOptions;
  /** True if transactions that other instances have submitted are counted here, too. */
  readonly countsSends?: boolean;
  /** Existing folder of the archive. Not used by a live chain. */
  readonly dataDir: string;
  readonly kernel: KernelSettings;
  /** Settings of the table; at least its memory. */
  readonly table: TableSettings;
  /** The Histogram `visible` of the metrics. */
  readonly visible: SharedArrayBuffer;
}

/** A request that main sends on behalf of a client. */
export type PublisherRequest =
  /** Submit this raw transaction; returns its hash. */
  | { readonly kind: 'transaction'; readonly raw: Uint8Array }
  /**
   * Recover the signer of this transaction; returns it and its nonce, `{from, nonce}`, or null if the signature is
   * invalid.
   */
  | { readonly kind: 'sender'; readonly raw: Uint8Array }
  /** Find the accepted, not yet published transaction with this hash; returns `{from, raw}`, or null. */
  | { readonly kind: 'waiting'; readonly hash: Uint8Array }
  /** Find the one of this sender with this nonce, likewise. */
  | { readonly kind: 'waitingAt'; readonly from: Uint8Array; readonly nonce: bigint }
  /** Take a snapshot of the chain; returns its id. */
  | { readonly kind: 'snapshot' }
  /** Revert the chain to this snapshot; returns true; false if there is none, null if it is too old. */
  | { readonly kind: 'revert'; readonly snapshot: number }
  /**
   * Fetch this state from the node, as far as it has it; an error if it returns nothing of it. `purpose`: the call that
   * it is for.
   */
  | { readonly kind: 'fill'; readonly missing: MissingKeys; readonly purpose?: FetchPurpose | undefined }
  /** Sign this digest of 32 bytes with an account of the dev chain; returns r, s and the parity of y as hex. */
  | { readonly kind: 'sign'; readonly account: Uint8Array; readonly digest: Uint8Array }
  /** Report this transaction to the group, or to the member `to`; returns '' once it is counted there. */
  | { readonly kind: 'report'; readonly send: GroupSend; readonly to: string | null }
  /** The transaction that a member has reported under this id has been counted here. */
  | { readonly kind: 'acknowledge'; readonly member: string; readonly send: number }
  /** Forward any method to the upstream node; returns its result. Useless after `untilMs` of the monotonic clock. */
  | {
      readonly kind: 'request';
      readonly method: string;
      readonly params: readonly unknown[];
      readonly untilMs: number;
    };

/** A request; the response has the same `id`. */
export type Question = PublisherRequest & { readonly id: number };

/** Main to publisher. */
export type ToPublisher =
  | Question
  /** Finish the current block, flush the archive, reply `stopped`. */
  | { readonly kind: 'stop' };

/** The response to a request. */
export type PublisherReply =
  /** JSON string, or '' if there is no result. */
  | { readonly kind: 'response'; readonly id: number; readonly result: string }
  /** The chain rejects the transaction. */
  | { readonly kind: 'rejected'; readonly id: number; readonly message: string }
  /** `rpc`: the error that the upstream node returned; `null`: it has not responded. */
  | { readonly kind: 'refusal'; readonly id: number; readonly message: string; readonly rpc: RpcErrorObject | null };

/** A version has been published: what it has changed. Sent before any other message about the version. */
export interface ChangedMessage {
  readonly kind: 'changed';
  readonly version: number;
  readonly coordinates: Coordinates;
  readonly changes: PackedChanges;
}

/** The block with which a state begins, or one of which only the header is known here. */
export interface StartedBlock {
  readonly number: number;
  readonly hash: Uint8Array;
  /** RLP. */
  readonly header: Uint8Array;
}

/** An increment of a block has been published: the new transactions, and the gas used by the block so far. */
export interface PublishedMessage {
  readonly kind: 'published';
  readonly version: number;
  readonly coordinates: Coordinates;
  readonly env: BlockEnv;
  readonly gasUsed: bigint;
  /** See HeaderFields. */
  readonly blobGasUsed: bigint;
  /** Extra data of the block's header. */
  readonly extraData: Uint8Array;
  readonly transactions: PackedTransactions;
}

/** A block is complete; it replaces those from its number on. */
export interface CompletedMessage {
  readonly kind: 'completed';
  /** The version that completed it. */
  readonly version: number;
  readonly number: number;
  readonly hash: Uint8Array;
  /** The RLP header, if nothing else of the block is known. */
  readonly header?: Uint8Array;
  /** Without an archive: the block in the archive's encoding, environment and receipts included. */
  readonly kept: { readonly record: Uint8Array; readonly transactions: PackedTransactions } | null;
}

/** A transaction of another member of the group was accepted, or a new member has none of ours yet. */
export type GroupEvent =
  | { readonly kind: 'send'; readonly send: GroupSend; readonly member: string; readonly sendId: number }
  | { readonly kind: 'member'; readonly member: string };

/** Publisher to main. */
export type FromPublisher =
  | PublisherReply
  /** The first message: the chain is known, the archive can be opened for reading. */
  | {
      readonly kind: 'chain';
      readonly chain: ChainDescription;
      readonly acceptsTransactions: boolean;
      /** True if versions keep coming: a static chain is not stale because it is old. */
      readonly renewed: boolean;
      /** The port on which the dev chain serves its increments; `null`: none. */
      readonly devFeedPort: number | null;
    }
  /** A table to read from now on: the first one, or a larger one that replaces a full one. */
  | {
      readonly kind: 'table';
      readonly generation: number;
      readonly buffer: SharedArrayBuffer;
      /** True if versions continue from those of the table before; otherwise everything is new. */
      readonly continues: boolean;
      /** The block from which a live chain resyncs; `null`: it does not, or that block is announced like any other. */
      readonly startsAt: StartedBlock | null;
      /** The chain rules of its versions, if they differ from those in the first message. */
      readonly chain?: ChainDescription;
    }
  | ChangedMessage
  | PublishedMessage
  | CompletedMessage
  | GroupEvent
  /** The status of a live chain. */
  | { readonly kind: 'live'; readonly status: LiveStatus }
  /** The status of publishing or replicating. */
  | { readonly kind: 'replication'; readonly status: ReplicationStatus }
  /** Progress for the operator; `share` as in feed.ts. */
  | { readonly kind: 'progress'; readonly text: string; readonly share?: number | null | undefined }
  /** A warning that the operator has to act on. */
  | { readonly kind: 'warning'; readonly text: string }
  /** A one-line error; the process ends with this exit code. */
  | { readonly kind: 'fatal'; readonly message: string; readonly exitCode: 1 | 2 }
  | { readonly kind: 'stopped' };

/** Messages of the publisher once there is a table to read. */
export type PublisherEvent = Exclude<
  FromPublisher,
  PublisherReply | { readonly kind: 'chain' | 'table' | 'fatal' | 'stopped' }
>;
