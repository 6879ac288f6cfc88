// Runs one precompile by itself, as an engine does.
import { ReferenceEngine } from '../../src/evm/reference/reference-engine.js';
import type { ForkRules } from '../../src/evm/reference/fork-rules.js';
import { JournaledState } from '../../src/evm/journal/journaled-state.js';
import type { PrecompileImplementations } from '../../src/evm/precompiles/precompile-implementations.js';
import { toHex } from '../../src/lib/bytes/hex.js';
import { toBytes } from '../../src/lib/bytes/big-endian.js';
import { MemoryView } from './memory-view.js';

/** Result of a precompile call. */
export interface PrecompileAnswer {
  readonly gas: bigint;
  /** As hex. */
  readonly output: string;
  /** The library's error message; null on success. */
  readonly error: string | null;
}

/** Runs the precompile at this address. */
export type RunPrecompile = (number: number, data: Uint8Array, gasLimit: bigint) => Promise<PrecompileAnswer>;

/** Runs the precompiles of a fork with the implementations in `precompiles`. */
export function precompileRunner(rules: ForkRules, precompiles: PrecompileImplementations): RunPrecompile {
  const engine = new ReferenceEngine({ rules, state: new JournaledState(new MemoryView()), precompiles });
  return async (number, data, gasLimit) => {
    const result = await engine.runPrecompile(toBytes(BigInt(number), 20), data, gasLimit, Infinity);
    const { executionGasUsed, returnValue, exceptionError } = result!;
    return { gas: executionGasUsed, output: toHex(returnValue), error: exceptionError?.error ?? null };
  };
}
