// Engines for traces: the reference while a tracer is attached, the normal engines otherwise.
import type { Applied, EvmEngine, Execution, ExecutionContext, EvmMessage, PrecompileMove } from '../../evm/engine.js';
import { NATIVE_PRECOMPILES } from '../../evm/precompiles/precompile-set.js';
import type { ReadSet } from '../../evm/read-set.js';
import type { ForkRules } from '../../evm/reference/fork-rules.js';
import { ReferenceEngine } from '../../evm/reference/reference-engine.js';
import type { JournaledState } from '../../evm/journal/journaled-state.js';
import { ForkEngines } from '../fork-engines.js';
import type { Tracer } from './tracer.js';

/** Engines on one state, with at most one tracer attached. */
export class TracedEngines extends ForkEngines {
  readonly #ear: { tracer: Tracer | null };

  /** `plain`: the engines used while no tracer is attached. */
  constructor(state: JournaledState, plain: ForkEngines) {
    const ear: { tracer: Tracer | null } = { tracer: null };
    super(state, (rules) => new TracedEngine(rules, state, { plain, ear }));
    this.#ear = ear;
  }

  /** Attaches a tracer to what is executed from now on, in place of the last one; `null` detaches. */
  listen(tracer: Tracer | null): void {
    this.#ear.tracer = tracer;
  }
}

class TracedEngine implements EvmEngine {
  readonly #rules: ForkRules;
  readonly #plain: ForkEngines;
  readonly #ear: { readonly tracer: Tracer | null };
  /** Reports frames; the other one, created on first use, reports steps as well. */
  readonly #reference: ReferenceEngine;
  #stepped: ReferenceEngine | null = null;
  readonly #state: JournaledState;

  constructor(
    rules: ForkRules,
    state: JournaledState,
    { plain, ear }: { readonly plain: ForkEngines; readonly ear: { readonly tracer: Tracer | null } },
  ) {
    this.#rules = rules;
    this.#plain = plain;
    this.#ear = ear;
    this.#state = state;
    this.#reference = this.#made(false);
  }

  get runsAll(): boolean {
    return this.#ear.tracer !== null;
  }

  execute(message: EvmMessage, context: ExecutionContext, gasLimit: bigint): Execution | Promise<Execution> {
    return this.#engine.execute(message, context, gasLimit);
  }

  apply(message: EvmMessage, context: ExecutionContext, gasLimit: bigint): Applied | Promise<Applied> {
    return this.#engine.apply(message, context, gasLimit);
  }

  readSet(): ReadSet {
    return this.#engine.readSet();
  }

  isPrecompile(address: Uint8Array, moves: readonly PrecompileMove[]): boolean {
    return this.#reference.isPrecompile(address, moves);
  }

  get #engine(): EvmEngine {
    const { tracer } = this.#ear;
    if (tracer === null) return this.#plain.at(this.#rules);
    return tracer.stepped === undefined ? this.#reference : (this.#stepped ??= this.#made(true));
  }

  #made(tellsSteps: boolean): ReferenceEngine {
    const [rules, state, hooks] = [this.#rules, this.#state, () => this.#ear.tracer!];
    return new ReferenceEngine({ rules, state, precompiles: NATIVE_PRECOMPILES, hooks, tellsSteps });
  }
}
