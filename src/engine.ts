// The composition root: builds the parts in order, stops them in reverse. Runs on main.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config.js';
import type { PublisherOptions } from './feed/messages.js';
import { PublisherHost, type PublisherReady } from './feed/publisher-host.js';
import { buildText } from './http/door.js';
import type { Readiness } from './http/health.js';
import { HttpServer } from './http/server.js';
import { LIMITS } from './limits.js';
import { createMetrics } from './metrics.js';
import { WorkerPool } from './pool/worker-pool.js';
import { CurrentSession } from './rpc/current-session.js';
import { createDecoder } from './rpc/decode.js';
import { TipOracle } from './rpc/fee-methods.js';
import { METHODS } from './rpc/methods.js';
import { PendingBlock } from './rpc/pending-block.js';
import { Service } from './rpc/service.js';
import { StartError } from './start-error.js';
import { ArchiveReader } from './state/archive-reader.js';
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
      // oxlint-disable-next-line no-await-in-loop
      await stop();
    }
  }

  async #build(): Promise<Built> {
    const dataDir = this.#openFolder();
    const pending = new PendingBlock();
    const later: { current?: CurrentSession; pool?: WorkerPool } = {};
    const host = this.#startPublisher(dataDir, pending, later);
    const ready = await host.ready;
    const archive = ArchiveReader.open(dataDir);
    this.#stops.push(() => archive.close());
    const current = (later.current = new CurrentSession(ready.table.buffer, archive));
    const pool = (later.pool = await this.#startPool(ready, dataDir));
    return { ready, host, current, pending, pool };
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
    const publisher = new PublisherHost(workerFile('publisher'), publisherOptions(this.#config, dataDir), {
      onTable: (table) => {
        later.current?.setTable(table.buffer);
        later.pool?.setTable(table);
      },
      onPublished: (message) => pending.add(message),
      onProgress: (text) => log.info(text),
      onCrash: (reason) => log.error({ reason }, 'the publisher died and is replaced'),
      onFatal,
    });
    this.#stops.push(() => publisher.stop());
    return publisher;
  }

  async #startPool(ready: PublisherReady, dataDir: string): Promise<WorkerPool> {
    const { cores, log } = this.#parts;
    const workers = this.#config.workers ?? Math.max(1, cores - 1);
    const pool = await WorkerPool.start(
      { workers, workerFile: workerFile('estimator'), workerData: { chain: ready.chain.chain, dataDir } },
      {
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

  #createService({ ready, host, current, pool, pending }: Built): Service {
    const { log, version } = this.#parts;
    const { chain, acceptsTransactions } = ready.chain;
    const decoder = createDecoder({ addon: true });
    log.info({ decoder: decoder.reason }, 'JSON decoder');
    return new Service(
      { callsMax: this.#config['batch-max'] },
      {
        decoder,
        methods: METHODS.filter((method) => acceptsTransactions || method.needsSubmit !== true),
        session: () => current.get(),
        parts: {
          chain,
          clientVersion: `prestate/v${version}`,
          pool,
          pending,
          tips: new TipOracle(),
          gasCap: BigInt(this.#config['gas-cap']),
          timeoutMs: this.#config['estimate-timeout'],
          revertErrorCode: this.#config['revert-error-code'],
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
    });
    const http = new HttpServer(
      { ...LIMITS, bodyBytesMax: this.#config['body-max'], cors: this.#config.cors },
      {
        service,
        readiness: () => readiness(current, ready.chain.renewed),
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

function publisherOptions(config: Config, dataDir: string): PublisherOptions {
  const { genesis, chain } = config;
  const source =
    genesis === undefined
      ? { kind: 'dev' as const, trafficTps: config['dev-traffic'] }
      : { kind: 'import' as const, genesisFile: genesis, chainFile: chain ?? null };
  return { source, dataDir };
}

/** A view that should be renewed and is not must not look healthy. */
function readiness(current: CurrentSession, renewed: boolean): Readiness {
  const { block, ageMs } = current.describe(Date.now());
  if (renewed && ageMs > LIMITS.snapshotAgeMsMax) {
    return { ready: false, reason: `pending was last renewed ${Math.round(ageMs)} ms ago` };
  }
  return { ready: true, reason: `at block ${block}` };
}
