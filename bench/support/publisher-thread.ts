// The publisher as in the program, on its own thread with its sender threads, behind a scripted node: main's side of
// it.
import { performance } from 'node:perf_hooks';
import { KernelCounters } from '../../src/evm/kernel/kernel-counters-and-code-denylist.js';
import type { LiveOptions } from '../../src/feed/chain-source-options.js';
import { mergeStatusReport, type LiveStatus } from '../../src/feed/live-status.js';
import { monotonicMs } from '../../src/lib/clock.js';
import { Histogram } from '../../src/lib/histogram.js';
import { PublisherHost } from '../../src/publisher/publisher-host.js';
import { TableReader } from '../../src/state/table/read/table-reader-and-snapshot.js';
import type { MissingKeys } from '../../src/state/views/miss-recording-view.js';
import type { UpstreamNode } from '../../test/support/upstream-node.js';

const PUBLISHER = new URL('../../workers/publisher.js', import.meta.url);
const WAIT_MS_MAX = 30_000;
/** Interval between polls of the table: this thread sleeps, as the publisher and sender recovery need the cores. */
const POLL_MS = 0.2;
/** Keys that are fetched together beforehand. */
const CHUNK = 1000;
/** Timeout of each of these requests. */
const FETCH_MS_MAX = 60_000;
/** Never written; for sleeping. */
const CLOCK = new Int32Array(new SharedArrayBuffer(4));
const SOURCE = {
  kind: 'live',
  feedUrls: [],
  feedFormat: 'auto',
  rules: 'auto',
  followBy: 'auto',
  nonEvmAccounts: [],
  diffSample: 0,
  genesisFile: null,
  keysDir: null,
  recordFile: null,
  replay: null,
} as const;

/** A publisher that follows one node. */
export class PublisherThread {
  readonly #host: PublisherHost;
  #reader: TableReader | null = null;
  /** Last reported status of the publisher. */
  status: LiveStatus | null = null;
  readonly notes: string[] = [];
  readonly #visible = Histogram.createBuffer();
  /** Times from a feed message, or a head without a feed, as measured by the publisher. */
  readonly visible = Histogram.in(this.#visible);

  private constructor({ url: upstreamUrl, wsUrl: upstreamWsUrl }: UpstreamNode, options: Partial<LiveOptions>) {
    const source = { ...SOURCE, upstreamUrl, upstreamWsUrl, ...options };
    const kernel = { mode: 'on', counters: new KernelCounters().buffer } as const;
    this.#host = new PublisherHost(
      PUBLISHER,
      { source, dataDir: '', kernel, table: {}, visible: this.#visible },
      {
        onTable: ({ buffer }) => (this.#reader = new TableReader(buffer)),
        onEvent: (event) => {
          if (event.kind === 'live') this.status = mergeStatusReport(this.status, event.status);
          if (event.kind === 'progress' || event.kind === 'warning') this.notes.push(event.text);
        },
        onCrash: fail,
        onFatal: fail,
      },
    );
  }

  /** Resolves once the first block is followed. */
  static async start(node: UpstreamNode, options: Partial<LiveOptions>): Promise<PublisherThread> {
    const thread = new PublisherThread(node, options);
    const { table } = await thread.#host.ready;
    thread.#reader ??= new TableReader(table.buffer);
    return thread;
  }

  /** The newest version's record. */
  get newest(): ReturnType<TableReader['record']> {
    return this.#reader!.record(this.#reader!.newest());
  }

  /** Fetches the keys from the node beforehand. */
  async fetch(keys: MissingKeys): Promise<void> {
    for (let at = 0; at < Math.max(keys.accounts.length, keys.slots.length); at += CHUNK) {
      const refused = await this.#host.fill(chunkOf(keys, at), monotonicMs() + FETCH_MS_MAX);
      if (refused !== null) throw new Error(JSON.stringify(refused));
    }
  }

  /** Resolves to `performance.now()` when the condition is visible to readers. */
  async until(what: string, isSeen: (newest: PublisherThread['newest']) => boolean): Promise<number> {
    const untilMs = performance.now() + WAIT_MS_MAX;
    while (!isSeen(this.newest)) {
      if (performance.now() > untilMs) throw new Error(`${what} is not visible: ${this.notes.join('\n')}`);
      Atomics.wait(CLOCK, 0, 0, POLL_MS);
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
    return performance.now();
  }

  stop(): Promise<void> {
    return this.#host.stop();
  }
}

function fail(reason: string): never {
  throw new Error(reason);
}

function chunkOf({ accounts, slots }: MissingKeys, at: number): MissingKeys {
  return { accounts: accounts.slice(at, at + CHUNK), slots: slots.slice(at, at + CHUNK) };
}
