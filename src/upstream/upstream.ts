// The interface of the upstream client: blocks and state by hash over HTTP, new heads over WebSocket or by polling.
// `createUpstream` in node.ts creates one.
import type { PublishedTransaction, Withdrawal } from '../state/block.js';
import type { AccountChange, CodeChange, SlotChange } from '../state/diff.js';
import type { UpstreamError } from './transport/error.js';
import type { UpstreamRequest } from './transport/json-rpc.js';
import type { RpcAnswer } from './transport/rpc-answer.js';
import type { UpstreamStats } from './transport/stats.js';

export {
  isSilence,
  nullIfRefused,
  UpstreamError,
  type RpcErrorObject,
  type UpstreamErrorKind,
} from './transport/error.js';
export type { UpstreamRequest as RpcRequest } from './transport/json-rpc.js';
export type { RpcAnswer } from './transport/rpc-answer.js';
export type { UpstreamStats } from './transport/stats.js';

/** Addresses of the node. */
export interface UpstreamOptions {
  /** `http:` or `https:`; credentials in it are sent as basic authentication. */
  readonly url: string;
  /** `ws:` or `wss:`; `null`: heads are polled. */
  readonly wsUrl: string | null;
  /**
   * Longest time between two polls of `latest` while no WebSocket announces heads: a quarter of the block time if that
   * is less.
   */
  readonly pollMs: number;
}

/** A block by its number and hash (32 bytes). */
export interface BlockRef {
  readonly number: number;
  readonly hash: Uint8Array;
}

/** A new head of the node's chain. */
export interface UpstreamHead extends BlockRef {
  /** 32 bytes. */
  readonly parentHash: Uint8Array;
}

/**
 * Events for listeners. `head`: another block is the head; never the same hash twice in a row, but behind a load
 * balancer it may be an older block. `tags`: the node's safe and finalized blocks, reported when one has changed;
 * `null`: the node does not report it. `lower`: several polls in a row have found a head below an announced one: a few
 * of them (behind a load balancer it may be an older node's), or so many that the node has rolled back (`isCertain`);
 * `null`: a poll has found it level again.
 */
export type HeadEvent =
  | { readonly kind: 'head'; readonly head: UpstreamHead }
  | { readonly kind: 'tags'; readonly safe: BlockRef | null; readonly finalized: BlockRef | null }
  | { readonly kind: 'lower'; readonly head: UpstreamHead | null; readonly isCertain: boolean };

/** A transaction of a block that contains one of an unknown type. */
export interface ListedTransaction {
  /** 32 bytes. */
  readonly hash: Uint8Array;
  /** EIP-2718 bytes; `null`: its type is not known here. */
  readonly raw: Uint8Array | null;
  /** The node's JSON. */
  readonly text: string;
}

/**
 * A whole block. The hash of the header, as far as it can be decoded, those of the transactions and the transactions
 * root have been verified.
 */
export interface UpstreamBlock extends BlockRef {
  /** RLP. */
  readonly header: Uint8Array;
  /** EIP-2718 bytes; `from` as reported by the node. */
  readonly transactions: readonly PublishedTransaction[];
  readonly withdrawals: readonly Withdrawal[] | null;
  /** Size of the whole block's RLP, bytes. */
  readonly sizeBytes: number;
  /**
   * EIP-2718 type of a transaction that is not known here, `null` if there is none. A block with one comes without its
   * transactions; it can be the base of a state or be applied as a diff, but not be executed.
   */
  readonly unknownType: number | null;
  /** All transactions of such a block, in order; absent if there is none of an unknown type. */
  readonly listed?: readonly ListedTransaction[];
  /**
   * Members of its header that belong to no fork that is executed here; absent: there are none. If they cannot be
   * decoded `header` lacks them: then its contents are unverified, as the hash does not prove them.
   */
  readonly unknownFields?: readonly string[];
}

/** Keys of state to be read: 20-byte addresses, 32-byte slots. */
export interface StateKeys {
  readonly accounts: readonly Uint8Array[];
  readonly slots: readonly { readonly address: Uint8Array; readonly slot: Uint8Array }[];
}

/** A value that the node does not return, and why. `slot`: `null` for the account itself. */
export interface RefusedRead {
  readonly address: Uint8Array;
  readonly slot: Uint8Array | null;
  readonly error: UpstreamError;
}

/**
 * The requested values, each once, all of the state after the anchor's block. An account without nonce, balance and
 * code is `null`. `codes` contains the code of every listed account that has one. `refused`: what is missing.
 */
export interface FetchedState {
  readonly accounts: readonly AccountChange[];
  readonly slots: readonly SlotChange[];
  readonly codes: readonly CodeChange[];
  readonly refused: readonly RefusedRead[];
}

/** A block, and the responses to the requests that were batched with it, in order. */
export interface BlockWithReceipts {
  readonly block: UpstreamBlock | null;
  readonly answers: readonly RpcAnswer[];
}

/** All promises reject with `UpstreamError` only. */
export interface Upstream {
  chainId(): Promise<bigint>;
  /** `null`: the node has no such block (yet). */
  tagged(tag: 'latest' | 'safe' | 'finalized'): Promise<BlockRef | null>;
  /**
   * By number or by hash, with full transactions; `null`: the node does not know it. `announced`: transactions that it
   * probably has, which are then not requested.
   */
  block(ref: number | Uint8Array, announced?: readonly PublishedTransaction[]): Promise<UpstreamBlock | null>;
  /** Like `block`, in one batch with requests about it: none of them costs a round trip of its own. */
  blockBeside(
    hash: Uint8Array,
    announced: readonly PublishedTransaction[],
    questions: readonly UpstreamRequest[],
  ): Promise<BlockWithReceipts>;
  /**
   * Number, hash and parent of the block with this number or hash, as reported by the node; `null`: the node does not
   * know it. Those that are requested in one event-loop tick are batched.
   */
  header(ref: number | Uint8Array): Promise<UpstreamHead | null>;
  /**
   * Reads state after the block with hash `anchor` (EIP-1898, never by number or tag). Keys of the same anchor that are
   * requested in one event-loop tick are batched, and nothing that is in flight is requested again. Never rejects: what
   * is unavailable is in `refused`.
   */
  read(anchor: Uint8Array, keys: StateKeys): Promise<FetchedState>;
  /**
   * Any method: the result of one that is implemented here as returned by `checkedResult`, any other unchanged; an
   * error of the node is `UpstreamError.rpc`. Short reads that are requested in one event-loop tick are batched.
   * `untilMs`: when the response becomes useless, by the monotonic clock.
   */
  request(method: string, params: readonly unknown[], untilMs?: number): Promise<unknown>;
  /** Calls `listener` with the current head and tags, then with every change, until the returned function is called. */
  watchHeads(listener: (event: HeadEvent) => void): () => void;
  /** Closes everything; what is still waiting rejects with `closed`. */
  close(): Promise<void>;
  readonly stats: Readonly<UpstreamStats>;
  /** Number of times that it was gone and has come back: requests had gone unanswered, or the WebSocket was lost. */
  readonly returns: number;
  /** Since when requests have gone unanswered, by the monotonic clock; `null`: the node answers. */
  readonly silentSinceMs: number | null;
}
