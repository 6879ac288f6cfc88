// Engines for traces: kernel engines that report frames; the reference engine if a tracer needs every instruction.
import type {
  AppliedMessage,
  EvmEngine,
  Execution,
  ExecutionContext,
  EvmMessage,
  PrecompileMove,
} from '../../evm/evm-engine.js';
import { NATIVE_FIRST_PRECOMPILES } from '../../evm/precompiles/precompile-implementations.js';
import type { ReadSet } from '../../evm/read-set.js';
import type { ForkRules } from '../../evm/reference/fork-rules.js';
import { ReferenceEngine } from '../../evm/reference/reference-engine.js';
import type { JournaledState } from '../../evm/journal/journaled-state.js';
import { ForkEngines } from '../fork-engines.js';
import type { TracedTransaction, Tracer } from './tracer.js';

/** A call or transaction whose execution is traced. */
interface TracedMessage extends Pick<TracedTransaction, 'from' | 'to' | 'gasLimit'> {
  readonly authorizationList: TracedTransaction['authorizations'] | null;
}

/**
 * The block in which a `TracedMessage` is executed. By default no precompile is moved, and the message is not one of
 * the block's transactions.
 */
interface TracedBlock extends Pick<TracedTransaction, 'rules' | 'coinbase' | 'logsBefore'> {
  readonly moves?: readonly PrecompileMove[];
  readonly included?: TracedTransaction['included'];
}

/** Engines on one state. At most one tracer is attached at a time. */
export class TracedEngines extends ForkEngines {
  readonly #state: JournaledState;
  readonly #listener: { tracer: Tracer | null };

  /** `plain` has the engines that are used while no tracer is attached. */
  constructor(state: JournaledState, plain: ForkEngines) {
    const listener: { tracer: Tracer | null } = { tracer: null };
    super(state, (rules) => new TracedEngine(rules, state, { plain, listener }));
    this.#state = state;
    this.#listener = listener;
  }

  /** Attaches a tracer in place of the previous one, for a transaction that is about to be executed. */
  attach(tracer: Tracer, transaction: TracedMessage, block: TracedBlock): void {
    const { from, to, gasLimit, authorizationList } = transaction;
    const { rules, coinbase, logsBefore, moves = [], included = null } = block;
    const engine = this.at(rules);
    const isPrecompile = (address: Uint8Array): boolean => engine.isPrecompile(address, moves);
    const authorizations = authorizationList ?? [];
    const state = this.#state;
    tracer.begin({ from, to, gasLimit, authorizations, coinbase, state, rules, isPrecompile, logsBefore, included });
    this.#listener.tracer = tracer;
  }

  /** Detaches the tracer, if there is one. */
  detach(): void {
    this.#listener.tracer = null;
  }
}

class TracedEngine implements EvmEngine {
  readonly #rules: ForkRules;
  readonly #plain: ForkEngines;
  readonly #listener: { readonly tracer: Tracer | null };
  /** Reference engine for tracers that need every instruction; created when first needed. */
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
    return (this.#reference ??= new ReferenceEngine({ rules, state, precompiles: NATIVE_FIRST_PRECOMPILES }));
  }
}
