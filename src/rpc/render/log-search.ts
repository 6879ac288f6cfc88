// Searches the logs of a range of blocks, in slices of the main thread's time. Complete blocks are skipped if their
// bloom filter shows that no log matches.
import { LIMITS } from '../../limits/index.js';
import { rpcError, type RpcError } from '../../rpc-errors.js';
import type { TotalAndClientLimit } from '../../fairness/total-and-client-limit.js';
import type { TimeSlicer } from '../../fairness/time-slicer.js';
import type { Caller } from '../answer/request-response-types.js';
import type { LogFilter } from './log-filter.js';
import { transactionLogRenderer } from './blocks-and-transactions.js';
import type { BlockWithLogs, LogSearchBlock } from '../view/executed-block-types.js';

/** What all log searches share: time on the main thread, and memory for the logs found so far by searches that wait. */
export interface SharedLogSearchBudget {
  readonly slices: TimeSlicer;
  readonly logMemory: TotalAndClientLimit;
}

/** The found logs in order as JSON, or the reason why the search failed. */
export type LogSearchResult = readonly string[] | RpcError;

/** Bytes of memory that a block takes until it is searched: five small objects. */
const WAITING_BLOCK_BYTES = 512;
const NO_TEXTS: readonly (readonly string[])[] = [];

/**
 * One search for logs. The searches of a client run one after the other: in parallel, each would keep 10 to 16 MB of
 * results in memory.
 */
export class LogSearch {
  readonly #filter: LogFilter;
  readonly #left: LogSearchBlock[];
  readonly #caller: Caller;
  readonly #deps: SharedLogSearchBudget;
  readonly #found: string[] = [];
  /** Logs of the block that is being searched, as JSON, one transaction at a time. */
  #texts: Iterator<readonly string[]> | null = null;
  #foundBytes = 0;
  #reservedBytes = 0;

  /** `blocks` are the blocks to search, in reverse order. */
  constructor(filter: LogFilter, blocks: LogSearchBlock[], caller: Caller, deps: SharedLogSearchBudget) {
    this.#filter = filter;
    this.#left = blocks;
    this.#caller = caller;
    this.#deps = deps;
  }

  /**
   * Searches synchronously if the time slice is long enough. Otherwise continues in later slices, as long as the client
   * is connected.
   */
  run(): LogSearchResult | Promise<LogSearchResult> {
    const failure = this.#fill();
    if (failure !== null) return failure;
    return this.#isDone ? this.#found : this.#later();
  }

  get #isDone(): boolean {
    return this.#left.length === 0 && this.#texts === null;
  }

  async #later(): Promise<LogSearchResult> {
    try {
      return (await this.#rest()) ?? this.#found;
    } finally {
      this.#deps.logMemory.release(this.#caller.client, this.#reservedBytes);
    }
  }

  /** Searches the remaining blocks, one time slice after another. Returns why the search was aborted, or `null`. */
  async #rest(): Promise<RpcError | null> {
    let failure = this.#reserveMemory();
    for (let isStarted = false; failure === null && !this.#isDone; isStarted = true) {
      await this.#deps.slices.turn(this.#caller.client, isStarted);
      failure = this.#caller.aborted
        ? rpcError('execution', 'search cancelled')
        : (this.#fill() ?? this.#reserveMemory());
    }
    return failure;
  }

  #fill(): RpcError | null {
    while (!this.#isDone && !this.#deps.slices.isOver()) {
      if (!this.#goOn()) return rpcError('stateReset');
      if (this.#found.length > LIMITS.logsMax)
        return rpcError('tooManyResults', `query returned more than ${LIMITS.logsMax} results`);
      if (this.#foundBytes > LIMITS.responseBytesMax) return rpcError('responseTooLarge');
    }
    return null;
  }

  /** Reserves memory for the logs found and the remaining blocks, or releases memory that is no longer needed. */
  #reserveMemory(): RpcError | null {
    const bytes = this.#foundBytes + this.#left.length * WAITING_BLOCK_BYTES - this.#reservedBytes;
    if (!this.#deps.logMemory.take(this.#caller.client, bytes)) return rpcError('overload');
    this.#reservedBytes += bytes;
    return null;
  }

  /** Adds the matching logs of the next transaction that has any. Returns false if the block is no longer available. */
  #goOn(): boolean {
    const texts = (this.#texts ??= this.#openNext());
    const next = texts?.next();
    if (next?.done !== false) {
      this.#texts = null;
      return texts !== null;
    }
    for (const text of next.value) {
      this.#found.push(text);
      this.#foundBytes += text.length;
    }
    return true;
  }

  /** Starts to search the next block; returns `null` if the block is no longer available. */
  #openNext(): Iterator<readonly string[]> | null {
    const { bloom, open } = this.#left.pop()!;
    const filter = bloom();
    if (filter !== null && !this.#filter.mayMatch(filter)) return NO_TEXTS.values();
    const block = open();
    return block === null ? null : textsByTransaction(block, this.#filter, {});
  }
}

/** Which logs of a block are rendered, and with which `removed` member. */
export interface LogRenderOptions {
  /** Index of the first transaction whose logs are returned. */
  readonly first?: number;
  /** True if the block has left the chain; the logs then say `removed`. */
  readonly removed?: boolean;
}

/** Returns the matching logs of a block as JSON. */
export function renderMatchingLogsOfBlock(
  block: BlockWithLogs,
  filter: LogFilter,
  options: LogRenderOptions = {},
): string[] {
  return [...textsByTransaction(block, filter, options)].flat();
}

/** Yields, for each transaction of a block that has matching logs, these logs as JSON. */
function* textsByTransaction(
  block: BlockWithLogs,
  filter: LogFilter,
  { first = 0, removed = false }: LogRenderOptions,
): Generator<readonly string[]> {
  let before = 0;
  for (const [index, { receipt }] of block.transactions.entries()) {
    const { logs } = receipt;
    if (index >= first && logs.some((log) => filter.matches(log))) {
      const text = transactionLogRenderer(block, index, removed);
      yield logs.flatMap((log, i) => (filter.matches(log) ? [text(log, before + i)] : []));
    }
    before += logs.length;
  }
}
