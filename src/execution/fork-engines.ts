// The engines that execute on one state, one for each fork.

// Engines that retain much memory are created anew: pages once written to stay with the process, and V8 keeps 64 KiB
// for each module of compiled traces and, on Node 20, a copy of the table that all of them import. See DECISIONS.md.
import { ReferenceEngine } from '../evm/reference/reference-engine.js';
import type { ForkRules } from '../evm/reference/fork-rules.js';
import type { EvmEngine } from '../evm/evm-engine.js';
import type { JournaledState } from '../evm/journal/journaled-state.js';
import type { CreateEngine } from '../evm/kernel/engine-factory.js';
import { collectGarbage } from '../lib/memory/garbage-collection.js';
import { LIMITS } from '../limits/index.js';

/** One engine for each fork, created when it is first used. */
export class ForkEngines {
  readonly #state: JournaledState;
  readonly #create: CreateEngine;
  readonly #bytesKeptMax: number;
  #engines = new Map<ForkRules, EvmEngine>();
  #newest: ForkRules | null = null;

  /** `create` creates an engine; by default it is the reference. */
  constructor(
    state: JournaledState,
    create: CreateEngine = (rules, on) => new ReferenceEngine({ rules, state: on }),
    bytesKeptMax: number = LIMITS.engineBytesKeptMax,
  ) {
    this.#state = state;
    this.#create = create;
    this.#bytesKeptMax = bytesKeptMax;
  }

  /** The engine of a fork. Creating one takes up to some 10 ms. */
  at(rules: ForkRules): EvmEngine {
    this.#newest = rules;
    let engine = this.#engines.get(rules);
    if (engine === undefined) this.#engines.set(rules, (engine = this.#create(rules, this.#state)));
    return engine;
  }

  /**
   * Drops all engines if they retain more than `bytesKeptMax` together, and creates the one used last again, which
   * takes some 30 ms. Nothing may be executed meanwhile, and no earlier engine may be used afterwards.
   */
  renew(bytesKeptMax = this.#bytesKeptMax): void {
    if (this.#keptBytes() <= bytesKeptMax) return;
    this.#engines = new Map();
    // Before the new one is created, so that unused memory is returned to the system.
    collectGarbage();
    this.at(this.#newest!);
  }

  /** A function of its own, because what a function has referenced may not be collected before it ends. */
  #keptBytes(): number {
    let bytes = 0;
    for (const engine of this.#engines.values()) bytes += engine.keptBytes ?? 0;
    return bytes;
  }
}
