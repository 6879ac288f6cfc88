// Traces a call, or transactions of a block that is executed again.

import { toHex } from '../../lib/bytes/hex.js';
import { keccak256 } from '../../lib/bytes/keccak-wasm.js';
import type { ExecutedTransaction } from '../../state/complete-block.js';
import { failureOutcome, type Job, type JobOutcome, type BlockReplay } from '../../transaction/evm-job.js';
import { createCallTransaction, firstViolatedCallRule } from '../../transaction/call-validation.js';
import { isDepositTransaction, type SignedOrDepositTransaction } from '../../transaction/signed-transaction.js';
import type { JobTrace } from '../../transaction/trace-request-types.js';
import type { BlockExecutor } from '../block/block-executor.js';
import { ResponseSizeBudget, RESPONSE_TOO_LARGE } from '../call/response-size-budget.js';
import { applyCall } from '../call/apply-call-as-transaction.js';
import { overrideBlock, overrideState } from '../call/overrides.js';
import { replayTransactions, type ReplayObserver } from '../call/replay-transactions.js';
import { createCallEnvironment, type CallSequenceBase } from '../call/call-environment.js';
import type { TracedEngines } from './traced-engines.js';
import { CallMatchTracer } from './call-match-tracer.js';
import { MuxTracer } from './mux-tracer.js';
import { TraceTooLargeError, NothingTracedError, type Tracer } from './tracer.js';
import { createTracer } from './create-tracer.js';
import { minBigInt } from '../../lib/min-max-bigint.js';

/** State and engines on which a trace job is executed. */
export interface TraceBase extends CallSequenceBase {
  readonly engines: TracedEngines;
}

export function traceJob(job: Job, base: TraceBase): Promise<JobOutcome> {
  const listened = job.trace!;
  return runThenDetachTracers(base.engines, () =>
    listened.of === 'call' ? traceCall(job, listened, base) : traceReplay(job, listened, base),
  );
}

/**
 * Returns the outcome of `run`, which attaches tracers. If a tracer aborts the run, returns the outcome for its error.
 */
export async function runThenDetachTracers(
  engines: TracedEngines,
  run: () => Promise<JobOutcome>,
): Promise<JobOutcome> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof TraceTooLargeError) return RESPONSE_TOO_LARGE;
    if (error instanceof NothingTracedError) return failureOutcome(error.message);
    throw error;
  } finally {
    engines.detach();
  }
}

/** Approximate number of characters in the response for a transaction of a block trace, without the trace itself. */
const ENTRY_CHARACTERS = 100;

async function traceCall(job: Job, { tracer: spec }: JobTrace, start: TraceBase): Promise<JobOutcome> {
  const { replay, stateOverride, blockOverride, call } = job;
  let logsBefore = 0;
  const countLogs: ReplayObserver = {
    ended: ({ receipt }) => {
      logsBefore += receipt.logs.length;
    },
  };
  const base = replay === undefined ? start : await replayTransactions(replay, start, countLogs);
  if ('kind' in base) return base;
  const { state } = base;
  const env = overrideBlock(base.env, blockOverride);
  const moves = overrideState(stateOverride, base.engines.at(base.rules.at(env.number, env.timestamp)), state);
  if (typeof moves === 'string') return failureOutcome(moves);
  const { rules, engine, context } = createCallEnvironment(env, blockOverride, moves, base.blockHash, base);
  if (!rules.common.isActivatedEIP(1559)) return failureOutcome('calls are traced from London on');
  const limit = minBigInt(call.gas ?? job.gasCap, job.gasCap);
  const tx = createCallTransaction(call, rules, context);
  const invalid = firstViolatedCallRule(tx, limit, state);
  if (invalid !== null) return failureOutcome(`tracing failed: ${invalid.text()}`);
  const tracer = createTracer(spec, new ResponseSizeBudget());
  const block = { rules, coinbase: env.coinbase, logsBefore };
  start.engines.attach(tracer, { ...call, gasLimit: limit }, block);
  tracer.end((await applyCall(tx, limit, { rules, engine, state }, { isLast: true })).gasUsed);
  return { kind: 'json', text: tracer.text() };
}

/** Traces the last replayed transaction; or, for a block, all transactions from the first requested one on. */
async function traceReplay(job: Job, wanted: JobTrace, base: TraceBase): Promise<JobOutcome> {
  const replay = job.replay!;
  const watch = new TracedReplay(wanted, replay, base.engines);
  const end = await replayTransactions(replay, base, watch);
  if ('kind' in end) return end;
  return { kind: 'json', text: wanted.of === 'block' ? `[${watch.results.join(',')}]` : watch.results[0]! };
}

/** Attaches a tracer to each replayed transaction, starting at the first one whose trace is requested. */
class TracedReplay implements ReplayObserver {
  /** Results as JSON; for a block, each with the hash of its transaction. */
  readonly results: string[] = [];
  readonly #wanted: JobTrace;
  readonly #first: number;
  readonly #replay: BlockReplay;
  readonly #blockHash: string | null;
  readonly #engines: TracedEngines;
  readonly #budget = new ResponseSizeBudget();
  #filter: CallMatchTracer | null = null;
  /** The tracer whose result goes into the response. */
  #shown: Tracer | null = null;
  /** The tracer that receives the events of the execution; it may pass them on to the call filter, too. */
  #tracer: Tracer | null = null;
  #logs = 0;

  constructor(wanted: JobTrace, replay: BlockReplay, engines: TracedEngines) {
    this.#wanted = wanted;
    this.#first = wanted.of === 'block' ? (wanted.first ?? 0) : replay.transactions.length - 1;
    this.#replay = replay;
    this.#blockHash = wanted.isComplete === true ? toHex(keccak256(replay.header)) : null;
    this.#engines = engines;
  }

  begins(transaction: SignedOrDepositTransaction, index: number, { plan: { env }, rules }: BlockExecutor): void {
    if (index < this.#first) return;
    const { hash } = this.#replay.transactions[index]!;
    const included = { blockHash: this.#blockHash, blockNumber: env.number, hash, index };
    const block = { rules, coinbase: env.coinbase, logsBefore: this.#logs, included };
    const message = isDepositTransaction(transaction) ? { ...transaction, authorizationList: null } : transaction;
    this.#tracer = this.#made();
    this.#engines.attach(this.#tracer, message, block);
  }

  ended({ hash, receipt: { gasUsed, logs } }: ExecutedTransaction): void {
    this.#logs += logs.length;
    if (this.#tracer === null) return;
    this.#engines.detach();
    this.#tracer.end(gasUsed);
    if (this.#filter?.hasMatched === false) return;
    const text = this.#shown!.text();
    const characters = ENTRY_CHARACTERS + (this.#filter === null ? 0 : text.length);
    if (!this.#budget.take(characters)) throw new TraceTooLargeError();
    this.results.push(this.#wanted.of === 'block' ? `{"txHash":"${toHex(hash)}","result":${text}}` : text);
  }

  /**
   * Makes the tracer of a transaction. With a filter, a trace takes from the response's size budget only if its
   * transaction matches.
   */
  #made(): Tracer {
    const { tracer: spec, filter } = this.#wanted;
    if (filter === undefined) return (this.#shown = createTracer(spec, this.#budget));
    this.#filter = new CallMatchTracer(filter);
    this.#shown = createTracer(spec, new ResponseSizeBudget());
    return new MuxTracer(new Map([['filter', this.#filter] as const, ['shown', this.#shown] as const]), this.#budget);
  }
}
