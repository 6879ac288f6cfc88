// Executes blocks step by step on incomplete state. If a step misses state, a dry run executes all remaining steps with
// zeros in place of missing values, so that everything that they miss can be fetched in one read.
import {
  BlockExecutor,
  type ApplyTransactionResult,
  type BlockPlan,
  type SealedBlock,
} from '../../../execution/block/block-executor.js';
import type { TransactionExecutor } from '../../../execution/block/transaction-executor.js';
import { catchNow } from '../../../lib/threads/sync-or-async.js';
import { isDepositTransaction, type SignedOrDepositTransaction } from '../../../transaction/signed-transaction.js';
import type { ExecutedTransaction } from '../../../state/complete-block.js';
import { LIMITS } from '../../../limits/index.js';
import { NonEvmCodeError } from '../../../evm/non-evm-code-error.js';
import type { StateChanges } from '../../../state/state-diff.js';
import {
  hasAllKeys,
  mergedMissingKeys,
  NO_MISSING_KEYS,
  MissRecordingView,
  type MissingKeys,
} from '../../../state/views/miss-recording-view.js';
import { DryRunPayerView, type AssumedPayer } from '../../../state/views/dry-run-payer-view.js';
import { StateMiss } from '../../../state/table/read/table-reader-and-snapshot.js';
import type { StateView, AccountState } from '../../../state/views/state-view.js';
import { UpstreamError } from '../../../upstream/upstream.js';
import { keysToPrefetch, senderAndRecipientOf, systemCallKeys } from '../cold/prefetch-keys.js';
import { keysOfMiss } from '../../diffs/run-until-nothing-missing.js';
import type { LiveFeedCounters } from '../../live-feed-counters.js';
import type { DecodedTransactionsOrError, TransactionDecoding } from './transaction-decoding.js';
import type { ExecutionTimeLimiter } from './execution-time-limiter.js';
import type { StateFetcher } from '../cold/state-fetcher.js';
import type { ConstantKeyCache } from '../cold/code-constants-cache.js';
import type { JournaledState } from '../../../evm/journal/journaled-state.js';
import { toWord } from '../../../lib/bytes/big-endian.js';

interface StateFetchingExecutorDeps {
  readonly filler: StateFetcher;
  readonly names: ConstantKeyCache;
  readonly counts: LiveFeedCounters;
  readonly time: ExecutionTimeLimiter;
  /**
   * The transaction executor for dry runs. All block executors share it, because only one of them makes dry runs at a
   * time. Blocks that are applied as diffs also use it, for their system calls, while no dry run is in progress.
   */
  readonly ahead: TransactionExecutor;
}

/** A block in progress, and the state on which it was started. */
export interface BlockInProgress {
  readonly blockExecutor: BlockExecutor;
  readonly view: StateView;
}

/** The transactions that are being applied to a block, and what dry runs have found about them. */
interface Batch {
  readonly transactions: readonly SignedOrDepositTransaction[];
  /** Indices of the transactions that may still miss state, and are therefore dry-run. */
  readonly left: Set<number>;
  /** Indices of the transactions whose last dry run found no further missing state. */
  readonly quiet: Set<number>;
  /** Gas used by all dry runs that found no further missing state. */
  vainGas: number;
}

/** A transaction that is invalid in its block, with its index in the batch. */
interface Refused {
  readonly index: number;
  readonly message: string;
}

/** What is known about transactions of a block before they are executed. */
interface Prospect {
  readonly view: StateView;
  /** Starts a dry run on a view that may miss state: of the whole block, or of the part that is not executed yet. */
  readonly open: (state: StateView) => Promise<BlockExecutor>;
  /** Keys that the transactions certainly read, and keys that they probably read. */
  readonly certain: MissingKeys;
  readonly likely: MissingKeys;
}

/** State that a dry run did not find, but that is probably read. */
interface Outlook {
  /** Transactions that probably read more keys than their dry runs have found. The node is asked for their keys. */
  readonly further: readonly SignedOrDepositTransaction[];
  /** Keys that are probably read, although no dry run has found them to be needed. */
  readonly hints: readonly MissingKeys[];
}

/** Runs the remaining steps of a block on a view that records which state is missing. */
type DryRun = (recorder: MissRecordingView) => Promise<Outlook>;

const NOTHING_FURTHER: Outlook = { further: [], hints: [] };

/**
 * How often a step (opening a block, applying a transaction, sealing the block) is attempted again after one dry run.
 * If it still misses state, its keys probably depend on values that it reads. It is then dry-run until no key is
 * missing, because attempting the step itself for each key would take a third more time.
 */
