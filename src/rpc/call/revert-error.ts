// Converts a revert to a JSON-RPC error: by default in the form of the execution API's specification, or, if so
// configured, in go-ethereum's form.
import { rpcError, type RpcError } from '../../rpc-errors.js';
import { revertMessage } from '../../evm/revert-reason.js';

/** Creates the error for this revert data. With `code` 3, its message contains the decoded reason. */
export function revertError(data: Uint8Array, code: number): RpcError {
  if (code !== 3) return rpcError('revert', undefined, data);
  return rpcError('revertWithReason', revertMessage(data), data);
}
