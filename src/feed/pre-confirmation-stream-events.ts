// Events of pre-confirmation feeds, which announce blocks before they are canonical. The events are independent of the
// feed's message format: only the decoders in `streams` depend on a format.
import type { Receipt, AncestorBlock } from '../state/complete-block.js';
import type { BlockEnv, SlotChange } from '../state/state-diff.js';

/**
 * The part of a block that is known before its transactions. Until the block is canonical, the parent's values are used
 * for fields that the feed does not send.
 */
export interface PayloadBase {
  /** Hash of the parent block, 32 bytes. `null` if the feed does not send it; the parent is then the block before. */
  readonly parentHash: Uint8Array | null;
  /** `null` if the feed does not send it. */
  readonly extraData: Uint8Array | null;
  /**
   * The fields of the block's environment that the feed sends. The excess blob gas is never among them, because it
   * follows from the parent.
   */
  readonly env: Pick<BlockEnv, 'number' | 'timestamp'> & Partial<Omit<BlockEnv, 'excessBlobGas'>>;
}

/** A receipt as a feed reports it, without the fields that can be computed from the transaction and its position. */
export type ReportedReceipt = Omit<Receipt, 'gasUsed' | 'effectiveGasPrice' | 'contractAddress'>;

/** The values of an account after an increment, a part of a pre-confirmed block. */
export interface ReportedAccount {
  /** The account's address, 20 bytes. */
  readonly address: Uint8Array;
  readonly nonce: bigint;
  readonly balance: bigint;
  /** The new code; `null` if it has not changed. */
  readonly code: Uint8Array | null;
  /** The changed slots, with their new values. */
  readonly slots: readonly Omit<SlotChange, 'address'>[];
}

/** The results that a feed reports for an increment: its receipts, and all accounts and slots that it has changed. */
export interface ExecutionOutcome {
  /** Number of logs that the block has before these transactions. */
  readonly logsBefore: number;
  /** One receipt for each transaction, in order. */
  readonly receipts: readonly ReportedReceipt[];
  /**
   * Each changed account once, in ascending order of addresses. The slots of an account are in ascending order, too.
   */
  readonly accounts: readonly ReportedAccount[];
}

/**
 * New transactions of a block. The gas used and the receipts root are those of the whole block so far. Our own
 * execution must have the same results.
 */
export interface Increment {
  /** Index of the increment in its block. Increment 0 starts the block. */
  readonly index: number;
  /** EIP-2718 bytes of the transactions, in order. */
  readonly transactions: readonly Uint8Array[];
  /** Gas used by the block so far; `null` if it is not sent because there are no transactions. */
  readonly gasUsed: bigint | null;
  /** Receipts root of the block so far, 32 bytes; `null` if it is not sent. */
  readonly receiptsRoot: Uint8Array | null;
  /** A transaction of type 0x7D, which ends the block and is not executed; `null` if it is not sent. */
  readonly ending: Uint8Array | null;
  /**
   * The changes that the feed reports for the transactions; they are applied without executing the transactions.
   * `null` if the feed reports no changes, so that the transactions must be executed.
   */
  readonly outcome: ExecutionOutcome | null;
}

/** An increment that extends a block. */
export interface AppendedIncrement {
  readonly block: number;
  /** Id of the builder's attempt to build this block. Increments of another attempt do not extend it. */
  readonly attempt: string;
  readonly increment: Increment;
}

/** Increment 0 of a block, with the values that are known before the block's transactions. */
export interface OpeningIncrement extends AppendedIncrement {
  readonly base: PayloadBase;
}

export interface CanonicalBlock extends AncestorBlock {
  /** Hashes of the transactions in order, 32 bytes each. */
  readonly transactionHashes: readonly Uint8Array[];
}

/** An increment as a feed announces it: the first one of a block (`open`), or a further one (`append`). */
export type ReportedIncrement =
  | ({ readonly kind: 'open' } & OpeningIncrement)
  | ({ readonly kind: 'append' } & AppendedIncrement);

/** All events that one source of a feed can deliver. */
export type SourceEvent =
  | ReportedIncrement
  /**
   * An increment is missing and will not arrive. Earlier increments of the block stay valid. `block` is `null` if the
   * block is unknown.
   */
  | { readonly kind: 'gap'; readonly block: number | null; readonly reason: string }
  /**
   * The connection to the source is lost, so the increments after the last one may be missing. `reason` is for the
   * operator.
   */
  | { readonly kind: 'down'; readonly reason: string };

/**
 * All events that a feed can deliver. `lapse`: one of its sources has missed something that the other sources may still
 * deliver.
 */
export type StreamEvent = SourceEvent | { readonly kind: 'lapse'; readonly reason: string };
