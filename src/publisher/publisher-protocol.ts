// The messages between the main thread and the publisher thread.
import type { ChainDescription } from '../chain/chain-description.js';
import type { KernelSettings } from '../evm/kernel/kernel-or-reference-engine.js';
import type { CallToPrefetchFor, HashOrSenderNonce, VersionAnnouncement } from '../feed/feed.js';
import type { PeerSubmission } from '../feed/nonce-sharing-group.js';
import type { ExecutionStatus, LiveStatus } from '../feed/live-status.js';
import type { NatsOptions, ChainSourceOptions } from '../feed/chain-source-options.js';
import type { ReplicationStatus } from '../replicas/replication-status.js';
import type { ChainPosition, Coordinates } from '../state/state-diff.js';
import type { PackedChanges } from '../state/packed-changes.js';
import type { PackedTransactions } from '../state/packed-transactions.js';
import type { EncodedBlock } from '../state/recent-encoded-blocks.js';
import type { MissingKeys } from '../state/views/miss-recording-view.js';
import type { TableSettings } from '../state/table/writer.js';
import type { RpcErrorObject } from '../upstream/upstream.js';
import type { ChainHead } from '../state/complete-block.js';

export interface PublisherOptions {
  readonly source: ChainSourceOptions;
  /** The NATS server through which state versions are published to replicas; absent if they are not published. */
  readonly publishTo?: NatsOptions;
  /** True if transactions that were submitted to other instances count in this instance's `pending` nonces, too. */
  readonly countsSends?: boolean;
  /** The existing folder of the archive. A live chain does not use it. */
  readonly dataDir: string;
  readonly kernel: KernelSettings;
  /** Settings of the table, whose memory limit is always set. */
  readonly table: TableSettings;
  /** Shared memory of the metrics histogram `visible`. */
  readonly visible: SharedArrayBuffer;
}

/** A request that the main thread sends on behalf of a client. */
export type PublisherRequest =
  /** Submits a raw transaction; returns its hash. */
  | { readonly kind: 'transaction'; readonly raw: Uint8Array }
  /** Recovers a transaction's sender; returns `{from, nonce}`, or null if the signature is invalid. */
  | { readonly kind: 'sender'; readonly raw: Uint8Array }
  /** Finds a transaction that was accepted but is not published yet; returns `{from, raw}`, or null. */
  | { readonly kind: 'waiting'; readonly named: HashOrSenderNonce }
  /** Takes a snapshot of the dev chain; returns its id. */
  | { readonly kind: 'snapshot' }
  /**
   * Reverts the dev chain to a snapshot; returns true, or false if there is no such snapshot, or null if it is too old.
   */
  | { readonly kind: 'revert'; readonly snapshot: number }
  /**
   * Fetches missing state from the node, as far as the node has it; an error if it has none. `purpose` describes the
   * call that needs the state.
   */
  | { readonly kind: 'fill'; readonly missing: MissingKeys; readonly purpose?: CallToPrefetchFor | undefined }
  /** Signs a 32-byte digest with an account of the dev chain; returns r, s and the parity of y in hex. */
  | { readonly kind: 'sign'; readonly account: Uint8Array; readonly digest: Uint8Array }
  /**
   * Reports a transaction to all members of the nonce-sharing group, or only to `to`; returns '' once they count it in
   * their `pending` nonces.
   */
  | { readonly kind: 'report'; readonly send: PeerSubmission; readonly to: string | null }
  /**
   * Acknowledges a transaction that the member `member` of the group has reported with the id `send`: the `pending`
   * nonces of this instance now count the transaction.
   */
  | { readonly kind: 'acknowledge'; readonly member: string; readonly send: number }
  /**
   * Forwards any method to the node; returns its result. After `untilMs` on the monotonic clock the response is
   * useless.
   */
  | {
      readonly kind: 'request';
      readonly method: string;
      readonly params: readonly unknown[];
      readonly untilMs: number;
    };

/** A request with an id, which the reply repeats. */
export type NumberedRequest = PublisherRequest & { readonly id: number };

/** A message from the main thread to the publisher. */
export type MessageToPublisher =
  | NumberedRequest
  /** Asks the publisher to complete the current block, flush the archive and reply `stopped`. */
  | { readonly kind: 'stop' };

