// Errors of requests to an upstream node.

/**
 * `unreachable`: no connection, timeouts, 5xx or rate limits until the retries were used up. `refused`: the node does
 * not offer the method, or does not support EIP-1898 block hashes. `notFound`: the node does not know the block, or has
 * pruned its state. `malformed`: a response that is not JSON-RPC, or that contradicts itself (hashes that do not
 * match). `rpc`: any other JSON-RPC error. `closed`: the client was closed meanwhile.
 */
export type UpstreamErrorKind = 'unreachable' | 'refused' | 'notFound' | 'malformed' | 'rpc' | 'closed';

/** The `error` member of a JSON-RPC response, as it may be shown: without secrets, and of bounded length. */
export interface RpcErrorObject {
  readonly code: number;
  readonly message: string;
  /** `0x` hex; omitted if it is not hex, or too long. */
  readonly data?: string;
}

/**
 * All promises of an `Upstream` reject with this error only. The message never contains the node's URL, which may carry
 * a key.
 */
export class UpstreamError extends Error {
  readonly kind: UpstreamErrorKind;
  /** The node's own error, if it returned one. */
  readonly rpc: RpcErrorObject | null;

  constructor(kind: UpstreamErrorKind, message: string, rpc: RpcErrorObject | null = null) {
    super(message);
    this.name = 'UpstreamError';
    this.kind = kind;
    this.rpc = rpc;
  }
}

/** True if the node has not responded at all; otherwise it has, and other requests may succeed. */
export function isSilence({ kind }: UpstreamError): boolean {
  return kind === 'unreachable' || kind === 'closed';
}

/** Returns null for an error that means the node refuses the result. Rethrows that of a silent node, and any other. */
export function nullIfRefused(error: unknown): null {
  if (error instanceof UpstreamError && !isSilence(error)) return null;
  throw error;
}
