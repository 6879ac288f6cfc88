// Runs one precompile by itself, as an engine does.
import { ReferenceEngine } from '../../src/evm/reference/reference-engine.js';
import type { ForkRules } from '../../src/evm/reference/fork-rules.js';
import { JournaledState } from '../../src/evm/journal/journaled-state.js';
import type { PrecompileImplementations } from '../../src/evm/precompiles/precompile-implementations.js';
import { toHex } from '../../src/lib/bytes/hex.js';
import { toBytes } from '../../src/lib/bytes/big-endian.js';
import { MemoryView } from './memory-view.js';

/** Outcome of a call of a precompile. */
export interface PrecompileAnswer {
  readonly gas: bigint;
  /** Hex. */
  readonly output: string;
  /** The library's word for why it failed; null where it succeeded. */
  readonly error: string | null;
}

/** Runs the precompile with this number. */
export type RunPrecompile = (number: number, data: Uint8Array, gasLimit: bigint) => Promise<PrecompileAnswer>;

/** Precompiles of a fork that are computed with `precompiles`. */
export function precompileRunner(rules: ForkRules, precompiles: PrecompileImplementations): RunPrecompile {
  const engine = new ReferenceEngine({ rules, state: new JournaledState(new MemoryView()), precompiles });
  return async (number, data, gasLimit) => {
    const result = await engine.runPrecompile(toBytes(BigInt(number), 20), data, gasLimit, Infinity);
    const { executionGasUsed, returnValue, exceptionError } = result!;
    return { gas: executionGasUsed, output: toHex(returnValue), error: exceptionError?.error ?? null };
  };
}
