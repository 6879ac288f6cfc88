// What all of the engine's components are built from: configuration, log, counters.
import type { ChainDescription } from '../chain/chain-description.js';
import type { BannerEndpoint } from '../cli/banner.js';
import type { ProgressReport } from '../cli/progress-report.js';
import { UsageLedger } from '../fairness/usage-ledger.js';
import { TimeSlicer } from '../fairness/time-slicer.js';
import type { Config } from '../config/config.js';
import type { KernelSettings } from '../evm/kernel/kernel-or-reference-engine.js';
import { LIMITS } from '../limits/index.js';
import { Telemetry } from '../observe/component-stats.js';
import type { EngineLogger } from '../engine-types.js';
import type { WorkerPool } from '../pool/worker-pool.js';
import { PublisherHost, type PublisherStartResult } from '../publisher/publisher-host.js';
import { UpstreamExecutions } from '../rpc/call/executions-at-upstream.js';
import type { SubmittedTransactionTracker } from '../rpc/call/submitted-transaction-tracker.js';
import { PublisherEventRouter } from '../rpc/push/publisher-event-router.js';
import { AllSubscriptions } from '../rpc/push/topic-delivery.js';
import type { CurrentRules } from '../rpc/replaceable-chain-rules.js';
import type { CurrentView } from '../rpc/view/current-table-view.js';
import type { ExecutedBlockLookup } from '../rpc/view/executed-block-lookup.js';
import type { WatchedCallsTopic } from '../rpc/watch/watched-call-topic.js';
import { DamageReporter } from '../state/archive/format/archive-damage.js';

/** What the caller decides before the engine is built. */
export interface EngineDeps {
  readonly log: EngineLogger;
  readonly progress: ProgressReport;
  readonly version: string;
  readonly workers: number;
  readonly socketsMax: number;
  /** Maximum bytes of the state table, unless `--state-memory` sets them. */
  readonly stateBytesMax: number;
  /** Called when the engine cannot continue. */
  readonly onFatal: (message: string, exitCode: 1 | 2) => void;
}

/** The chain and addresses of a running engine, for the program that has started it. */
export interface ServingInfo {
  readonly chain: ChainDescription;
  readonly endpoints: readonly BannerEndpoint[];
  readonly dataDir: string;
  /** Returns the balance of an account in wei at `latest`. */
  readonly balanceOf: (address: Uint8Array) => bigint;
}

/** Components that exist once the publisher thread has announced the chain and its first state table. */
export interface BuiltComponents {
  readonly dataDir: string;
  readonly ready: PublisherStartResult;
  readonly host: PublisherHost;
  readonly current: CurrentView;
  readonly executed: ExecutedBlockLookup;
  readonly watches: WatchedCallsTopic;
  readonly rules: CurrentRules;
  readonly pool: WorkerPool;
  /** Transactions submitted through this server that count in pending nonces; `null` if they are not tracked. */
  readonly own: SubmittedTransactionTracker | null;
}

/** What all components of the engine share from the start. */
export class EngineContext {
  readonly config: Config;
  readonly deps: EngineDeps;
  /** Stop functions of all components, in the order in which they were built. */
  readonly stops: (() => void | Promise<void>)[] = [];
  readonly pushEvents = new PublisherEventRouter();
  readonly telemetry = new Telemetry();
  readonly ledger = new UsageLedger();
  readonly nodeExecutions = new UpstreamExecutions(this.ledger);
  /**
   * Time slices of the main thread for pushing chain events. They do not wait behind responses, and there are no pauses
   * between them as there are between the slices for responses.
   */
  readonly pushSlicer = new TimeSlicer(LIMITS.mainSliceMs);
  readonly subscriptions = new AllSubscriptions(this.pushEvents.events, this.pushSlicer, this.telemetry.push);
  readonly damage = new DamageReporter((message) => this.deps.log.error(message));

  constructor(config: Config, deps: EngineDeps) {
    this.config = config;
    this.deps = deps;
  }

  /** The configured settings of the EVM kernel, for every thread that executes transactions or calls. */
  get kernelSettings(): KernelSettings {
    return { mode: this.config.kernel, counters: this.telemetry.kernel.buffer };
  }

  /**
   * Logs which implementation of `component` is used: at level `info` if the fastest one could not be loaded, else
   * `debug`.
   */
  logForm(component: string, form: object, isFastest: boolean): void {
    this.deps.log[isFastest ? 'debug' : 'info'](form, component);
  }
}
