// The language between main and the publisher thread. Runs on both.
import type { ChainDescription } from '../evm/chain.js';
import type { PublishedTransaction } from '../state/block.js';

export type { PublishedTransaction } from '../state/block.js';

/** What the publisher is to run, handed over as workerData. */
export interface PublisherOptions {
  readonly source: DevChainOptions | ImportOptions;
  /** Folder of the archive; exists. */
  readonly dataDir: string;
}

export interface DevChainOptions {
  readonly kind: 'dev';
  /** Transactions per second of generated traffic; 0 for none. */
  readonly trafficTps: number;
}

export interface ImportOptions {
  readonly kind: 'import';
  readonly genesisFile: string;
  /** RLP blocks; `null` serves the genesis alone. */
  readonly chainFile: string | null;
}

/** Main to publisher. */
export type ToPublisher =
  | { readonly kind: 'transaction'; readonly id: number; readonly raw: Uint8Array }
  /** Finish the block at hand, flush the archive, answer `stopped`. */
  | { readonly kind: 'stop' };

/** Publisher to main. */
export type FromPublisher =
  /** First message: the chain is known, the archive can be opened for reading. */
  | {
      readonly kind: 'chain';
      readonly chain: ChainDescription;
      readonly acceptsTransactions: boolean;
      /** Whether versions keep coming: a static chain is not stale because it is old. */
      readonly renewed: boolean;
    }
  /** A table to read from now on: the first one, or a larger one that takes the place of a full one. */
  | { readonly kind: 'table'; readonly generation: number; readonly buffer: SharedArrayBuffer }
  /** A version has been published: the transactions new in it, and the gas used by the block so far. */
  | {
      readonly kind: 'published';
      readonly version: number;
      readonly block: number;
      readonly index: number;
      readonly gasUsed: bigint;
      readonly transactions: readonly PublishedTransaction[];
    }
  | { readonly kind: 'accepted'; readonly id: number; readonly hash: Uint8Array }
  | { readonly kind: 'rejected'; readonly id: number; readonly message: string }
  /** Long work at start-up: shown to the operator. */
  | { readonly kind: 'progress'; readonly text: string }
  /** One clear line; the process ends with this exit code. */
  | { readonly kind: 'fatal'; readonly message: string; readonly exitCode: 1 | 2 }
  | { readonly kind: 'stopped' };
