// Results of a precompile.
import { EVMError, type ExecResult } from '@ethereumjs/evm';

const EMPTY = new Uint8Array(0);

/** The library's error for a failed precompile. */
export type PrecompileFailure = EVMError['error'];

/** A failed call, which consumes all its gas. */
export function precompileFailed(error: PrecompileFailure, gasLimit: bigint): ExecResult {
  return { returnValue: EMPTY, executionGasUsed: gasLimit, exceptionError: new EVMError(error) };
}

/** A call that succeeded. */
export function precompileSucceeded(returnValue: Uint8Array, executionGasUsed: bigint): ExecResult {
  return { returnValue, executionGasUsed };
}
