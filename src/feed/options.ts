// Options of each kind of feed: plain data that main sends to the publisher.
export type FeedOptions = DevChainOptions | ImportOptions | LiveOptions | ReplicaOptions;

export interface DevChainOptions {
  readonly kind: 'dev';
  /** Generated transactions per second; 0 for none. */
  readonly trafficTps: number;
  /** The newest fork of the chain; Osaka by default. */
  readonly fork?: DevFork;
  /** Port of a WebSocket that sends increments to followers; 0 for any free port. */
  readonly feedPort?: number;
}

/** Forks that the dev chain may have from its first block on. */
export const DEV_FORKS = ['osaka', 'amsterdam'] as const;
export type DevFork = (typeof DEV_FORKS)[number];

/** Formats of pre-confirmations: that of OP-Stack builders, and that of RISE. */
export const STREAM_FORMATS = ['flashblocks', 'shreds'] as const;
export type StreamFormatName = (typeof STREAM_FORMATS)[number];

/** A chain from files. */
export interface ImportOptions {
  readonly kind: 'import';
  readonly genesisFile: string;
  /** File of RLP blocks; `null` serves the genesis block only. */
  readonly chainFile: string | null;
}

/** A chain that is followed by way of an ordinary node. */
export interface LiveOptions {
  readonly kind: 'live';
  readonly upstreamUrl: string;
  /** The node's WebSocket URL; `null` if heads are polled. */
  readonly upstreamWsUrl: string | null;
  /** Addresses of a pre-confirmation feed; without any, `pending` is the same as `latest`. */
  readonly feedUrls: readonly string[];
  /** Format of the feed; `auto` chooses it by the chain's id. */
  readonly feedFormat: 'auto' | StreamFormatName;
  readonly rules: RulesChoice;
  readonly followBy: FollowMode;
  /** Share of the values in a diff that are read after its block and compared, 0 to 1. */
  readonly diffSample: number;
  /** Accounts with non-EVM code in the form of `--foreign`, already validated (chain/non-evm-accounts.ts). */
  readonly nonEvmAccounts: readonly string[];
  /** A genesis file in geth's format with the forks' times; `null` if those are known by chain id or node. */
  readonly genesisFile: string | null;
  /** Folder in which the most recent keys are saved between runs; `null` if they are not. */
  readonly keysDir: string | null;
  /** File in which everything that arrives is recorded; `null` if nothing is. */
  readonly recordFile: string | null;
  /** A recording that replaces new heads and the feed. State is still read from the upstream node. */
  readonly replay: { readonly file: string; readonly speed: number } | null;
}

/** A NATS server with JetStream, which connects executors and replicas. */
export interface NatsOptions {
  /** A `nats:` or `tls:` URL with user and password, or a token. Its path is a chain id if there are several. */
  readonly url: string;
  /** A credentials file of NATS (`nsc`); `null` if there is none. */
  readonly credsFile: string | null;
  /** PEM file with the authorities for the server's certificate; `null` for those of the system. */
  readonly caFile: string | null;
}

/** A chain that an executor publishes. */
export interface ReplicaOptions {
  readonly kind: 'replica';
  readonly bus: NatsOptions;
  /** The node from which missing state is read; `null` if the executor is asked for it. */
  readonly upstreamUrl: string | null;
}

/** By which rules a live chain is executed. `auto`: known by the chain's id, or reported by the node. */
type RulesChoice = 'auto' | 'ethereum' | 'op-stack';

/** How blocks are applied. `auto`: as diffs with unknown features, or if execution keeps mismatching. */
export type FollowMode = 'auto' | 'execution' | 'diffs';
