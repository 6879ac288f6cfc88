// A month of a live chain in minutes: blocks that write hot, new and old slots and create a contract, readers that
// request anything, and a slow node that is queried for uncached state. The table has a memory budget; every value read
// is compared with the oracle. Runs on the main thread of the soak test.
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { LIMITS } from '../../src/limits/index.js';
import type { SlotChange } from '../../src/state/state-diff.js';
import { TableReader } from '../../src/state/table/read/table-reader-and-snapshot.js';
import { TableWriter, type TableOptions } from '../../src/state/table/writer.js';
import { diffOf, hashOf } from '../state/diffs.js';
import { KEY_WORDS, MonthOracle, codeOf, contractOf, keyOf, valueOf } from './month-oracle.js';
import { threadCpuClock } from '../support/thread-cpu.js';
import type { FromReader, MonthReaderData, ToReader } from './month-reader.js';
import { SliceTimes, type SliceReport } from './slice-times.js';
import { SlotChecker, type Checks } from './slot-checker.js';

/** Length and size of the month. */
export interface MonthOptions extends Partial<TableOptions> {
  readonly blocks: number;
  /** Slots that each block writes for the first time. */
  readonly newSlots: number;
  readonly memoryBytesMax: number;
  /** Slots that are read on this thread after each block. */
  readonly reads: number;
  /** Number of threads that keep reading. */
  readonly threads: number;
}

/** Result of a month. */
export interface MonthReport extends Checks {
  readonly slots: number;
  readonly residentSlots: number;
  readonly tableBytesMax: number;
  readonly tables: number;
  readonly evictions: number;
  readonly stalls: number;
  readonly rebuilds: number;
  readonly slices: SliceReport;
  readonly stale: number;
  readonly full: number;
  /** Buckets of the largest slice. */
  readonly sliceBucketsMax: number;
  /**
   * CPU time of this thread for whole publications and fetches, slices included: median, 99th and 99.9th percentile,
   * maximum.
   */
  readonly callMs: readonly [median: number, p99: number, p999: number, longest: number];
}

/** Requested slots, and the version whose state is read for them. */
interface PendingFill {
  readonly indices: readonly number[];
  readonly readAt: number;
  /** Block after which the response arrives. */
  readonly due: number;
}

/** Most blocks that a response of the node takes, and the delay of one that may arrive too late to be of use. */
const LATENCY_MAX = 3;
const LATE_MAX = 60;
const LATE_SHARE = 0.1;
/** Resolution of the histogram of times. */
const CALL_STEP_MS = 0.1;
const CALL_STEPS = 20_000;
/** For how many blocks a long estimate keeps its version, and how many slots it reads at its end. */
const LONG_BLOCKS = 60;
const LONG_READS = 20;
/** Blocks between two event-loop ticks. */
const TURN_BLOCKS = 16;

/** Simulates the month. `onBlock` is called with every block's number. */
export async function month(options: MonthOptions, onBlock: (block: number) => void = () => {}): Promise<MonthReport> {
  const run = new Month(options);
  try {
    await run.start();
    for (let block = 1; block <= options.blocks; block++) {
      run.block(block);
      onBlock(block);
      if (block % TURN_BLOCKS === 0) await setImmediate();
    }
    return await run.end();
  } finally {
    await run.close();
  }
}

class Month {
  readonly #options: MonthOptions;
  readonly #oracle: MonthOracle;
  readonly #writer: TableWriter;
  readonly #checker: SlotChecker;
  readonly #threads: Worker[] = [];
  readonly #counts: Checks = { reads: 0, misses: 0, codes: 0, differences: 0 };
  readonly #fills = { stale: 0, full: 0 };
  /** Publications and fetches by duration, in steps of CALL_STEP_MS. */
  readonly #calls = new Uint32Array(CALL_STEPS);
  readonly #now = threadCpuClock();
  readonly #slices = new SliceTimes();
  readonly #key = new Uint32Array(KEY_WORDS);
  readonly #value = new Uint32Array(8);
  #reader: TableReader;
  #generation = 0;
  #tableBytesMax = 0;
  #pendingFills: PendingFill[] = [];
  /** Keys that the threads miss. */
  #wanted: number[] = [];
  #ended = 0;
  /** The error that a thread has died of. */
  #failure: Error | null = null;

