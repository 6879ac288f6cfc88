// The composition root: builds the parts in order, stops them in reverse. Runs on main.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chainName } from './chain/known.js';
import type { ChainDescription } from './chain/spec.js';
import type { Endpoint } from './cli/banner.js';
import type { ProgressReport } from './cli/progress.js';
import { conventions, feedOptions, isBacked, isDevChain, publishOptions, type Config } from './config.js';
import { PreflightEstimates } from './execution/call/preflight-estimates.js';
import { DEV_ACCOUNTS } from './feed/dev/accounts.js';
import { NATIVE } from './evm/precompiles/native.js';
import type { KernelSettings } from './evm/kernel/engines.js';
import type { KernelMismatch } from './evm/kernel/mismatch.js';
import { PublisherHost, type PublisherReady } from './publisher/host.js';
import type { GroupNews, PublisherNews } from './publisher/protocol.js';
import type { Backend } from './http/app.js';
import { chooseBackend } from './http/backend.js';
import type { Readiness } from './http/routes/health.js';
import { openRequestRecord, recorded, type RequestRecord } from './http/routes/request-record.js';
import { HttpServer } from './http/server.js';
import { monotonicMs } from './lib/time/clock.js';
import { workerFile } from './lib/threads/worker-file.js';
import { Histogram } from './lib/time/histogram.js';
import { Ledger } from './clients/ledger.js';
import { Shares } from './clients/shares.js';
import { LIMITS } from './limits/index.js';
import { METRICS_TYPE, createMetrics, type MetricSources } from './observe/metrics.js';
import type { EstimatorData } from './pool/threads/program.js';
import { ShadowSampler } from './pool/shadow-sampler.js';
import { SLEEP_NAME } from './pool/threads/sleep.js';
import type { TableRef } from './pool/pool.js';
import { WorkerPool } from './pool/worker-pool.js';
import { TimeSlices } from './clients/slices.js';
import { BlockTexts } from './rpc/render/block-texts.js';
import { Presences } from './observe/presences.js';
import { readiness, versionsBehind } from './observe/readiness.js';
import { Telemetry } from './observe/telemetry.js';
import { CurrentView } from './rpc/view/current-view.js';
import { createDecoder } from './rpc/decode/decoder.js';
import { TipOracle } from './rpc/view/tip-oracle.js';
import { FeeRows } from './rpc/view/fee-rows.js';
import { IdleMemory } from './lib/memory/idle-memory.js';
import { releaseMemory } from './native/release-memory.js';
import { mapLargeBlocks } from './rpc/decode/large-blocks.js';
import { methodsWith } from './rpc/methods/table.js';
import { ExecutedBlocks } from './rpc/view/executed-blocks.js';
import { passThrough } from './rpc/call/passthrough.js';
import { loadPlainReads, type OpenPlainReads } from './rpc/reads/plain-reads.js';
import { Filters } from './rpc/push/filters.js';
import { News } from './rpc/push/news.js';
import { Subscriptions } from './rpc/push/subscriptions.js';
import { Watches } from './rpc/watch/watches.js';
import { DevSigner } from './rpc/call/dev-signer.js';
import { createSending, heldNonce, type Sending } from './rpc/call/sending.js';
import { OwnSends } from './rpc/call/own-sends.js';
import { SendsTold } from './rpc/push/sends.js';
import { Service } from './rpc/service.js';
import { ServedRules } from './rpc/served-rules.js';
import { runCalls } from './rpc/warm-calls.js';
import type { BlockSource } from './rpc/view/chain-blocks.js';
import type { EngineLogger } from './options.js';
import type { ReadView } from './rpc/view/read-view.js';
import { StartError } from './start-error.js';
import { ArchiveDamage, DamageReport } from './state/archive/format/damage.js';
import { prepareFolder } from './state/archive/file/folder.js';
import { ArchiveReader } from './state/archive/reader.js';
import { TableReader } from './state/table/read/snapshot.js';
import { readWarmFile } from './state/warm-file.js';
import { NodeExecutions } from './rpc/call/node-executions.js';
import type { Backing } from './rpc/view/backing.js';

