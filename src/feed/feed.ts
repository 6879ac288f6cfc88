// What a feed is and what it reports to. Runs on the publisher.
import type { StateDiff } from '../state/diff.js';
import type { StateView } from '../state/view.js';
import type { ChainDescription } from '../evm/chain.js';
import type { PublishedTransaction } from './messages.js';

/** A transaction of a complete block, as the archive keeps it. */
export interface ConfirmedTransaction extends PublishedTransaction {
  /** Sender, 20 bytes. */
  readonly from: Uint8Array;
  readonly receipt: Receipt;
}

/** What a transaction did (yellow paper 4.3.1; EIP-658 status, EIP-2718 type). */
export interface Receipt {
  readonly type: number;
  readonly status: 0 | 1;
  readonly gasUsed: bigint;
  readonly cumulativeGasUsed: bigint;
  /** Wei per gas paid. */
  readonly effectiveGasPrice: bigint;
  /** Address created by a contract creation, 20 bytes. */
  readonly contractAddress: Uint8Array | null;
  readonly logs: readonly Log[];
}

export interface Log {
  readonly address: Uint8Array;
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
}

/** A complete block: RLP header (its keccak-256 is `hash`), transactions and withdrawals in order. */
export interface CompleteBlock {
  readonly number: number;
  readonly hash: Uint8Array;
  readonly header: Uint8Array;
  /** Size of the whole block's RLP, bytes. */
  readonly sizeBytes: number;
  readonly transactions: readonly ConfirmedTransaction[];
  readonly withdrawals: readonly Withdrawal[] | null;
}

/** EIP-4895. */
export interface Withdrawal {
  readonly index: bigint;
  readonly validatorIndex: bigint;
  readonly address: Uint8Array;
  /** Gwei. */
  readonly amount: bigint;
}

/** What a feed reports to: writes the table and the archive, then tells main, always in that order. */
export interface FeedSink {
  /** Publishes an increment (or the opening) of a block that is not complete yet. */
  publish(diff: StateDiff, transactions: readonly PublishedTransaction[]): void;
  /** Archives a complete block with everything that changed since its parent, then publishes `diff` (the rest of the block; `coordinates.hash` is the block's hash). */
  complete(diff: StateDiff, block: CompleteBlock): Promise<void>;
  /** State at the newest published version. Stays valid while the feed builds one block on it. */
  view(): StateView;
  /** Shown to the operator while long work is going on. */
  progress(text: string): void;
}

/** The answer to a transaction that was handed in. */
export type Submission =
  | { readonly accepted: true; readonly hash: Uint8Array }
  | { readonly accepted: false; readonly message: string };

/** The point from which a feed goes on: the last complete block of the archive. */
export interface Head {
  readonly number: number;
  readonly hash: Uint8Array;
  /** RLP. */
  readonly header: Uint8Array;
}

/** One source of state. `run` ends when the feed has nothing more to tell (import) or after `stop`. */
export interface Feed {
  readonly chain: ChainDescription;
  /** Starts from the archive's head, or from genesis when there is none. Rejects with FeedError on bad input. */
  run(sink: FeedSink, head: Head | null): Promise<void>;
  /** Finishes the block at hand where the feed makes blocks itself. */
  stop(): Promise<void>;
  /** Only where the feed accepts transactions (EIP-2718 bytes). */
  submit?(raw: Uint8Array): Submission | Promise<Submission>;
}

/** Input that cannot be used: one clear line for the operator. */
export class FeedError extends Error {
  readonly exitCode: 1 | 2;
  constructor(message: string, exitCode: 1 | 2) {
    super(message);
    this.exitCode = exitCode;
  }
}
