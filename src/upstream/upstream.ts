// The interface of the upstream client. It reads blocks and state by hash over HTTP, and follows heads over WebSocket
// or by polling. `createUpstream` in create-upstream.ts creates a client.
import type { AnnouncedTransaction, CompleteBlock } from '../state/complete-block.js';
import type { StateChanges } from '../state/state-diff.js';
import type { MissingKeys } from '../state/views/miss-recording-view.js';
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
export interface BlockNumberAndHash {
  readonly number: number;
  readonly hash: Uint8Array;
}

export interface UpstreamHead extends BlockNumberAndHash {
  /** The parent's hash, 32 bytes. */
  readonly parentHash: Uint8Array;
}

/**
 * An event for listeners.
 * `head`: the head has changed. The same block is never reported twice in a row, but with a load balancer the new head
 * may be an older block.
 * `tags`: the node's safe or finalized block has changed; `null` if the node does not report it.
 * `lower`: several polls in a row have found the node's head below an announced one. If `isCertain`, there were so many
 * that the node must have rolled back. Otherwise a load balancer may have switched to a node that lags. `head` is
 * `null` when the node's head is no longer below.
 */
export type HeadOrTagsEvent =
  | { readonly kind: 'head'; readonly head: UpstreamHead }
  | { readonly kind: 'tags'; readonly safe: BlockNumberAndHash | null; readonly finalized: BlockNumberAndHash | null }
  | { readonly kind: 'lower'; readonly head: UpstreamHead | null; readonly isCertain: boolean };

/** A transaction of a block that contains unknown transaction types, as the node lists it. */
export interface UndecodedTransaction {
  /** The transaction's hash, 32 bytes. */
  readonly hash: Uint8Array;
  /** EIP-2718 bytes; `null` if we do not know the transaction's type. */
  readonly raw: Uint8Array | null;
  /** The node's JSON of the transaction. */
  readonly text: string;
}

/**
 * A block as the node returns it. The header's hash, the hashes of the transactions and the transactions root are
 * verified, as far as we know the header's fields and the transactions' types.
 */
export interface UpstreamBlock extends BlockNumberAndHash, Pick<CompleteBlock, 'header' | 'sizeBytes' | 'withdrawals'> {
  /** The transactions with their EIP-2718 bytes. `from` is as reported by the node. */
  readonly transactions: readonly AnnouncedTransaction[];
  /**
   * EIP-2718 type of a transaction whose type we do not know; `null` if there is none. For a block with such a
   * transaction, `transactions` is empty. The block cannot be executed, but it can be applied as a diff, or the state
   * can be loaded at it.
   */
  readonly unknownType: number | null;
  /** All transactions of the block in order, if some are of unknown types; absent if we know all types. */
  readonly listed?: readonly UndecodedTransaction[];
  /**
   * Names of header members that belong to no fork that we know; absent if there are none. If it cannot be found out
   * how they are encoded, `header` lacks them, and its contents are not verified by the block's hash.
   */
  readonly unknownFields?: readonly string[];
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
export interface BlockWithBatchAnswers {
  readonly block: UpstreamBlock | null;
  readonly answers: readonly RpcAnswer[];
}

/** The client of an upstream node. All promises reject with `UpstreamError` only. */
export interface Upstream {
  chainId(): Promise<bigint>;
  /**
   * Returns the block with this number or hash, with full transactions; `null` if the node does not know it.
   * `announced` are the transactions that the block probably has. If it has exactly these, they are not transferred.
   */
  block(ref: number | Uint8Array, announced?: readonly AnnouncedTransaction[]): Promise<UpstreamBlock | null>;
  /**
   * Fetches a block as `block` does, in one batch with other requests about the block (`questions`), so that these take
   * no round trip of their own.
   */
  blockBeside(
    hash: Uint8Array,
    announced: readonly AnnouncedTransaction[],
    questions: readonly UpstreamRequest[],
  ): Promise<BlockWithBatchAnswers>;
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
  read(anchor: Uint8Array, keys: MissingKeys): Promise<FetchedState>;
  /**
   * Sends a request with any method to the node. If this program implements the method as well, the result is checked
   * by `checkForwardedResult`. An error of the node is in `UpstreamError.rpc`. Short reads in one event-loop tick are
   * sent as a batch. The response is needed by `untilMs` on the monotonic clock.
   */
  request(method: string, params: readonly unknown[], untilMs?: number): Promise<unknown>;
  /** Calls `listener` with the current head and tags, then with every change, until the returned function is called. */
  watchHeads(listener: (event: HeadOrTagsEvent) => void): () => void;
  /** Closes the client. Requests that still wait reject with `closed`. */
  close(): Promise<void>;
  readonly stats: Readonly<UpstreamStats>;
  /** How often the node has responded again after a failed request, plus how often the WebSocket was lost. */
  readonly returns: number;
  /** The time since which requests have had no response, on the monotonic clock; `null` while the node responds. */
  readonly silentSinceMs: number | null;
}
