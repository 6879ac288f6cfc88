// The engines that execute on one state.

// Engines that retain much memory are recreated (`src/execution/fork-engines.ts`): a page once written to stays with
// the process, and V8 keeps for each module of compiled traces 64 KiB and, on Node 20, a copy of the table that all of
// them import. See DECISIONS.md.
import { ReferenceEngine } from '../evm/reference/reference-engine.js';
import type { ForkRules } from '../evm/reference/fork-rules.js';
import type { EvmEngine } from '../evm/engine.js';
import type { JournaledState } from '../evm/journal/journaled-state.js';
import type { CreateEngine } from '../evm/kernel/engines.js';
import { collectGarbage } from '../lib/memory/garbage.js';
import { LIMITS } from '../limits/index.js';

/** One engine for each fork, created on first use. */
export class ForkEngines {
  readonly #state: JournaledState;
  readonly #create: CreateEngine;
  readonly #bytesKeptMax: number;
  #engines = new Map<ForkRules, EvmEngine>();
  #newest: ForkRules | null = null;

  /** `create`: creates an engine, by default the reference. */
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
   * Drops all engines if they retain more than `bytesKeptMax` together, and recreates the one used last: some 30 ms.
   * Nothing may be executed meanwhile, and no engine from before may be used afterwards.
   */
  renew(bytesKeptMax = this.#bytesKeptMax): void {
    if (this.#keptBytes() <= bytesKeptMax) return;
    this.#engines = new Map();
    // Before the new one: unreferenced memory is returned to the system when it is collected.
    collectGarbage();
    this.at(this.#newest!);
  }

  /** Separate from `renew`: what a function has referenced may not be collected before it ends. */
  #keptBytes(): number {
    let bytes = 0;
    for (const engine of this.#engines.values()) bytes += engine.keptBytes ?? 0;
    return bytes;
  }
}
