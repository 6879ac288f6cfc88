// The language between main and the publisher thread. Runs on both.
import type { ChainDescription } from '../evm/chain.js';
import type { KernelSettings } from '../evm/kernel/engines.js';
import type { KernelMismatch } from '../evm/kernel/mismatch.js';
import type { PublishedTransaction } from '../state/block.js';
import type { Wants } from '../state/recording-view.js';
import type { RpcErrorObject, UpstreamStats } from '../upstream/upstream.js';
import type { LiveCounts } from './live/counts.js';

export type { PublishedTransaction } from '../state/block.js';

/** What the publisher is to run, handed over as workerData. */
export interface PublisherOptions {
  readonly source: DevChainOptions | ImportOptions | LiveOptions;
  /** Folder of the archive; exists. */
  readonly dataDir: string;
  readonly kernel: KernelSettings;
}

export interface DevChainOptions {
  readonly kind: 'dev';
  /** Transactions per second of generated traffic; 0 for none. */
  readonly trafficTps: number;
  /** Port of a WebSocket that tells the increments as a Flashblocks server does; 0: any that is free. */
  readonly feedPort?: number;
}

export interface ImportOptions {
  readonly kind: 'import';
  readonly genesisFile: string;
  /** RLP blocks; `null` serves the genesis alone. */
  readonly chainFile: string | null;
}

export interface LiveOptions {
  readonly kind: 'live';
  readonly upstreamUrl: string;
  /** `null`: heads are polled. */
  readonly upstreamWsUrl: string | null;
  /** A Flashblocks stream; `null`: `pending` equals `latest`. */
  readonly feedUrl: string | null;
  readonly rules: RulesChoice;
  /** geth-format genesis that says which fork is active when; `null`: known by the chain's id, or from the node. */
  readonly genesisFile: string | null;
  /** Takes all that arrives; `null`: nothing is recorded. */
  readonly recordFile: string | null;
  /** A record in the place of new heads and of the feed; state is still read from the upstream. */
  readonly replay: { readonly file: string; readonly speed: number } | null;
}

/** Which rules a live chain is executed by; `auto`: known by the chain's id, or told by the node. */
export type RulesChoice = 'auto' | 'ethereum' | 'op-stack';

/** How a live chain fares, told about twice a second. Times in milliseconds of the monotonic clock. */
export interface LiveStatus {
  readonly counts: LiveCounts;
  readonly upstream: UpstreamStats;
  /** The newest head that the upstream has told of, and ours. */
  readonly upstreamHead: number;
  readonly head: number;
  /** Since when the upstream has left requests unanswered; `null`: it answers. */
  readonly upstreamSilentSinceMs: number | null;
  /** The block of the feed's newest frame; `null`: none has come. */
  readonly feedBlock: number | null;
  /** When the upstream, and the pre-confirmation feed, last told of something new; `null`: there is no such feed. */
  readonly headAtMs: number;
  readonly feedAtMs: number | null;
  /** What an operator should know although every answer is right; `null`: nothing. */
  readonly notice: string | null;
  /** When this was told. */
  readonly atMs: number;
}

/** Main to publisher. */
export type ToPublisher =
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
    }
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
  | { readonly kind: 'live'; readonly status: LiveStatus }
  | { readonly kind: 'filled'; readonly id: number }
  | { readonly kind: 'unfilled'; readonly id: number; readonly message: string }
  /** JSON text of the upstream's result. */
  | { readonly kind: 'response'; readonly id: number; readonly result: string }
  /** `rpc`: the error that the upstream has answered; `null`: it has not answered. */
  | { readonly kind: 'refusal'; readonly id: number; readonly message: string; readonly rpc: RpcErrorObject | null }
  | { readonly kind: 'accepted'; readonly id: number; readonly hash: Uint8Array }
  | { readonly kind: 'rejected'; readonly id: number; readonly message: string }
  /** The kernel and the reference differ about a transaction. */
  | { readonly kind: 'mismatch'; readonly mismatch: KernelMismatch }
  /** Long work at start-up: shown to the operator. */
  | { readonly kind: 'progress'; readonly text: string }
  /** One clear line; the process ends with this exit code. */
  | { readonly kind: 'fatal'; readonly message: string; readonly exitCode: 1 | 2 }
  | { readonly kind: 'stopped' };
