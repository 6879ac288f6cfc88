// Executes blocks on state that may not be held: step by step, and where a step finds something missing, all steps that
// are left are looked at ahead, so that one read fetches what they lack together.
import {
  BlockExecutor,
  type AppliedTransaction,
  type BlockPlan,
  type SealedBlock,
} from '../../../execution/block/executor.js';
import { TransactionExecutor } from '../../../execution/block/transaction-executor.js';
import { tryNow } from '../../../lib/threads/sync-or-async.js';
import { isDepositTransaction, type BlockTransaction } from '../../../transaction/signed.js';
import type { ConfirmedTransaction } from '../../../state/block.js';
import { LIMITS } from '../../../limits/index.js';
import { NonEvmCodeError } from '../../../evm/non-evm-code-error.js';
import type { StateChanges } from '../../../state/diff.js';
import {
  hasAll,
  mergedMissingKeys,
  NO_MISSING_KEYS,
  RecordingView,
  type MissingKeys,
} from '../../../state/views/recording-view.js';
import { PayerView, type Payer } from '../../../state/views/payer-view.js';
import { StateMiss } from '../../../state/table/read/snapshot.js';
import type { StateView } from '../../../state/views/view.js';
import { UpstreamError } from '../../../upstream/upstream.js';
import { prefetchKeys, partiesOf, systemKeys } from '../cold/prefetch-keys.js';
import type { LiveCounts } from '../../counts.js';
import type { DecodedIncrement, Decoding } from './decoding.js';
import type { ExecutionTime } from './execution-time.js';
import type { StateFetcher } from '../cold/state-fetcher.js';
import { OverlayView } from './overlay-view.js';
import type { NamedKeys } from '../cold/named-keys.js';

/** Parts that an executor of a live chain works with. */
export interface LiveExecutorDeps {
  readonly filler: StateFetcher;
  readonly names: NamedKeys;
  readonly counts: LiveCounts;
  readonly time: ExecutionTime;
  /**
   * The executor on which the steps that are left are tried out. Shared by all executors: only one of them looks ahead
   * at a time.
   */
  readonly ahead: TransactionExecutor;
}

/** A block at work, and the state that it began on. */
export interface Work {
  readonly blockExecutor: BlockExecutor;
  readonly view: StateView;
}

/** Transactions on their way into a block. */
interface Batch {
  readonly transactions: readonly BlockTransaction[];
  /** Indices of those that may still find state missing. */
  readonly left: Set<number>;
  /** Indices of those that found nothing new missing when they were last tried out. */
  readonly quiet: Set<number>;
  /** Gas of all that found nothing new missing when they were tried out. */
  vainGas: number;
}

/** A transaction that cannot be in the block, by its index in the batch. */
interface Refused {
  readonly index: number;
  readonly message: string;
}

/** The beginning of transactions, before any of them is executed. */
interface Prospect {
  readonly view: StateView;
  /** Opens their block, or goes on with it, on a view that may lack something. */
  readonly open: (state: StateView) => Promise<BlockExecutor>;
  /** Reads that they do for sure, and others beside them. */
  readonly certain: MissingKeys;
  readonly likely: MissingKeys;
}

/** Things that a look cannot see itself. */
interface Outlook {
  /** Transactions that read more than what was found. */
  readonly further: readonly BlockTransaction[];
  /** Reads that are likely, but not found to be needed. */
  readonly hints: readonly MissingKeys[];
}

/** Runs the steps that are left on a view that records what it lacks. */
type DryRun = (recorder: RecordingView) => Promise<Outlook>;

const NOTHING_FURTHER: Outlook = { further: [], hints: [] };

/**
 * Tries of a step that may find state missing before everything that it lacks is looked up at once. Such a step reads
 * what earlier reads lead to; running it again from its beginning for each of them takes a third more time.
 */
const TRIES_MAX = 2;

/**
 * One block at a time. Everything rejects with UpstreamError where missing state cannot be read, with ExecutionAborted,
 * and with NonEvmCodeError where the block runs code that is not the EVM's.
 */
