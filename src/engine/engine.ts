// The composition root: builds the components in order and stops them in reverse order.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BannerEndpoint } from '../cli/banner.js';
import { TotalAndClientLimit } from '../fairness/total-and-client-limit.js';
import {
  responseConventions,
  chainSourceOptions,
  readsFromUpstream,
  natsPublishOptions,
  type Config,
} from '../config/config.js';
import { IdleMemoryRelease } from '../lib/memory/idle-memory-release.js';
import { mergeStatusReport } from '../feed/live-status.js';
import { workerFileUrl } from '../lib/threads/worker-file.js';
import { monotonicMs } from '../lib/clock.js';
import { LIMITS } from '../limits/index.js';
import { releaseMemory, mmapLargeAllocations } from '../native/release-memory.js';
import { DependencyHealth } from '../observe/log-dependency-health.js';
import type { TableRef } from '../pool/pool-request-types.js';
import type { WorkerPool } from '../pool/worker-pool.js';
import { PublisherHost } from '../publisher/publisher-host.js';
import type { NonceSharingGroupEvent, PublisherEvent } from '../publisher/publisher-protocol.js';
import { SubmittedTransactionTracker } from '../rpc/call/submitted-transaction-tracker.js';
import type { TransactionSubmitter } from '../rpc/call/submit-transaction.js';
import { loadPlainReads, type OpenPlainReads } from '../rpc/reads/native-plain-reads.js';
import { CurrentRules } from '../rpc/replaceable-chain-rules.js';
import type { JsonRpcService } from '../rpc/json-rpc-service.js';
import type { CompleteBlockSource } from '../rpc/view/stored-blocks.js';
import { keepSubmittedTransactionsUpdated } from '../rpc/push/update-submitted-transactions.js';
import { CurrentView } from '../rpc/view/current-table-view.js';
import { ExecutedBlockLookup } from '../rpc/view/executed-block-lookup.js';
import type { ReadView } from '../rpc/view/pinned-read-view.js';
import { WatchedCallsTopic } from '../rpc/watch/watched-call-topic.js';
import { StartError } from '../lib/start-error.js';
import { prepareDataDir } from '../state/archive/file/prepare-data-dir.js';
import { ArchiveReader } from '../state/archive/reader.js';
import { EngineContext, type BuiltComponents, type EngineDeps, type ServingInfo } from './engine-context.js';
import { startEstimators } from './start-estimator-pool.js';
import { createHttpServer, currentReadiness } from './create-http-server.js';
import { InProcessClient } from './in-process-client.js';
import { createRpcService } from './create-rpc-service.js';
import { warmUp } from './warm-up.js';

/** Components that are created only after the publisher thread has started. */
interface Later {
  current?: CurrentView;
  rules?: CurrentRules;
  pool?: WorkerPool;
  /** The newest state table, if the publisher has announced another one after the first. */
  table?: TableRef;
}

/** The whole service. `stop` may be called at any time, even while it is starting. */
export class Engine {
  /** Client for calls from this process; `null` until the start is over. */
  client: InProcessClient | null = null;
  readonly #context: EngineContext;
  #temporary: string | null = null;
  #sending: TransactionSubmitter | null = null;
  /** Events of nonce-sharing groups that arrived before any component could receive them. */
  readonly #groupEvents: NonceSharingGroupEvent[] = [];

  constructor(config: Config, deps: EngineDeps) {
    this.#context = new EngineContext(config, deps);
  }

