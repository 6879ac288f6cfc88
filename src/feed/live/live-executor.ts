// Executes blocks on state that may not be held: step by step, and where a step finds something missing, all steps that are
// left are looked at ahead, so that one read fetches what they lack together. Runs on the publisher.
import { BlockExecutor, type BlockPlan, type SealedBlock } from '../../execution/block/executor.js';
import { TransactionExecutor } from '../../execution/block/transaction-executor.js';
import { recipientOf, type BlockTransaction } from '../../transaction/library.js';
import type { ConfirmedTransaction } from '../../state/block.js';
import { LIMITS } from '../../limits.js';
import type { StateChanges } from '../../state/diff.js';
import { mergedWants, NO_WANTS, RecordingView, type Wants } from '../../state/recording-view.js';
import { StateMiss } from '../../state/table/snapshot.js';
import type { StateView } from '../../state/view.js';
import { UpstreamError } from '../../upstream/upstream.js';
import type { LiveCounts } from './counts.js';
import type { Filler } from './filler.js';
import { OverlayView } from './overlay-view.js';

/** What an executor of a live chain works with. */
export interface LiveExecutorParts {
  readonly filler: Filler;
  readonly counts: LiveCounts;
  /** Where the steps that are left are tried out. Shared by all executors: only one of them looks ahead at a time. */
  readonly ahead: TransactionExecutor;
}

/** A block at work, and the state that it began on. */
export interface Work {
  readonly blockExecutor: BlockExecutor;
  readonly view: StateView;
}

/** Transactions on their way into a block. */
interface Batch {
  readonly work: Work;
  readonly transactions: readonly BlockTransaction[];
  /** Indices of those that may still find state missing. */
  readonly left: Set<number>;
}

/** Runs the steps that are left on a view that records what it lacks. May answer what else will be read. */
type Look = (recorder: RecordingView) => Promise<Wants | null | void>;

/**
 * Tries of a step that may find state missing before everything that it lacks is looked up at once. Such a step reads what
 * earlier reads lead to; running it again from its beginning for each of them takes a third more time.
 */
const TRIES_MAX = 2;
/** Passes over a transaction that found something missing before the upstream node is asked what it will read. */
const PASSES_BEFORE_LISTS = 1;

/** One block at a time. Everything rejects with UpstreamError where missing state cannot be read. */
export class LiveExecutor {
  readonly #parts: LiveExecutorParts;
  readonly #executor: TransactionExecutor;

  constructor(executor: TransactionExecutor, parts: LiveExecutorParts) {
    this.#executor = executor;
    this.#parts = parts;
  }

