// The engines that execute on one state. Runs on publisher and estimators.
import { ReferenceEngine } from '../evm/ethereumjs/reference-engine.js';
import type { ForkRules } from '../evm/ethereumjs/fork-rules.js';
import type { Engine } from '../evm/engine.js';
import type { JournaledState } from '../evm/journaled-state.js';
import type { CreateEngine } from '../evm/kernel/engines.js';

/** One engine for each fork, made when it is first asked for. */
export class ForkEngines {
  readonly #state: JournaledState;
  readonly #create: CreateEngine;
  readonly #engines = new Map<ForkRules, Engine>();

  /** `create`: makes an engine, by default the reference. */
  constructor(state: JournaledState, create: CreateEngine = (rules, on) => new ReferenceEngine({ rules, state: on })) {
    this.#state = state;
    this.#create = create;
  }

  /** The engine of a fork. Making one takes up to some 10 ms. */
  at(rules: ForkRules): Engine {
    let engine = this.#engines.get(rules);
    if (engine === undefined) this.#engines.set(rules, (engine = this.#create(rules, this.#state)));
    return engine;
  }
}