/** Parts that `main` decides before the engine is built. */
export interface EngineParts {
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
interface Built {
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

/** Parts that are not there yet when the publisher starts. */
interface Later {
  current?: CurrentView;
  rules?: ServedRules;
  pool?: WorkerPool;
  /** The newest one that has come after the first. */
  table?: TableRef;
}

/** The whole service. `stop` may be called at any time, also while it is starting. */
export class Engine {
  readonly #config: Config;
  readonly #parts: EngineParts;
  /** Stops of all that has been built, in the order in which it was built. */
  readonly #stops: (() => void | Promise<void>)[] = [];

  readonly #news = new News();
  readonly #telemetry = new Telemetry();
  readonly #ledger = new Ledger();
  readonly #nodeExecutions = new NodeExecutions(this.#ledger);
  /** Main's time for news: it does not wait behind answers, nor rests as they do. */
  readonly #newsSlices = new TimeSlices(LIMITS.mainSliceMs);
  readonly #subscriptions = new Subscriptions(this.#news.events, this.#newsSlices, this.#telemetry.push);
  readonly #damage = new DamageReport((message) => this.#parts.log.error(message));
  #temporary: string | null = null;
  #sending: Sending | null = null;
  /** Came before there was anybody to take it. */
  readonly #groupNews: GroupNews[] = [];

  constructor(config: Config, parts: EngineParts) {
    this.#config = config;
    this.#parts = parts;
  }

  /** Resolves once questions are answered; rejects with StartError. */
  async start(): Promise<Serving> {
    mapLargeBlocks();
    const { host, port, ipc, warm } = this.#config;
    const calls = warm === undefined ? [] : readWarmFile(warm).calls;
    const built = await this.#build();
    const { current, dataDir } = built;
    const { chain, devFeedPort } = built.ready.chain;
    const service = this.#createService(built);
    const record = await this.#openRequestRecord();
    const http = this.#createHttp(await chooseBackend(), built, service, record);
    const listening = await http.listen(host, port);
    if (!listening.ok) throw new StartError(listening.reason, 1);
    const refusal = ipc === undefined ? null : await http.listenIpc(ipc);
    if (refusal !== null) throw new StartError(refusal, 1);
    this.#parts.progress.end();
    this.#parts.log.info({ host, port: listening.port, ipc }, 'listening');
    this.#watchPresences(built);
    this.#watchMemory(built);
    this.#runCalls(calls, service);
    const balanceOf = (address: Uint8Array): bigint => latestBalance(current.get(), address);
    const places = endpoints(host, listening.port, { ipc, devFeedPort });
    return { chain, endpoints: places, dataDir, balanceOf };
  }

  /** Stops listening, finishes what is in flight, flushes the archive. */
  async stop(): Promise<void> {
    for (let stop = this.#stops.pop(); stop !== undefined; stop = this.#stops.pop()) {
      // In order: nothing may be stopped before what uses it.
      await stop();
    }
  }

