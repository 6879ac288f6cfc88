// The messages between main and the publisher thread.
import type { ChainDescription } from '../chain/chain-description.js';
import type { KernelSettings } from '../evm/kernel/engine-factory.js';
import type { CallToFetchFor, TransactionReference } from '../feed/feed.js';
import type { GroupSubmission } from '../feed/submission-group.js';
import type { LiveStatus } from '../feed/live-status.js';
import type { NatsOptions, FeedOptions } from '../feed/options.js';
import type { ReplicationStatus } from '../replicas/replication-status.js';
import type { BlockEnv, Coordinates } from '../state/state-diff.js';
import type { PackedChanges } from '../state/packed-changes.js';
import type { PackedTransactions } from '../state/packed-transactions.js';
import type { MissingKeys } from '../state/views/miss-recording-view.js';
import type { TableSettings } from '../state/table/writer.js';
import type { RpcErrorObject } from '../upstream/upstream.js';

export interface PublisherOptions {
  readonly source: FeedOptions;
  /** The NATS bus on which versions are published to replicas; absent if they are not. */
  readonly publishTo?: NatsOptions;
  /** True if transactions that other instances have submitted count here, too. */
  readonly countsSends?: boolean;
  /** Existing folder of the archive. Not used by a live chain. */
  readonly dataDir: string;
  readonly kernel: KernelSettings;
  /** Settings of the table, of which its memory is always set. */
  readonly table: TableSettings;
  /** Shared memory of the histogram `visible` in the metrics. */
  readonly visible: SharedArrayBuffer;
}

/** A request that main sends on behalf of a client. */
export type PublisherRequest =
  /** Submit this raw transaction; returns its hash. */
  | { readonly kind: 'transaction'; readonly raw: Uint8Array }
  /** Recover this transaction's sender: `{from, nonce}`, or null if the signature is invalid. */
  | { readonly kind: 'sender'; readonly raw: Uint8Array }
  /** Find this transaction, which is accepted but not published yet; returns `{from, raw}`, or null. */
  | { readonly kind: 'waiting'; readonly named: TransactionReference }
  /** Take a snapshot of the chain; returns its id. */
  | { readonly kind: 'snapshot' }
  /** Revert the chain to this snapshot; returns true, or false if there is none, or null if it is too old. */
  | { readonly kind: 'revert'; readonly snapshot: number }
  /** Fetch this state from the node, as far as it has it; an error if none. `purpose`: the call in need. */
  | { readonly kind: 'fill'; readonly missing: MissingKeys; readonly purpose?: CallToFetchFor | undefined }
  /** Sign this 32-byte digest with an account of the dev chain; returns r, s and the parity of y in hex. */
  | { readonly kind: 'sign'; readonly account: Uint8Array; readonly digest: Uint8Array }
  /** Report this transaction to the whole group, or to the member `to`; returns '' once it is counted there. */
  | { readonly kind: 'report'; readonly send: GroupSubmission; readonly to: string | null }
  /** Acknowledge that the transaction that `member` has reported under this id is counted here. */
  | { readonly kind: 'acknowledge'; readonly member: string; readonly send: number }
  /** Forward any method to the node; returns its result, of no use after `untilMs` on the monotonic clock. */
  | {
      readonly kind: 'request';
      readonly method: string;
      readonly params: readonly unknown[];
      readonly untilMs: number;
    };

/** A request with an id, which the response repeats. */
export type NumberedRequest = PublisherRequest & { readonly id: number };

/** Main to publisher. */
export type MessageToPublisher =
  | NumberedRequest
  /** Finish the current block, flush the archive, reply `stopped`. */
  | { readonly kind: 'stop' };

/** The response to a request. */
export type PublisherReply =
  /** The result as a JSON string, or '' if there is none. */
  | { readonly kind: 'response'; readonly id: number; readonly result: string }
  /** The chain rejects the transaction. */
  | { readonly kind: 'rejected'; readonly id: number; readonly message: string }
  /** The upstream node returned an error, which is in `rpc`, or has not responded; then `rpc` is `null`. */
  | { readonly kind: 'refusal'; readonly id: number; readonly message: string; readonly rpc: RpcErrorObject | null };

