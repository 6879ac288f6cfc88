// Engines for traces: the normal ones, which report frames, or the reference if every step is needed.
import type {
  AppliedMessage,
  EvmEngine,
  Execution,
  ExecutionContext,
  EvmMessage,
  PrecompileMove,
} from '../../evm/evm-engine.js';
import { NATIVE_PRECOMPILES } from '../../evm/precompiles/precompile-set.js';
import type { ReadSet } from '../../evm/read-set.js';
import type { ForkRules } from '../../evm/reference/fork-rules.js';
import { ReferenceEngine } from '../../evm/reference/reference-engine.js';
import type { JournaledState } from '../../evm/journal/journaled-state.js';
import { ForkEngines } from '../fork-engines.js';
import type { Tracer } from './tracer.js';

/** Engines on one state, with at most one tracer attached. */
export class TracedEngines extends ForkEngines {
  readonly #listener: { tracer: Tracer | null };

  /** `plain` are the engines that are used while no tracer is attached. */
  constructor(state: JournaledState, plain: ForkEngines) {
    const listener: { tracer: Tracer | null } = { tracer: null };
    super(state, (rules) => new TracedEngine(rules, state, { plain, listener }));
    this.#listener = listener;
  }

  /** Attaches a tracer for everything that is executed from now on, in place of the last one; `null` detaches it. */
  listen(tracer: Tracer | null): void {
    this.#listener.tracer = tracer;
  }
}

class TracedEngine implements EvmEngine {
  readonly #rules: ForkRules;
  readonly #plain: ForkEngines;
  readonly #listener: { readonly tracer: Tracer | null };
  /** The engine for tracers that need every step. */
  #reference: ReferenceEngine | null = null;
  readonly #state: JournaledState;

  constructor(
    rules: ForkRules,
    state: JournaledState,
    { plain, listener }: { readonly plain: ForkEngines; readonly listener: { readonly tracer: Tracer | null } },
  ) {
    this.#rules = rules;
    this.#plain = plain;
    this.#listener = listener;
    this.#state = state;
  }

  get runsAll(): boolean {
    return this.#listener.tracer !== null;
  }

  execute(message: EvmMessage, context: ExecutionContext, gasLimit: bigint): Execution | Promise<Execution> {
    return this.#engine.execute(message, context, gasLimit);
  }

  apply(message: EvmMessage, context: ExecutionContext, gasLimit: bigint): AppliedMessage | Promise<AppliedMessage> {
    const { tracer } = this.#listener;
    return this.#engine.apply(tracer === null ? message : { ...message, hooks: tracer }, context, gasLimit);
  }

  readSet(): ReadSet {
    return this.#engine.readSet();
  }

  isPrecompile(address: Uint8Array, moves: readonly PrecompileMove[]): boolean {
    return this.#plain.at(this.#rules).isPrecompile(address, moves);
  }

  get #engine(): EvmEngine {
    if (this.#listener.tracer?.stepped === undefined) return this.#plain.at(this.#rules);
    const [rules, state] = [this.#rules, this.#state];
    return (this.#reference ??= new ReferenceEngine({ rules, state, precompiles: NATIVE_PRECOMPILES }));
  }
}