export class LiveExecutor {
  readonly #deps: LiveExecutorDeps;
  readonly #executor: TransactionExecutor;
  /** Transactions that were looked ahead at, and those that the upstream node was asked about. */
  readonly #tried = new WeakSet<BlockTransaction>();
  readonly #listed = new WeakSet<BlockTransaction>();

  constructor(executor: TransactionExecutor, deps: LiveExecutorDeps) {
    this.#executor = executor;
    this.#deps = deps;
  }

  /**
   * Opens a block on `view`. Where something is missing that every block reads, what its first transactions read is
   * fetched with it, as far as it can be told.
   */
  async open(plan: BlockPlan, view: StateView, decoding: Decoding): Promise<Work> {
    const open = (on: TransactionExecutor, state: StateView): Promise<BlockExecutor> =>
      BlockExecutor.open(plan, { executor: on, view: state, trie: null });
    await this.#readFirst(plan, view, { decoding, open: (state) => open(this.#deps.ahead, state) });
    const dryRun: DryRun = async (recorder) => {
      await open(this.#deps.ahead, recorder);
      return NOTHING_FURTHER;
    };
    return { blockExecutor: await this.#settled(() => open(this.#executor, view), dryRun, view), view };
  }

  /**
   * Applies transactions in order, as they are decoded; a text says which of them is malformed or invalid, and the
   * block is of no use any more then. Where state is missing, all that are left are decoded: what they lack is fetched
   * together.
   */
  async apply(work: Work, decoding: Decoding): Promise<ConfirmedTransaction[] | string> {
    const applied: ConfirmedTransaction[] = [];
    const { counts } = this.#deps;
    const { fills } = counts;
    while (!decoding.isOver) {
      const first = decoding.count;
      const decoded = counts.fills === fills ? await decoding.next() : await decoding.rest();
      const transactions = await this.#prepared(decoded, work, decoding);
      if (typeof transactions === 'string') return transactions;
      const refused = await this.#applyAll(work, batchOf(transactions), applied);
      if (refused !== null) return `transaction ${first + refused.index} is invalid: ${refused.message}`;
    }
    return applied;
  }

  /** Ends a block: withdrawals, system calls, header. */
  async seal(work: Work): Promise<SealedBlock> {
    const dryRun: DryRun = async (recorder) => {
      await (await this.#ahead(work, recorder)).seal();
      return NOTHING_FURTHER;
    };
    return this.#settled(() => work.blockExecutor.seal(), dryRun, this.#overlay(work));
  }

  /** Makes held what is about to change, so that every version has an older value to go back to. */
  async fetchChanged({ accounts, slots }: StateChanges): Promise<void> {
    await this.#deps.filler.fetch({ accounts: accounts.map(({ address }) => address), slots });
  }

  /** Reads ahead before a block is opened. */
  async #readFirst(
    { env }: BlockPlan,
    view: StateView,
    { decoding, open }: Pick<Prospect, 'open'> & { readonly decoding: Decoding },
  ): Promise<void> {
    const likely = systemKeys(env, this.#executor.rules);
    if (hasAll(view, prefetchKeys([], env.coinbase)) && hasAll(view, likely)) return;
    const decoded = await decoding.all();
    // A malformed transaction is told once it is applied.
    const transactions = typeof decoded === 'string' ? [] : decoded;
    await this.#readAhead(transactions, { view, open, certain: prefetchKeys(transactions, env.coinbase), likely });
  }

  /** Sees to it that what transactions read is held as far as it can be told; where it is not, of all that are left. */
  async #prepared(decoded: DecodedIncrement, work: Work, decoding: Decoding): Promise<DecodedIncrement> {
    const { coinbase } = work.blockExecutor.plan.env;
    if (typeof decoded === 'string' || this.#deps.filler.hasAll(prefetchKeys(decoded, coinbase))) return decoded;
    const rest = await decoding.rest();
    if (typeof rest === 'string') return rest;
    const all = [...decoded, ...rest];
    await this.#readAhead(all, {
      view: this.#overlay(work),
      open: (state) => this.#ahead(work, state),
      certain: prefetchKeys(all, coinbase),
      likely: NO_MISSING_KEYS,
    });
    return all;
  }

  /** Adds to `applied` until a transaction is refused. */
  async #applyAll(work: Work, batch: Batch, applied: ConfirmedTransaction[]): Promise<Refused | null> {
    for (const index of batch.transactions.keys()) {
      const pause = this.#deps.time.pause();
      if (pause !== null) await pause;
      const applying = this.#applied(work, batch, index);
      const result = applying instanceof Promise ? await applying : applying;
      if (result.kind === 'refused') return { index, message: result.message };
      applied.push(result.transaction);
      batch.left.delete(index);
    }
    return null;
  }

