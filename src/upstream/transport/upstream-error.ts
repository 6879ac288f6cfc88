// Errors of requests to an upstream node.

/**
 * `unreachable`: no attempt has had a usable response (no connection, timeout, status 5xx, rate limit). `refused`: the
 * node does not offer the method, or does not support block hashes as parameters (EIP-1898). `notFound`: the node does
 * not know the block, or has pruned its state. `malformed`: the response is not valid JSON-RPC, or its hashes do not
 * match its contents. `rpc`: any other JSON-RPC error. `closed`: the client was closed in the meantime.
 */
export type UpstreamErrorKind = 'unreachable' | 'refused' | 'notFound' | 'malformed' | 'rpc' | 'closed';

/** The `error` member of a JSON-RPC response in a form that may be shown: without secrets and of limited length. */
export interface RpcErrorObject {
  readonly code: number;
  readonly message: string;
  /** Data in `0x` hex; left out if it is not hex or too long. */
  readonly data?: string;
}

/** The only error that an `Upstream` throws. Its message never contains the node's URL, which may contain a key. */
export class UpstreamError extends Error {
  readonly kind: UpstreamErrorKind;
  /** The node's own error; `null` if the node has returned none. */
  readonly rpc: RpcErrorObject | null;

  constructor(kind: UpstreamErrorKind, message: string, rpc: RpcErrorObject | null = null) {
    super(message);
    this.name = 'UpstreamError';
    this.kind = kind;
    this.rpc = rpc;
  }
}

/** Returns true if the error means that the node did not respond at all. Otherwise other requests may succeed. */
export function isNodeSilent({ kind }: UpstreamError): boolean {
  return kind === 'unreachable' || kind === 'closed';
}

/**
 * Returns `null` for an error with which the node has responded. Throws any other error, such as that the node does not
 * respond.
 */
export function nullIfRefused(error: unknown): null {
  if (error instanceof UpstreamError && !isNodeSilent(error)) return null;
  throw error;
}