  constructor(options: MonthOptions) {
    this.#options = options;
    this.#oracle = new MonthOracle(options.newSlots);
    this.#writer = TableWriter.create({
      versionsKept: 64,
      blocksKept: 16,
      now: this.#slices.now,
      onSlice: this.#slices.onSlice,
      ...options,
      complete: false,
    });
    this.#checker = new SlotChecker(this.#oracle, options.newSlots, 1);
    this.#reader = new TableReader(this.#writer.buffer);
  }

  async start(): Promise<void> {
    for (let seed = 2; seed < 2 + this.#options.threads; seed++) {
      const workerData: MonthReaderData = { newSlots: this.#options.newSlots, seed };
      const thread = new Worker(new URL('./month-reader.js', import.meta.url), { workerData });
      thread.on('message', (message: FromReader) => this.#receive(message));
      thread.on('error', (error: Error) => (this.#failure = error));
      this.#threads.push(thread);
    }
    await setImmediate();
  }

  /** Caches the state that the block writes, publishes the block, and requests state. */
  block(block: number): void {
    const written = [...this.#oracle.writesOf(block)];
    this.#receiveFills(block);
    this.#fill(written, block - 1);
    const slots = written.map((index) => this.#change(index, block));
    const code = codeOf(block);
    const accounts = [{ address: contractOf(block), account: { nonce: 1n, balance: 0n, codeHash: code.hash } }];
    this.#timed(() => this.#writer.publish(diffOf({ block, hash: hashOf(block), accounts, slots, codes: [code] })));
    this.#follow();
    if (block % LONG_BLOCKS === 0) this.#checker.endLong(LONG_READS);
    this.#requestFills([...this.#checker.check(this.#options.reads), ...this.#wanted], block);
    if (this.#wanted.length > 0) this.#send({ kind: 'requested' });
    this.#wanted = [];
  }

  async end(): Promise<MonthReport> {
    this.#send({ kind: 'stop' });
    while (this.#ended < this.#threads.length && this.#failure === null) await setImmediate();
    if (this.#failure !== null) throw this.#failure;
    this.#count(this.#checker.counts);
    const { evictions, stalls, rebuilds, sliceBucketsMax, slots: residentSlots } = this.#reader.usage();
    const slices = await this.#slices.end();
    return {
      ...this.#counts,
      ...this.#fills,
      slots: this.#options.blocks * this.#options.newSlots,
      residentSlots,
      tableBytesMax: this.#tableBytesMax,
      tables: this.#generation,
      evictions,
      stalls,
      rebuilds,
      slices,
      sliceBucketsMax,
      callMs: [this.#quantile(0.5), this.#quantile(0.99), this.#quantile(0.999), this.#quantile(1)],
    };
  }

  /** Ends the threads wherever they are. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.terminate()));
  }

  #follow(): void {
    if (this.#writer.generation === this.#generation) return;
    const { buffer, generation } = this.#writer;
    this.#generation = generation;
    this.#tableBytesMax = Math.max(this.#tableBytesMax, buffer.byteLength);
    this.#reader = new TableReader(buffer);
    this.#checker.setTable(this.#reader);
    this.#send({ kind: 'table', buffer });
  }

  #send(message: ToReader): void {
    for (const thread of this.#threads) thread.postMessage(message);
  }

  #requestFills(indices: readonly number[], block: number): void {
    if (indices.length === 0) return;
    const due = block + Math.floor(Math.random() * (Math.random() < LATE_SHARE ? LATE_MAX : LATENCY_MAX + 1));
    this.#pendingFills.push({ indices, readAt: block, due });
  }

  /** Processes responses that are due; a stale one is requested again. */
  #receiveFills(block: number): void {
    const due = this.#pendingFills.filter((pendingFills) => pendingFills.due < block);
    this.#pendingFills = this.#pendingFills.filter((pendingFills) => pendingFills.due >= block);
    for (const { indices, readAt } of due) this.#fill(indices, readAt);
  }

  /** Adds state as the live chain's fetcher does, which makes room if there is none. */
  #fill(indices: readonly number[], readAt: number): void {
    const slots = [...new Set(indices)].map((index) => this.#change(index, readAt));
    // Before the first block nothing is published or written.
    if (slots.length === 0 || this.#writer.newest === 0) return;
    for (let tries = 0; tries < LIMITS.fillTriesMax; tries++) {
      const filling = this.#timed(() => this.#writer.addMissing({ accounts: [], slots, codes: [] }, readAt));
      this.#follow();
      if (filling === 'added') return;
      this.#fills[filling]++;
      if (filling === 'stale') return this.#requestFills(indices, this.#writer.newest);
      while (this.#timed(() => this.#writer.giveUp()));
    }
  }

  #change(index: number, block: number): SlotChange {
    keyOf(index, this.#key);
    valueOf(index, this.#oracle.writerOf(index, block), this.#value);
    const key = new Uint8Array(this.#key.buffer.slice(0));
    return { address: key.subarray(0, 20), slot: key.subarray(20), value: new Uint8Array(this.#value.buffer.slice(0)) };
  }

  #timed<T>(call: () => T): T {
    const startMs = this.#now();
    const result = call();
    this.#calls[Math.min(CALL_STEPS - 1, Math.floor((this.#now() - startMs) / CALL_STEP_MS))]!++;
    return result;
  }

  #quantile(share: number): number {
    let left = this.#calls.reduce((sum, count) => sum + count) * share;
    return CALL_STEP_MS * (this.#calls.findIndex((count) => (left -= count) <= 0) + 1);
  }

  #receive(message: FromReader): void {
    if (message.kind === 'missing') this.#wanted.push(...message.indices);
    else {
      this.#count(message.counts);
      this.#ended++;
    }
  }

  #count({ reads, misses, codes, differences }: Checks): void {
    this.#counts.reads += reads;
    this.#counts.codes += codes;
    this.#counts.misses += misses;
    this.#counts.differences += differences;
  }
}