/** What a new version has changed. Sent before any other message about the version. */
export interface VersionChangedMessage {
  readonly kind: 'changed';
  readonly version: number;
  readonly coordinates: Coordinates;
  readonly changes: PackedChanges;
}

/** The block at which a state starts, or another block of which only the header is known. */
export interface HeaderOnlyBlock {
  readonly number: number;
  readonly hash: Uint8Array;
  /** RLP. */
  readonly header: Uint8Array;
}

/** An increment of a block was published: the new transactions, and the gas that the block has used so far. */
export interface IncrementPublishedMessage {
  readonly kind: 'published';
  readonly version: number;
  readonly coordinates: Coordinates;
  readonly env: BlockEnv;
  readonly gasUsed: bigint;
  readonly blobGasUsed: bigint;
  /** Extra data of the block's header. */
  readonly extraData: Uint8Array;
  readonly transactions: PackedTransactions;
}

/** A block is complete. It replaces all earlier blocks of its number and higher ones. */
export interface BlockCompletedMessage {
  readonly kind: 'completed';
  /** The version that completed it. */
  readonly version: number;
  readonly number: number;
  readonly hash: Uint8Array;
  /** The RLP header, if nothing else of the block is known. */
  readonly header?: Uint8Array;
  /** Without an archive: the block in the archive's encoding, including its environment and receipts. */
  readonly kept: { readonly record: Uint8Array; readonly transactions: PackedTransactions } | null;
}

/** A transaction that another member of the group has accepted, or a new member that does not know any of ours yet. */
export type SubmissionGroupEvent =
  | { readonly kind: 'send'; readonly send: GroupSubmission; readonly member: string; readonly sendId: number }
  | { readonly kind: 'member'; readonly member: string };

/** Publisher to main. */
export type MessageFromPublisher =
  | PublisherReply
  /** The first message: the chain is known, and the archive can be opened for reading. */
  | {
      readonly kind: 'chain';
      readonly chain: ChainDescription;
      readonly acceptsTransactions: boolean;
      /** True if new versions keep coming. On a static chain they do not, and an old version is not stale. */
      readonly renewed: boolean;
      /** The port on which the dev chain serves its increments; `null` if it does not. */
      readonly devFeedPort: number | null;
    }
  /** A table to read from now on: the first one, a larger one that replaces a full one, or one after a resync. */
  | {
      readonly kind: 'table';
      readonly generation: number;
      readonly buffer: SharedArrayBuffer;
      /** True if its versions continue those of the previous table; otherwise everything is new. */
      readonly continues: boolean;
      /** The block at which a live chain starts or resyncs; `null` if it does not, or the block is announced. */
      readonly startsAt: HeaderOnlyBlock | null;
      /** The chain rules for its versions, if they differ from those in the first message. */
      readonly chain?: ChainDescription;
    }
  | VersionChangedMessage
  | IncrementPublishedMessage
  | BlockCompletedMessage
  | SubmissionGroupEvent
  | { readonly kind: 'live'; readonly status: LiveStatus }
  | { readonly kind: 'replication'; readonly status: ReplicationStatus }
  /** Progress for the operator; see feed.ts for `share`. */
  | { readonly kind: 'progress'; readonly text: string; readonly share?: number | null | undefined }
  /** A warning that the operator should act on. */
  | { readonly kind: 'warning'; readonly text: string }
  /** A one-line error; the process ends with this exit code. */
  | { readonly kind: 'fatal'; readonly message: string; readonly exitCode: 1 | 2 }
  | { readonly kind: 'stopped' };

/** Messages that the publisher sends once there is a table to read. */
export type PublisherEvent = Exclude<
  MessageFromPublisher,
  PublisherReply | { readonly kind: 'chain' | 'table' | 'fatal' | 'stopped' }
>;
