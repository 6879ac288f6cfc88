// Options for each kind of feed. They are plain data that the main thread sends to the publisher.
import type { ReplayOptions } from './recording.js';

export type ChainSourceOptions = DevChainOptions | ImportOptions | LiveOptions | ReplicaOptions;

export interface DevChainOptions {
  readonly kind: 'dev';
  /** Generated transactions per second; 0 for none. */
  readonly trafficTps: number;
  /** The newest active fork of the chain; Osaka by default. */
  readonly fork?: DevHardforkName;
  /** Port of the WebSocket server that sends increments to followers; 0 for any free port. */
  readonly feedPort?: number;
}

/** Hard forks that can be chosen for the dev chain. The chosen one is active from the first block on. */
export const DEV_FORKS = ['osaka', 'amsterdam'] as const;
export type DevHardforkName = (typeof DEV_FORKS)[number];

/** Supported formats of pre-confirmation feeds: `flashblocks` of OP-Stack builders, and `shreds` of RISE. */
export const STREAM_FORMATS = ['flashblocks', 'shreds'] as const;
export type StreamFormatName = (typeof STREAM_FORMATS)[number];

/** Options for importing a chain from files. */
export interface ImportOptions {
  readonly kind: 'import';
  readonly genesisFile: string;
  /** File of RLP blocks; with `null`, only the genesis block is served. */
  readonly chainFile: string | null;
}

/** Options for following a chain through an ordinary node. */
export interface LiveOptions {
  readonly kind: 'live';
  readonly upstreamUrl: string;
  /** The node's WebSocket URL; `null` if heads are polled. */
  readonly upstreamWsUrl: string | null;
  /** URLs of the pre-confirmation feed; without any, `pending` is the same as `latest`. */
  readonly feedUrls: readonly string[];
  /** Format of the pre-confirmation feed; `auto` chooses it by the chain id. */
  readonly feedFormat: 'auto' | StreamFormatName;
  readonly rules: RulesChoice;
  readonly followBy: BlockApplicationMode;
  /** Share (0 to 1) of the values in a block's state diff that are also read from the node, to compare the two. */
  readonly diffSample: number;
  /** Accounts with non-EVM code, in the form of `--foreign` and already validated (chain/non-evm-accounts.ts). */
  readonly nonEvmAccounts: readonly string[];
  /** Genesis file in geth's format, for the times of the forks; `null` to use the chain id or the node for these. */
  readonly genesisFile: string | null;
  /** Folder in which the recently used keys are saved between runs; `null` if they are not saved. */
  readonly keysDir: string | null;
  /** File in which all messages that arrive are recorded; `null` if nothing is recorded. */
  readonly recordFile: string | null;
  readonly replay: ReplayOptions | null;
}

/** The NATS server with JetStream through which executors and replicas communicate. */
export interface NatsOptions {
  /**
   * A `nats:` or `tls:` URL that contains the credentials: user and password, or a token. If one NATS server serves
   * several chains, the URL's path is the chain id.
   */
  readonly url: string;
  /** A credentials file of NATS (`nsc`); `null` if there is none. */
  readonly credsFile: string | null;
  /** PEM file with the authorities that certify the server; `null` for the system's authorities. */
  readonly caFile: string | null;
}

/** Options for following a chain that an executor publishes. */
export interface ReplicaOptions {
  readonly kind: 'replica';
  readonly bus: NatsOptions;
  /** URL of the node from which missing state is read; `null` if missing state is requested from the executor. */
  readonly upstreamUrl: string | null;
}

/**
 * Which rules a live chain follows. `auto`: those listed for its chain id, or else those that the node reports.
 */
type RulesChoice = 'auto' | 'ethereum' | 'op-stack';

/**
 * How blocks are applied: by executing them, or as state diffs read from the node. `auto`: by executing them, unless a
 * block has unknown features or executed blocks keep differing from their headers.
 */
export type BlockApplicationMode = 'auto' | 'execution' | 'diffs';
