// Creates the EVM engines of this process: on the kernel, or the reference engine.
import type { EvmEngine } from '../evm-engine.js';
import { ReferenceEngine } from '../reference/reference-engine.js';
import { NATIVE_FIRST_PRECOMPILES } from '../precompiles/precompile-implementations.js';
import type { ForkRules } from '../reference/fork-rules.js';
import type { JournaledState } from '../journal/journaled-state.js';
import { KernelCounters } from './kernel-counters-and-code-denylist.js';
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
  { mode }: KernelSettings,
  counters: KernelCounters,
): EvmEngine {
  const deps = { rules, state, precompiles: NATIVE_FIRST_PRECOMPILES };
  const onMessage = (): void => void counters.add('executions');
  const instead = (reason: 'fork' | 'memory'): EvmEngine => {
    const counted = (): void => {
      onMessage();
      counters.add(reason);
    };
    return new ReferenceEngine({ ...deps, onMessage: counted });
  };
  if (!isKernelFork(rules)) return instead('fork');
  const isDenylisted = (codeHash: Uint8Array): boolean => counters.isDenylisted(codeHash);
  try {
    return new KernelEngine({
      ...deps,
      onMessage,
      onFallback: (reason) => counters.add(reason),
      onCompiled: (traces) => counters.add('traces', traces),
      compile: mode === 'interpreted' ? null : JIT_BOUNDS,
      // While the denylist is empty, the engine need not compute which code a message calls.
      get isDenylisted() {
        return counters.denylisted === 0 ? undefined : isDenylisted;
      },
    });
  } catch (error) {
    if (error instanceof RangeError) return instead('memory');
    throw error;
  }
}
