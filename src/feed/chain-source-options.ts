// Options for each kind of feed. They are plain data that the main thread sends to the publisher.
export type ChainSourceOptions = DevChainOptions | ImportOptions | LiveOptions | ReplicaOptions;

export interface DevChainOptions {
  readonly kind: 'dev';
  /** Generated transactions per second; 0 for none. */
  readonly trafficTps: number;
  /** The newest active fork of the chain; Osaka by default. */
  readonly fork?: DevFork;
  /** Port of the WebSocket server that sends increments to followers; 0 for any free port. */
  readonly feedPort?: number;
}

/** Forks that the dev chain may have from its first block on. */
export const DEV_FORKS = ['osaka', 'amsterdam'] as const;
export type DevFork = (typeof DEV_FORKS)[number];

/** Supported formats of pre-confirmation feeds: that of OP-Stack builders, and that of RISE. */
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
  readonly followBy: FollowMode;
  /** Share of a block diff's values that are also read from the node and compared, 0 to 1. */
  readonly diffSample: number;
  /** Accounts with non-EVM code, in the form of `--foreign` and already validated (chain/non-evm-accounts.ts). */
  readonly nonEvmAccounts: readonly string[];
  /** A genesis file in geth's format with the times of the forks; `null` if the chain id or the node tells them. */
  readonly genesisFile: string | null;
  /** Folder in which the recently used keys are saved between runs; `null` if they are not saved. */
  readonly keysDir: string | null;
  /** File in which all messages that arrive are recorded; `null` if they are not. */
  readonly recordFile: string | null;
  /**
   * A recording that replaces heads and feed of the network, and its speed. State is still read from the upstream node.
   */
  readonly replay: { readonly file: string; readonly speed: number } | null;
}

/** The NATS server with JetStream through which executors and replicas communicate. */
export interface NatsOptions {
  /**
   * A `nats:` or `tls:` URL with user and password, or a token. If a server carries several chains, the path is the
   * chain id.
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
  /** URL of the node from which missing state is read; `null` if the executor is asked for it. */
  readonly upstreamUrl: string | null;
}

/** Where a live chain's rules come from. `auto`: from the table of known chain ids, or from the node. */
type RulesChoice = 'auto' | 'ethereum' | 'op-stack';

/**
 * How blocks are applied. `auto`: by execution; as diffs if a block has unknown features, or if executed blocks keep
 * differing from their headers.
 */
export type FollowMode = 'auto' | 'execution' | 'diffs';
