// How a call ended: a result or an error.
import type { RpcError } from '../../rpc-errors.js';

/** A long result: JSON text as UTF-8 bytes. */
export class JsonBytes {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** The outcome of one call: the result as JSON text, bytes that are written as hex, or an error. */
export type RpcCallOutcome = string | JsonBytes | Uint8Array | RpcError;

export function isError(result: RpcCallOutcome): result is RpcError {
  return typeof result !== 'string' && !(result instanceof Uint8Array) && !(result instanceof JsonBytes);
}

export function methodResultJson(result: Exclude<RpcCallOutcome, RpcError>): string {
  if (typeof result === 'string') return result;
  return Buffer.from(result instanceof JsonBytes ? result.bytes : result).toString();
}
