// The language between main and the publisher thread. Runs on both.
import type { ChainDescription } from '../chain/spec.js';
import type { KernelSettings } from '../evm/kernel/engines.js';
import type { KernelMismatch } from '../evm/kernel/mismatch.js';
import type { LiveMessage, LiveQuestion } from '../feed/live/messages.js';
import type { DevChainOptions, ImportOptions, LiveOptions } from '../feed/options.js';

/** What the publisher is to run, handed over as workerData. */
export interface PublisherOptions {
  readonly source: DevChainOptions | ImportOptions | LiveOptions;
  /** Folder of the archive; exists. */
  readonly dataDir: string;
  readonly kernel: KernelSettings;
}

/** Main to publisher. */
export type ToPublisher =
  | LiveQuestion
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
      /** Where the dev chain tells its increments; `null`: nowhere. */
      readonly devFeedPort: number | null;
    }
  | { readonly kind: 'accepted'; readonly id: number; readonly hash: Uint8Array }
  | { readonly kind: 'rejected'; readonly id: number; readonly message: string }
  | LiveMessage
  /** The kernel and the reference differ about a transaction. */
  | { readonly kind: 'mismatch'; readonly mismatch: KernelMismatch }
  /** One clear line; the process ends with this exit code. */
  | { readonly kind: 'fatal'; readonly message: string; readonly exitCode: 1 | 2 }
  | { readonly kind: 'stopped' };
