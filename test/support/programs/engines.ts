// The two engines to compare: the reference engine, and the kernel that is tested against it.
import type { JitBounds } from '../../../src/evm/kernel/compiler/jit-compiler.js';
import { KernelEngine, type FallbackReason } from '../../../src/evm/kernel/kernel-engine.js';
import { ReferenceEngine } from '../../../src/evm/reference/reference-engine.js';
import { NATIVE_FIRST_PRECOMPILES } from '../../../src/evm/precompiles/precompile-implementations.js';
import type { MakeEngine } from './compare.js';

/** How often the kernel fell back to the reference engine, by reason; such an execution proves nothing. */
export const fallbacks = new Map<FallbackReason, number>();

export const referenceEngine: MakeEngine = (rules, state) => new ReferenceEngine({ rules, state });

/** Compiles what runs for the second time, having interpreted it once; compiled code is soon evicted. */
export const EAGER: JitBounds = { runs: 2, runsMin: 1, timeShare: 1, bytesMax: 16_000_000, keptMs: 0 };

/** Counts the traces that the kernel has compiled. */
export const compiled = { traces: 0 };

export const candidateEngine: MakeEngine = (rules, state) =>
  new KernelEngine({
    rules,
    state,
    precompiles: NATIVE_FIRST_PRECOMPILES,
    onFallback: count,
    compile: EAGER,
    onCompiled: (traces) => (compiled.traces += traces),
  });

function count(reason: FallbackReason): void {
  fallbacks.set(reason, (fallbacks.get(reason) ?? 0) + 1);
  if (reason === 'trap') throw new Error('the kernel has trapped');
}
