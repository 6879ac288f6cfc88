// The options of an engine inside another program, for its editor: the flags of the program in camel case. Types alone. Runs on main.

/** Every option is as its flag; each is told with its default. */
export interface EngineSettings {
  /** Transactions per second that the dev chain makes by itself; 0 for none (5). */
  readonly devTraffic?: number;
  /** osaka or amsterdam: the dev chain's rules from its first block on (osaka). */
  readonly devFork?: 'osaka' | 'amsterdam';
  /**
   * Port on 127.0.0.1 of a WebSocket that tells the dev chain's increments in --dev-feed-format; 0 takes a free
   * one.
   */
  readonly devFeedPort?: number;
  /**
   * flashblocks or shreds: what is told at --dev-feed-port, as OP-Stack builders do or as RISE does to who
   * subscribes (flashblocks).
   */
  readonly devFeedFormat?: 'flashblocks' | 'shreds';
  /**
   * The dev chain as development tools expect one: --revert-error-code 3, --default-block pending, --receipts
   * confirmed.
   */
  readonly devTools?: boolean;
  /**
   * Geth-format genesis: serves this chain instead of the dev chain; with --upstream, or a rollup config: its
   * forks.
   */
  readonly genesis?: string;
  /** RLP blocks to import on top of --genesis. */
  readonly chain?: string;
  /**
   * Folder of the archive, or of what a live chain reads again, kept between runs; without it a temporary folder
   * is used and removed.
   */
  readonly dataDir?: string;
  /** HTTP address of a node: serves its chain instead of the dev chain. */
  readonly upstream?: string;
  /** WebSocket address of the same node, for new heads; without it they are polled every 50 to 250 ms. */
  readonly upstreamWs?: string;
  /**
   * WebSocket address of a feed of pre-confirmations, or of several: the first that has a frame is taken; without
   * it pending equals latest on a live chain.
   */
  readonly feed?: readonly string[];
  /** auto, flashblocks or shreds: what the feed tells; auto knows RISE by its id, which tells shreds (auto). */
  readonly feedFormat?: 'auto' | 'flashblocks' | 'shreds';
  /** auto, ethereum or op-stack: the rules of the live chain; auto knows them by its id or asks the node (auto). */
  readonly rules?: 'auto' | 'ethereum' | 'op-stack';
  /**
   * auto, execution or diffs: auto executes blocks, and takes as diffs of the node what is not known or does not
   * fit (auto).
   */
  readonly followBy?: 'auto' | 'execution' | 'diffs';
  /** Part of what a diff or a shred changes that is read from the node and compared, 0 to 1 (0.05). */
  readonly diffSample?: number;
  /**
   * Accounts whose code is not the EVM's, addresses separated by commas, * at the end for any ending, =0xef for
   * those with that code: what calls one is asked of the node.
   */
  readonly foreign?: readonly string[];
  /** local or node: who answers estimates and calls; node for a chain whose gas is not Ethereum's (local). */
  readonly estimates?: 'local' | 'node';
  /**
   * File of the state to read from the node right after the start: lines of an address, an address and a slot, or
   * a call in JSON.
   */
  readonly warm?: string;
  /** Writes the heads and frames that arrive to this file, compressed, with their times of arrival. */
  readonly record?: string;
  /** Takes heads and frames from this record instead of the network; state is still read from --upstream. */
  readonly replay?: string;
  /** Pace of --replay: 1 is that of the record, 10 ten times as fast, 0 as fast as it can be taken (1). */
  readonly speed?: number;
  /** Sends methods that are not served here to the upstream node, as --passthrough-methods says. */
  readonly passthrough?: boolean;
  /**
   * Methods that are sent, separated by commas, * at the end for any ending; standard: reads and
   * eth_sendRawTransaction (standard).
   */
  readonly passthroughMethods?: readonly string[];
  /**
   * Counts what --passthrough has sent and the node has accepted towards the nonce at pending, until it is
   * pre-confirmed or three blocks old.
   */
  readonly countOwnSends?: boolean;
  /**
   * NATS server with JetStream to which this executor tells every version; of several executors of a chain one
   * leads.
   */
  readonly publish?: string;
  /**
   * NATS server from which this replica takes every version: serves the chain that is published there, behind a
   * slash its id where there are several.
   */
  readonly follow?: string;
  /** Credentials file for the NATS server. */
  readonly natsCreds?: string;
  /** Authorities of the NATS server's certificate, PEM; by default those of the system. */
  readonly natsCa?: string;
  /** Most gas of one call or estimate (50000000). */
  readonly gasCap?: number;
  /** Most calls in one batch (1000). */
  readonly batchMax?: number;
  /** Largest request body, e.g. 512k or 5m (5242880). */
  readonly bodyMax?: number;
  /** Longest execution of one call or estimate, milliseconds (5000). */
  readonly estimateTimeout?: number;
  /** Memory of the shared table, e.g. 512m or 6g; by default a quarter of the machine's, 8g at the most. */
  readonly stateMemory?: number;
  /** Estimator threads; by default as many as there are cores. */
  readonly workers?: number;
  /**
   * on, interpreted or off: the kernel executes, does so without compiling code that runs often, or leaves it to
   * @ethereumjs/evm (on).
   */
  readonly kernel?: 'on' | 'interpreted' | 'off';
  /** Share of the kernel's answers that idle estimators compare with those of @ethereumjs/evm, 0 to 1 (0.0005). */
  readonly kernelCheck?: number;
  /** Address to listen on (127.0.0.1). */
  readonly host?: string;
  /** Port to listen on; 0 takes a free one (8545). */
  readonly port?: number;
  /**
   * Unix socket for programs of the same user on this machine: bare JSON, as IPC clients send it, HTTP and
   * WebSocket.
   */
  readonly ipc?: string;
  /** Origins allowed by CORS, separated by commas, or *; none by default. */
  readonly cors?: readonly string[];
  /**
   * Header in which the operator's proxy names the client, e.g. x-real-ip; without it clients are told apart by
   * address.
   */
  readonly clientHeader?: string;
  /**
   * same: an estimate leaves inner calls the gas that code states for them; least: the least that succeeds in any
   * way (same).
   */
  readonly estimateMode?: 'same' | 'least';
  /** Error code of a revert; 3 also puts the reason into the message, as go-ethereum does (-32000). */
  readonly revertErrorCode?: number;
  /** latest or pending: the block of a call that names none (latest). */
  readonly defaultBlock?: 'latest' | 'pending';
  /**
   * preconfirmed or confirmed: when a transaction has a receipt, and a place where it is asked for by hash
   * (preconfirmed).
   */
  readonly receipts?: 'preconfirmed' | 'confirmed';
  /** Writes the bodies of all requests with their times to this file, up to 1 GiB, for the bench to replay. */
  readonly recordRequests?: string;
}

/** A log that is written to, such as pino's. */
export interface EngineLogger {
  isLevelEnabled(level: string): boolean;
  debug(fields: object, text?: string): void;
  info: LogLine;
  warn: LogLine;
  error: LogLine;
}

/** A line of text, with fields or without. */
export interface LogLine {
  (fields: object, text?: string): void;
  (text: string): void;
}
