// Makes the results of precompiles.
import { EVMError, type ExecResult } from '@ethereumjs/evm';
import { EMPTY_BYTES } from '../../lib/bytes/big-endian.js';

/** An error of @ethereumjs for a failed precompile. */
export type PrecompileFailure = EVMError['error'];

/** Makes the result of a failed call, which consumes all its gas. */
export function precompileFailed(error: PrecompileFailure, gasLimit: bigint): ExecResult {
  return { returnValue: EMPTY_BYTES, executionGasUsed: gasLimit, exceptionError: new EVMError(error) };
}

/** Makes the result of a successful call. */
export function precompileSucceeded(returnValue: Uint8Array, executionGasUsed: bigint): ExecResult {
  return { returnValue, executionGasUsed };
}