/** The publisher's reply to a request. */
export type PublisherRequestReply =
  /** The result as a JSON string, or '' if there is none. */
  | { readonly kind: 'response'; readonly id: number; readonly result: string }
  /** The chain has refused the transaction. */
  | { readonly kind: 'rejected'; readonly id: number; readonly message: string }
  /** The upstream node has returned an error (`rpc`), or has not responded (`rpc` is `null`). */
  | { readonly kind: 'refusal'; readonly id: number; readonly message: string; readonly rpc: RpcErrorObject | null };

/** The state changes of a new version. Sent before any other message about that version. */
export interface VersionChangesMessage {
  readonly kind: 'changed';
  readonly version: number;
  readonly coordinates: Coordinates;
  readonly changes: PackedChanges;
}

/**
 * Sent when an increment of a block was published: its new transactions, and the gas that the block has used so far.
 */
export interface IncrementPublishedMessage extends ChainPosition, Omit<VersionAnnouncement, 'transactions'> {
  readonly kind: 'published';
  readonly version: number;
  readonly transactions: PackedTransactions;
}

/** Sent when a block is complete. It replaces all earlier blocks with the same or a higher number. */
export interface BlockCompletedMessage {
  readonly kind: 'completed';
  /** The state version that completes the block. */
  readonly version: number;
  readonly number: number;
  readonly hash: Uint8Array;
  /** The RLP header, if nothing else is known of the block. */
  readonly header?: Uint8Array;
  /**
   * Without an archive: the block in the archive's encoding, with its environment and receipts. `null` if there is an
   * archive, or if only the header is known.
   */
  readonly kept: Pick<EncodedBlock, 'record' | 'transactions'> | null;
}

/**
 * Events of the nonce-sharing group: another member reports a transaction, or a new member has joined that does not
 * know our transactions yet.
 */
export type NonceSharingGroupEvent =
  | { readonly kind: 'send'; readonly send: PeerSubmission; readonly member: string; readonly sendId: number }
  | { readonly kind: 'member'; readonly member: string };

/** A message from the publisher to the main thread. */
export type MessageFromPublisher =
  | PublisherRequestReply
  /** The first message: the chain is known, and the archive can be opened for reading. */
  | {
      readonly kind: 'chain';
      readonly chain: ChainDescription;
      readonly acceptsTransactions: boolean;
      /** True if new state versions keep coming. On an imported chain they do not, so an old version is not stale. */
      readonly renewed: boolean;
      /** The port on which the dev chain serves its feed of increments; `null` if it serves none. */
      readonly devFeedPort: number | null;
    }
  /**
   * The table to read from now on: the first one, a larger one that replaces it, or a new one because the state was
   * loaded anew.
   */
  | {
      readonly kind: 'table';
      readonly generation: number;
      readonly buffer: SharedArrayBuffer;
      /** True if the table's versions continue the versions of the previous table; otherwise its state is a new one. */
      readonly continues: boolean;
      /**
       * The block at which the state of a live chain starts; `null` if this table does not start a state, or if the
       * block is announced separately.
       */
      readonly startsAt: ChainHead | null;
      /** The chain's rules for this table, if they differ from the rules in the first message. */
      readonly chain?: ChainDescription;
    }
  | VersionChangesMessage
  | IncrementPublishedMessage
  | BlockCompletedMessage
  | NonceSharingGroupEvent
  | { readonly kind: 'live'; readonly status: LiveStatus | ExecutionStatus }
  | { readonly kind: 'replication'; readonly status: ReplicationStatus }
  /** A line of progress for the operator; see feed.ts for `share`. */
  | { readonly kind: 'progress'; readonly text: string; readonly share?: number | null | undefined }
  /** A warning on which the operator should act. */
  | { readonly kind: 'warning'; readonly text: string }
  /** A one-line error. The process ends with this exit code. */
  | { readonly kind: 'fatal'; readonly message: string; readonly exitCode: 1 | 2 }
  | { readonly kind: 'stopped' };

/** Messages that the publisher sends once there is a table to read. */
export type PublisherEvent = Exclude<
  MessageFromPublisher,
  PublisherRequestReply | { readonly kind: 'chain' | 'table' | 'fatal' | 'stopped' }
>;