const TRIES_MAX = 2;

/**
 * Executes one block at a time. All functions reject with UpstreamError if missing state cannot be read, with
 * ExecutionAborted if the execution takes too long or is superseded, and with NonEvmCodeError if the block runs non-EVM
 * code.
 */
export class StateFetchingExecutor {
  readonly #deps: StateFetchingExecutorDeps;
  readonly #executor: TransactionExecutor;
  /** Transactions that had a dry run, and transactions whose access list was requested from the upstream node. */
  readonly #tried = new WeakSet<SignedOrDepositTransaction>();
  readonly #listed = new WeakSet<SignedOrDepositTransaction>();

  constructor(executor: TransactionExecutor, deps: StateFetchingExecutorDeps) {
    this.#executor = executor;
    this.#deps = deps;
  }

  /**
   * Opens a block on `view`. If state that every block needs is missing, it is fetched together with the state that
   * the transactions known so far need.
   */
  async open(plan: BlockPlan, view: StateView, decoding: TransactionDecoding): Promise<BlockInProgress> {
    const open = (on: TransactionExecutor, state: StateView): Promise<BlockExecutor> =>
      BlockExecutor.open(plan, { executor: on, view: state, trie: null });
    await this.#readFirst(plan, view, { decoding, open: (state) => open(this.#deps.ahead, state) });
    const dryRun: DryRun = async (recorder) => {
      await open(this.#deps.ahead, recorder);
      return NOTHING_FURTHER;
    };
    return {
      blockExecutor: await this.#settled(
        () => open(this.#executor, view),
        dryRun,
        () => view,
      ),
      view,
    };
  }

  /**
   * Applies transactions in order as they are decoded. If a transaction is malformed or invalid, returns a message that
   * names it, and the block cannot be used any more. If state is missing, all remaining transactions are decoded and
   * dry-run, and everything that they miss is fetched together.
   */
  async apply(work: BlockInProgress, decoding: TransactionDecoding): Promise<ExecutedTransaction[] | string> {
    const applied: ExecutedTransaction[] = [];
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

  /** Completes a block: credits withdrawals, makes the system calls and computes the header. */
  async seal(work: BlockInProgress): Promise<SealedBlock> {
    const dryRun: DryRun = async (recorder) => {
      await (await this.#ahead(work, recorder)).seal();
      return NOTHING_FURTHER;
    };
    return this.#settled(
      () => work.blockExecutor.seal(),
      dryRun,
      () => this.#overlay(work),
    );
  }

  /**
   * Fetches the old values of keys that are about to change, if they are not in the table. Otherwise older state
   * versions could not read them any more.
   */
  async fetchChanged({ accounts, slots }: StateChanges): Promise<void> {
    await this.#deps.filler.fetch({ accounts: accounts.map(({ address }) => address), slots });
  }

  /** Before a block is opened: fetches state that opening it and its transactions will need, if any is missing. */
  async #readFirst(
    { env }: BlockPlan,
    view: StateView,
    { decoding, open }: Pick<Prospect, 'open'> & { readonly decoding: TransactionDecoding },
  ): Promise<void> {
    const likely = systemCallKeys(env, this.#executor.rules);
    if (hasAllKeys(view, keysToPrefetch([], env.coinbase)) && hasAllKeys(view, likely)) return;
    const decoded = await decoding.all();
    // A string says that a transaction is malformed. The error is reported when the transactions are applied.
    const transactions = typeof decoded === 'string' ? [] : decoded;
    await this.#readAhead(transactions, { view, open, certain: keysToPrefetch(transactions, env.coinbase), likely });
  }

  /**
   * Makes sure that the accounts which the transactions certainly read are in the table. If any is missing, fetches the
   * state of these and all remaining transactions together. Returns the transactions whose accounts are in the table.
   */
  async #prepared(
    decoded: DecodedTransactionsOrError,
    work: BlockInProgress,
    decoding: TransactionDecoding,
  ): Promise<DecodedTransactionsOrError> {
    const { coinbase } = work.blockExecutor.plan.env;
    if (typeof decoded === 'string' || this.#deps.filler.hasAll(keysToPrefetch(decoded, coinbase))) return decoded;
    const rest = await decoding.rest();
    if (typeof rest === 'string') return rest;
    const all = [...decoded, ...rest];
    await this.#readAhead(all, {
      view: this.#overlay(work),
      open: (state) => this.#ahead(work, state),
      certain: keysToPrefetch(all, coinbase),
      likely: NO_MISSING_KEYS,
    });
    return all;
  }

