// The language of news: blocks before they are canonical, as streams announce them. A folder of
// `streams` turns the bytes of one format into it; nothing behind that knows a format.
import type { Receipt } from '../state/block.js';
import type { BlockEnv, SlotChange } from '../state/diff.js';

/**
 * Fixed about a block before its transactions. What a stream does not tell is taken from the parent, until the block is
 * canonical.
 */
export interface BlockBase {
  /** 32 bytes; `null`: not told, the block follows the one before it. */
  readonly parentHash: Uint8Array | null;
  /** `null`: not told. */
  readonly extraData: Uint8Array | null;
  /** Members that are left out are not told; the excess of blob gas follows from the parent. */
  readonly env: Pick<BlockEnv, 'number' | 'timestamp'> & Partial<Omit<BlockEnv, 'excessBlobGas'>>;
}

/** A transaction's receipt without what follows from the transaction and its place. */
export type ReportedReceipt = Omit<Receipt, 'gasUsed' | 'effectiveGasPrice' | 'contractAddress'>;

/** Values of an account after an increment. */
export interface ReportedAccount {
  /** 20 bytes. */
  readonly address: Uint8Array;
  readonly nonce: bigint;
  readonly balance: bigint;
  /** `null`: as before. */
  readonly code: Uint8Array | null;
  /** Those that have changed. */
  readonly slots: readonly Omit<SlotChange, 'address'>[];
}

/** All that the transactions of an increment do. */
export interface ExecutionOutcome {
  /** Logs of the block before them. */
  readonly logsBefore: number;
  /** One for each transaction. */
  readonly receipts: readonly ReportedReceipt[];
  /** Each account that has changed once, by ascending address; its slots so, too. */
  readonly accounts: readonly ReportedAccount[];
}

/** New in a block, with what our own execution of the block so far must come to. */
export interface Increment {
  /** Place in the block; 0 opens it. */
  readonly index: number;
  /** EIP-2718 bytes, in order. */
  readonly transactions: readonly Uint8Array[];
  /** By the block so far; `null`: not told, where there are no transactions. */
  readonly gasUsed: bigint | null;
  /** 32 bytes; `null`: not told. */
  readonly receiptsRoot: Uint8Array | null;
  /** A transaction of type 0x7D that ends the block and is not executed; `null`: not told. */
  readonly ending: Uint8Array | null;
  /**
   * Doings of its transactions, where the stream tells them: they are taken as they are told. `null`: they are
   * executed.
   */
  readonly outcome: ExecutionOutcome | null;
}

/** The next increment of a block. */
export interface Appending {
  readonly block: number;
  /** Name of the build attempt: increments of another one do not go on from it. */
  readonly attempt: string;
  readonly increment: Increment;
}

/** A block begins, with increment 0. */
export interface Opening extends Appending {
  readonly base: BlockBase;
}

/** A block of the chain's own. */
export interface CanonicalBlock {
  readonly number: number;
  /** 32 bytes. */
  readonly hash: Uint8Array;
  /** 32 bytes. */
  readonly parentHash: Uint8Array;
  /** In order, 32 bytes each. */
  readonly transactionHashes: readonly Uint8Array[];
}

/** Increments, as a stream announces them. */
export type ReportedIncrement = ({ readonly kind: 'open' } & Opening) | ({ readonly kind: 'append' } & Appending);

/** All that a source of a stream announces. */
export type SourceEvent =
  | ReportedIncrement
  /** Increments of this block will not come; those before them stay right. `block`: `null` where it is not known. */
  | { readonly kind: 'gap'; readonly block: number | null; readonly reason: string }
  /** The stream's connection is lost: increments may be missing from here on. `reason`: for the operator. */
  | { readonly kind: 'down'; readonly reason: string };

/** All that a stream announces. `lapse`: one of its sources lacks something, which the others may announce. */
export type StreamEvent = SourceEvent | { readonly kind: 'lapse'; readonly reason: string };
