// What the parts of the engine are built from.
import type { ChainDescription } from '../chain/spec.js';
import type { Endpoint } from '../cli/banner.js';
import type { ProgressReport } from '../cli/progress.js';
import { Ledger } from '../clients/ledger.js';
import { TimeSlices } from '../clients/slices.js';
import type { Config } from '../config/config.js';
import type { KernelSettings } from '../evm/kernel/engines.js';
import { LIMITS } from '../limits/index.js';
import { Telemetry } from '../observe/telemetry.js';
import type { EngineLogger } from '../options.js';
import { WorkerPool } from '../pool/worker-pool.js';
import { PublisherHost, type PublisherReady } from '../publisher/host.js';
import { NodeExecutions } from '../rpc/call/node-executions.js';
import { OwnSends } from '../rpc/call/own-sends.js';
import { News } from '../rpc/push/news.js';
import { SendsTold } from '../rpc/push/sends.js';
import { Subscriptions } from '../rpc/push/subscriptions.js';
import { ServedRules } from '../rpc/served-rules.js';
import { CurrentView } from '../rpc/view/current-view.js';
import { ExecutedBlocks } from '../rpc/view/executed-blocks.js';
import { Watches } from '../rpc/watch/watches.js';
import { DamageReport } from '../state/archive/format/damage.js';

/** What the program decides before the engine is built. */
export interface EngineDeps {
  readonly log: EngineLogger;
  readonly progress: ProgressReport;
  readonly version: string;
  /** Estimator threads. */
  readonly workers: number;
  readonly socketsMax: number;
  /** Memory of the table where the configuration says nothing. */
  readonly stateBytesMax: number;
  /** The engine cannot go on. */
  readonly onFatal: (message: string, exitCode: 1 | 2) => void;
}

/** The serving engine, for whoever has started it. */
export interface Serving {
  readonly chain: ChainDescription;
  readonly endpoints: readonly Endpoint[];
  readonly dataDir: string;
  /** Wei at `latest`. */
  readonly balanceOf: (address: Uint8Array) => bigint;
}

/** Parts that are there once the publisher has announced its chain and its first table. */
export interface Built {
  readonly dataDir: string;
  readonly ready: PublisherReady;
  readonly host: PublisherHost;
  readonly current: CurrentView;
  readonly executed: ExecutedBlocks;
  readonly watches: Watches;
  readonly rules: ServedRules;
  readonly pool: WorkerPool;
  /** The book of transactions on their way, and who tells of them; `null`: none is kept. */
  readonly sends: { readonly own: OwnSends; readonly told: SendsTold } | null;
}

/** What all of the engine shares from the start on. */
export class EngineContext {
  readonly config: Config;
  readonly deps: EngineDeps;
  /** Stops of all that has been built, in the order in which it was built. */
  readonly stops: (() => void | Promise<void>)[] = [];
  readonly news = new News();
  readonly telemetry = new Telemetry();
  readonly ledger = new Ledger();
  readonly nodeExecutions = new NodeExecutions(this.ledger);
  /** Main's time for events: they do not wait behind answers, nor rest as those do. */
  readonly newsSlices = new TimeSlices(LIMITS.mainSliceMs);
  readonly subscriptions = new Subscriptions(this.news.events, this.newsSlices, this.telemetry.push);
  readonly damage = new DamageReport((message) => this.deps.log.error(message));

  constructor(config: Config, deps: EngineDeps) {
    this.config = config;
    this.deps = deps;
  }

  /** The kernel as the configuration has it, on every thread that executes. */
  get kernelSettings(): KernelSettings {
    return { mode: this.config.kernel, counters: this.telemetry.kernel.buffer };
  }

  /** Logs which form of `part` is used: at `info` where a faster one exists and could not be loaded. */
  logForm(part: string, form: object, isFastest: boolean): void {
    this.deps.log[isFastest ? 'debug' : 'info'](form, part);
  }
}
