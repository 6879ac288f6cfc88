// Executes blocks on state that may not be held: step by step, and where a step finds something missing, all steps that are
// left are looked at ahead, so that one read fetches what they lack together. Runs on the publisher.
import {
  BlockExecutor,
  type AppliedTransaction,
  type BlockPlan,
  type SealedBlock,
} from '../../execution/block/executor.js';
import { TransactionExecutor } from '../../execution/block/transaction-executor.js';
import type { BlockTransaction } from '../../transaction/signed.js';
import type { ConfirmedTransaction } from '../../state/block.js';
import { LIMITS } from '../../limits.js';
import type { StateChanges } from '../../state/diff.js';
import { mergedWants, RecordingView, type Wants } from '../../state/recording-view.js';
import { StateMiss } from '../../state/table/snapshot.js';
import type { StateView } from '../../state/view.js';
import { attempt } from '../../lib/at-once.js';
import { UpstreamError } from '../../upstream/upstream.js';
import type { LiveCounts } from './counts.js';
import type { Decoded, Decoding } from './decoding.js';
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

/** A transaction that cannot be in the block, by its index in the batch. */
interface Refused {
  readonly index: number;
  readonly message: string;
}

/** Runs the steps that are left on a view that records what it lacks. May answer what else will be read. */
type Look = (recorder: RecordingView) => Promise<Wants | null | void>;

const NO_WANTS: Wants = { accounts: [], slots: [] };
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

  /** Opens a block on `view`. */
  async open(plan: BlockPlan, view: StateView): Promise<Work> {
    const open = (on: TransactionExecutor, state: StateView): Promise<BlockExecutor> =>
      BlockExecutor.open(plan, { executor: on, view: state, trie: null });
    const blockExecutor = await this.#settled(
      () => open(this.#executor, view),
      async (recorder) => void (await open(this.#parts.ahead, recorder)),
      view,
    );
    return { blockExecutor, view };
  }

  /**
   * Applies transactions in order, as they are decoded; a text says which of them is malformed or invalid, and the block is
   * of no use any more then. Where state is missing, all that are left are waited for: what they lack is fetched together.
   */
  async apply(work: Work, decoding: Decoding): Promise<ConfirmedTransaction[] | string> {
    const applied: ConfirmedTransaction[] = [];
    const { counts } = this.#parts;
    const { fills } = counts;
    while (!decoding.isOver) {
      const first = decoding.count;
      const decoded = counts.fills === fills ? await decoding.next() : await decoding.rest();
      const transactions = await this.#prepared(decoded, work, decoding);
      if (typeof transactions === 'string') return transactions;
      const refused = await this.#applyAll({ work, transactions, left: new Set(transactions.keys()) }, applied);
      if (refused !== null) return `transaction ${first + refused.index} is invalid: ${refused.message}`;
    }
    return applied;
  }

  /** Sees to it that what transactions read in any case is held; where it is not, of all that are left. */
  async #prepared(decoded: Decoded, { blockExecutor }: Work, decoding: Decoding): Promise<Decoded> {
    const { filler } = this.#parts;
    const { coinbase } = blockExecutor.plan.env;
    if (typeof decoded === 'string' || filler.holds(certainWants(decoded, coinbase))) return decoded;
    const rest = await decoding.rest();
    if (typeof rest === 'string') return rest;
    const all = [...decoded, ...rest];
    await filler.hold(certainWants(all, coinbase));
    return all;
  }

  /** Adds to `applied` until a transaction is refused. */
  async #applyAll(batch: Batch, applied: ConfirmedTransaction[]): Promise<Refused | null> {
    for (const index of batch.transactions.keys()) {
      const applying = this.#applied(batch, index);
      const result = applying instanceof Promise ? await applying : applying;
      if (result.kind === 'refused') return { index, message: result.message };
      applied.push(result.transaction);
      batch.left.delete(index);
    }
    return null;
  }

  /** Ends a block: withdrawals, system calls, header. */
  async seal(work: Work): Promise<SealedBlock> {
    const look = async (recorder: RecordingView): Promise<void> => {
      await (await this.#ahead(work, recorder)).seal();
    };
    return this.#settled(() => work.blockExecutor.seal(), look, this.#overlay(work));
  }

  /** Makes held what is about to change, so that every version has an older value to go back to. */
  holdChanged({ accounts, slots }: StateChanges): Promise<void> {
    return this.#parts.filler.hold({ accounts: accounts.map(({ address }) => address), slots });
  }

  #applied(batch: Batch, index: number): AppliedTransaction | Promise<AppliedTransaction> {
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
      await attempt(() => blockExecutor.apply(transactions[at]!), onlyAfter(recorder));
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
  #settled<T>(step: () => T | Promise<T>, look: Look, view: StateView): T | Promise<T> {
    return attempt(step, (error) => this.#again(error, step, look, view));
  }

  /** Goes on after the first try. */
  async #again<T>(error: unknown, step: () => T | Promise<T>, look: Look, view: StateView): Promise<T> {
    let miss = error;
    let reads = 0;
    for (let tries = 1; reads < LIMITS.missRoundsMax; tries++) {
      if (!(miss instanceof StateMiss)) throw miss;
      const left = LIMITS.missRoundsMax - reads;
      reads += await this.#supply(miss, look, view, tries > TRIES_MAX ? left : 1);
      try {
        return await step();
      } catch (again) {
        miss = again;
      }
    }
    if (!(miss instanceof StateMiss)) throw miss;
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

  /** Looks ahead once and fetches what was missing; whether anything was. */
  async #fetch(known: Wants, look: Look, view: StateView): Promise<boolean> {
    const { filler, counts } = this.#parts;
    const recorder = new RecordingView(view);
    counts.missPasses++;
    const listed = await look(recorder).catch(onlyAfter(recorder));
    const found = [known, recorder.wants];
    await filler.hold(mergedWants(listed ? [...found, listed] : found));
    return recorder.hasMissed;
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
  const called = transactions.map(({ to }) => to).filter((address) => address !== null);
  return { accounts: [coinbase, ...transactions.map(({ from }) => from), ...called], slots: [] };
}
