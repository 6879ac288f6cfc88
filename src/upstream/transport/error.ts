// Reason for which an upstream node did not answer what was asked. Runs on the publisher.

/**
 * `unreachable`: no connection, timeouts, 5xx or rate limits until the retries were used up.
 * `refused`: the node does not offer the method, or does not understand EIP-1898 block hashes.
 * `notFound`: the node does not know the block, or has thrown its state away.
 * `malformed`: an answer that is no JSON-RPC answer, or that contradicts itself (hashes that do not check).
 * `rpc`: any other JSON-RPC error.
 * `closed`: the client was closed meanwhile.
 */
export type UpstreamErrorKind = 'unreachable' | 'refused' | 'notFound' | 'malformed' | 'rpc' | 'closed';

/** The `error` member of a JSON-RPC answer, as it may be shown: without secrets, and bounded. */
export interface RpcErrorObject {
  readonly code: number;
  readonly message: string;
  /** `0x` hex; what is none, or too long, is left out. */
  readonly data?: string;
}

/** Every promise of an `Upstream` that rejects, rejects with this. The text holds nothing of the node's URL, which may carry a key. */
export class UpstreamError extends Error {
  readonly kind: UpstreamErrorKind;
  /** The node's own error, where it has answered one. */
  readonly rpc: RpcErrorObject | null;

  constructor(kind: UpstreamErrorKind, message: string, rpc: RpcErrorObject | null = null) {
    super(message);
    this.name = 'UpstreamError';
    this.kind = kind;
    this.rpc = rpc;
  }
}

/** The node has not answered at all; else it has, or has been found to answer wrongly, and others may be answered. */
export function isSilence({ kind }: UpstreamError): boolean {
  return kind === 'unreachable' || kind === 'closed';
}

/** Stands for a result that the node refuses. Throws on what is no answer, and whatever else it is. */
export function nullIfRefused(error: unknown): null {
  if (error instanceof UpstreamError && !isSilence(error)) return null;
  throw error;
}
