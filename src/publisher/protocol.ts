// The language between main and the publisher thread. Runs on both.
import type { ChainDescription } from '../chain/spec.js';
import type { KernelSettings } from '../evm/kernel/engines.js';
import type { KernelMismatch } from '../evm/kernel/mismatch.js';
import type { LiveStatus } from '../feed/live/status.js';
import type { FeedOptions } from '../feed/options.js';
import type { PublishedTransaction } from '../state/block.js';
import type { Wants } from '../state/recording-view.js';
import type { TableSettings } from '../state/table/writer.js';
import type { RpcErrorObject } from '../upstream/upstream.js';

/** What the publisher is to run, handed over as workerData. */
export interface PublisherOptions {
  readonly source: FeedOptions;
  /** Folder of the archive; exists. A live chain leaves it alone. */
  readonly dataDir: string;
  readonly kernel: KernelSettings;
  /** How the table is made; its memory at least. */
  readonly table: TableSettings;
}

/** Asked by main on behalf of a client; the answer has the same `id`. */
export type Question =
  /** Take this raw transaction; answered by `accepted` or `rejected`. */
  | { readonly kind: 'transaction'; readonly id: number; readonly raw: Uint8Array }
  /**
   * Make all of this state held; answered by `filled` or `unfilled`. `call`: what it is for, as eth_call takes it: the
   * upstream may know what else that reads.
   */
  | { readonly kind: 'fill'; readonly id: number; readonly wants: Wants; readonly call?: unknown }
  /** Any method, for the upstream node; answered by `response` or `refusal`, of use until `untilMs` of the monotonic clock. */
  | {
      readonly kind: 'request';
      readonly id: number;
      readonly method: string;
      readonly params: readonly unknown[];
      readonly untilMs: number;
    };

/** Main to publisher. */
export type ToPublisher =
  | Question
  /** Finish the block at hand, flush the archive, answer `stopped`. */
  | { readonly kind: 'stop' };

/** What answers a question. */
export type Answer =
  /** `hash`: 32 bytes. */
  | { readonly kind: 'accepted'; readonly id: number; readonly hash: Uint8Array }
  | { readonly kind: 'rejected'; readonly id: number; readonly message: string }
  | { readonly kind: 'filled'; readonly id: number }
  | { readonly kind: 'unfilled'; readonly id: number; readonly message: string }
  /** JSON text of the upstream's result. */
  | { readonly kind: 'response'; readonly id: number; readonly result: string }
  /** `rpc`: the error that the upstream has answered; `null`: it has not answered. */
  | { readonly kind: 'refusal'; readonly id: number; readonly message: string; readonly rpc: RpcErrorObject | null };

/** Publisher to main. */
export type FromPublisher =
  | Answer
  /** First message: the chain is known, the archive can be opened for reading. */
  | {
      readonly kind: 'chain';
      readonly chain: ChainDescription;
      readonly acceptsTransactions: boolean;
      /** Whether versions keep coming: a static chain is not stale because it is old. */
      readonly renewed: boolean;
      /** Where the dev chain tells its increments; `null`: nowhere. */
      readonly devFeedPort: number | null;
    }
  /** A table to read from now on: the first one, or a larger one that takes the place of a full one. */
  | {
      readonly kind: 'table';
      readonly generation: number;
      readonly buffer: SharedArrayBuffer;
      /** Whether versions go on from those of the table before; otherwise everything is new. */
      readonly continues: boolean;
    }
  /** A version has been published: the transactions new in it, and the gas used by the block so far. */
  | {
      readonly kind: 'published';
      readonly version: number;
      readonly block: number;
      readonly index: number;
      readonly gasUsed: bigint;
      readonly transactions: readonly PublishedTransaction[];
    }
  /** A block of a live chain is complete: as the archive would keep it, environment and receipts included. */
  | {
      readonly kind: 'block';
      readonly number: number;
      readonly hash: Uint8Array;
      readonly record: Uint8Array;
      readonly transactions: readonly Uint8Array[];
    }
  /** How a live chain fares. */
  | { readonly kind: 'live'; readonly status: LiveStatus }
  /** Something that an operator should see; `share` as in feed.ts. */
  | { readonly kind: 'progress'; readonly text: string; readonly share?: number | null | undefined }
  /** The kernel and the reference differ about a transaction. */
  | { readonly kind: 'mismatch'; readonly mismatch: KernelMismatch }
  /** One clear line; the process ends with this exit code. */
  | { readonly kind: 'fatal'; readonly message: string; readonly exitCode: 1 | 2 }
  | { readonly kind: 'stopped' };
