// The engines that are compared: the reference, and the one that is to be proved. Runs in tests only.
import { ReferenceEngine } from '../../../src/evm/reference-engine.js';
import { KernelEngine } from '../../../src/evm/kernel/kernel-engine.js';
import type { MakeEngine } from './compare.js';

export const referenceEngine: MakeEngine = (rules, state) => new ReferenceEngine({ rules, state });

/** The engine that is to be proved; `wasm`: compiled from sources other than those of the build. */
export function candidateEngine(wasm: Uint8Array | null): MakeEngine {
  if (wasm !== null) throw new Error('there is no engine in WebAssembly yet');
  return (rules, state) =>
    new KernelEngine({
      rules,
      state,
      onFallback: (reason) => {
        if (reason === 'trap') throw new Error('trapped');
      },
    });
}
