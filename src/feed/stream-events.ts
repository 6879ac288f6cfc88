// Events of pre-confirmation feeds, independent of their format: how blocks are announced before they are canonical.
// Each folder in `streams` decodes one format to these events; nothing else depends on a format.
import type { Receipt } from '../state/complete-block.js';
import type { BlockEnv, SlotChange } from '../state/state-diff.js';

/** What is known of a block before its transactions. For fields not sent, the parent's are used until then. */
export interface PayloadBase {
  /** 32 bytes; `null` if it is not sent, so that the block follows the one before it. */
  readonly parentHash: Uint8Array | null;
  /** `null` if it is not sent. */
  readonly extraData: Uint8Array | null;
  /** Members that are not sent are absent. The excess blob gas follows from the parent. */
  readonly env: Pick<BlockEnv, 'number' | 'timestamp'> & Partial<Omit<BlockEnv, 'excessBlobGas'>>;
}

/** A transaction's receipt without the fields that follow from the transaction and its position. */
export type ReportedReceipt = Omit<Receipt, 'gasUsed' | 'effectiveGasPrice' | 'contractAddress'>;

/** An account's values after an increment. */
export interface ReportedAccount {
  /** 20 bytes. */
  readonly address: Uint8Array;
  readonly nonce: bigint;
  readonly balance: bigint;
  /** `null` if it has not changed. */
  readonly code: Uint8Array | null;
  /** The slots that have changed. */
  readonly slots: readonly Omit<SlotChange, 'address'>[];
}

/** Everything that the transactions of an increment have changed. */
export interface ExecutionOutcome {
  /** Number of logs in the block before these transactions. */
  readonly logsBefore: number;
  /** One receipt for each transaction. */
  readonly receipts: readonly ReportedReceipt[];
  /** Each changed account once, by ascending address; the same for its slots. */
  readonly accounts: readonly ReportedAccount[];
}

/** New transactions of a block, with results that our own execution of the block so far must have. */
export interface Increment {
  /** Index in the block; increment 0 opens it. */
  readonly index: number;
  /** EIP-2718 bytes, in order. */
  readonly transactions: readonly Uint8Array[];
  /** Gas that the block has used so far; `null` if it is not sent because there are no transactions. */
  readonly gasUsed: bigint | null;
  /** 32 bytes; `null` if it is not sent. */
  readonly receiptsRoot: Uint8Array | null;
  /** A transaction of type 0x7D, which ends the block and is not executed; `null` if it is not sent. */
  readonly ending: Uint8Array | null;
  /** What the transactions have changed, applied as the feed reports it; if `null`, they are executed. */
  readonly outcome: ExecutionOutcome | null;
}

/** A further increment of a block. */
export interface AppendedIncrement {
  readonly block: number;
  /** Id of the attempt to build this block. Increments of another attempt do not extend it. */
  readonly attempt: string;
  readonly increment: Increment;
}

/** The opening of a block, with increment 0. */
export interface OpeningIncrement extends AppendedIncrement {
  readonly base: PayloadBase;
}

export interface CanonicalBlock {
  readonly number: number;
  /** 32 bytes. */
  readonly hash: Uint8Array;
  /** 32 bytes. */
  readonly parentHash: Uint8Array;
  /** Hashes in order, 32 bytes each. */
  readonly transactionHashes: readonly Uint8Array[];
}

/** An increment as a feed announces it. */
export type ReportedIncrement =
  | ({ readonly kind: 'open' } & OpeningIncrement)
  | ({ readonly kind: 'append' } & AppendedIncrement);

/** Everything that one source of a feed announces. */
export type SourceEvent =
  | ReportedIncrement
  /** Further increments of this block will not come, but those before are right. `block` is `null` if it is unknown. */
  | { readonly kind: 'gap'; readonly block: number | null; readonly reason: string }
  /** The source's connection is lost, so that increments may be missing from here on. `reason` is for the operator. */
  | { readonly kind: 'down'; readonly reason: string };

/** Everything that a feed announces. `lapse`: one of its sources has missed something that the others may announce. */
export type StreamEvent = SourceEvent | { readonly kind: 'lapse'; readonly reason: string };