  /** Applies transactions and appends them to `applied`, until one is refused. */
  async #applyAll(work: BlockInProgress, batch: Batch, applied: ExecutedTransaction[]): Promise<Refused | null> {
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

  #applied(
    work: BlockInProgress,
    batch: Batch,
    index: number,
  ): ApplyTransactionResult | Promise<ApplyTransactionResult> {
    const { transactions, left, quiet } = batch;
    const dryRun: DryRun = async (recorder) => {
      left.add(index);
      quiet.delete(index);
      return this.#tryOut(batch, await this.#ahead(work, recorder), recorder);
    };
    return this.#settled(
      () => work.blockExecutor.apply(transactions[index]!),
      dryRun,
      () => this.#overlay(work),
    );
  }

  /**
   * Fetches missing state for transactions, together with everything that a dry run finds them to read. The dry run
   * assumes that their senders can pay.
   */
  async #readAhead(
    transactions: readonly SignedOrDepositTransaction[],
    { view, open, certain, likely }: Prospect,
  ): Promise<void> {
    if (hasAllKeys(view, certain) && hasAllKeys(view, likely)) return;
    const cold = transactions.filter((each) => !hasAllKeys(view, { accounts: senderAndRecipientOf(each), slots: [] }));
    const dryRun: DryRun = async (recorder) => {
      const payers = new DryRunPayerView(recorder, cold.flatMap(payerOf));
      const outlook = await this.#tryOut(batchOf(cold), await open(payers), recorder);
      return { ...outlook, hints: [...outlook.hints, likely] };
    };
    await this.#fetch(certain, dryRun, view);
  }

  /**
   * Makes a dry run of each transaction that may miss state. A dry run that finds nothing missing may find something
   * the next time, when the values that earlier transactions read are known. To bound the time of such repetitions, a
   * transaction is left out if its last two dry runs found nothing, and all dry runs that found nothing have used more
   * than LIMITS.vainGasMax gas together. `further` of the result has the transactions that call missing code, or that
   * still miss state in a repeated dry run.
   */
  async #tryOut(batch: Batch, blockExecutor: BlockExecutor, recorder: MissRecordingView): Promise<Outlook> {
    const { transactions, left, quiet } = batch;
    const further: SignedOrDepositTransaction[] = [];
    const naming: Uint8Array[] = [];
    for (const index of [...left].sort((a, b) => a - b)) {
      const transaction = transactions[index]!;
      const before = recorder.count;
      const dryRun = (): ReturnType<BlockExecutor['apply']> => blockExecutor.apply(transaction);
      const tried = await catchNow(() => this.#deps.time.step(this.#deps.ahead, dryRun), onlyAfter(recorder));
      const hasMissed = recorder.count > before;
      if (!hasMissed) batch.vainGas += gasOf(tried);
      if (!hasMissed && quiet.has(index) && batch.vainGas > LIMITS.vainGasMax) left.delete(index);
      if (hasMissed) quiet.delete(index);
      else quiet.add(index);
      const { to } = transaction;
      // If the recipient itself is missing, its code cannot be searched for constants yet.
      if (hasMissed && to !== null && !recorder.misses(to))
        naming.push(to, ...recorder.missingAfter(before).slots.map(({ address }) => address));
      const isFull = further.length === LIMITS.accessListsPerExecutionMax;
      if (!isFull && this.#goesFurther(transaction, hasMissed, recorder)) further.push(transaction);
    }
    return { further, hints: [this.#deps.names.of(naming, recorder.below)] };
  }

  /**
   * Returns true if a transaction calls missing code, or if a repeated dry run still finds missing state. Returns true
   * at most once per transaction.
   */
  #goesFurther(transaction: SignedOrDepositTransaction, hasMissed: boolean, recorder: MissRecordingView): boolean {
    const isKnown = this.#tried.has(transaction);
    this.#tried.add(transaction);
    if (this.#listed.has(transaction)) return false;
    const goes = runsMissingCode(transaction, recorder) || (hasMissed && isKnown);
    if (goes) this.#listed.add(transaction);
    return goes;
  }

  #ahead({ blockExecutor }: BlockInProgress, view: StateView): Promise<BlockExecutor> {
    return blockExecutor.ahead({ executor: this.#deps.ahead, view, trie: null });
  }

  #overlay({ view }: BlockInProgress): StateView {
    return new OverlayView(this.#executor.state, view);
  }

  /**
   * Runs a step until it succeeds. The step must leave no effects when it misses state. Fetched state stays in the
   * table even if the step is aborted, so it need not be fetched again. `view` creates the view for dry runs.
   */
  #settled<T>(step: () => T | Promise<T>, dryRun: DryRun, view: () => StateView): T | Promise<T> {
    const timed = (): T | Promise<T> => this.#deps.time.step(this.#executor, step);
    return catchNow(timed, (error) => this.#again(error, timed, dryRun, view()));
  }

  /** Repeats a step after its first attempt has failed. */
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
   * Fetches missing keys, and those that dry runs find missing, until nothing is missing. Returns the number of reads.
   */
  async #supply(miss: StateMiss, dryRun: DryRun, view: StateView, readsMax: number): Promise<number> {
    let known = keysOfMiss(miss);
    for (let reads = 1; reads < readsMax; reads++) {
      if (!(await this.#fetch(known, dryRun, view))) return reads;
      known = NO_MISSING_KEYS;
    }
    await this.#fetch(known, dryRun, view);
    return readsMax;
  }

  /**
   * Makes one dry run, and fetches `known` and the keys that the dry run found missing. Then fetches the access lists
   * of transactions that probably read more keys than the dry run has found, and the keys in them. Returns whether
   * the dry run found keys missing and some were fetched. Keys in `known` are certainly needed; those found by the dry
   * run may not be, because it reads missing values as zero.
   */
  async #fetch(known: MissingKeys, dryRun: DryRun, view: StateView): Promise<boolean> {
    const { filler, counts } = this.#deps;
    const recorder = new MissRecordingView(view);
    counts.missPasses++;
    const { further, hints } = (await dryRun(recorder).catch(onlyAfter(recorder))) ?? NOTHING_FURTHER;
    const listing = filler.listed(further);
    const hasCome = await filler.fetch(known, mergedMissingKeys([recorder.missingKeys, ...hints]));
    const listed = await listing;
    const hasMore = !hasAllKeys(view, listed) && (await filler.fetch(NO_MISSING_KEYS, listed));
    return recorder.hasMissed && (hasCome || hasMore);
  }
}

/**
 * Returns a handler for errors of a dry run. It ignores errors after missing state, because the zeros that replace
 * missing values may cause any error. It also ignores NonEvmCodeError, which the step itself will throw again.
 */
function onlyAfter(recorder: MissRecordingView): (error: unknown) => void {
  return (error) => {
    if (recorder.count === 0 && !(error instanceof NonEvmCodeError)) throw error;
  };
}

function batchOf(transactions: readonly SignedOrDepositTransaction[]): Batch {
  return { transactions, left: new Set(transactions.keys()), quiet: new Set(), vainGas: 0 };
}

/** Returns the gas used by a transaction's dry run; 0 if it was refused, or stopped at missing state. */
function gasOf(tried: ApplyTransactionResult | void): number {
  return tried?.kind === 'applied' ? Number(tried.transaction.receipt.gasUsed) : 0;
}

function runsMissingCode(transaction: SignedOrDepositTransaction, recorder: MissRecordingView): boolean {
  const { to, data } = transaction;
  return to !== null && data.length > 0 && recorder.misses(to);
}

/** Returns the account that pays for a transaction: its sender, but nobody for a deposit, which is free. */
function payerOf(transaction: SignedOrDepositTransaction): AssumedPayer[] {
  return isDepositTransaction(transaction) ? [] : [{ from: transaction.from, nonce: transaction.nonce }];
}

/**
 * The state in the middle of a block, on which a dry run of the rest of the block can start: the changes of the block
 * so far, on top of the view below it. Throws StateMiss if that view does.
 */
class OverlayView implements StateView {
  readonly #state: JournaledState;
  readonly #below: StateView;

  constructor(state: JournaledState, below: StateView) {
    this.#state = state;
    this.#below = below;
  }

  /** Implements StateView: returns the account. */
  account(address: Uint8Array): AccountState | null {
    return this.#state.accountOf(address);
  }

  /** Implements StateView: returns the code with this hash. */
  code(codeHash: Uint8Array): Uint8Array {
    return this.#state.codeOfHash(codeHash);
  }

  /** Implements StateView: returns the value of the slot. */
  storage(address: Uint8Array, slot: Uint8Array): Uint8Array {
    return toWord(this.#state.storageOf(address, slot));
  }

  /** Implements StateView. The current block does not change any block hash. */
  blockHash(number: number): Uint8Array | null {
    return this.#below.blockHash(number);
  }
}
