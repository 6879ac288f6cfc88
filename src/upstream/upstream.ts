// The interface of the upstream client. It reads blocks and state by hash over HTTP, and follows heads over WebSocket
// or by polling. `createUpstream` in create-upstream.ts creates a client.
import type { AnnouncedTransaction, CompleteBlock } from '../state/complete-block.js';
import type { StateChanges } from '../state/state-diff.js';
import type { UpstreamError } from './transport/upstream-error.js';
import type { UpstreamRequest } from './transport/json-rpc-client.js';
import type { RpcAnswer } from './transport/parse-rpc-response.js';
import type { UpstreamStats } from './transport/upstream-stats.js';

export {
  isNodeSilent,
  nullIfRefused,
  UpstreamError,
  type RpcErrorObject,
  type UpstreamErrorKind,
} from './transport/upstream-error.js';
export type { UpstreamRequest as RpcRequest } from './transport/json-rpc-client.js';
export type { RpcAnswer } from './transport/parse-rpc-response.js';
export type { UpstreamStats } from './transport/upstream-stats.js';

/** The addresses of the node, and how often it is polled. */
export interface UpstreamOptions {
  /** An `http:` or `https:` URL. Credentials in it are sent as basic authentication. */
  readonly url: string;
  /** A `ws:` or `wss:` URL; `null` if heads are polled. */
  readonly wsUrl: string | null;
  /**
   * Longest time between two polls of `latest` without a WebSocket. The interval is a quarter of the block time if that
   * is shorter.
   */
  readonly pollMs: number;
}

/** Names a block by its number and hash (32 bytes). */
export interface BlockRef {
  readonly number: number;
  readonly hash: Uint8Array;
}

export interface UpstreamHead extends BlockRef {
  /** The parent's hash, 32 bytes. */
  readonly parentHash: Uint8Array;
}

/**
 * An event for listeners. `head`: another block is the head. The same hash never comes twice in a row, but behind a
 * load balancer it may be an older block. `tags`: the node's safe or finalized block has changed; `null` if the node
 * does not report it. `lower`: several polls in a row have found a head below an announced one. With `isCertain` there
 * were so many that the node has rolled back; without it, a load balancer may have used a node that lags behind. In a
 * `lower` event, `head` is `null` when a poll has again found a head that is not below.
 */
export type HeadEvent =
  | { readonly kind: 'head'; readonly head: UpstreamHead }
  | { readonly kind: 'tags'; readonly safe: BlockRef | null; readonly finalized: BlockRef | null }
  | { readonly kind: 'lower'; readonly head: UpstreamHead | null; readonly isCertain: boolean };

/** A transaction as the node lists it, in a block of which some transaction has an unknown type. */
export interface UndecodedTransaction {
  /** The transaction's hash, 32 bytes. */
  readonly hash: Uint8Array;
  /** EIP-2718 bytes; `null` if the transaction's type is unknown here. */
  readonly raw: Uint8Array | null;
  /** The node's JSON of the transaction. */
  readonly text: string;
}

/**
 * A block as the node returns it. The header's hash is verified as far as the header can be decoded, as are the hashes
 * and the root of the transactions.
 */
export interface UpstreamBlock extends BlockRef, Pick<CompleteBlock, 'header' | 'sizeBytes' | 'withdrawals'> {
  /** The transactions with their EIP-2718 bytes. `from` is as reported by the node. */
  readonly transactions: readonly AnnouncedTransaction[];
  /**
   * EIP-2718 type of a transaction whose type is unknown here; `null` if there is none. A block with such a transaction
   * has an empty list of transactions. It cannot be executed, but a state can start at it, or apply it as a diff.
   */
  readonly unknownType: number | null;
  /** All transactions in order of a block that contains unknown types; absent if every type is known. */
  readonly listed?: readonly UndecodedTransaction[];
  /**
   * Names of header members that belong to no fork known here; absent if there are none. If they cannot be decoded,
   * `header` lacks them, and its contents are unverified, because the hash does not prove them.
   */
  readonly unknownFields?: readonly string[];
}

/** Keys of state to be read: 20-byte addresses and 32-byte slots. */
export interface StateKeys {
  readonly accounts: readonly Uint8Array[];
  readonly slots: readonly { readonly address: Uint8Array; readonly slot: Uint8Array }[];
}

/** A value that the node did not return, and the reason. `slot` is `null` if it is an account. */
export interface RefusedRead {
  readonly address: Uint8Array;
  readonly slot: Uint8Array | null;
  readonly error: UpstreamError;
}

/**
 * The requested values of the state after the anchor block, each once. An account without nonce, balance and code is
 * `null`. `codes` has the code of every listed account that has one. `refused` lists the values that could not be read.
 */
export interface FetchedState extends StateChanges {
  readonly refused: readonly RefusedRead[];
}

/** A block, and the responses to the other requests of the same batch, in order. */
export interface BlockWithReceipts {
  readonly block: UpstreamBlock | null;
  readonly answers: readonly RpcAnswer[];
}

/** The client of an upstream node. All promises reject with `UpstreamError` only. */
export interface Upstream {
  chainId(): Promise<bigint>;
  /** Returns the block with this tag; `null` if the node has none, or none yet. */
  tagged(tag: 'latest' | 'safe' | 'finalized'): Promise<BlockRef | null>;
  /**
   * Returns the block with this number or hash, with full transactions; `null` if the node does not know it.
   * `announced` are the transactions that it probably has: if it has them, they are not transferred again.
   */
  block(ref: number | Uint8Array, announced?: readonly AnnouncedTransaction[]): Promise<UpstreamBlock | null>;
  /**
   * Fetches a block as `block` does, in one batch with other requests about the block, so that these take no round trip
   * of their own.
   */
  blockBeside(
    hash: Uint8Array,
    announced: readonly AnnouncedTransaction[],
    questions: readonly UpstreamRequest[],
  ): Promise<BlockWithReceipts>;
  /**
   * Returns number, hash and parent of the block with this number or hash, as the node reports them; `null` if it does
   * not know the block. Calls in one event-loop tick are sent as a batch.
   */
  header(ref: number | Uint8Array): Promise<UpstreamHead | null>;
  /**
   * Reads state after the block with hash `anchor` (EIP-1898), never by number or tag. Keys of the same anchor that are
   * requested in one event-loop tick are sent as a batch, and keys that are in flight are not requested again. Never
   * rejects: values that could not be read are in `refused`.
   */
  read(anchor: Uint8Array, keys: StateKeys): Promise<FetchedState>;
  /**
   * Forwards any method to the node. The result of a method that is implemented here is checked by
   * `checkForwardedResult`; any other is returned unchanged. An error of the node is in `UpstreamError.rpc`. Short
   * reads in one event-loop tick are sent as a batch. After `untilMs` on the monotonic clock the response is useless.
   */
  request(method: string, params: readonly unknown[], untilMs?: number): Promise<unknown>;
  /** Calls `listener` with the current head and tags, then with every change, until the returned function is called. */
  watchHeads(listener: (event: HeadEvent) => void): () => void;
  /** Closes the client. Requests that still wait reject with `closed`. */
  close(): Promise<void>;
  readonly stats: Readonly<UpstreamStats>;
  /** How often the node was down and has come back: requests had no response, or the WebSocket was lost. */
  readonly returns: number;
  /** The time since which requests have had no response, on the monotonic clock; `null` while the node responds. */
  readonly silentSinceMs: number | null;
}
