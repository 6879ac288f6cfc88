// The EVM engines on one state, one engine per fork.

// Engines that retain much memory are replaced by new ones, for two reasons. WebAssembly memory never shrinks. And for
// each module of compiled traces V8 keeps 64 KiB and, on Node 20, a copy of the table that all modules import. See
// DECISIONS.md.
import { ReferenceEngine } from '../evm/reference/reference-engine.js';
import type { ForkRules } from '../evm/reference/fork-rules.js';
import type { EvmEngine } from '../evm/evm-engine.js';
import type { JournaledState } from '../evm/journal/journaled-state.js';
import type { CreateEngine } from '../evm/kernel/kernel-or-reference-engine.js';
import { collectGarbage } from '../lib/memory/garbage-collection.js';
import { LIMITS } from '../limits/index.js';

/** Has one engine per fork. An engine is created when it is first used. */
export class ForkEngines {
  readonly #state: JournaledState;
  readonly #create: CreateEngine;
  #engines = new Map<ForkRules, EvmEngine>();
  #newest: ForkRules | null = null;

  /** `create` creates an engine; by default a reference engine. */
  constructor(state: JournaledState, create: CreateEngine = (rules, on) => new ReferenceEngine({ rules, state: on })) {
    this.#state = state;
    this.#create = create;
  }

  /** Returns the engine of a fork. Creating it takes up to 10 ms. */
  at(rules: ForkRules): EvmEngine {
    this.#newest = rules;
    let engine = this.#engines.get(rules);
    if (engine === undefined) this.#engines.set(rules, (engine = this.#create(rules, this.#state)));
    return engine;
  }

  /**
   * Drops all engines if together they retain more than `bytesKeptMax` of memory. Then creates a new engine for the
   * fork that was used last, which takes some 30 ms. No job may run during this call, and engines obtained earlier must
   * not be used afterwards.
   */
  renew(bytesKeptMax: number = LIMITS.engineBytesKeptMax): void {
    if (this.#keptBytes() <= bytesKeptMax) return;
    this.#engines = new Map();
    // Collect garbage before the new engine is created, so that the old memory is returned to the system.
    collectGarbage();
    this.at(this.#newest!);
  }

  /**
   * A separate function, because V8 may retain what a function has referenced until it returns. In `renew` itself, this
   * would keep the old engines in memory.
   */
  #keptBytes(): number {
    let bytes = 0;
    for (const engine of this.#engines.values()) bytes += engine.keptBytes ?? 0;
    return bytes;
  }
}