  /** Removes what goes with the process; after `stop`, or where that hangs. */
  removeTemporary(): void {
    if (this.#temporary !== null) rmSync(this.#temporary, { recursive: true, force: true });
  }

  async #build(): Promise<Built> {
    const opening = this.#openFolder();
    // A stop meanwhile removes the temporary folder: nothing may still be at work in it.
    this.#stops.push(() => opening.then(ignore, ignore));
    const dataDir = await opening;
    const later: Later = {};
    const host = this.#startPublisher(dataDir, later);
    const ready = await host.ready;
    const source = this.#openSource(dataDir);
    const own = this.#createOwnSends(later);
    const rules = (later.rules = new ServedRules(ready.chain.chain));
    const ownRules = rules.use(ready.table.chain);
    const executed = rules.add(new ExecutedBlocks(ready.chain.chain, this.#news.pending));
    this.#news.begin({ source, executed }, ready.table.begins);
    const current = (later.current = new CurrentView(ready.table.buffer, source, this.#loadPlainReads(own)));
    const watches = rules.add(this.#createWatches(ready, current));
    const pool = (later.pool = await this.#startPool(ready, dataDir));
    // Another table may have come while the workers began.
    pool.setTable(later.table ?? { ...ready.table, ...ownRules });
    const sends = own === null ? null : { own, told: new SendsTold(own, this.#news.events, executed) };
    return { dataDir, ready, host, current, executed, watches, rules, pool, sends };
  }

  /** The book of transactions on their way; `null`: none is kept. */
  #createOwnSends(later: Later): OwnSends | null {
    if (!this.#config['count-own-sends']) return null;
    const { ownSendsBytesMax, ownSendsBytesPerClientMax } = LIMITS;
    const shares = new Shares(this.#ledger, 'sendBytes', ownSendsBytesMax, ownSendsBytesPerClientMax);
    const stateNonce = (address: Uint8Array): bigint | null => heldNonce(address, later.current!.get());
    return new OwnSends({ shares, nowMs: monotonicMs, stateNonce });
  }

  #loadPlainReads(own: OwnSends | null): OpenPlainReads {
    const { defaultBlock } = conventions(this.#config);
    const { open, reason } = loadPlainReads(this.#config['batch-max'], defaultBlock.kind, own?.guarded);
    this.#tellForm('plain reads', { plainReads: reason }, reason === 'addon');
    return open;
  }

  /** Tells which form of a part serves, where a faster one would: the rest is for who looks closely. */
  #tellForm(part: string, form: object, isFastest: boolean): void {
    this.#parts.log[isFastest ? 'debug' : 'info'](form, part);
  }

  /** Source of blocks and old state. */
  #openSource(dataDir: string): BlockSource {
    if (isBacked(this.#config)) return { kind: 'live', recent: this.#news.recent };
    const archive = ArchiveReader.open(dataDir);
    this.#stops.push(() => archive.close());
    return { kind: 'archive', archive };
  }

  /** The archive's folder: the one given, or a temporary one that goes with the process. */
  async #openFolder(): Promise<string> {
    const given = this.#config['data-dir'];
    if (given !== undefined) {
      await prepareFolder(given);
      return given;
    }
    this.#temporary = mkdtempSync(join(tmpdir(), 'prestate-'));
    await prepareFolder(this.#temporary);
    return this.#temporary;
  }

  #startPublisher(dataDir: string, later: Later): PublisherHost {
    const { log, onFatal } = this.#parts;
    const tableSettings = {
      memoryBytesMax: this.#config['state-memory'] ?? this.#parts.stateBytesMax,
      // Older blocks of other chains lie in the archive.
      keptWindowMs: isBacked(this.#config) ? LIMITS.keptWindowMs : 0,
    };
    const publishTo = publishOptions(this.#config);
    const options = {
      source: feedOptions(this.#config),
      dataDir,
      kernel: this.#kernelSettings(),
      table: tableSettings,
      ...(publishTo === null ? {} : { publishTo }),
      visible: this.#telemetry.visible,
      countsSends: this.#config['count-own-sends'],
    };
    const publisher = new PublisherHost(workerFile('publisher'), options, {
      onTable: (table) => {
        const own = later.rules?.use(table.chain) ?? {};
        later.current?.setTable(table.buffer, table.continues);
        if (!table.continues) this.#news.begun(table.begins);
        later.table = { generation: table.generation, buffer: table.buffer, ...own };
        later.pool?.setTable(later.table);
      },
      onNews: (news) => this.#hear(news),
      onCrash: (reason) => log.error({ reason }, 'the publisher died and is replaced'),
      onFatal,
    });
    this.#stops.push(() => publisher.stop());
    return publisher;
  }

  #hear(news: PublisherNews): void {
    switch (news.kind) {
      case 'changed':
        return this.#news.changed(news);
      case 'published':
        return this.#news.published(news);
      case 'completed':
        return this.#news.completed(news);
      case 'send':
      case 'member':
        return this.#sending === null ? void this.#groupNews.push(news) : this.#sending.learn(news);
      case 'live':
        return void (this.#telemetry.live = news.status);
      case 'replication':
        return void (this.#telemetry.replication = news.status);
      case 'progress':
        return this.#parts.progress.report(news.text, news.share);
      case 'warning':
        return this.#parts.log.warn(news.text);
    }
  }

  async #startPool(ready: PublisherReady, dataDir: string): Promise<WorkerPool> {
    const { workers, log } = this.#parts;
    const workerData = (takesLong: boolean): EstimatorData => ({
      chain: ready.chain.chain,
      dataDir: isBacked(this.#config) ? null : dataDir,
      kernel: this.#kernelSettings(),
      estimateMode: this.#config['estimate-mode'],
      takesLong,
    });
    const pool = await WorkerPool.start(
      { workers, workerFile: workerFile('estimator'), workerData },
      {
        ...this.#shadowSampler(),
        ledger: this.#ledger,
        onMessage: ({ message }) => this.#damage.add(message),
        pinOn: ({ buffer }) => new TableReader(buffer).acquirePin(),
        onFailure: (error) => log.error({ reason: error.message }, 'an estimator died and is replaced'),
      },
    );
    this.#stops.push(async () => {
      await pool.drain(LIMITS.shutdownMsMax);
      await pool.close();
    });
    return pool;
  }

  #kernelSettings(): KernelSettings {
    return { mode: this.#config.kernel, counters: this.#telemetry.kernel.buffer };
  }

  #shadowSampler(): { readonly sampler?: ShadowSampler } {
    const { kernel, 'kernel-check': share } = this.#config;
    if (kernel === 'off' || share === 0) return {};
    const onMismatch = (mismatch: KernelMismatch): void =>
      this.#parts.log.error(mismatch, 'the kernel and the reference differ');
    return { sampler: new ShadowSampler(share, { counters: this.#telemetry.kernel, onMismatch }) };
  }

  /** A call that ended in an exception: damage is reported once, bugs each time. */
  #onFault(method: string, fault: unknown): void {
    if (fault instanceof ArchiveDamage) this.#damage.add(fault.message);
    else this.#parts.log.error({ method, err: fault }, 'a call failed');
  }

  #createWatches({ chain: { chain } }: PublisherReady, current: CurrentView): Watches {
    return new Watches({
      events: this.#news.events,
      readView: () => current.get(),
      slices: this.#newsSlices,
      chain,
      afterPause: (retry) => setTimeout(retry, LIMITS.watchRetryMs).unref(),
    });
  }

  #createService({ ready, host, current, pool, executed, watches, rules, sends }: Built): Service {
    const { version } = this.#parts;
    const { chain, acceptsTransactions } = ready.chain;
    const decoder = createDecoder({ addon: true });
    const slices = new TimeSlices(LIMITS.mainSliceMs);
    const feeRows = rules.add(new FeeRows(chain));
    const preflight = rules.add(new PreflightEstimates(chain));
    this.#tellForm('JSON decoder', { decoder: decoder.reason }, decoder.reason.startsWith('simdjson'));
    this.#tellForm('precompiles', { precompiles: NATIVE.reason }, NATIVE.reason === 'native');
    this.#tellForm('estimators sleep', { sleep: SLEEP_NAME }, SLEEP_NAME === 'futex');
    const passesOn = passThrough(this.#config.passthrough ? this.#config['passthrough-methods'] : []);
    const upstream = isBacked(this.#config) ? backing(host, current) : null;
    const takesTransactions = acceptsTransactions || (upstream !== null && passesOn('eth_sendRawTransaction'));
    const sendingParts = {
      host,
      backing: acceptsTransactions ? null : upstream,
      own: sends?.own ?? null,
      find: (readView: ReadView, hash: Uint8Array) => executed.find(readView, hash),
      readView: () => current.get(),
    };
    const sending = (this.#sending = createSending(sendingParts));
    for (const news of this.#groupNews.splice(0)) sending.learn(news);
    const terms = {
      ...conventions(this.#config),
      backing: upstream,
      onFault: (method: string, fault: unknown) => this.#onFault(method, fault),
    };
    const methods = methodsWith({
      get chain() {
        return rules.chain;
      },
      clientVersion: `prestate/v${version}`,
      accounts: isDevChain(this.#config) ? DEV_ACCOUNTS : [],
      snapshots: isDevChain(this.#config) ? host : null,
      signer: isDevChain(this.#config) ? new DevSigner(DEV_ACCOUNTS, host) : null,
      pool,
      preflight,
      doubt: () => this.#telemetry.doubt,
      executed,
      events: this.#news.events,
      subscriptions: this.#subscriptions,
      watches,
      filters: new Filters(this.#news.events, this.#telemetry.push, monotonicMs),
      blocks: new BlockTexts(executed),
      feeRows,
      tips: new TipOracle(feeRows, chain),
      slices,
      logMemory: new Shares(this.#ledger, 'logBytes', LIMITS.logSearchBytesMax, LIMITS.logSearchBytesPerClientMax),
      gasCap: BigInt(this.#config['gas-cap']),
      timeoutMs: this.#config['estimate-timeout'],
      estimates: this.#config.estimates,
      nodeExecutions: this.#nodeExecutions,
      ...terms,
      ownSends: sends?.own ?? null,
      sends: sends?.told ?? null,
      sending: takesTransactions ? sending : null,
    });
    return new Service(
      { callsMax: this.#config['batch-max'], passesOn },
      {
        decoder,
        methods,
        sending,
        terms,
        readView: () => current.get(),
        memory: this.#telemetry.answerMemory,
        slices,
        ledger: this.#ledger,
        latency: this.#telemetry.latency,
      },
    );
  }

  /** Not waited for: requests are answered meanwhile. */
  #runCalls(calls: readonly object[], service: Service): void {
    const asker = { aborted: false };
    const running = runCalls(calls, service, asker);
    this.#stops.push(() => {
      asker.aborted = true;
      return running;
    });
  }

  /** Takes the requests that come from now on; `null`: none are kept. */
  async #openRequestRecord(): Promise<RequestRecord | null> {
    const { log } = this.#parts;
    const file = this.#config['record-requests'];
    if (file === undefined) return null;
    const onEnd = (reason: string): void => log.warn({ file }, reason);
    const record = await openRequestRecord(file, LIMITS, { nowMs: preciseWallMs, onEnd });
    this.#stops.push(async () => {
      await record.close();
      if (record.lost > 0) log.warn({ file, lost: record.lost }, 'requests were left out of their record');
    });
    return record;
  }

  #createHttp(backend: Backend, built: Built, service: Service, record: RequestRecord | null): HttpServer {
    const { log } = this.#parts;
    this.#tellForm('HTTP front end', { backend: backend.text }, backend.text.startsWith('uWebSockets.js'));
    const judge = (): Readiness => this.#readiness(built);
    const metricsText = createMetrics(this.#metricSources(built, service, () => http.counts()));
    const http = new HttpServer(
      {
        ...LIMITS,
        socketsMax: this.#parts.socketsMax,
        bodyBytesMax: this.#config['body-max'],
        cors: this.#config.cors,
        localPages: isDevChain(this.#config),
        clientHeader: this.#config['client-header'] ?? null,
      },
      {
        backend,
        ledger: this.#ledger,
        service: record === null ? service : recorded(service, record),
        subscriptions: this.#subscriptions,
        readiness: judge,
        metrics: async () => ({ contentType: METRICS_TYPE, body: await metricsText() }),
        logRequest: log.isLevelEnabled('debug') ? (entry) => log.debug(entry, 'request') : null,
        fault: (error) => log.error({ err: error }, 'the front end failed'),
        nowMs: monotonicMs,
        versionsBehind: () => versionsBehind(this.#telemetry.replication, monotonicMs()),
      },
    );
    this.#stops.push(async () => {
      http.stopListening();
      await http.drained(LIMITS.shutdownMsMax);
      http.close();
    });
    return http;
  }

  #readiness({ ready, current }: Built): Readiness {
    const nowMs = monotonicMs();
    const snapshot = current.describe(nowMs);
    const { renewed } = ready.chain;
    const { live, replication } = this.#telemetry;
    return this.#damage.noted(readiness({ snapshot, renewed, live, replication, nowMs }));
  }

  /** Tells the log what is lost, and what is back. */
  #watchPresences(built: Built): void {
    const { upstream, feed, follow, publish, 'upstream-ws': upstreamWs } = this.#config;
    const places = { upstream, upstreamWs, feeds: feed ?? [], nats: follow ?? publish };
    const presences = new Presences(places, this.#parts.log);
    const look = (): void => {
      const { live, replication } = this.#telemetry;
      presences.look({ live, replication, readiness: this.#readiness(built) }, monotonicMs());
    };
    let timer = setTimeout(() => (timer = setInterval(look, LIMITS.presenceLookMs)), LIMITS.presenceStartMs);
    this.#stops.push(() => clearInterval(timer));
  }

  /** Gives back what a load has left once it is over. */
  #watchMemory({ pool }: Built): void {
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
    const memory = new IdleMemory({ residentBytes: () => process.memoryUsage.rss(), isIdle, release });
    const timer = setInterval(() => memory.look(), LIMITS.idleMemoryLookMs);
    this.#stops.push(() => clearInterval(timer));
  }

  #metricSources(
    { ready, host, current, pool, watches, sends }: Built,
    service: Service,
    http: MetricSources['http'],
  ): MetricSources {
    return {
      about: { version: this.#parts.version, ...chainShown(this.#config, ready.chain.chain) },
      workers: this.#parts.workers,
      calls: () => service.counts,
      errors: () => service.errors,
      latency: this.#telemetry.latency,
      visible: Histogram.in(this.#telemetry.visible),
      http,
      answerBytes: () => this.#telemetry.answerMemory.bytes,
      push: () => this.#telemetry.push,
      ownSends: () => sends?.own ?? null,
      nodeExecutions: () => this.#nodeExecutions.counts,
      pool: () => pool.stats,
      watches: () => watches.counts,
      snapshot: () => current.describe(monotonicMs()),
      publisherRestarts: () => host.restarts,
      kernel: this.#telemetry.kernel,
      damagedRecords: () => this.#damage.count,
      live: () => this.#telemetry.live,
      replication: () => this.#telemetry.replication,
      nowMs: monotonicMs,
    };
  }
}

/** Milliseconds since 1970, with fractions. */
function preciseWallMs(): number {
  return performance.timeOrigin + performance.now();
}

/** The start itself says how it went. */
function ignore(): void {}

function latestBalance(readView: ReadView, address: Uint8Array): bigint {
  readView.pinned.begin();
  try {
    return readView.stateAt(readView.pinned.record.latestVersion).view.account(address)?.balance ?? 0n;
  } finally {
    readView.pinned.end();
  }
}

/** The chain's name for people; a file's name is nobody's business there. */
function chainShown(
  { upstream, genesis, follow }: Config,
  { chainId: id }: ChainDescription,
): Pick<MetricSources['about'], 'chain' | 'chainId'> {
  const chainId = id.toString();
  if (follow !== undefined) return { chainId, chain: `replica of ${chainName(id) ?? 'a chain'}` };
  if (upstream !== undefined) return { chainId, chain: chainName(id) ?? 'live chain' };
  return { chainId, chain: genesis === undefined ? 'dev chain' : 'imported chain' };
}

/** Addresses at which questions are answered and increments are told. */
function endpoints(
  host: string,
  port: number,
  { ipc, devFeedPort }: { readonly ipc: string | undefined; readonly devFeedPort: number | null },
): readonly Endpoint[] {
  const place = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const all = [
    { name: 'HTTP', address: `http://${place}` },
    { name: 'WebSocket', address: `ws://${place}` },
  ];
  if (ipc !== undefined) all.push({ name: 'IPC', address: ipc });
  if (devFeedPort !== null) all.push({ name: 'Dev feed', address: `ws://127.0.0.1:${devFeedPort}` });
  return all;
}

function backing(host: PublisherHost, current: CurrentView): Backing {
  return {
    fill: (wants, untilMs, purpose) => host.fill(wants, untilMs, purpose),
    request: (method, params, untilMs) => host.request(method, params, untilMs),
    epoch: () => current.epoch,
  };
}
