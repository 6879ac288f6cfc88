// Options of each kind of feed: plain data, handed from main to the publisher.
/** Of one feed. */
export type FeedOptions = DevChainOptions | ImportOptions | LiveOptions | ReplicaOptions;

/** The embedded dev chain. */
export interface DevChainOptions {
  readonly kind: 'dev';
  /** Transactions per second of generated traffic; 0 for none. */
  readonly trafficTps: number;
  /** Osaka where it is not given. */
  readonly fork?: DevFork;
  /** Port of a WebSocket that tells the increments to others; 0: any that is free. */
  readonly feedPort?: number;
}

/** Forks that the dev chain can have from its first block on. */
export const DEV_FORKS = ['osaka', 'amsterdam'] as const;
export type DevFork = (typeof DEV_FORKS)[number];

/** Forms in which pre-confirmations are told: those of OP-Stack builders, of RISE. */
export const STREAM_FORMATS = ['flashblocks', 'shreds'] as const;
export type StreamName = (typeof STREAM_FORMATS)[number];

/** A chain from files. */
export interface ImportOptions {
  readonly kind: 'import';
  readonly genesisFile: string;
  /** RLP blocks; `null` serves the genesis alone. */
  readonly chainFile: string | null;
}

/** A chain that an ordinary node follows. */
export interface LiveOptions {
  readonly kind: 'live';
  readonly upstreamUrl: string;
  /** `null`: heads are polled. */
  readonly upstreamWsUrl: string | null;
  /** Addresses at which a stream is told; without one `pending` equals `latest`. */
  readonly feedUrls: readonly string[];
  /** `auto`: by the chain's id. */
  readonly feedFormat: 'auto' | StreamName;
  readonly rules: RulesChoice;
  readonly followBy: FollowBy;
  /** Part of what a diff changes that is read after its block and compared, 0 to 1. */
  readonly diffSample: number;
  /** Accounts whose code is not the EVM's, as `--foreign` names them; each is one (chain/non-evm.ts). */
  readonly nonEvmAccounts: readonly string[];
  /** geth-format genesis that says which fork is active when; `null`: known by the chain's id, or from the node. */
  readonly genesisFile: string | null;
  /** Folder in which the most recent keys are kept between runs; `null`: they are not. */
  readonly keysDir: string | null;
  /** Names what is held from the start on; `null`: there is none. */
  /** Takes all that arrives; `null`: nothing is recorded. */
  readonly recordFile: string | null;
  /** A record in the place of new heads and of the feed; state is still read from the upstream. */
  readonly replay: { readonly file: string; readonly speed: number } | null;
}

/** A NATS server with JetStream, where executors and replicas meet. */
export interface BusOptions {
  /**
   * `nats:` or `tls:`; user and password, or a token, in it; behind the slash a chain id, where the server has several.
   */
  readonly url: string;
  /** Credentials file of NATS (`nsc`); `null`: none. */
  readonly credsFile: string | null;
  /** Authorities of the server's certificate, PEM; `null`: those of the system. */
  readonly caFile: string | null;
}

/** A chain as an executor tells it. */
export interface ReplicaOptions {
  readonly kind: 'replica';
  readonly bus: BusOptions;
  /** For state that is not held; `null`: the executor is asked. */
  readonly upstreamUrl: string | null;
}

/** The rules by which a live chain is executed; `auto`: known by the chain's id, or told by the node. */
export type RulesChoice = 'auto' | 'ethereum' | 'op-stack';

/**
 * The way of a live chain's blocks into the state: `auto`: what is not known here, or does not fit again and again, is
 * taken as a diff.
 */
export type FollowBy = 'auto' | 'execution' | 'diffs';
