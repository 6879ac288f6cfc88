// The composition root: builds the parts in order, stops them in reverse. Runs on main.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config.js';
import { CodelessEstimates } from './evm/codeless-estimates.js';
import { KernelCounters } from './evm/kernel/shared-counters.js';
import type { KernelSettings } from './evm/kernel/engines.js';
import type { KernelMismatch } from './evm/kernel/mismatch.js';
import type { DevChainOptions, LiveOptions, LiveStatus, PublisherOptions } from './feed/messages.js';
import { PublisherHost, type PublisherReady } from './feed/publisher-host.js';
import { buildText } from './http/door.js';
import type { Readiness } from './http/health.js';
import { HttpServer } from './http/server.js';
import { LIMITS } from './limits.js';
import { createMetrics } from './metrics.js';
import type { EstimatorData } from './pool/estimator.js';
import { KernelChecks } from './pool/kernel-checks.js';
import { WorkerPool } from './pool/worker-pool.js';
import { CurrentSession } from './rpc/current-session.js';
import { createDecoder } from './rpc/decode.js';
import { TipOracle } from './rpc/fee-methods.js';
import type { Backing } from './rpc/method.js';
import { METHODS } from './rpc/methods.js';
import { PendingBlock } from './rpc/pending-block.js';
import { Service } from './rpc/service.js';
import type { BlockSource } from './rpc/session.js';
import { StartError } from './start-error.js';
import { ArchiveReader } from './state/archive-reader.js';
import { RecentBlocks } from './state/recent-blocks.js';
import { TableReader } from './state/snapshot.js';

export interface EngineParts {
  readonly log: Logger;
  readonly version: string;
  readonly cores: number;
  /** The engine cannot go on. */
  readonly onFatal: (message: string, exitCode: 1 | 2) => void;
}

/** What is there once the publisher has told its chain and its first table. */
interface Built {
  readonly ready: PublisherReady;
  readonly host: PublisherHost;
  readonly current: CurrentSession;
  readonly pending: PendingBlock;
  readonly pool: WorkerPool;
}

/** The whole service. `stop` may be called at any time, also while it is starting. */
export class Engine {
  readonly #config: Config;
  readonly #parts: EngineParts;
  /** How to stop what has been built, in the order in which it was built. */
  readonly #stops: (() => void | Promise<void>)[] = [];

  readonly #recent = new RecentBlocks();
  readonly #kernel = new KernelCounters();
  #live: LiveStatus | null = null;

  constructor(config: Config, parts: EngineParts) {
    this.#config = config;
    this.#parts = parts;
  }

  /** Resolves once questions are answered; rejects with StartError. */
  async start(): Promise<void> {
    const { host, port } = this.#config;
    const http = this.#createHttp(await this.#build());
    const listening = await http.listen(host, port);
    if (!listening.ok) throw new StartError(listening.reason, 1);
    this.#parts.log.info({ host, port: listening.port }, 'listening');
  }

  /** Stops listening, finishes what is in flight, flushes the archive. */
  async stop(): Promise<void> {
    for (let stop = this.#stops.pop(); stop !== undefined; stop = this.#stops.pop()) {
      // In order: nothing may be stopped before what uses it.
      await stop();
    }
  }

