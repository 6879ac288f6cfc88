// Traces a call, or transactions of a block that is replayed, with a tracer attached.

// Traces run on the reference. See DECISIONS.md.
import { toHex } from '../../lib/bytes/hex.js';
import type { ConfirmedTransaction } from '../../state/block.js';
import type { Job, JobOutcome } from '../../transaction/call-request.js';
import { createTransaction, validateCall } from '../../transaction/call-validation.js';
import { isDepositTransaction, type BlockTransaction } from '../../transaction/signed.js';
import type { Trace, TracerSpec } from '../../transaction/trace-request.js';
import type { BlockExecutor } from '../block/executor.js';
import { ResponseSize, TOO_LARGE } from '../call/response-size.js';
import { applyCall } from '../call/apply-call.js';
import { overrideBlock, overrideState, precompileMoves } from '../call/overrides.js';
import { failure, least } from '../call/preflight.js';
import { replayed, type ReplayWatch } from '../call/replay.js';
import { environmentAt, type SequenceBase } from '../call/sequence.js';
import type { TracedEngines } from './traced-engines.js';
import { AnswerFull, NothingTraced, type Tracer } from './tracer.js';
import { tracerOf } from './tracers.js';

/** What a trace is executed on. */
export interface TraceBase extends SequenceBase {
  readonly engines: TracedEngines;
}

/** Runs the job's trace. */
export async function trace(job: Job, base: TraceBase): Promise<JobOutcome> {
  const listened = job.trace!;
  try {
    return listened.of === 'call' ? await traceCall(job, listened, base) : await traceReplay(job, listened, base);
  } catch (error) {
    if (error instanceof AnswerFull) return TOO_LARGE;
    if (error instanceof NothingTraced) return failure(error.message);
    throw error;
  } finally {
    base.engines.listen(null);
  }
}

/** Approximate characters of a transaction's entry in a block trace, apart from its trace. */
const ENTRY_CHARACTERS = 100;

async function traceCall(job: Job, { tracer: spec }: Trace, start: TraceBase): Promise<JobOutcome> {
  const { replay, stateOverride, blockOverride, call } = job;
  const logs = new LogCount();
  const base = replay === undefined ? start : await replayed(replay, start, logs);
  if ('kind' in base) return base;
  const { state } = base;
  const env = overrideBlock(base.env, blockOverride);
  const plain = environmentAt(env, blockOverride, [], base.blockHash, base);
  const precompiles = precompileMoves(stateOverride, plain.engine);
  if ('error' in precompiles) return failure(precompiles.error);
  const error = overrideState(stateOverride, state);
  if (error !== null) return failure(error);
  const { rules, engine, context } = environmentAt(env, blockOverride, precompiles.moves, base.blockHash, base);
  if (!rules.common.isActivatedEIP(1559)) return failure('calls are traced from London on');
  const limit = least(call.gas ?? job.gasCap, job.gasCap);
  const tx = createTransaction(call, rules, context);
  const invalid = validateCall(tx, limit, state);
  if (invalid !== null) return failure(`tracing failed: ${invalid.text()}`);
  const tracer = tracerOf(spec, new ResponseSize());
  tracer.begin({
    from: call.from,
    to: call.to,
    gasLimit: limit,
    authorizations: call.authorizationList ?? [],
    coinbase: env.coinbase,
    state,
    rules,
    isPrecompile: (address) => engine.isPrecompile(address, []),
    logsBefore: logs.count,
  });
  start.engines.listen(tracer);
  tracer.end((await applyCall(tx, limit, { rules, engine, state })).gasUsed);
  return { kind: 'json', text: tracer.text() };
}

/** Traces the last transaction of the replay, or all of them. */
async function traceReplay(job: Job, { of, tracer }: Trace, base: TraceBase): Promise<JobOutcome> {
  const replay = job.replay!;
  const first = of === 'block' ? 0 : replay.transactions.length - 1;
  const watch = new TracedReplay(tracer, first, base);
  const end = await replayed(replay, base, watch);
  if ('kind' in end) return end;
  return { kind: 'json', text: of === 'block' ? `[${watch.texts.join(',')}]` : watch.results[0]! };
}

/** Counts the logs of a replay; those of the call are numbered after them. */
class LogCount implements ReplayWatch {
  count = 0;

  /** See `ReplayWatch`. */
  begins(): void {}

  /** See `ReplayWatch`. */
  ended({ receipt }: ConfirmedTransaction): void {
    this.count += receipt.logs.length;
  }
}

/** Attaches a tracer to each transaction of a replay from a given one on. */
class TracedReplay implements ReplayWatch {
  /** Results of the tracers, as JSON text. */
  readonly results: string[] = [];
  readonly #hashes: string[] = [];
  readonly #spec: TracerSpec;
  readonly #first: number;
  readonly #base: TraceBase;
  readonly #room = new ResponseSize();
  #tracer: Tracer | null = null;
  #logs = 0;

  constructor(spec: TracerSpec, first: number, base: TraceBase) {
    this.#spec = spec;
    this.#first = first;
    this.#base = base;
  }

  /** The results with their transactions' hashes. */
  get texts(): string[] {
    return this.results.map((result, index) => `{"txHash":"${this.#hashes[index]!}","result":${result}}`);
  }

  /** See `ReplayWatch`. */
  begins(transaction: BlockTransaction, index: number, { plan: { env }, rules }: BlockExecutor): void {
    if (index < this.#first) return;
    if (!this.#room.take(ENTRY_CHARACTERS)) throw new AnswerFull();
    const { from, to, gasLimit } = transaction;
    const { state, engines } = this.#base;
    const engine = engines.at(rules);
    this.#tracer = tracerOf(this.#spec, this.#room);
    this.#tracer.begin({
      from,
      to,
      gasLimit,
      authorizations: isDepositTransaction(transaction) ? [] : (transaction.authorizationList ?? []),
      coinbase: env.coinbase,
      state,
      rules,
      isPrecompile: (address) => engine.isPrecompile(address, []),
      logsBefore: this.#logs,
    });
    engines.listen(this.#tracer);
  }

  /** See `ReplayWatch`. */
  ended({ hash, receipt: { gasUsed, logs } }: ConfirmedTransaction): void {
    this.#logs += logs.length;
    if (this.#tracer === null) return;
    this.#base.engines.listen(null);
    this.#tracer.end(gasUsed);
    this.results.push(this.#tracer.text());
    this.#hashes.push(toHex(hash));
  }
}
