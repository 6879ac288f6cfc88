// The JSON-RPC error table. Error codes are written nowhere else.

// Clients recognize errors by go-ethereum's messages, which are therefore the same here byte for byte. See
// DECISIONS.md.

/**
 * One kind of error. METHODS.md prints `when` (when a client gets the error) and `remedy` (what the client should do
 * then).
 */
interface ErrorRow {
  readonly code: number;
  readonly message: string;
  readonly when: string;
  readonly remedy: string;
}

/**
 * Every error that the service returns: its code and default message (JSON-RPC 2.0, EIP-1474, go-ethereum's messages).
 */
export const ERRORS = {
  parse: { code: -32700, message: 'parse error', when: 'the body is not valid JSON', remedy: 'fix it' },
  invalidRequest: {
    code: -32600,
    message: 'invalid request',
    when: 'a member of the request is missing or has the wrong type',
    remedy: 'fix it',
  },
  emptyBatch: { code: -32600, message: 'empty batch', when: 'a batch has no calls', remedy: 'do not send it' },
  batchTooLarge: {
    code: -32600,
    message: 'batch too large',
    when: 'a batch has more calls than `--batch-max`',
    remedy: 'split it',
  },
  methodNotFound: {
    code: -32601,
    message: 'method not found',
    when: 'the method is not supported, or not on this chain; the message names the flag that enables it',
    remedy: 'use another method, or set the flag',
  },
  invalidParams: {
    code: -32602,
    message: 'invalid params',
    when: 'a parameter is missing, has the wrong type or is out of bounds; the message says which',
    remedy: 'fix it',
  },
  internal: {
    code: -32603,
    message: 'internal error',
    when: 'a bug in prestate; the log has the details',
    remedy: 'report it',
  },
  execution: {
    code: -32000,
    message: 'execution failed',
    when: 'the request cannot be executed; the message says why',
    remedy: 'depends on the message',
  },
  /** A call or estimate took longer than its time limit. As in go-ethereum, the message contains the limit. */
  timeout: {
    code: -32000,
    message: 'execution aborted',
    when: 'the call or estimate took longer than `--estimate-timeout`',
    remedy: 'reduce the request, or raise the limit',
  },
  /** An estimator thread ran out of memory while it ran the job. */
  outOfMemory: {
    code: -32000,
    message: 'execution needs more memory than there is',
    when: 'an estimator ran out of memory while it ran the job',
    remedy: 'reduce the request',
  },
  revert: {
    code: -32000,
    message: 'execution reverted',
    when: 'the code reverted; `data` has its bytes',
    remedy: 'decode it: the transaction would revert, too',
  },
  /** A revert in the form that go-ethereum uses (`--revert-error-code 3`). */
  revertWithReason: {
    code: 3,
    message: 'execution reverted',
    when: 'the code reverted, with `--revert-error-code 3`; `data` has its bytes',
    remedy: 'decode it: the transaction would revert, too',
  },
  transactionRejected: {
    code: -32000,
    message: 'transaction rejected',
    when: 'the transaction is invalid at present; the message says why',
    remedy: 'sign another one',
  },
  /** EIP-7966: the transaction was submitted but not included in time. The error's data is the transaction hash. */
  notIncluded: {
    code: 4,
    message: 'the transaction was not pre-confirmed in time',
    when: 'the transaction was accepted, but not included in time; `data`: its hash',
    remedy: 'poll its receipt: it may still be included',
  },
  /**
   * EIP-7966: the transaction has to wait for another one of its sender. The error's data is the nonce that is expected
   * next.
   */
  nonceGap: {
    code: 6,
    message: 'the transaction leaves a gap of nonces',
    when: 'the nonce leaves a gap; `data`: the expected nonce',
    remedy: 'submit the missing transactions',
  },
  stateNotKept: {
    code: -32000,
    message: 'missing trie node: state is not available',
    when: "the block's state is no longer retained, and no node has it",
    remedy: 'use a newer block',
  },
  /** EIP-1898: the block is known, but a reorganization has removed it. */
  notCanonical: {
    code: -32000,
    message: 'hash is not currently canonical',
    when: 'the block was reorganized out, and `requireCanonical` is set',
    remedy: 'use the block that replaced it',
  },
  blockNotFound: {
    code: -32001,
    message: 'block not found',
    when: 'the block does not exist',
    remedy: 'wait for it, or use another block',
  },
  /** The execution API's error for a block without an access list (EIP-7928). */
  resourceNotFound: {
    code: -32001,
    message: 'Resource not found',
    when: 'the block has no access list: it is before Amsterdam',
    remedy: 'use a newer block',
  },
  responseTooLarge: {
    code: -32003,
    message: 'response too large',
    when: 'the response would exceed its size limit',
    remedy: 'reduce the request',
  },
  /** EIP-1474's code for a limit that the client has to respect: retrying does not help. */
  tooManyResults: {
    code: -32005,
    message: 'query returned too many results',
    when: 'more logs than the limit',
    remedy: 'use a smaller range',
  },
  overload: {
    code: -32005,
    message: 'limit exceeded',
    when: 'a quota of the client or of all clients is used up; HTTP 429 with `Retry-After`',
    remedy: 'retry after the delay',
  },
  /** The answer has to come from the upstream node, which does not respond at all or not to this request. */
  upstream: {
    code: -32603,
    message: 'the upstream node does not answer',
    when: 'the upstream node is needed but silent, or its response is invalid',
    remedy: 'retry later',
  },
  /**
   * The execution calls non-EVM code, which only the upstream node can run, but the request cannot be sent to the node,
   * or the node does not respond.
   */
  foreign: {
    code: -32000,
    message: "the execution calls code that is not the EVM's",
    when: 'the call reaches a non-EVM account, and no node can execute it',
    remedy: 'use `latest`',
  },
  /**
   * The chain's rules are unknown or unverified, so only the upstream node can answer, but the request cannot be sent
   * to the node, or the node does not respond.
   */
  rulesUnknown: {
    code: -32603,
    message: 'the rules of the chain are not known to be right',
    when: "the chain's rules are not verified, and no node can execute the call",
    remedy: 'update prestate, or use `latest`',
  },
  /**
   * The live chain's state was replaced while the call ran. Clients see this error only if repeated runs end in it,
   * too.
   */
  stateReset: {
    code: -32603,
    message: 'state was reset during the read; retry',
    when: 'the state was replaced while the call ran',
    remedy: 'retry',
  },
  /** The upstream node's own error, marked with `"source":"upstream"`. The node's error code is in `RpcError.code`. */
  passedOn: {
    code: -32603,
    message: 'the upstream node answered with an error',
    when: "the node's own error, with its code and `source`",
    remedy: 'as for the node',
  },
  /** The server's state has not reached the position that the request demands (`x-least-block`, `x-least-index`). */
  behind: {
    code: -32001,
    message: 'not there yet',
    when: 'the newest version is older than `x-least-block`',
    remedy: 'retry, or use another replica',
  },
  /** go-ethereum's error for subscriptions over HTTP. */
  notificationsUnsupported: {
    code: -32001,
    message: 'notifications not supported',
    when: 'a subscription over HTTP',
    remedy: 'use a WebSocket',
  },
  /** A subscription cannot be resumed from the requested event, because later events are no longer retained. */
  notKept: {
    code: -32001,
    message: 'what has happened since then is not kept',
    when: 'a subscription cannot be resumed from that point',
    remedy: 'resubscribe, and fetch the missed events',
  },
  /**
   * Errors of eth_simulateV1 with go-ethereum's codes, for calls that are not valid transactions. The first one is for
   * faults without a code of their own.
   */
  invalidTransaction: {
    code: -32603,
    message: 'invalid transaction',
    when: 'a call of eth_simulateV1 cannot be a transaction of its block',
    remedy: 'fix the call',
  },
  nonceTooLow: {
    code: -38010,
    message: 'nonce too low',
    when: 'a call of eth_simulateV1: its nonce is too low',
    remedy: "use the sender's next nonce",
  },
  nonceTooHigh: {
    code: -38011,
    message: 'nonce too high',
    when: 'a call of eth_simulateV1: its nonce is too high',
    remedy: "use the sender's next nonce",
  },
  feeTooLow: {
    code: -38012,
    message: 'max fee per gas less than block base fee',
    when: 'a call of eth_simulateV1: its fee cap is below the base fee',
    remedy: 'raise `maxFeePerGas`',
  },
  intrinsicGas: {
    code: -38013,
    message: 'intrinsic gas too low',
    when: 'a call of eth_simulateV1: its gas is below the intrinsic gas',
    remedy: 'raise `gas`',
  },
  insufficientFunds: {
    code: -38014,
    message: 'insufficient funds for gas * price + value',
    when: 'a call of eth_simulateV1: the sender cannot pay',
    remedy: 'override its balance',
  },
  blockGasLimit: {
    code: -38015,
    message: 'block gas limit reached',
    when: 'a call of eth_simulateV1: its gas exceeds what the block has left',
    remedy: 'override `gasLimit`',
  },
  initcodeTooLarge: {
    code: -38025,
    message: 'max initcode size exceeded',
    when: 'a call of eth_simulateV1: its init code is too long',
    remedy: 'shorten it',
  },
  /** The block numbers in the parameters of eth_simulateV1 do not ascend. */
  blockNumberOrder: {
    code: -38020,
    message: 'block numbers must be in order',
    when: 'block numbers of eth_simulateV1 do not increase',
    remedy: 'use increasing numbers',
  },
  blockTimeOrder: {
    code: -38021,
    message: 'block timestamps must be in order',
    when: 'timestamps of eth_simulateV1 do not increase',
    remedy: 'use increasing timestamps',
  },
  tooManyBlocks: {
    code: -38026,
    message: 'too many blocks',
    when: 'more blocks than eth_simulateV1 allows',
    remedy: 'request fewer',
  },
  unknownBlock: {
    code: -39001,
    message: 'Unknown block',
    when: 'the block does not exist yet: the tags `safe` and `finalized`, or the end of a range',
    remedy: 'wait for it, or use another block',
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorName = keyof typeof ERRORS;

/** The expected failure of a request. It is returned as a value, never thrown. */
export interface RpcError {
  readonly error: ErrorName;
  readonly message: string;
  /**
   * The error's data: bytes, which the response contains as hex, or text, which mostly comes from the upstream node.
   */
  readonly data?: string | Uint8Array;
  /** Only with `passedOn`: the code of the upstream node's error. */
  readonly code?: number;
}

/** Creates an error of the table, with its default message or a more specific one. */
export function rpcError(error: ErrorName, message: string = ERRORS[error].message, data?: Uint8Array): RpcError {
  return data === undefined ? { error, message } : { error, message, data };
}

/** Creates the error for a known block whose state is no longer retained. `block` is its number, or its hash in hex. */
export function stateNotRetained(block: string | number): RpcError {
  return rpcError('stateNotKept', `missing trie node: state at block ${block} is not available`);
}

/**
 * Creates the error for a block that does not exist, for all methods. `block` is its number, or its hash in hex.
 * go-ethereum's `header not found` is not used, because clients take it for a node that lags behind: cast retries eight
 * times.
 */
export function blockNotFound(block: string): RpcError {
  return rpcError('blockNotFound', `block not found: ${block}`);
}