  async #build(): Promise<Built> {
    const dataDir = this.#openFolder();
    const pending = new PendingBlock();
    const later: { current?: CurrentSession; pool?: WorkerPool } = {};
    const host = this.#startPublisher(dataDir, pending, later);
    const ready = await host.ready;
    const current = (later.current = new CurrentSession(ready.table.buffer, this.#openSource(dataDir)));
    const pool = (later.pool = await this.#startPool(ready, dataDir));
    return { ready, host, current, pending, pool };
  }

  /** Where blocks and old state come from. */
  #openSource(dataDir: string): BlockSource {
    if (this.#config.upstream !== undefined) return { kind: 'live', recent: this.#recent };
    const archive = ArchiveReader.open(dataDir);
    this.#stops.push(() => archive.close());
    return { kind: 'archive', archive };
  }

  /** The archive's folder: the one given, or a temporary one that goes with the process. */
  #openFolder(): string {
    const given = this.#config['data-dir'];
    if (given !== undefined) return given;
    const path = mkdtempSync(join(tmpdir(), 'prestate-'));
    this.#stops.push(() => rmSync(path, { recursive: true, force: true }));
    return path;
  }

  #startPublisher(
    dataDir: string,
    pending: PendingBlock,
    later: { readonly current?: CurrentSession; readonly pool?: WorkerPool },
  ): PublisherHost {
    const { log, onFatal } = this.#parts;
    const options = publisherOptions(this.#config, dataDir, this.#kernelSettings());
    const publisher = new PublisherHost(workerFile('publisher'), options, {
      onTable: (table) => {
        later.current?.setTable(table.buffer, table.continues);
        later.pool?.setTable(table);
      },
      onPublished: (message) => pending.add(message),
      onBlock: (block) => this.#recent.add(block),
      onLive: (status) => (this.#live = status),
      onProgress: (text) => log.info(text),
      onMismatch: (mismatch) => this.#onMismatch(mismatch),
      onCrash: (reason) => log.error({ reason }, 'the publisher died and is replaced'),
      onFatal,
    });
    this.#stops.push(() => publisher.stop());
    return publisher;
  }

  async #startPool(ready: PublisherReady, dataDir: string): Promise<WorkerPool> {
    const { cores, log } = this.#parts;
    const workers = this.#config.workers ?? cores;
    const workerData: EstimatorData = {
      chain: ready.chain.chain,
      dataDir: this.#config.upstream === undefined ? dataDir : null,
      kernel: this.#kernelSettings(),
    };
    const pool = await WorkerPool.start(
      { workers, workerFile: workerFile('estimator'), workerData },
      {
        ...this.#kernelChecks(),
        onMessage: ({ mismatch }) => this.#onMismatch(mismatch),
        pinOn: ({ buffer }) => new TableReader(buffer).acquirePin(),
        onFailure: (error) => log.error({ reason: error.message }, 'an estimator died and is replaced'),
      },
    );
    this.#stops.push(async () => {
      await pool.drain(LIMITS.shutdownMsMax);
      await pool.close();
    });
    pool.setTable(ready.table);
    return pool;
  }

  #kernelSettings(): KernelSettings {
    return { mode: this.#config.kernel, counters: this.#kernel.buffer };
  }

  #kernelChecks(): { readonly checks?: KernelChecks } {
    const { kernel, 'kernel-check': share } = this.#config;
    if (kernel !== 'on' || share === 0) return {};
    const onMismatch = (mismatch: KernelMismatch): void => this.#onMismatch(mismatch);
    return { checks: new KernelChecks(share, { counters: this.#kernel, onMismatch }) };
  }

  #onMismatch(mismatch: KernelMismatch): void {
    this.#parts.log.error(mismatch, 'the kernel and the reference differ');
  }

  #createService({ ready, host, current, pool, pending }: Built): Service {
    const { log, version } = this.#parts;
    const { chain, acceptsTransactions } = ready.chain;
    const decoder = createDecoder({ addon: true });
    log.info({ decoder: decoder.reason }, 'JSON decoder');
    return new Service(
      { callsMax: this.#config['batch-max'], passesOn: this.#config.passthrough },
      {
        decoder,
        methods: METHODS.filter((method) => acceptsTransactions || method.needsSubmit !== true),
        session: () => current.get(),
        parts: {
          chain,
          clientVersion: `prestate/v${version}`,
          pool,
          codeless: new CodelessEstimates(chain),
          pending,
          tips: new TipOracle(),
          gasCap: BigInt(this.#config['gas-cap']),
          timeoutMs: this.#config['estimate-timeout'],
          revertErrorCode: this.#config['revert-error-code'],
          backing: this.#config.upstream === undefined ? null : backing(host, current),
          submit: acceptsTransactions ? (raw) => host.submit(raw) : null,
          onFault: (method, fault) => log.error({ method, err: fault }, 'a call failed'),
        },
      },
    );
  }

  #createHttp(built: Built): HttpServer {
    const { ready, host, current, pool } = built;
    const { log } = this.#parts;
    log.info({ uWebSockets: buildText }, 'HTTP front end');
    const service = this.#createService(built);
    const registry = createMetrics({
      calls: () => service.counts,
      traffic: () => http.traffic(),
      pool: () => pool.stats,
      snapshot: () => current.describe(Date.now()),
      publisherRestarts: () => host.restarts,
      kernel: this.#kernel,
      live: () => this.#live,
      nowMs: Date.now,
    });
    const http = new HttpServer(
      { ...LIMITS, bodyBytesMax: this.#config['body-max'], cors: this.#config.cors },
      {
        service,
        readiness: () =>
          this.#live === null ? readiness(current, ready.chain.renewed) : liveReadiness(this.#live, Date.now()),
        metrics: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
        fault: (error) => log.error({ err: error }, 'the front end failed'),
        nowMs: Date.now,
      },
    );
    this.#stops.push(async () => {
      http.stopListening();
      await http.drained(LIMITS.shutdownMsMax);
      http.close();
    });
    return http;
  }
}

