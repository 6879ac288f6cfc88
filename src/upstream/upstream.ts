// The client of an ordinary node as others see it: blocks and state by hash over HTTP, new heads over WebSocket or by
// polling. `createUpstream` in node.ts makes one. Runs on the publisher.
import type { PublishedTransaction, Withdrawal } from '../state/block.js';
import type { AccountChange, CodeChange, SlotChange } from '../state/diff.js';
import type { UpstreamError } from './transport/error.js';
import type { RpcRequest } from './transport/json-rpc.js';
import type { RpcAnswer } from './transport/rpc-answer.js';
import type { UpstreamStats } from './transport/stats.js';

export {
  isSilence,
  nullIfRefused,
  UpstreamError,
  type RpcErrorObject,
  type UpstreamErrorKind,
} from './transport/error.js';
export type { RpcRequest } from './transport/json-rpc.js';
export type { RpcAnswer } from './transport/rpc-answer.js';
export type { UpstreamStats } from './transport/stats.js';

/** Addresses of the node. */
export interface UpstreamOptions {
  /** `http:` or `https:`; credentials in it are sent as basic authentication. */
  readonly url: string;
  /** `ws:` or `wss:`; `null`: heads are polled. */
  readonly wsUrl: string | null;
  /** Longest time between two looks at `latest` while no WebSocket tells of new heads: a quarter of a block's time where that is less. */
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
 * News for those who watch heads. `head`: another block is the head; never the same hash twice in a row,
 * but behind a balancer it may be an older block. `tags`: the node's safe and finalized blocks, announced when one has
 * changed; `null`: the node does not say. `lower`: looks in a row have found a head below one that was announced, a few of
 * them (behind a balancer it may be an older node's), or so many that the node has gone back (`isCertain`); `null`: a look
 * has found it as high again.
 */
export type HeadEvent =
  | { readonly kind: 'head'; readonly head: UpstreamHead }
  | { readonly kind: 'tags'; readonly safe: BlockRef | null; readonly finalized: BlockRef | null }
  | { readonly kind: 'lower'; readonly head: UpstreamHead | null; readonly isCertain: boolean };

/** A transaction of a block that has some of a type that is not known here. */
export interface ListedTransaction {
  /** 32 bytes. */
  readonly hash: Uint8Array;
  /** EIP-2718 bytes; `null`: its type is not known here. */
  readonly raw: Uint8Array | null;
  /** JSON as the node has it. */
  readonly text: string;
}

/** A whole block. The hash of the header, as far as it can be read, and those of the transactions have been checked, and the transactions root. */
export interface UpstreamBlock extends BlockRef {
  /** RLP. */
  readonly header: Uint8Array;
  /** EIP-2718 bytes; `from` as the node says. */
  readonly transactions: readonly PublishedTransaction[];
  readonly withdrawals: readonly Withdrawal[] | null;
  /** Size of the whole block's RLP, bytes. */
  readonly sizeBytes: number;
  /**
   * EIP-2718 type of a transaction that is not known here, `null` where there is none. A block that has one comes without
   * its transactions, and can be a beginning or taken as a diff, but not be executed.
   */
  readonly unknownType: number | null;
  /** All transactions of such a block, in order; absent where there is none of an unknown type. */
  readonly listed?: readonly ListedTransaction[];
  /**
   * Members of its header that belong to no fork that is executed here; absent: there are none. Where they cannot be read `header` is
   * without them: what it has is the node's word then, as the hash does not prove it.
   */
  readonly strangeFields?: readonly string[];
}

/** Values of state to be read: 20-byte addresses, 32-byte slots. */
export interface StateWants {
  readonly accounts: readonly Uint8Array[];
  readonly slots: readonly { readonly address: Uint8Array; readonly slot: Uint8Array }[];
}

/** A value that the node does not give, and why. `slot`: `null` for the account itself. */
export interface RefusedRead {
  readonly address: Uint8Array;
  readonly slot: Uint8Array | null;
  readonly error: UpstreamError;
}

/**
 * The values of what was wanted, each once, all of the state after the anchor's block. An account without nonce,
 * balance and code is `null`. `codes` holds the code of every account listed that has one. `refused`: what is left out.
 */
export interface StateFill {
  readonly accounts: readonly AccountChange[];
  readonly slots: readonly SlotChange[];
  readonly codes: readonly CodeChange[];
  readonly refused: readonly RefusedRead[];
}

/** A block, and the answers to the questions that travelled beside it, in order. */
export interface BlockBeside {
  readonly block: UpstreamBlock | null;
  readonly answers: readonly RpcAnswer[];
}

/** Every promise rejects with `UpstreamError` only. */
export interface Upstream {
  chainId(): Promise<bigint>;
  /** `null`: the node has no such block (yet). */
  tagged(tag: 'latest' | 'safe' | 'finalized'): Promise<BlockRef | null>;
  /**
   * By number or by hash, with full transactions; `null`: the node does not know it. `announced`: those that it probably has,
   * which the node is not asked for then.
   */
  block(ref: number | Uint8Array, announced?: readonly PublishedTransaction[]): Promise<UpstreamBlock | null>;
  /** Like `block`, in one batch with questions about it: none of them costs a round trip of its own. */
  blockBeside(
    hash: Uint8Array,
    announced: readonly PublishedTransaction[],
    questions: readonly RpcRequest[],
  ): Promise<BlockBeside>;
  /**
   * Place of the block with this number or hash, as the node says; `null`: the node does not know it. Those that are asked for in one
   * turn of the event loop travel together.
   */
  header(ref: number | Uint8Array): Promise<UpstreamHead | null>;
  /**
   * Reads state after the block with hash `anchor` (EIP-1898, never by number or tag). Wants of the same anchor that
   * are asked for in one turn of the event loop travel together, and nothing that is on its way is asked for again.
   * Never rejects: what cannot be had is in `refused`.
   */
  read(anchor: Uint8Array, wants: StateWants): Promise<StateFill>;
  /**
   * Any method: the result of one that is served here as `checkedResult` has it, any other as it came; an error of the node is
   * `UpstreamError.rpc`. Short reads that are
   * asked for in one turn of the event loop travel together. `untilMs`: when the answer is of no use any more, by the
   * monotonic clock.
   */
  request(method: string, params: readonly unknown[], untilMs?: number): Promise<unknown>;
  /** Calls `listener` with the current head and tags, then with every change, until the answered function is called. */
  watchHeads(listener: (event: HeadEvent) => void): () => void;
  /** Ends everything; what is still waiting rejects with `closed`. */
  close(): Promise<void>;
  readonly stats: Readonly<UpstreamStats>;
  /** Times that it was gone and has come back: requests had gone unanswered, or the WebSocket was lost. */
  readonly returns: number;
  /** Since when requests have gone unanswered, by the monotonic clock; `null`: the node answers. */
  readonly silentSinceMs: number | null;
}
