// Turns a revert into a JSON-RPC error: by default in the specification's form, or if configured in go-ethereum's.
import { rpcError, type RpcError } from '../../errors.js';
import { revertReason } from '../../evm/revert-reason.js';

/** The error for this revert data. With `code` 3, the message contains the reason. */
export function revertError(data: Uint8Array, code: number): RpcError {
  if (code !== 3) return rpcError('revert', undefined, data);
  const reason = revertReason(data);
  return rpcError('revertWithReason', reason === null ? undefined : `execution reverted: ${reason}`, data);
}