const workerFile = (name: string): URL => new URL(`../workers/${name}.js`, import.meta.url);

function backing(host: PublisherHost, current: CurrentSession): Backing {
  return {
    fill: (wants, call) => host.fill(wants, call),
    request: (method, params) => host.request(method, params),
    epoch: () => current.epoch,
  };
}

function publisherOptions(config: Config, dataDir: string, kernel: KernelSettings): PublisherOptions {
  const { genesis, chain, upstream } = config;
  if (upstream !== undefined) return { source: liveOptions(config, upstream), dataDir, kernel };
  const source =
    genesis === undefined
      ? devOptions(config)
      : { kind: 'import' as const, genesisFile: genesis, chainFile: chain ?? null };
  return { source, dataDir, kernel };
}

function devOptions(config: Config): DevChainOptions {
  const feedPort = config['dev-feed-port'];
  const followers = feedPort === undefined ? {} : { feedPort };
  return { kind: 'dev', trafficTps: config['dev-traffic'], ...followers };
}

function liveOptions(config: Config, upstreamUrl: string): LiveOptions {
  return {
    kind: 'live',
    upstreamUrl,
    upstreamWsUrl: config['upstream-ws'] ?? null,
    feedUrl: config.feed ?? null,
    rules: config.rules,
    genesisFile: config.genesis ?? null,
    recordFile: config.record ?? null,
    replay: config.replay === undefined ? null : { file: config.replay, speed: config.speed },
  };
}

/** Judged by arrival: headers of replayed and test chains carry old times. */
function liveReadiness(status: LiveStatus, nowMs: number): Readiness {
  const { head, upstreamHead, headAtMs, feedAtMs, notice, atMs } = status;
  const behind = upstreamHead - head;
  const reasons = [
    behind > LIMITS.headLagBlocksMax ? `block ${head} is ${behind} blocks behind the upstream` : null,
    nowMs - headAtMs > LIMITS.headSilenceMsMax ? `the upstream's last head came ${nowMs - headAtMs} ms ago` : null,
    feedAtMs !== null && nowMs - feedAtMs > LIMITS.feedSilenceMsMax
      ? `the feed's last message came ${nowMs - feedAtMs} ms ago`
      : null,
    nowMs - atMs > LIMITS.liveStatusMsMax ? `the publisher was last heard of ${nowMs - atMs} ms ago` : null,
  ].filter((reason) => reason !== null);
  return reasons.length === 0
    ? { ready: true, reason: notice === null ? `at block ${head}` : `at block ${head}; ${notice}` }
    : { ready: false, reason: reasons.join('; ') };
}

/** A view that should be renewed and is not must not look healthy. */
function readiness(current: CurrentSession, renewed: boolean): Readiness {
  const { block, ageMs } = current.describe(Date.now());
  if (renewed && ageMs > LIMITS.snapshotAgeMsMax) {
    return { ready: false, reason: `pending was last renewed ${Math.round(ageMs)} ms ago` };
  }
  return { ready: true, reason: `at block ${block}` };
}
