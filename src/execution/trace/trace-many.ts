// Traces consecutive calls, for debug_traceCallMany, trace_call, trace_callMany and eth_callMany.
import { toHex } from '../../lib/bytes/hex.js';
import type { CallRequest, Job, JobOutcome } from '../../transaction/evm-job.js';
import type { JobTrace, TracerSpec } from '../../transaction/trace-request-types.js';
import type { ExecutionResult } from '../block/state-transition.js';
import { StateDiffRenderer } from '../bundle/state-diff-renderer.js';
import { callManyResults, type CallObserver } from '../call/call-many.js';
import { ResponseSizeBudget } from '../call/response-size-budget.js';
import type { CallEnvironment, CallSequenceBase } from '../call/call-environment.js';
import { runThenDetachTracers, type TraceBase } from './trace-job.js';
import type { TracedEngines } from './traced-engines.js';
import type { Tracer } from './tracer.js';
import { createTracer } from './create-tracer.js';

/** Runs the calls of a job with a tracer attached to each. */
export function traceMany(job: Job, base: TraceBase): Promise<JobOutcome> {
  return runThenDetachTracers(base.engines, async () => {
    const results = await callManyResults(job, base, new TracedCalls(job.trace!, base.engines));
    return 'kind' in results ? results : { kind: 'json', text: textOf(job.trace!, results) };
  });
}

function textOf({ of }: JobTrace, results: readonly (readonly string[])[]): string {
  if (of === 'onlyCall') return results[0]![0]!;
  const bundles = results.map((texts) => `[${texts.join(',')}]`);
  return of === 'calls' ? bundles[0]! : `[${bundles.join(',')}]`;
}

/** Attaches a tracer to each call of a sequence. */
class TracedCalls implements CallObserver {
  readonly #trace: JobTrace;
  readonly #engines: TracedEngines;
  readonly #budget = new ResponseSizeBudget();
  #diffs: StateDiffRenderer | null = null;
  #tracer: Tracer | null = null;
  #spec: TracerSpec;
  #calls = 0;
  #logs = 0;

  constructor(trace: JobTrace, engines: TracedEngines) {
    this.#trace = trace;
    this.#engines = engines;
    this.#spec = trace.tracer;
  }

  starts(base: CallSequenceBase): void {
    const specs = this.#trace.tracers ?? [this.#trace.tracer];
    if (!specs.some((spec) => spec.name === 'parityTracer' && spec.stateDiff)) return;
    this.#diffs = new StateDiffRenderer(base.state, base.view);
    this.#diffs.skip();
  }

  begins(call: CallRequest, gasLimit: bigint, { rules, context }: CallEnvironment): void {
    this.#spec = this.#trace.tracers?.[this.#calls++] ?? this.#trace.tracer;
    const isListened = this.#spec.name !== 'parityTracer' || this.#spec.trace;
    this.#tracer = isListened ? createTracer(this.#spec, this.#budget) : null;
    if (this.#tracer === null) return this.#engines.detach();
    const { env, precompileMoves: moves } = context;
    const block = { rules, coinbase: env.coinbase, logsBefore: this.#logs, moves };
    this.#engines.attach(this.#tracer, { ...call, gasLimit }, block);
  }

  shown(applied: ExecutionResult, result: string): string | null {
    this.#engines.detach();
    this.#tracer?.end(applied.gasUsed);
    this.#logs += applied.run.logs.length;
    const stateDiff = this.#diffs === null ? undefined : this.#diffs.nextOfParity(this.#budget);
    if (stateDiff === null) return null;
    if (this.#spec.name === 'parityTracer') return this.#ofParity(applied, stateDiff);
    const trace = this.#tracer!.text();
    return this.#trace.of === 'results' ? `${result.slice(0, -1)},"trace":${trace}}` : trace;
  }

  #ofParity({ run }: ExecutionResult, stateDiff: object | undefined): string {
    const isWanted = this.#spec.name === 'parityTracer' && this.#spec.stateDiff;
    const output = run.status === 'halt' ? '0x' : toHex(run.returnData);
    const diff = isWanted ? JSON.stringify(stateDiff) : 'null';
    return `{"output":"${output}","stateDiff":${diff},"trace":${this.#tracer?.text() ?? '[]'},"vmTrace":null}`;
  }
}
