// Creates the EVM engines of this process: on the kernel, or the reference engine.
import type {
  AppliedMessage,
  EvmEngine,
  Execution,
  ExecutionContext,
  EvmMessage,
  PrecompileMove,
} from '../evm-engine.js';
import { ReferenceEngine } from '../reference/reference-engine.js';
import { NATIVE_FIRST_PRECOMPILES } from '../precompiles/precompile-implementations.js';
import type { ReadSet } from '../read-set.js';
import type { ForkRules } from '../reference/fork-rules.js';
import type { JournaledState } from '../journal/journaled-state.js';
import { KernelCounters, type KernelCounter } from './kernel-counters-and-code-denylist.js';
import { JIT_BOUNDS } from './compiler/jit-compiler.js';
import { KernelEngine } from './kernel-engine.js';
import { isKernelFork } from './write-fork-rules.js';

/**
 * How the kernel is used (`--kernel`). `interpreted`: it compiles nothing. `off`: the reference engine executes
 * everything.
 */
export type KernelMode = 'on' | 'interpreted' | 'off';

/** Kernel settings, which all threads share. */
export interface KernelSettings {
  readonly mode: KernelMode;
  /** Shared memory of the process's `KernelCounters`. */
  readonly counters: SharedArrayBuffer;
}

/** Creates an engine for one fork that executes on `state`. */
export type CreateEngine = (rules: ForkRules, state: JournaledState) => EvmEngine;

/** Returns the function that creates this thread's engines. */
export function engineFactory(settings: KernelSettings): CreateEngine {
  if (settings.mode === 'off')
    return (rules, state) => new ReferenceEngine({ rules, state, precompiles: NATIVE_FIRST_PRECOMPILES });
  const counters = new KernelCounters(settings.counters);
  return (rules, state) => createKernel(rules, state, settings, counters);
}

/**
 * Creates a kernel engine; or a reference engine, if the fork is not supported or there is not enough address space (a
 * kernel reserves some 10 GB).
 */
function createKernel(
  rules: ForkRules,
  state: JournaledState,
  settings: KernelSettings,
  counters: KernelCounters,
): EvmEngine {
  const instead = (reason: 'fork' | 'memory'): EvmEngine => {
    const reference = new ReferenceEngine({ rules, state, precompiles: NATIVE_FIRST_PRECOMPILES });
    return new CountedEngine(reference, ['executions', reason], counters);
  };
  if (!isKernelFork(rules)) return instead('fork');
  try {
    return kernelEngine(rules, state, settings, counters);
  } catch (error) {
    if (error instanceof RangeError) return instead('memory');
    throw error;
  }
}

function kernelEngine(
  rules: ForkRules,
  state: JournaledState,
  { mode }: KernelSettings,
  counters: KernelCounters,
): EvmEngine {
  const isDenylisted = (codeHash: Uint8Array): boolean => counters.isDenylisted(codeHash);
  const kernel = new KernelEngine({
    rules,
    state,
    precompiles: NATIVE_FIRST_PRECOMPILES,
    onFallback: (reason) => counters.add(reason),
    onCompiled: (traces) => counters.add('traces', traces),
    compile: mode === 'interpreted' ? null : JIT_BOUNDS,
    // While the denylist is empty, the engine need not compute which code a message calls.
    get isDenylisted() {
      return counters.denylisted === 0 ? undefined : isDenylisted;
    },
  });
  return new CountedEngine(kernel, ['executions'], counters);
}

/** Wraps an engine and counts its messages. */
class CountedEngine implements EvmEngine {
  readonly #engine: EvmEngine;
  readonly #counted: readonly KernelCounter[];
  readonly #counters: KernelCounters;

  constructor(engine: EvmEngine, counted: readonly KernelCounter[], counters: KernelCounters) {
    this.#engine = engine;
    this.#counted = counted;
    this.#counters = counters;
  }

  execute(message: EvmMessage, context: ExecutionContext, gasLimit: bigint): Execution | Promise<Execution> {
    this.#count();
    return this.#engine.execute(message, context, gasLimit);
  }

  apply(message: EvmMessage, context: ExecutionContext, gasLimit: bigint): AppliedMessage | Promise<AppliedMessage> {
    this.#count();
    return this.#engine.apply(message, context, gasLimit);
  }

  readSet(): ReadSet {
    return this.#engine.readSet();
  }

  get keptBytes(): number {
    return this.#engine.keptBytes ?? 0;
  }

  isPrecompile(address: Uint8Array, moves: readonly PrecompileMove[]): boolean {
    return this.#engine.isPrecompile(address, moves);
  }

  #count(): void {
    for (const counter of this.#counted) this.#counters.add(counter);
  }
}
