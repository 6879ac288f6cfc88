// The JSON-RPC error table, the only place where error codes are written.

// Clients classify errors by go-ethereum's messages rather than by codes, so those are kept byte for byte. See
// DECISIONS.md.

/** Every error that the service returns: code and default message (JSON-RPC 2.0, EIP-1474, go-ethereum's messages). */
export const ERRORS = {
  parse: { code: -32700, message: 'parse error' },
  invalidRequest: { code: -32600, message: 'invalid request' },
  emptyBatch: { code: -32600, message: 'empty batch' },
  batchTooLarge: { code: -32600, message: 'batch too large' },
  methodNotFound: { code: -32601, message: 'method not found' },
  invalidParams: { code: -32602, message: 'invalid params' },
  internal: { code: -32603, message: 'internal error' },
  execution: { code: -32000, message: 'execution failed' },
  /** A call or estimate exceeded its time; go-ethereum's message contains the limit. */
  timeout: { code: -32000, message: 'execution aborted' },
  /** An estimator ran out of memory while it ran the job. */
  outOfMemory: { code: -32000, message: 'execution needs more memory than there is' },
  revert: { code: -32000, message: 'execution reverted' },
  /** A revert in go-ethereum's form (`--revert-error-code 3`). */
  revertWithReason: { code: 3, message: 'execution reverted' },
  transactionRejected: { code: -32000, message: 'transaction rejected' },
  /** EIP-7966: the transaction was submitted and not included in time; data: its hash. */
  notIncluded: { code: 4, message: 'the transaction was not pre-confirmed in time' },
  /** The transaction waits for another one of its sender; data: the nonce that is expected. */
  nonceGap: { code: 6, message: 'the transaction leaves a gap of nonces' },
  stateNotKept: { code: -32000, message: 'missing trie node: state is not available' },
  /** EIP-1898: the block is known, but a reorganization has removed it. */
  notCanonical: { code: -32000, message: 'hash is not currently canonical' },
  blockNotFound: { code: -32001, message: 'block not found' },
  /** The execution API's error for a block without an access list (EIP-7928). */
  resourceNotFound: { code: -32001, message: 'Resource not found' },
  responseTooLarge: { code: -32003, message: 'response too large' },
  /** EIP-1474's code for a limit that the client has to respect: retrying does not help. */
  tooManyResults: { code: -32005, message: 'query returned too many results' },
  overload: { code: -32005, message: 'limit exceeded' },
  /** The answer has to be read from the upstream node, which does not respond, or not to this. */
  upstream: { code: -32603, message: 'the upstream node does not answer' },
  /** The execution calls non-EVM code, so only the node could do it, and it cannot. */
  foreign: { code: -32000, message: "the execution calls code that is not the EVM's" },
  /** Like `foreign`: under unknown or unverified rules nothing is executed here, so only the node could do it. */
  rulesUnknown: { code: -32603, message: 'the rules of the chain are not known to be right' },
  /** The call's state of a live chain was replaced while it ran; it is retried as long as that makes sense. */
  stateReset: { code: -32603, message: 'state was reset during the read; retry' },
  /**
   * The upstream node returned an error of its own, which is marked so (`"source":"upstream"`); `RpcError.code` is its
   * code.
   */
  passedOn: { code: -32603, message: 'the upstream node answered with an error' },
  /** The least position that the request accepts (`x-least-block`, `x-least-index`) has not been reached. */
  behind: { code: -32001, message: 'not there yet' },
  /** go-ethereum's error for subscriptions over HTTP. */
  notificationsUnsupported: { code: -32001, message: 'notifications not supported' },
  /** A subscription cannot be resumed from that point. */
  notKept: { code: -32001, message: 'what has happened since then is not kept' },
  /**
   * eth_simulateV1, with go-ethereum's codes: why a call cannot be a transaction of its block. The first is for every
   * other reason.
   */
  invalidTransaction: { code: -32603, message: 'invalid transaction' },
  nonceTooLow: { code: -38010, message: 'nonce too low' },
  nonceTooHigh: { code: -38011, message: 'nonce too high' },
  feeTooLow: { code: -38012, message: 'max fee per gas less than block base fee' },
  intrinsicGas: { code: -38013, message: 'intrinsic gas too low' },
  insufficientFunds: { code: -38014, message: 'insufficient funds for gas * price + value' },
  blockGasLimit: { code: -38015, message: 'block gas limit reached' },
  initcodeTooLarge: { code: -38025, message: 'max initcode size exceeded' },
  /** eth_simulateV1: blocks that cannot follow one another. */
  blockNumberOrder: { code: -38020, message: 'block numbers must be in order' },
  blockTimeOrder: { code: -38021, message: 'block timestamps must be in order' },
  tooManyBlocks: { code: -38026, message: 'too many blocks' },
  unknownBlock: { code: -39001, message: 'Unknown block' },
} as const satisfies Record<string, { code: number; message: string }>;

/** Name of a row of the error table. */
export type ErrorName = keyof typeof ERRORS;

/** An expected failure of a request: a value that is returned, never thrown. */
export interface RpcError {
  readonly error: ErrorName;
  readonly message: string;
  /** The error's data: bytes, which are returned as hex, or text, mostly what the upstream node returned. */
  readonly data?: string | Uint8Array;
  /** Only with `passedOn`: the code of the upstream node's error. */
  readonly code?: number;
}

/** An error of the table, with its default message or a more specific one. */
export function rpcError(error: ErrorName, message: string = ERRORS[error].message, data?: Uint8Array): RpcError {
  return data === undefined ? { error, message } : { error, message, data };
}

/** The block, given as a number or hash in hex, is known, but its state is no longer kept. */
export function stateNotKept(block: string | number): RpcError {
  return rpcError('stateNotKept', `missing trie node: state at block ${block} is not available`);
}

/**
 * The block, a number or a hash in hex, does not exist: all methods use this message. It is not go-ethereum's `header
 * not found`, which clients take for a node that lags behind: cast retries eight times.
 */
export function blockNotFound(block: string): RpcError {
  return rpcError('blockNotFound', `block not found: ${block}`);
}
