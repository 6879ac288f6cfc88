// The embedded dev chain: accepts transactions, executes them in increments, and seals a block every two seconds.

// The request that submits a transaction is answered when an increment has executed the transaction. It is also
// answered when an increment had to leave the transaction in the pool, because an earlier nonce of its sender is
// missing or its fee is too low. See DECISIONS.md.
import type { ChainDescription } from '../../chain/chain-description.js';
import { BlockExecutor, type BlockPlan } from '../../execution/block/block-executor.js';
import { decodeHeader, positionAfterBlock, type Header } from '../../chain/block/header.js';
import { TransactionExecutor, type TransactionExecutorDeps } from '../../execution/block/transaction-executor.js';
import { createChainRules, type ChainRules } from '../../evm/reference/fork-rules.js';
import { StateTrie, type StateContents } from '../../chain/state-root.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { toHex } from '../../lib/bytes/hex.js';
import type { Clock } from '../../lib/clock.js';
import { LIMITS } from '../../limits/index.js';
import type { ExecutedTransaction, ChainHead } from '../../state/complete-block.js';
import type { BlockEnv, StateDiff, StateChanges } from '../../state/state-diff.js';
import type { StateView } from '../../state/views/state-view.js';
import type { InvalidTransactionReason } from '../../transaction/validation.js';
import {
  BLOCK_INTERVAL_MS,
  blockTagsForLatest,
  nextInstantIncrementAt,
  nextBlockEnv,
  nextScheduledMs,
  nextIncrementAt,
  WallClockOffset,
} from './block-timing.js';
import { DEV_CHAIN_BY_HARDFORK, devGenesisBlock, devGenesisState } from './genesis.js';
import type {
  VersionAnnouncement,
  Feed,
  FeedSink,
  HashOrSenderNonce,
  AcceptedTransaction,
  SubmissionResult,
} from '../feed.js';
import type { DevChainOptions, DevHardforkName } from '../chain-source-options.js';
import { DevSnapshots } from './snapshots.js';
import { LoadGenerator } from './load-generator.js';
import { SubmissionValidationQueue, WaitingSubmissions, refusedSubmission } from './submissions-awaiting-response.js';
import { checkTransaction, type CheckedTransaction } from './stateless-transaction-validation.js';
import { TransactionPool, type TransactionsByTip, type PoolSenderAccount } from './transaction-pool.js';

export interface DevChainDeps {
  readonly clock: Clock;
  /** Returns the complete state at the head from which the chain resumes. Called once, and only if there is a head. */
  readonly contents: () => StateContents;
  /** Dependencies of the transaction executor; without them it uses the reference engine. */
  readonly executor?: TransactionExecutorDeps;
}

/**
 * Reasons for which a transaction that cannot be executed now stays in the pool. `feeTooLow` can only mean the blob fee
 * here, because the base fee was checked before.
 */
const MAY_PASS_LATER: ReadonlySet<string> = new Set<InvalidTransactionReason>([
  'nonceTooHigh',
  'blockFull',
  'feeTooLow',
]);
const TRAFFIC_SEED = 1;
/**
 * Largest number of transactions that may wait in the pool for each account of the generated traffic. An account that
 * has reached it, as when blocks are full, sends no more.
 */
const TRAFFIC_WAITING_MAX = 16n;
const NOT_TAKING = 'the chain is not taking transactions';
/** Extra data in the header of every block. */
export const DEV_EXTRA_DATA = new Uint8Array(Buffer.from('prestate'));

/** Creates a dev chain. It produces no blocks until `run` is called. */
export function createDevChain(options: DevChainOptions, deps: DevChainDeps): Feed {
  return new DevChain(options, deps);
}

/** The last complete block, on which the next one is built. */
interface Parent {
  readonly hash: Uint8Array;
  readonly header: Header;
}

/** The objects with which the chain builds all its blocks. */
interface Site {
  readonly sink: FeedSink;
  readonly executor: TransactionExecutor;
  readonly trie: StateTrie;
}

