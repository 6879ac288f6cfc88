// Events of pre-confirmation streams, independent of format: blocks before they are canonical, as streams announce
// them. A folder of `streams` decodes each format into them; nothing downstream knows a format.
import type { Receipt } from '../state/block.js';
import type { BlockEnv, SlotChange } from '../state/diff.js';

/**
 * Fixed about a block before its transactions. What a stream does not send is taken from the parent, until the block is
 * canonical.
 */
export interface BlockBase {
  /** 32 bytes; `null`: not sent, the block follows the one before it. */
  readonly parentHash: Uint8Array | null;
  /** `null`: not sent. */
  readonly extraData: Uint8Array | null;
  /** Absent members are not sent; the excess blob gas follows from the parent. */
  readonly env: Pick<BlockEnv, 'number' | 'timestamp'> & Partial<Omit<BlockEnv, 'excessBlobGas'>>;
}

/** A transaction's receipt without the fields that follow from the transaction and its position. */
export type ReportedReceipt = Omit<Receipt, 'gasUsed' | 'effectiveGasPrice' | 'contractAddress'>;

/** Values of an account after an increment. */
export interface ReportedAccount {
  /** 20 bytes. */
  readonly address: Uint8Array;
  readonly nonce: bigint;
  readonly balance: bigint;
  /** `null`: unchanged. */
  readonly code: Uint8Array | null;
  /** Those that have changed. */
  readonly slots: readonly Omit<SlotChange, 'address'>[];
}

/** All that the transactions of an increment do. */
export interface ExecutionOutcome {
  /** Number of logs in the block before them. */
  readonly logsBefore: number;
  /** One for each transaction. */
  readonly receipts: readonly ReportedReceipt[];
  /** Each changed account once, by ascending address; likewise its slots. */
  readonly accounts: readonly ReportedAccount[];
}

/** New transactions in a block, with the results that our own execution of the block so far must match. */
export interface Increment {
  /** Index in the block; 0 opens it. */
  readonly index: number;
  /** EIP-2718 bytes, in order. */
  readonly transactions: readonly Uint8Array[];
  /** By the block so far; `null`: not sent, if there are no transactions. */
  readonly gasUsed: bigint | null;
  /** 32 bytes; `null`: not sent. */
  readonly receiptsRoot: Uint8Array | null;
  /** A transaction of type 0x7D that ends the block and is not executed; `null`: not sent. */
  readonly ending: Uint8Array | null;
  /** What its transactions do, if the stream reports it: it is applied as reported. `null`: they are executed. */
  readonly outcome: ExecutionOutcome | null;
}

/** The next increment of a block. */
export interface Appending {
  readonly block: number;
  /** Name of the build attempt: increments of another attempt do not extend it. */
  readonly attempt: string;
  readonly increment: Increment;
}

/** A block opens, with increment 0. */
export interface Opening extends Appending {
  readonly base: BlockBase;
}

/** A canonical block. */
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

/** Everything that a source of a stream announces. */
export type SourceEvent =
  | ReportedIncrement
  /** Increments of this block will not come; those before them stay right. `block`: `null` if it is unknown. */
  | { readonly kind: 'gap'; readonly block: number | null; readonly reason: string }
  /** The stream's connection is lost: increments may be missing from here on. `reason`: for the operator. */
  | { readonly kind: 'down'; readonly reason: string };

/** Everything that a stream announces. `lapse`: one of its sources misses something, which the others may announce. */
export type StreamEvent = SourceEvent | { readonly kind: 'lapse'; readonly reason: string };