  /** Opens a block on `view`. `transactions`: those that will come first; what they read in any case is fetched with it. */
  async open(plan: BlockPlan, view: StateView, transactions: readonly BlockTransaction[]): Promise<Work> {
    await this.#parts.filler.hold(certainWants(transactions, plan.env.coinbase));
    const open = (on: TransactionExecutor, state: StateView): Promise<BlockExecutor> =>
      BlockExecutor.open(plan, { executor: on, view: state, trie: null });
    const blockExecutor = await this.#settled(
      () => open(this.#executor, view),
      async (recorder) => void (await open(this.#parts.ahead, recorder)),
      view,
    );
    return { blockExecutor, view };
  }

  /** Applies transactions in order; a text says which of them is invalid, and the block is of no use any more then. */
  async apply(work: Work, transactions: readonly BlockTransaction[]): Promise<ConfirmedTransaction[] | string> {
    const applied: ConfirmedTransaction[] = [];
    const batch: Batch = { work, transactions, left: new Set(transactions.keys()) };
    for (const index of transactions.keys()) {
      const result = await this.#applied(batch, index);
      if (result.kind === 'refused') return `transaction ${index} is invalid: ${result.message}`;
      applied.push(result.transaction);
      batch.left.delete(index);
    }
    return applied;
  }

  /** Fetches what further transactions read in any case. */
  async prepare(transactions: readonly BlockTransaction[], coinbase: Uint8Array): Promise<void> {
    await this.#parts.filler.hold(certainWants(transactions, coinbase));
  }

  /** Ends a block: withdrawals, system calls, header. */
  seal(work: Work): Promise<SealedBlock> {
    const look = async (recorder: RecordingView): Promise<void> => {
      await (await this.#ahead(work, recorder)).seal();
    };
    return this.#settled(() => work.blockExecutor.seal(), look, this.#overlay(work));
  }

  /** Makes held what is about to change, so that every version has an older value to go back to. */
  async holdChanged({ accounts, slots }: StateChanges): Promise<void> {
    await this.#parts.filler.hold({ accounts: accounts.map(({ address }) => address), slots });
  }

  #applied(batch: Batch, index: number): ReturnType<BlockExecutor['apply']> {
    const { work, transactions, left } = batch;
    let passes = 0;
    const look = async (recorder: RecordingView): Promise<Wants | null> => {
      await this.#lookAhead(batch, index, recorder);
      if (passes++ !== PASSES_BEFORE_LISTS) return null;
      return this.#parts.filler.listed([...left].map((at) => transactions[at]!));
    };
    return this.#settled(() => work.blockExecutor.apply(transactions[index]!), look, this.#overlay(work));
  }

  /** Tries out the transactions from `index` on of which it is not known that they lack nothing. */
  async #lookAhead({ work, transactions, left }: Batch, index: number, recorder: RecordingView): Promise<void> {
    const blockExecutor = await this.#ahead(work, recorder);
    const tried = [...left.add(index)].filter((at) => at >= index).sort((a, b) => a - b);
    for (const at of tried) {
      const before = recorder.count;
      await blockExecutor.apply(transactions[at]!).catch(onlyAfter(recorder));
      if (at !== index && recorder.count === before) left.delete(at);
    }
  }

  #ahead({ blockExecutor }: Work, view: StateView): Promise<BlockExecutor> {
    return blockExecutor.ahead({ executor: this.#parts.ahead, view, trie: null });
  }

  #overlay({ view }: Work): StateView {
    return new OverlayView(this.#executor.state, view);
  }

  /**
   * Does a step that leaves nothing behind when it finds state missing, as often as it does. What was fetched stays held: a
   * step that is given up goes on from there next time.
   */
  async #settled<T>(step: () => Promise<T>, look: Look, view: StateView): Promise<T> {
    let reads = 0;
    for (let tries = 1; ; tries++) {
      try {
        return await step();
      } catch (miss) {
        if (!(miss instanceof StateMiss)) throw miss;
        const left = LIMITS.missRoundsMax - reads;
        if (left === 0) break;
        reads += await this.#supply(miss, look, view, tries > TRIES_MAX ? left : 1);
      }
    }
    throw new UpstreamError('unreachable', `state is still missing after ${reads} reads`);
  }

  /** Fetches what was missed, and what looking ahead finds missing, until that is nothing. Answers how many reads it took. */
  async #supply(miss: StateMiss, look: Look, view: StateView, readsMax: number): Promise<number> {
    let known = wantsOfMiss(miss);
    for (let reads = 1; reads < readsMax; reads++) {
      if (!(await this.#fetch(known, look, view))) return reads;
      known = NO_WANTS;
    }
    await this.#fetch(known, look, view);
    return readsMax;
  }

  /**
   * Looks ahead once and fetches what was missing; whether anything was, and has come. `known` is needed; what a look finds
   * behind it may not be, as it has been found with zeros for what is missing.
   */
  async #fetch(known: Wants, look: Look, view: StateView): Promise<boolean> {
    const { filler, counts } = this.#parts;
    const recorder = new RecordingView(view);
    counts.missPasses++;
    const listed = await look(recorder).catch(onlyAfter(recorder));
    const hasCome = await filler.hold(known, listed ? mergedWants([recorder.wants, listed]) : recorder.wants);
    return recorder.hasMissed && hasCome;
  }
}

/** Passes over an error that came after a miss: zeros in the place of missing values cause any error. */
function onlyAfter(recorder: RecordingView): (error: unknown) => void {
  return (error) => {
    if (recorder.count === 0) throw error;
  };
}

function wantsOfMiss({ address, slot }: StateMiss): Wants {
  return slot === null ? { accounts: [address], slots: [] } : { accounts: [], slots: [{ address, slot }] };
}

/** Senders, receivers and the fee recipient. */
function certainWants(transactions: readonly BlockTransaction[], coinbase: Uint8Array): Wants {
  const called = transactions.map(recipientOf).filter((address) => address !== null);
  return { accounts: [coinbase, ...transactions.map(({ from }) => from), ...called], slots: [] };
}
