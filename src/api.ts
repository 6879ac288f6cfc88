// Runs an engine inside another program, usually a test suite: everything that `import 'prestate-rpc'` provides.
// Touches neither signals nor stdout nor exit codes, and reads no environment variables.
/// <reference lib="esnext.disposable" preserve="true" />
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { pino } from 'pino';
import { progressToLog } from './cli/program-output.js';
import { isDevChain, type Config } from './config/config.js';
import { readSettingsFromEngineOptions } from './config/read-settings.js';
import { Engine } from './engine/engine.js';
import { DEV_ACCOUNT_ADDRESSES, DEV_PRIVATE_KEYS } from './feed/dev/accounts-and-contract-addresses.js';
import { monotonicMs } from './lib/clock.js';
import { readResources, resourceShortage, webSocketsMaxFor, defaultStateBytes } from './observe/check-resources.js';
import type { EngineEvent, EngineEvents, EngineLogger, EngineRequest, EngineSettings } from './engine-types.js';
import { EngineRequestError } from './engine-request-error.js';
import { StartError } from './lib/start-error.js';
import { checksumAddress } from './transaction/checksum-address.js';
import { packageVersion } from './observe/package-version.js';

export type {
  EngineBlock,
  EngineEvent,
  EngineEvents,
  EngineLogger,
  EngineMessage,
  EngineRequest,
  EngineSettings,
  LogLine,
} from './engine-types.js';
export { EngineRequestError } from './engine-request-error.js';

/**
 * Options of an engine: the program's flags in camel case (see `prestate --help`), and a logger. Without `port`, the
 * engine listens on any free port.
 */
export interface EngineOptions extends EngineSettings {
  /** Without it nothing is logged. */
  readonly logger?: EngineLogger;
}

/** An account of the dev chain. Its key is public: whatever is sent to its address on another chain is lost. */
export interface EngineAccount {
  /** The address with its checksum (ERC-55). */
  readonly address: string;
  /** The private key: `0x` and 64 hexadecimal digits. */
  readonly privateKey: string;
}

/** A running engine. It keeps the process alive until it is stopped. */
export interface RunningEngine {
  /** URL of the engine's HTTP server. */
  readonly url: string;
  /** URL of the engine's WebSocket server. */
  readonly wsUrl: string;
  /** Path of the engine's Unix socket; `null` if `ipc` is not set. */
  readonly ipc: string | null;
  readonly chainId: number;
  /** The dev chain's prefunded accounts, in order; empty on any other chain. */
  readonly accounts: readonly EngineAccount[];
  /**
   * Runs a JSON-RPC call without a connection, as an EIP-1193 provider does: the engine can be passed to viem's
   * `custom(engine)` and to ethers' `new BrowserProvider(engine)`. Rejects with an `EngineRequestError`. Notifications
   * of subscriptions arrive as `message` events.
   */
  request(call: EngineRequest): Promise<unknown>;
  /** Calls `listener` for each later event of this name. A listener that is added twice is called twice. */
  on<Name extends EngineEvent>(event: Name, listener: (value: EngineEvents[Name]) => void): this;
  removeListener<Name extends EngineEvent>(event: Name, listener: (value: EngineEvents[Name]) => void): this;
  /** Takes a snapshot of the dev chain's current state and returns the snapshot's id. */
  snapshot(): Promise<string>;
  /**
   * Reverts the dev chain to a snapshot, which is removed together with all later ones. Rejects if there is no such
   * snapshot.
   */
  revert(snapshot: string): Promise<void>;
  /**
   * Finishes the requests in flight, ends all threads, removes a temporary data folder. A second call returns the same
   * promise. Rejects, with the reason, if the engine had failed before.
   */
  stop(): Promise<void>;
  /** Calls `stop`; makes `await using` possible. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Data folders of the engines in this process. Their lock files exclude other processes, but not this one. */
const foldersInUse = new Set<string>();

/**
 * Starts an engine; resolves once it serves requests. Rejects with an error of one line per fault: invalid options, a
 * port in use, too few file descriptors. Several engines may run in one process, each with its own port and data
 * folder.
 */
export async function createEngine(options: EngineOptions = {}): Promise<RunningEngine> {
  const { logger = pino({ level: 'silent' }), ...settings } = options;
  const checked = readSettingsFromEngineOptions({ port: 0, ...settings });
  if (checked.kind === 'invalid') throw new StartError(checked.faults.join('\n'), 2);
  const engine = new EmbeddedEngine(checked.config, logger);
  await engine.start();
  return engine;
}

/** Marks a data folder as used by this process. Returns a function that releases it. */
function claimFolder(dataDir: string | undefined): () => void {
  if (dataDir === undefined) return () => undefined;
  const folder = resolve(dataDir);
  if (foldersInUse.has(folder)) throw new StartError(`data folder ${dataDir} is in use by another engine here`, 2);
  foldersInUse.add(folder);
  return () => foldersInUse.delete(folder);
}

/** An engine that ends when it is stopped, or by itself when it cannot continue. */
class EmbeddedEngine implements RunningEngine {
  url = '';
  wsUrl = '';
  chainId = 0;
  readonly ipc: string | null;
  readonly accounts: readonly EngineAccount[];
  readonly #engine: Engine;
  readonly #releaseFolder: () => void;
  #failure: StartError | null = null;
  #ended: Promise<void> | null = null;

