// The logs of a range of blocks, in slices of main's time. Complete blocks are passed over by their bloom. Runs on main.
import { LIMITS } from '../limits.js';
import { rpcError, type RpcError } from '../errors.js';
import type { TimeSlices } from '../lib/time-slices.js';
import type { ExecutedBlock } from './executed-blocks.js';
import type { LogFilter } from './log-filter.js';
import { placedLogs, renderLog } from './methods/render.js';

/** A block whose logs are asked for: opened when it is its turn, whatever became of the chain meanwhile. */
export interface SearchedBlock {
  /** Of the header, where the block is complete. */
  readonly bloom: () => Uint8Array | null;
  /** `null`: it is not here any more. */
  readonly open: () => ExecutedBlock | null;
}

/** One search: JSON texts of logs in order. */
export class LogSearch {
  readonly #filter: LogFilter;
  readonly #left: SearchedBlock[];
  readonly #found: string[] = [];

  /** `blocks`: ascending. */
  constructor(filter: LogFilter, blocks: readonly SearchedBlock[]) {
    this.#filter = filter;
    this.#left = blocks.toReversed();
  }

  /** The texts: at once where the time allows, else in later slices. */
  run(slices: TimeSlices): readonly string[] | RpcError | Promise<readonly string[] | RpcError> {
    const failure = this.#fill(slices);
    if (failure !== null) return failure;
    return this.#left.length === 0 ? this.#found : this.#later(slices);
  }

  async #later(slices: TimeSlices): Promise<readonly string[] | RpcError> {
    while (this.#left.length > 0) {
      await slices.turn();
      const failure = this.#fill(slices);
      if (failure !== null) return failure;
    }
    return this.#found;
  }

  #fill(slices: TimeSlices): RpcError | null {
    while (this.#left.length > 0 && !slices.isOver()) {
      if (!this.#add(this.#left.pop()!)) return rpcError('stateReset');
      if (this.#found.length > LIMITS.logsMax)
        return rpcError('tooManyResults', `query returned more than ${LIMITS.logsMax} results`);
    }
    return null;
  }

  /** Adds the logs of one block; false where that is gone. */
  #add({ bloom, open }: SearchedBlock): boolean {
    const filter = bloom();
    if (filter !== null && !this.#filter.mayMatch(filter)) return true;
    const block = open();
    if (block === null) return false;
    this.#found.push(...logTexts(block, this.#filter));
    return true;
  }
}

/** Which logs of a block are shown, and how. */
export interface LogOptions {
  /** Only those of transactions from this one on. */
  readonly first?: number;
  /** The block has left the chain. */
  readonly removed?: boolean;
}

/** The logs of a block that are meant, as JSON texts. */
export function logTexts(
  block: ExecutedBlock,
  filter: LogFilter,
  { first = 0, removed = false }: LogOptions = {},
): string[] {
  return block.transactions.flatMap(({ receipt }, index) => {
    if (index < first || !receipt.logs.some((log) => filter.matches(log))) return [];
    const placed = placedLogs({ block, index }).filter(({ log }) => filter.matches(log));
    return placed.map((each) => JSON.stringify(renderLog(each, removed)));
  });
}