/** The block that is being built. */
interface Draft {
  readonly blockExecutor: BlockExecutor;
  readonly env: BlockEnv;
  readonly parent: Parent;
  readonly sink: FeedSink;
  /** Index, within the block, of the increment that was published last. */
  index: number;
  /** When the last published increment started. */
  atMs: number;
  /** Hashes, as hex, of the transactions executed in this block: to refuse a transaction that is submitted again. */
  readonly executed: Set<string>;
}

class DevChain implements Feed {
  readonly chain: ChainDescription;
  readonly #deps: DevChainDeps;
  readonly #fork: DevHardforkName;
  readonly #rules: ChainRules;
  readonly #blockClock: WallClockOffset;
  readonly #submissions = new SubmissionValidationQueue();
  readonly #pool = new TransactionPool<CheckedTransaction>();
  readonly #load: LoadGenerator;
  readonly #arrivals = new WaitingSubmissions<CheckedTransaction>();
  readonly snapshots = new DevSnapshots<Parent>(() => this.#arrivals.ring());
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  /** The block that is being built, against which new transactions are checked; `null` while there is none. */
  #draft: Draft | null = null;

  constructor(options: DevChainOptions, deps: DevChainDeps) {
    const { fork = 'osaka' } = options;
    this.#fork = fork;
    this.chain = DEV_CHAIN_BY_HARDFORK[fork];
    this.#rules = createChainRules(this.chain);
    this.#deps = deps;
    this.#blockClock = new WallClockOffset(deps.clock);
    this.#load = new LoadGenerator(options.trafficTps, TRAFFIC_SEED);
  }

  run(sink: FeedSink, head: ChainHead | null): Promise<void> {
    this.#running = this.#make(sink, head);
    return this.#running;
  }

  /** Stops the chain. The block that is being built gets one more increment and is sealed early. */
  stop(): Promise<void> {
    this.#stopping.abort();
    this.#arrivals.ring();
    return this.#running;
  }

  /**
   * Submits a transaction. It is accepted when it was executed in a published increment, or when it waits in the pool
   * for a missing nonce or a lower base fee. It is also accepted when it still waits for space in a block and the
   * response must not be delayed any longer.
   */
  submit(raw: Uint8Array): Promise<SubmissionResult> {
    return this.#submissions.add(() => this.#admit(raw));
  }

  /** Finds a transaction of the pool, including one that was executed but not published yet. */
  waiting(named: HashOrSenderNonce): AcceptedTransaction | null {
    return 'hash' in named ? this.#pool.get(named.hash) : this.#pool.at(named.from, named.nonce);
  }

  async #admit(raw: Uint8Array): Promise<SubmissionResult> {
    const draft = this.#draft;
    if (draft === null || this.#stopping.signal.aborted) return refusedSubmission(NOT_TAKING);
    const context = {
      chainId: this.chain.chainId,
      rules: draft.blockExecutor.rules,
      blockGasLimit: draft.env.gasLimit,
    };
    const isKnown = (hash: Uint8Array): boolean => this.#pool.get(hash) !== null || draft.executed.has(toHex(hash));
    const checked = checkTransaction(raw, context, isKnown);
    if ('refusal' in checked) return refusedSubmission(checked.refusal);
    const { transaction } = checked;
    const nowMs = this.#deps.clock.now();
    const refusal = this.#pool.add(transaction, accountOf(draft.sink.view(), transaction.from), nowMs);
    return refusal === null ? this.#arrivals.add(transaction, nowMs) : refusedSubmission(refusal);
  }

  async #make(sink: FeedSink, head: ChainHead | null): Promise<void> {
    const { clock, contents } = this.#deps;
    const trie = head === null ? new StateTrie() : StateTrie.of(contents());
    let parent =
      head === null ? await this.#genesis(sink, trie) : { hash: head.hash, header: decodeHeader(head.header) };
    const site = { sink, trie, executor: new TransactionExecutor(this.#rules, sink.view(), this.#deps.executor) };
    let endMs = clock.now() + BLOCK_INTERVAL_MS;
    while (!this.#stopping.signal.aborted) {
      // The next block is started only when this one is complete.
      parent = await this.#block(site, parent, endMs);
      // If the block was sealed early, the next one ends when this one was due to end.
      endMs = nextScheduledMs(endMs - BLOCK_INTERVAL_MS, BLOCK_INTERVAL_MS, clock.now());
    }
    // Transactions that were accepted while the last block was archived, or did not fit into it, get one more block.
    if (this.#pool.size > 0) await this.#block(site, parent, endMs);
    this.#draft = null;
    this.#arrivals.refuse(NOT_TAKING);
  }

  async #genesis(sink: FeedSink, trie: StateTrie): Promise<Parent> {
    const state = devGenesisState(this.#fork);
    trie.apply(state);
    const { block, header } = devGenesisBlock(trie.root(), Math.floor(this.#deps.clock.wall() / 1000), this.#fork);
    await sink.complete({ ...positionAfterBlock(header, block.hash), heads: blockTagsForLatest(0), ...state }, block);
    return { hash: block.hash, header };
  }

  async #block(site: Site, parent: Parent, endMs: number): Promise<Parent> {
    const { clock } = this.#deps;
    const { sink } = site;
    const draft = await this.#open(site, parent, endMs);
    this.snapshots.opened();
    let snapshotStep: ReturnType<typeof this.snapshots.next>;
    do {
      await this.#sleep(draft.atMs, endMs);
      await this.#increment(sink, draft);
      snapshotStep = this.snapshots.next(parent, draft.blockExecutor.gasUsed === 0n);
    } while (snapshotStep === null && clock.now() < endMs && !this.#stopping.signal.aborted);
    if (snapshotStep?.kind === 'goBack') return this.#goBack(site, snapshotStep.to);
    const sealed = await draft.blockExecutor.seal();
    await sink.complete(diffOf(draft, sealed.block.hash, sealed.changes), sealed.block);
    const block = { hash: sealed.block.hash, header: sealed.header };
    snapshotStep?.sealed(block);
    return block;
  }

  /** Reverts everything after block `to`, and drops waiting transactions. */
  async #goBack({ sink, trie }: Site, to: Parent): Promise<Parent> {
    const { header, hash } = to;
    const { number } = header;
    this.#pool.clear();
    this.#arrivals.refuse('the chain was reverted to a snapshot');
    trie.apply(await sink.goBack({ ...positionAfterBlock(header, hash), heads: blockTagsForLatest(number) }));
    if (!sameBytes(trie.root(), header.stateRoot)) throw new Error(`block ${number} is not what it was`);
    return to;
  }

  /** Sleeps until the next increment is due: at its regular time, or earlier if a transaction arrives. */
  async #sleep(lastMs: number, endMs: number): Promise<void> {
    if (this.#stopping.signal.aborted || this.snapshots.any) return;
    const { clock } = this.#deps;
    await clock.sleepUntil(nextIncrementAt(clock.now(), endMs), this.#arrivals.signal);
    if (this.#arrivals.any)
      await clock.sleepUntil(nextInstantIncrementAt(clock.now(), lastMs, endMs), this.#stopping.signal);
  }

  /** Opens the block that ends at `endMs`, and publishes the changes made by its system calls. */
  async #open({ sink, executor, trie }: Site, parent: Parent, endMs: number): Promise<Draft> {
    const env = nextBlockEnv(parent.hash, parent.header, this.#blockClock.secondsAt(endMs), this.#rules);
    const plan: BlockPlan = { env, parentHash: parent.hash, extraData: DEV_EXTRA_DATA, withdrawals: [], work: null };
    const blockExecutor = await BlockExecutor.open(plan, { executor, view: sink.view(), trie });
    const atMs = this.#deps.clock.now();
    const draft: Draft = { blockExecutor, env, parent, sink, index: 0, atMs, executed: new Set() };
    sink.publish(diffOf(draft, null, blockExecutor.cut()), announcementOf(draft, []));
    this.#draft = draft;
    return draft;
  }

  /**
   * Executes transactions of the pool, publishes the result, removes the transactions from the pool and answers their
   * senders.
   */
  async #increment(sink: FeedSink, draft: Draft): Promise<void> {
    const { baseFeePerGas } = draft.env;
    const nowMs = (draft.atMs = this.#deps.clock.now());
    if (!this.#arrivals.anyLeftOut) this.#addLoad(draft, sink.view(), nowMs);
    this.#arrivals.begin();
    const selection = this.#pool.select(baseFeePerGas, nowMs, nonceIn(sink.view()));
    const { executed, done } = await this.#execute(draft.blockExecutor, selection, nowMs + LIMITS.devIncrementMsMax);
    for (const { hash } of executed) draft.executed.add(toHex(hash));
    draft.index++;
    sink.publish(diffOf(draft, null, draft.blockExecutor.cut()), announcementOf(draft, executed));
    this.#pool.settle(done);
    this.#arrivals.settle(this.#pool.ready(baseFeePerGas, nonceIn(sink.view())), this.#deps.clock.now());
  }

  /**
   * Executes selected transactions until none fits into the block, or the time is used up. `done` lists the
   * transactions that leave the pool, because they were executed or can never be executed.
   */
  async #execute(
    blockExecutor: BlockExecutor,
    selection: TransactionsByTip<CheckedTransaction>,
    untilMs: number,
  ): Promise<{ executed: ExecutedTransaction[]; done: CheckedTransaction[] }> {
    const executed: ExecutedTransaction[] = [];
    const done: CheckedTransaction[] = [];
    while (this.#deps.clock.now() < untilMs) {
      const next = selection.next(blockExecutor.gasLeft);
      if (next === null) break;
      const applied = await blockExecutor.apply(next);
      if (applied.kind === 'applied') {
        executed.push(applied.transaction);
        selection.included(next);
      }
      if (applied.kind === 'refused' && MAY_PASS_LATER.has(applied.reason))
        this.#pool.release(next, applied.reason !== 'blockFull');
      else done.push(next);
    }
    return { executed, done };
  }

  /**
   * Adds generated traffic to the pool, for at most LIMITS.devTrafficMsMax. Skips accounts of which TRAFFIC_WAITING_MAX
   * transactions already wait.
   */
  #addLoad({ env, blockExecutor }: Draft, view: StateView, nowMs: number): void {
    const { clock } = this.#deps;
    const nonceOf = (from: Uint8Array): bigint | null => {
      const { nonce } = accountOf(view, from);
      const next = this.#pool.nextNonce(from, nonce);
      return next < nonce + TRAFFIC_WAITING_MAX ? next : null;
    };
    const untilMs = nowMs + LIMITS.devTrafficMsMax;
    for (let due = this.#load.due(nowMs); due > 0 && clock.now() < untilMs; due--) {
      const transaction = this.#load.make(env.baseFeePerGas, blockExecutor.rules, nonceOf);
      if (transaction !== null) this.#pool.add(transaction, accountOf(view, transaction.from), nowMs);
    }
  }
}

function nonceIn(view: StateView): (address: Uint8Array) => bigint {
  return (address) => accountOf(view, address).nonce;
}

function accountOf(view: StateView, address: Uint8Array): PoolSenderAccount {
  return view.account(address) ?? { nonce: 0n, balance: 0n };
}

function announcementOf({ blockExecutor }: Draft, transactions: readonly ExecutedTransaction[]): VersionAnnouncement {
  const { gasUsed, blobGasUsed } = blockExecutor;
  return { gasUsed, blobGasUsed, extraData: DEV_EXTRA_DATA, transactions };
}

/** Returns changes of the block as a state version. `hash` is the block's hash; `null` while it is not complete. */
function diffOf({ env, index, parent }: Draft, hash: Uint8Array | null, changes: StateChanges): StateDiff {
  const coordinates = { block: env.number, index, hash, parentHash: parent.hash };
  return { coordinates, env, heads: blockTagsForLatest(hash === null ? env.number - 1 : env.number), ...changes };
}
