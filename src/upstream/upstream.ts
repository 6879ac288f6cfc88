// The interface of the upstream client: reads blocks and state by hash over HTTP, and follows heads over WebSocket or
// by polling. `createUpstream` in node.ts creates a client.
import type { AnnouncedTransaction, Withdrawal } from '../state/complete-block.js';
import type { AccountChange, CodeChange, SlotChange } from '../state/state-diff.js';
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

/** Addresses of the node. */
export interface UpstreamOptions {
  /** An `http:` or `https:` URL. Credentials in it are sent as basic authentication. */
  readonly url: string;
  /** A `ws:` or `wss:` URL; `null` if heads are polled. */
  readonly wsUrl: string | null;
  /** Longest time between polls of `latest` without a WebSocket: a quarter of the block time, if less. */
  readonly pollMs: number;
}

/** A block by its number and hash (32 bytes). */
export interface BlockRef {
  readonly number: number;
  readonly hash: Uint8Array;
}

export interface UpstreamHead extends BlockRef {
  /** 32 bytes. */
  readonly parentHash: Uint8Array;
}

/**
 * Events for listeners. `head`: another block is the head. The same hash never comes twice in a row, but behind a load
 * balancer it may be an older block. `tags`: the node's safe or finalized block has changed; `null` if the node does
 * not report it. `lower`: several polls in a row have found a head below an announced one. With `isCertain` there were
 * so many that the node has rolled back; without it, a load balancer may have used a node that is behind. Its head is
 * `null` when a poll has found the node level again.
 */
export type HeadEvent =
  | { readonly kind: 'head'; readonly head: UpstreamHead }
  | { readonly kind: 'tags'; readonly safe: BlockRef | null; readonly finalized: BlockRef | null }
  | { readonly kind: 'lower'; readonly head: UpstreamHead | null; readonly isCertain: boolean };

/** A transaction of a block that contains one of an unknown type. */
export interface UndecodedTransaction {
  /** 32 bytes. */
  readonly hash: Uint8Array;
  /** EIP-2718 bytes; `null` if its type is not known here. */
  readonly raw: Uint8Array | null;
  /** The transaction as the node's JSON. */
  readonly text: string;
}

/** Verified: the header's hash, as far as it can be decoded; the transactions' hashes and root. */
export interface UpstreamBlock extends BlockRef {
  /** RLP. */
  readonly header: Uint8Array;
  /** EIP-2718 bytes of each, with `from` as reported by the node. */
  readonly transactions: readonly AnnouncedTransaction[];
  readonly withdrawals: readonly Withdrawal[] | null;
  /** Size of the whole block's RLP, bytes. */
  readonly sizeBytes: number;
  /**
   * EIP-2718 type of a transaction whose type is not known here; `null` if there is none. A block with such a
   * transaction comes without its transactions: a state can start at it or apply it as a diff, but it cannot be
   * executed.
   */
  readonly unknownType: number | null;
  /** All transactions of such a block in order; absent if every type is known. */
  readonly listed?: readonly UndecodedTransaction[];
  /**
   * Names of header members that belong to no fork which is executed here; absent if there are none. If they cannot be
   * decoded, `header` lacks them, and its contents are unverified because the hash does not prove them.
   */
  readonly unknownFields?: readonly string[];
}

/** Keys of state to be read: 20-byte addresses, 32-byte slots. */
export interface StateKeys {
  readonly accounts: readonly Uint8Array[];
  readonly slots: readonly { readonly address: Uint8Array; readonly slot: Uint8Array }[];
}

/** A value that the node did not return, and the reason. `slot` is `null` for the account itself. */
export interface RefusedRead {
  readonly address: Uint8Array;
  readonly slot: Uint8Array | null;
  readonly error: UpstreamError;
}

/**
 * The requested values of the state after the anchor block, each once. An account without nonce, balance and code is
 * `null`. `codes` has the code of every listed account that has one. `refused` lists what is missing.
 */
export interface FetchedState {
  readonly accounts: readonly AccountChange[];
  readonly slots: readonly SlotChange[];
  readonly codes: readonly CodeChange[];
  readonly refused: readonly RefusedRead[];
}

/** A block, and the responses to the requests in the same batch, in order. */
export interface BlockWithReceipts {
  readonly block: UpstreamBlock | null;
  readonly answers: readonly RpcAnswer[];
}

/** All promises reject with `UpstreamError` only. */
export interface Upstream {
  chainId(): Promise<bigint>;
  /** The block with this tag; `null` if the node has none, or none yet. */
  tagged(tag: 'latest' | 'safe' | 'finalized'): Promise<BlockRef | null>;
  /**
   * The block with this number or hash, with full transactions; `null` if the node does not know it. `announced` are
   * the transactions that it probably has, so that they need not be transferred.
   */
  block(ref: number | Uint8Array, announced?: readonly AnnouncedTransaction[]): Promise<UpstreamBlock | null>;
  /** Like `block`, in one batch with other requests about the block, so that these cost no round trip of their own. */
  blockBeside(
    hash: Uint8Array,
    announced: readonly AnnouncedTransaction[],
    questions: readonly UpstreamRequest[],
  ): Promise<BlockWithReceipts>;
  /**
   * Number, hash and parent of the block with this number or hash, as the node reports them; `null` if it does not know
   * the block. Calls in one event-loop tick are sent as a batch.
   */
  header(ref: number | Uint8Array): Promise<UpstreamHead | null>;
  /**
   * Reads state after the block with hash `anchor` (EIP-1898), never by number or tag. Keys of the same anchor that are
   * requested in one event-loop tick are sent as a batch, and keys that are already in flight are not requested again.
   * Never rejects: what is unavailable is in `refused`.
   */
  read(anchor: Uint8Array, keys: StateKeys): Promise<FetchedState>;
  /**
   * Forwards any method. The result of a method that is implemented here is checked by `checkResult`; any other is
   * returned unchanged. An error of the node is in `UpstreamError.rpc`. Short reads in one event-loop tick are sent as
   * a batch. After `untilMs` on the monotonic clock the response is useless.
   */
  request(method: string, params: readonly unknown[], untilMs?: number): Promise<unknown>;
  /** Calls `listener` with head and tags, then with every change, until the returned function is called. */
  watchHeads(listener: (event: HeadEvent) => void): () => void;
  /** Closes everything; requests that still wait reject with `closed`. */
  close(): Promise<void>;
  readonly stats: Readonly<UpstreamStats>;
  /** How often the node was down and has come back: requests had no response, or the WebSocket was lost. */
  readonly returns: number;
  /** Since when requests have had no response, on the monotonic clock; `null` while the node responds. */
  readonly silentSinceMs: number | null;
}
