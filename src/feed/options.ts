// Options of each kind of feed: plain data, sent from main to the publisher.
export type FeedOptions = DevChainOptions | ImportOptions | LiveOptions | ReplicaOptions;

/** The embedded dev chain. */
export interface DevChainOptions {
  readonly kind: 'dev';
  /** Transactions per second of generated traffic; 0 for none. */
  readonly trafficTps: number;
  /** Osaka by default. */
  readonly fork?: DevFork;
  /** Port of a WebSocket that sends the increments to followers; 0: any free port. */
  readonly feedPort?: number;
}

/** Forks that the dev chain can have from its first block on. */
export const DEV_FORKS = ['osaka', 'amsterdam'] as const;
export type DevFork = (typeof DEV_FORKS)[number];

/** Formats of pre-confirmations: those of OP-Stack builders, and of RISE. */
export const STREAM_FORMATS = ['flashblocks', 'shreds'] as const;
export type StreamName = (typeof STREAM_FORMATS)[number];

/** A chain from files. */
export interface ImportOptions {
  readonly kind: 'import';
  readonly genesisFile: string;
  /** RLP blocks; `null` serves the genesis alone. */
  readonly chainFile: string | null;
}

/** A chain that follows an ordinary node. */
export interface LiveOptions {
  readonly kind: 'live';
  readonly upstreamUrl: string;
  /** `null`: heads are polled. */
  readonly upstreamWsUrl: string | null;
  /** Addresses of a stream; without one `pending` equals `latest`. */
  readonly feedUrls: readonly string[];
  /** `auto`: by the chain's id. */
  readonly feedFormat: 'auto' | StreamName;
  readonly rules: RulesChoice;
  readonly followBy: FollowBy;
  /** Share of what a diff changes that is read after its block and compared, 0 to 1. */
  readonly diffSample: number;
  /** Accounts with non-EVM code, as `--foreign` names them; each is well-formed (chain/non-evm.ts). */
  readonly nonEvmAccounts: readonly string[];
  /** geth-format genesis that says when each fork activates; `null`: known by the chain's id, or from the node. */
  readonly genesisFile: string | null;
  /** Folder in which the most recent keys are kept between runs; `null`: they are not. */
  readonly keysDir: string | null;
  /** Records everything that arrives; `null`: nothing is recorded. */
  readonly recordFile: string | null;
  /** A record instead of new heads and of the feed; state is still read from the upstream. */
  readonly replay: { readonly file: string; readonly speed: number } | null;
}

/** A NATS server with JetStream, which connects executors and replicas. */
export interface BusOptions {
  /** `nats:` or `tls:`, with user and password, or a token; the path is a chain id, if the server has several. */
  readonly url: string;
  /** Credentials file of NATS (`nsc`); `null`: none. */
  readonly credsFile: string | null;
  /** Authorities of the server's certificate, PEM; `null`: those of the system. */
  readonly caFile: string | null;
}

/** A chain that an executor publishes. */
export interface ReplicaOptions {
  readonly kind: 'replica';
  readonly bus: BusOptions;
  /** For missing state; `null`: the executor is asked. */
  readonly upstreamUrl: string | null;
}

/** The rules by which a live chain is executed; `auto`: known by the chain's id, or reported by the node. */
export type RulesChoice = 'auto' | 'ethereum' | 'op-stack';

/**
 * How a live chain's blocks are applied; `auto`: a block with unknown features, or whose execution keeps mismatching,
 * is applied as a diff.
 */
export type FollowBy = 'auto' | 'execution' | 'diffs';