  /** Resolves once requests are served; rejects with `StartError`. */
  async start(): Promise<ServingInfo> {
    mmapLargeAllocations();
    const { host, port, ipc } = this.#context.config;
    const built = await this.#build();
    const { current, dataDir } = built;
    const { chain, devFeedPort } = built.ready.chain;
    const { service, uncounted, sending } = createRpcService(this.#context, built);
    this.#sending = sending;
    for (const event of this.#groupEvents.splice(0)) sending.learn(event);
    const http = await createHttpServer(this.#context, built, service);
    const listening = await http.listen(host, port);
    if (!listening.ok) throw new StartError(listening.reason, 1);
    const refusal = ipc === undefined ? null : await http.listenIpc(ipc);
    if (refusal !== null) throw new StartError(refusal, 1);
    this.#context.deps.progress.end();
    this.#context.deps.log.info({ host, port: listening.port, ipc }, 'listening');
    this.#watchPresences(built);
    this.#watchMemory(built);
    const client = (this.client = new InProcessClient(service, this.#context.subscriptions));
    this.#context.stops.push(() => client.stop());
    const balanceOf = (address: Uint8Array): bigint => latestBalance(current.get(), address);
    this.#warmUp(uncounted, current);
    const urls = endpoints(host, listening.port, ipc, devFeedPort);
    return { chain, endpoints: urls, dataDir, balanceOf };
  }

  /** Stops listening, finishes the requests in flight, flushes the archive. */
  async stop(): Promise<void> {
    for (let stop = this.#context.stops.pop(); stop !== undefined; stop = this.#context.stops.pop()) {
      // The order matters: a component is stopped only after everything that uses it.
      await stop();
    }
  }

  /** Removes the temporary data folder: after `stop`, or instead of waiting for a `stop` that hangs. */
  removeTemporary(): void {
    if (this.#temporary !== null) rmSync(this.#temporary, { recursive: true, force: true });
  }

  async #build(): Promise<BuiltComponents> {
    const opening = this.#openFolder();
    // `stop` waits until the data folder is open, because a temporary folder is removed after `stop`, and nothing may
    // use it then.
    this.#context.stops.push(() => opening.then(ignore, ignore));
    const dataDir = await opening;
    const later: Later = {};
    const host = this.#startPublisher(dataDir, later);
    const ready = await host.ready;
    const source = this.#openSource(dataDir);
    const own = this.#createOwnSends();
    const rules = (later.rules = new CurrentRules(ready.chain.chain));
    const ownRules = rules.use(ready.table.chain);
    const executed = rules.add(new ExecutedBlockLookup(ready.chain.chain, this.#context.pushEvents.pending));
    this.#context.pushEvents.begin({ source, executed }, ready.table.startsAt);
    const current = (later.current = new CurrentView(ready.table.buffer, source, this.#loadPlainReads(own)));
    const watches = this.#createWatches(rules, current);
    const pool = (later.pool = await startEstimators(this.#context, ready, dataDir));
    // The publisher may have announced a larger state table while the workers started.
    pool.setTable(later.table ?? { ...ready.table, ...ownRules });
    if (own !== null) keepSubmittedTransactionsUpdated(own, this.#context.pushEvents.events, executed);
    return { dataDir, ready, host, current, executed, watches, rules, pool, own };
  }

  /** Creates the record of submitted transactions; `null` if they are not tracked. */
  #createOwnSends(): SubmittedTransactionTracker | null {
    const { config, ledger } = this.#context;
    if (!config['count-own-sends']) return null;
    const { ownSendsBytesMax, ownSendsBytesPerClientMax } = LIMITS;
    const shares = new TotalAndClientLimit(ledger, 'sendBytes', ownSendsBytesMax, ownSendsBytesPerClientMax);
    return new SubmittedTransactionTracker(shares, monotonicMs);
  }

  #loadPlainReads(own: SubmittedTransactionTracker | null): OpenPlainReads {
    const { defaultBlock } = responseConventions(this.#context.config);
    const { open, reason } = loadPlainReads(this.#context.config['batch-max'], defaultBlock.kind, own?.guarded);
    this.#context.logForm('plain reads', { plainReads: reason }, reason === 'addon');
    return open;
  }

  #openSource(dataDir: string): CompleteBlockSource {
    if (readsFromUpstream(this.#context.config)) return { kind: 'live', recent: this.#context.pushEvents.recent };
    const archive = ArchiveReader.open(dataDir);
    this.#context.stops.push(() => archive.close());
    return { kind: 'archive', archive };
  }

  /** The folder of the archive: the configured one, or a temporary one that is removed when the process ends. */
  async #openFolder(): Promise<string> {
    const folder = this.#context.config['data-dir'] ?? (this.#temporary = mkdtempSync(join(tmpdir(), 'prestate-')));
    await prepareDataDir(folder);
    return folder;
  }

  #startPublisher(dataDir: string, later: Later): PublisherHost {
    const { config, kernelSettings, telemetry } = this.#context;
    const { log, onFatal, stateBytesMax } = this.#context.deps;
    const publishTo = natsPublishOptions(config);
    const options = {
      source: chainSourceOptions(config),
      dataDir,
      kernel: kernelSettings,
      table: {
        memoryBytesMax: config['state-memory'] ?? stateBytesMax,
        // Only chains that are read from an upstream node retain old state versions in the table for some time. On
        // other chains the archive has the older blocks.
        keptWindowMs: readsFromUpstream(config) ? LIMITS.keptWindowMs : 0,
      },
      ...(publishTo === null ? {} : { publishTo }),
      visible: telemetry.visible,
      countsSends: config['count-own-sends'],
    };
    const publisher = new PublisherHost(workerFileUrl('publisher'), options, {
      onTable: (table) => {
        const own = later.rules?.use(table.chain) ?? {};
        later.current?.setTable(table.buffer, table.continues);
        if (!table.continues) this.#context.pushEvents.restarted(table.startsAt);
        later.table = { generation: table.generation, buffer: table.buffer, ...own };
        later.pool?.setTable(later.table);
      },
      onEvent: (event) => this.#onPublisherEvent(event),
      onCrash: (reason) => log.error({ reason }, 'the publisher died and is replaced'),
      onFatal,
    });
    this.#context.stops.push(() => publisher.stop());
    return publisher;
  }

  #onPublisherEvent(event: PublisherEvent): void {
    const { telemetry } = this.#context;
    switch (event.kind) {
      case 'changed':
        return this.#context.pushEvents.changed(event);
      case 'published':
        return this.#context.pushEvents.published(event);
      case 'completed':
        return this.#context.pushEvents.completed(event);
      case 'send':
      case 'member':
        return this.#sending === null ? void this.#groupEvents.push(event) : this.#sending.learn(event);
      case 'live':
        telemetry.live = mergeStatusReport(telemetry.live, event.status);
        return;
      case 'replication':
        return void (telemetry.replication = event.status);
      case 'progress':
        return this.#context.deps.progress.report(event.text, event.share);
      case 'warning':
        return this.#context.deps.log.warn(event.text);
    }
  }

  /** Starts to warm the program up, in the background. */
  #warmUp(service: JsonRpcService, current: CurrentView): void {
    const { config, deps, subscriptions, stops } = this.#context;
    const client = new InProcessClient(service, subscriptions);
    stops.push(() => client.stop());
    const head = (): number => current.get().atNewest(({ pinned }) => pinned.record.heads.latest);
    void warmUp(client, { calls: config['warm-up-calls'], concurrency: deps.workers, head });
  }

  #createWatches(rules: CurrentRules, current: CurrentView): WatchedCallsTopic {
    return new WatchedCallsTopic({
      events: this.#context.pushEvents.events,
      readView: () => current.get(),
      slices: this.#context.pushSlicer,
      get chain() {
        return rules.chain;
      },
      afterPause: (retry) => setTimeout(retry, LIMITS.watchRetryMs).unref(),
    });
  }

  /** Logs when a dependency (node, feed, NATS server) is lost and when it is back. */
  #watchPresences(built: BuiltComponents): void {
    const { upstream, feed, follow, publish, 'upstream-ws': upstreamWs } = this.#context.config;
    const urls = { upstream, upstreamWs, feeds: feed ?? [], nats: follow ?? publish };
    const presences = new DependencyHealth(urls, this.#context.deps.log);
    const check = (): void => {
      const { live, replication } = this.#context.telemetry;
      presences.check({ live, replication, readiness: currentReadiness(this.#context, built) }, monotonicMs());
    };
    let timer = setTimeout(() => (timer = setInterval(check, LIMITS.dependencyCheckMs)), LIMITS.dependencyStartMs);
    this.#context.stops.push(() => clearInterval(timer));
  }

  /** Watches the load, and releases memory when the engine becomes idle after it. */
  #watchMemory({ pool }: BuiltComponents): void {
    let before = performance.eventLoopUtilization();
    const isIdle = (): boolean => {
      const { running, queued } = pool.stats;
      const { utilization } = performance.eventLoopUtilization(before);
      before = performance.eventLoopUtilization();
      return running + queued === 0 && utilization <= LIMITS.idleMainShareMax;
    };
    const release = (): void => {
      pool.releaseMemory();
      releaseMemory();
    };
    const memory = new IdleMemoryRelease({ residentBytes: () => process.memoryUsage.rss(), isIdle, release });
    const timer = setInterval(() => memory.check(), LIMITS.idleMemoryCheckMs);
    this.#context.stops.push(() => clearInterval(timer));
  }
}

/** Ignores a rejection, because the start itself has already reported it. */
function ignore(): void {}

function latestBalance(current: ReadView, address: Uint8Array): bigint {
  return current.atNewest((readView) => {
    const { view } = readView.stateAt(readView.pinned.record.latestVersion);
    return view.account(address)?.balance ?? 0n;
  });
}

/** Lists the addresses at which the engine serves requests, and that of the dev chain's feed. */
function endpoints(
  host: string,
  port: number,
  ipc: string | undefined,
  devFeedPort: number | null,
): readonly BannerEndpoint[] {
  const place = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const all = [
    { name: 'HTTP', address: `http://${place}` },
    { name: 'WebSocket', address: `ws://${place}` },
  ];
  if (ipc !== undefined) all.push({ name: 'IPC', address: ipc });
  if (devFeedPort !== null) all.push({ name: 'Dev feed', address: `ws://127.0.0.1:${devFeedPort}` });
  return all;
}