  #applied(work: Work, batch: Batch, index: number): AppliedTransaction | Promise<AppliedTransaction> {
    const { transactions, left, quiet } = batch;
    const dryRun: DryRun = async (recorder) => {
      left.add(index);
      quiet.delete(index);
      return this.#tryOut(batch, await this.#ahead(work, recorder), recorder);
    };
    return this.#settled(() => work.blockExecutor.apply(transactions[index]!), dryRun, this.#overlay(work));
  }

  /**
   * Fetches something that will be read and is not held, together with what the transactions concerned read as far as
   * one look shows it: their senders are taken to be able to pay.
   */
  async #readAhead(
    transactions: readonly BlockTransaction[],
    { view, open, certain, likely }: Prospect,
  ): Promise<void> {
    if (hasAll(view, certain) && hasAll(view, likely)) return;
    const cold = transactions.filter((each) => !hasAll(view, { accounts: partiesOf(each), slots: [] }));
    const dryRun: DryRun = async (recorder) => {
      const payers = new PayerView(recorder, cold.flatMap(payerOf));
      const outlook = await this.#tryOut(batchOf(cold), await open(payers), recorder);
      return { ...outlook, hints: [...outlook.hints, likely] };
    };
    await this.#fetch(certain, dryRun, view);
  }

  /**
   * Tries out the transactions that may lack something. One that finds nothing new may find more next time, on what
   * those before it have found; as that takes time, one that finds nothing twice is left out once LIMITS.vainGasMax was
   * spent so. Answers those that go further than a look can see.
   */
  async #tryOut(batch: Batch, blockExecutor: BlockExecutor, recorder: RecordingView): Promise<Outlook> {
    const { transactions, left, quiet } = batch;
    const further: BlockTransaction[] = [];
    const naming: Uint8Array[] = [];
    for (const index of [...left].sort((a, b) => a - b)) {
      const transaction = transactions[index]!;
      const before = recorder.count;
      const dryRun = (): ReturnType<BlockExecutor['apply']> => blockExecutor.apply(transaction);
      const tried = await tryNow(() => this.#deps.time.step(this.#deps.ahead, dryRun), onlyAfter(recorder));
      const hasMissed = recorder.count > before;
      if (!hasMissed) batch.vainGas += gasOf(tried);
      if (!hasMissed && quiet.has(index) && batch.vainGas > LIMITS.vainGasMax) left.delete(index);
      if (hasMissed) quiet.delete(index);
      else quiet.add(index);
      const { to } = transaction;
      // Code that is not held names nothing.
      if (hasMissed && to !== null && !recorder.misses(to))
        naming.push(to, ...recorder.wantsAfter(before).slots.map(({ address }) => address));
      const isFull = further.length === LIMITS.accessListsPerExecutionMax;
      if (!isFull && this.#goesFurther(transaction, hasMissed, recorder)) further.push(transaction);
    }
    return { further, hints: [this.#deps.names.of(naming, recorder.below)] };
  }

  /** It runs code that is not held, or finds more each time; answered once for each transaction. */
  #goesFurther(transaction: BlockTransaction, hasMissed: boolean, recorder: RecordingView): boolean {
    const isKnown = this.#tried.has(transaction);
    this.#tried.add(transaction);
    if (this.#listed.has(transaction)) return false;
    const goes = runsMissingCode(transaction, recorder) || (hasMissed && isKnown);
    if (goes) this.#listed.add(transaction);
    return goes;
  }

  #ahead({ blockExecutor }: Work, view: StateView): Promise<BlockExecutor> {
    return blockExecutor.ahead({ executor: this.#deps.ahead, view, trie: null });
  }

  #overlay({ view }: Work): StateView {
    return new OverlayView(this.#executor.state, view);
  }

  /**
   * Does a step that leaves nothing behind when it finds state missing, as often as it does. What was fetched stays
   * held: a step that is given up goes on from there next time.
   */
  #settled<T>(step: () => T | Promise<T>, dryRun: DryRun, view: StateView): T | Promise<T> {
    const timed = (): T | Promise<T> => this.#deps.time.step(this.#executor, step);
    return tryNow(timed, (error) => this.#again(error, timed, dryRun, view));
  }

  /** Goes on after the first try. */
  async #again<T>(error: unknown, step: () => T | Promise<T>, dryRun: DryRun, view: StateView): Promise<T> {
    let miss = error;
    let reads = 0;
    for (let tries = 1; reads < LIMITS.missRoundsMax; tries++) {
      if (!(miss instanceof StateMiss)) throw miss;
      const left = LIMITS.missRoundsMax - reads;
      reads += await this.#supply(miss, dryRun, view, tries > TRIES_MAX ? left : 1);
      try {
        return await step();
      } catch (again) {
        miss = again;
      }
    }
    if (!(miss instanceof StateMiss)) throw miss;
    throw new UpstreamError('unreachable', `state is still missing after ${reads} reads`);
  }

  /**
   * Fetches what was missed, and what looking ahead finds missing, until that is nothing. Answers how many reads it
   * took.
   */
  async #supply(miss: StateMiss, dryRun: DryRun, view: StateView, readsMax: number): Promise<number> {
    let known = wantsOfMiss(miss);
    for (let reads = 1; reads < readsMax; reads++) {
      if (!(await this.#fetch(known, dryRun, view))) return reads;
      known = NO_MISSING_KEYS;
    }
    await this.#fetch(known, dryRun, view);
    return readsMax;
  }

  /**
   * Looks ahead once and fetches what was missing, then what the upstream node says that the transactions read which go
   * further; whether anything was missing, and has come. `known` is needed; what is found behind it may not be, as it
   * has been found with zeros for what is missing.
   */
  async #fetch(known: MissingKeys, dryRun: DryRun, view: StateView): Promise<boolean> {
    const { filler, counts } = this.#deps;
    const recorder = new RecordingView(view);
    counts.missPasses++;
    const { further, hints } = (await dryRun(recorder).catch(onlyAfter(recorder))) ?? NOTHING_FURTHER;
    const listing = filler.listed(further);
    const hasCome = await filler.fetch(known, mergedMissingKeys([recorder.wants, ...hints]));
    const listed = await listing;
    const hasMore = !hasAll(view, listed) && (await filler.fetch(NO_MISSING_KEYS, listed));
    return recorder.hasMissed && (hasCome || hasMore);
  }
}

/**
 * Passes over an error that came after a miss: zeros in the place of missing values cause any error. A foreign account
 * ends a look, too: the step itself tells of it.
 */
function onlyAfter(recorder: RecordingView): (error: unknown) => void {
  return (error) => {
    if (recorder.count === 0 && !(error instanceof NonEvmCodeError)) throw error;
  };
}

function wantsOfMiss({ address, slot }: StateMiss): MissingKeys {
  return slot === null ? { accounts: [address], slots: [] } : { accounts: [], slots: [{ address, slot }] };
}

function batchOf(transactions: readonly BlockTransaction[]): Batch {
  return { transactions, left: new Set(transactions.keys()), quiet: new Set(), vainGas: 0 };
}

/** Gas that a look at a transaction took; none where it was refused, or broken off at what was missing. */
function gasOf(tried: AppliedTransaction | void): number {
  return tried?.kind === 'applied' ? Number(tried.transaction.receipt.gasUsed) : 0;
}

function runsMissingCode(transaction: BlockTransaction, recorder: RecordingView): boolean {
  const { to, data } = transaction;
  return to !== null && data.length > 0 && recorder.misses(to);
}

/** Deposits are not paid for. */
function payerOf(transaction: BlockTransaction): Payer[] {
  return isDepositTransaction(transaction) ? [] : [{ from: transaction.from, nonce: transaction.nonce }];
}
