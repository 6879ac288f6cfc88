// What a feed is and what it reports to. Runs on the publisher.
import type { CompleteBlock, ConfirmedTransaction, Head } from '../state/block.js';
import type { StateDiff } from '../state/diff.js';
import type { StateView } from '../state/view.js';
import type { ChainDescription } from '../chain/spec.js';
import { StartError } from '../start-error.js';

export type { CompleteBlock, ConfirmedTransaction, Head } from '../state/block.js';

/** What a feed reports to: writes the table and the archive, then tells main, always in that order. */
export interface FeedSink {
  /** Publishes an increment (or the opening) of a block that is not complete yet, with the transactions new in it. */
  publish(diff: StateDiff, transactions: readonly ConfirmedTransaction[]): void;
  /** Archives a complete block with everything that changed since its parent, then publishes `diff` (the rest of the block; `coordinates.hash` is the block's hash). */
  complete(diff: StateDiff, block: CompleteBlock): Promise<void>;
  /** State at the newest published version. Stays valid while the feed builds one block on it. */
  view(): StateView;
  /**
   * Shown to the operator. `share`: the work goes on, this much of it is done (0 to 1, `null` where that is not known), and
   * the next text takes the place of this one; without it the text stands for itself.
   */
  progress(text: string, share?: number | null): void;
}

/** The answer to a transaction that was handed in. */
export type Submission =
  | { readonly accepted: true; readonly hash: Uint8Array }
  | { readonly accepted: false; readonly message: string };

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
export class FeedError extends StartError {}