  constructor(config: Config, log: EngineLogger) {
    this.ipc = config.ipc ?? null;
    this.accounts = isDevChain(config) ? devAccounts() : [];
    const workers = config.workers ?? availableParallelism();
    const resources = readResources();
    const short = resourceShortage(resources, workers);
    if (short !== null) throw new StartError(short, 1);
    this.#releaseFolder = claimFolder(config['data-dir']);
    this.#engine = new Engine(config, {
      log,
      progress: progressToLog(log, monotonicMs),
      version: packageVersion(),
      workers,
      socketsMax: webSocketsMaxFor(resources, workers),
      stateBytesMax: defaultStateBytes(resources),
      onFatal: (message, exitCode) => {
        log.error(message);
        this.#failure ??= new StartError(message, exitCode);
        // The rejection is ignored here: `stop` returns the same promise to its caller, who sees the error.
        this.stop().catch(() => undefined);
      },
    });
  }

  async start(): Promise<void> {
    try {
      const { chain, endpoints } = await this.#engine.start();
      [this.url, this.wsUrl] = [endpoints[0]!.address, endpoints[1]!.address];
      this.chainId = Number(chain.chainId);
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  request(call: EngineRequest): Promise<unknown> {
    return this.#engine.client!.request(call);
  }

  on<Name extends EngineEvent>(event: Name, listener: (value: EngineEvents[Name]) => void): this {
    this.#engine.client!.on(event, listener);
    return this;
  }

  removeListener<Name extends EngineEvent>(event: Name, listener: (value: EngineEvents[Name]) => void): this {
    this.#engine.client!.removeListener(event, listener);
    return this;
  }

  async snapshot(): Promise<string> {
    return (await this.request({ method: 'evm_snapshot' })) as string;
  }

  async revert(snapshot: string): Promise<void> {
    if (await this.request({ method: 'evm_revert', params: [snapshot] })) return;
    throw new EngineRequestError({ code: -32000, message: `there is no snapshot ${snapshot}` });
  }

  stop(): Promise<void> {
    return (this.#ended ??= this.#end());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #end(): Promise<void> {
    try {
      await this.#engine.stop();
    } finally {
      this.#engine.removeTemporary();
      this.#releaseFolder();
    }
    if (this.#failure !== null) throw this.#failure;
  }
}

function devAccounts(): EngineAccount[] {
  return DEV_ACCOUNT_ADDRESSES.map((address, index) => ({
    address: checksumAddress(address),
    privateKey: DEV_PRIVATE_KEYS[index]!,
  }));
}
