// Events of pre-confirmation feeds, independent of their format: how blocks are announced before they are canonical.
// Each folder in `streams` decodes one format to these events; no other code depends on a format.
import type { Receipt, AncestorBlock } from '../state/complete-block.js';
import type { BlockEnv, SlotChange } from '../state/state-diff.js';

/**
 * The part of a block that is known before its transactions. Until the block is canonical, the parent's values are used
 * for fields that the feed does not send.
 */
export interface PayloadBase {
  /** 32 bytes; `null` if the feed does not send it. The block's parent is then the block before it. */
  readonly parentHash: Uint8Array | null;
  /** `null` if the feed does not send it. */
  readonly extraData: Uint8Array | null;
  /**
   * The block's environment without the fields that the feed does not send. The excess blob gas follows from the
   * parent.
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
 * New transactions of a block. Gas and receipts root are of the whole block so far; our own execution must have the
 * same result.
 */
export interface Increment {
  /** Index of the increment in its block; increment 0 opens the block. */
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
   * What the transactions have changed, if the feed reports it; it is applied as it is. If `null`, they are executed.
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

/** The opening of a block, which includes increment 0. */
export interface OpeningIncrement extends AppendedIncrement {
  readonly base: PayloadBase;
}

export interface CanonicalBlock extends AncestorBlock {
  /** Hashes of the transactions in order, 32 bytes each. */
  readonly transactionHashes: readonly Uint8Array[];
}

/** An increment as a feed announces it: the opening of a block, or a further increment. */
export type ReportedIncrement =
  | ({ readonly kind: 'open' } & OpeningIncrement)
  | ({ readonly kind: 'append' } & AppendedIncrement);

/** All events that one source of a feed can deliver. */
export type SourceEvent =
  | ReportedIncrement
  /**
   * Further increments of this block will not come, but the earlier ones are right. `block` is `null` if it is unknown.
   */
  | { readonly kind: 'gap'; readonly block: number | null; readonly reason: string }
  /**
   * The connection to the source is lost, so that increments may be missing from here on. `reason` is for the operator.
   */
  | { readonly kind: 'down'; readonly reason: string };

/**
 * All events that a feed can deliver. `lapse`: one of its sources has missed something that the other sources may still
 * deliver.
 */
export type StreamEvent = SourceEvent | { readonly kind: 'lapse'; readonly reason: string };
