// The method table: the only place that says which parameters each JSON-RPC method takes, what it returns and what it
// costs. The functions are in `src/rpc/methods`, where `method-functions.ts` assigns one to each row. Pure data that
// any layer may import.

/**
 * The types of values in results. `src/upstream/reads/check-forwarded-result.ts` checks the results of an upstream node
 * against them.
 */
export type ResultShape =
  | 'accessListResult'
  | 'accountAccess'
  | 'accountInfo'
  | 'address'
  | 'block'
  | 'bundleResults'
  | 'bytes'
  | 'callResult'
  | 'capabilities'
  | 'feeHistory'
  | 'filledTransaction'
  | 'filterChanges'
  | 'flag'
  | 'forkConfigs'
  | 'hash'
  | 'log'
  | 'modules'
  | 'openRpc'
  | 'quantity'
  | 'receipt'
  | 'simulatedBlock'
  | 'storageValues'
  | 'text'
  | 'parityTrace'
  | 'trace'
  | 'transaction'
  | 'transactionTrace'
  | 'uncle'
  | 'word';

/** The type of a result: `[]` marks a list, `?` a result that may be null. */
type ResultType = ResultShape | `${ResultShape}[]` | `${ResultShape}[][]` | `${ResultShape}?` | `${ResultShape}[]?`;

/**
 * Type and meaning of each parameter, by parameter name. The types are those of
 * `src/rpc/methods/type-schemas.table.ts`.
 */
export const PARAMETERS_BY_NAME = {
  address: { type: 'address', description: 'an account' },
  block: { type: 'blockRef', description: 'a tag, number, hash or EIP-1898 object' },
  blockCount: { type: 'quantity', description: 'how many blocks' },
  blockOverride: { type: 'object', description: "members of the block's environment, as go-ethereum names them" },
  blocks: { type: 'simulation', description: 'blocks of calls, and options' },
  bundle: { type: 'signedBundle', description: 'signed transactions, and the block that they are for' },
  bundles: { type: 'object[]', description: '`{transactions, blockOverride}` each' },
  bytes: { type: 'bytes', description: 'a signed transaction' },
  calls: { type: 'any[]', description: 'a transaction and its trace types each' },
  config: { type: 'object', description: '`tracer`, `tracerConfig`, `timeout`, ...' },
  context: { type: 'object', description: '`blockNumber` or `blockHash`, and `transactionIndex`' },
  data: { type: 'bytes', description: 'any bytes' },
  filter: { type: 'logFilter', description: '`address`, `topics`, and `fromBlock` with `toBlock`, or `blockHash`' },
  from: {
    type: 'object',
    description: '`fromVersion`, or `fromBlock` and `fromIndex`: events since then are sent first',
  },
  fullTransactions: { type: 'flag', description: 'full transactions instead of hashes' },
  hash: { type: 'hash', description: 'hash of the block or transaction' },
  id: { type: 'quantity', description: 'the id that was returned' },
  index: { type: 'quantity', description: 'index in the block' },
  message: { type: 'bytes', description: 'what is signed, without the prefix of EIP-191' },
  newestBlock: { type: 'blockRef', description: 'the last block of the range' },
  nonce: { type: 'quantity', description: "of the sender's transaction" },
  parameter: { type: 'any', description: 'argument of the topic' },
  password: { type: 'text', description: 'ignored' },
  percentiles: { type: 'number[]', description: 'of the tips, ascending, 0 to 100' },
  slot: { type: 'slot', description: 'a storage slot' },
  slotsByAddress: { type: 'object', description: 'a list of slots by address' },
  snapshot: { type: 'quantity', description: 'the id that evm_snapshot returned' },
  stateOverride: { type: 'object', description: '`balance`, `nonce`, `code`, `state` or `stateDiff` by address' },
  timeoutMs: { type: 'number', description: 'milliseconds; at most the bound of this program' },
  topic: { type: 'text', description: 'one of [the topics](push/README.md)' },
  traceTypes: { type: 'text[]', description: '`trace`, `stateDiff`, or both' },
  transaction: { type: 'call', description: '`from`, `to`, `gas`, `value`, `data` or `input`, fees, ...' },
  typedData: { type: 'any', description: 'EIP-712, as an object or its JSON text' },
} as const satisfies Readonly<Record<string, { readonly type: string; readonly description: string }>>;

export type ParameterName = keyof typeof PARAMETERS_BY_NAME;

/** A row of the method table, without the method's name. */
interface Row {
  /** Names of the parameters; `?` marks an optional one. A call with more parameters is refused, as in go-ethereum. */
  readonly params: readonly (ParameterName | `${ParameterName}?`)[];
  readonly result: ResultType;
  /** One phrase about the result for METHODS.md, if the method's name does not say it. */
  readonly description?: string;
  /**
   * What a call costs an upstream node. `short` calls are answered at once, so several are sent in one batch; `work`
   * executes whole blocks.
   */
  readonly cost?: 'short' | 'work';
  /** What the result depends on, if clients can watch the method's result: see `src/rpc/watch/run-watched-call.ts`. */
  readonly watch?: 'account' | 'slot' | 'execution' | 'trace';
  /** The method's index in `PlainReads.counts`, if the addon implements it (`src/native/reads`). */
  readonly plain?: number;
  /** True if the first two parameters are a transaction object and a block, so that the addon can parse them. */
  readonly readsCall?: true;
  /**
   * True if the method submits a transaction. It is served only if the chain accepts transactions, and is never
   * repeated.
   */
  readonly needsSubmit?: true;
  /** True if the method refuses `pending`, because it returns complete blocks only. */
  readonly completeOnly?: true;
  /** True if the method exists only on the dev chain. */
  readonly isDevOnly?: true;
}

const ROWS = {
  eth_getTransactionCount: {
    params: ['address', 'block?'],
    result: 'quantity',
    description:
      'the next nonce in that state; at `pending` with `--count-own-sends` [transactions on their ' +
      'way](#what-is-on-its-way) count, too',
    cost: 'short',
    watch: 'account',
    plain: 0,
  },
  eth_getStorageAt: {
    params: ['address', 'slot', 'block?'],
    result: 'word',
    description: 'the value of one storage slot',
    cost: 'short',
    watch: 'slot',
    plain: 1,
  },
  eth_getBalance: {
    params: ['address', 'block?'],
    result: 'quantity',
    description: 'the balance in wei',
    cost: 'short',
    watch: 'account',
    plain: 2,
  },
  eth_getCode: {
    params: ['address', 'block?'],
    result: 'bytes',
    description: 'the code, or the delegation designator (EIP-7702)',
    watch: 'account',
  },
  eth_estimateGas: {
    params: ['transaction', 'block?', 'stateOverride?', 'blockOverride?'],
    result: 'quantity',
    description:
      'the least gas limit with which the transaction succeeds the same way; non-EVM code (`--foreign`), and ' +
      'all code under unknown rules, is executed by the node',
    watch: 'execution',
    readsCall: true,
  },
  eth_call: {
    params: ['transaction', 'block?', 'stateOverride?', 'blockOverride?'],
    result: 'bytes',
    description: 'the return data; what only the node can execute is forwarded to it, as for eth_estimateGas',
    watch: 'execution',
    readsCall: true,
  },
  eth_createAccessList: {
    params: ['transaction', 'block?', 'stateOverride?', 'blockOverride?'],
    result: 'accessListResult',
    description:
      'accounts and slots that the transaction accesses, and its gas with that list; what only the node can ' +
      'execute is forwarded to it, as for eth_estimateGas',
    cost: 'short',
    watch: 'execution',
    readsCall: true,
  },
  eth_simulateV1: {
    params: ['blocks', 'block?'],
    result: 'simulatedBlock[]',
    description:
      'blocks of calls, each on the state after the previous ones; what only the node can execute is forwarded ' +
      'to it, as for eth_estimateGas; roots are zero unless the state is small and all here',
  },
  eth_callMany: {
    params: ['bundles', 'context?', 'stateOverride?', 'timeoutMs?', 'config?'],
    result: 'callResult[][]',
    description:
      'what each call of each bundle returns, all on one evolving state, started inside a block by ' +
      '`transactionIndex`; with [a tracer](#traces) in `config` each result has its `trace`; what only the node ' +
      'can execute is forwarded to it, as for eth_estimateGas',
  },
  eth_callBundle: {
    params: ['bundle'],
    result: 'bundleResults',
    description:
      'results of signed transactions in block `blockNumber` on the state after `stateBlockNumber`; `stateDiff` ' +
      'has the changes of each, `tracer` and `tracerConfig` have [the trace](#traces) of each; what only the ' +
      'node can execute is forwarded to it, as for eth_estimateGas',
  },
  base_meterBundle: {
    params: ['bundle'],
    result: 'bundleResults',
    description:
      "gas and microseconds of signed transactions in the block after `pending`, in the shape of Base's node; " +
      'fees at the maximum that they pay; no state root is computed, its time is 0',
  },
  debug_traceCall: {
    params: ['transaction', 'block?', 'config?'],
    result: 'trace',
    description:
      'the result of [a tracer](#traces) for a call, at any retained state, `pending` too; `stateOverrides`, ' +
      '`blockOverrides` and `txIndex` in its configuration; forwarded to the node as eth_call is',
    cost: 'work',
    watch: 'trace',
  },
  debug_traceCallMany: {
    params: ['bundles', 'context?', 'config?'],
    result: 'trace[][]',
    description:
      'the results of [a tracer](#traces) for the calls of eth_callMany; `stateOverrides` in its configuration',
    cost: 'work',
  },
  trace_call: {
    params: ['transaction', 'traceTypes', 'block?', 'stateOverride?', 'blockOverride?'],
    result: 'parityTrace',
    description:
      "a call's output, `trace` and `stateDiff` in [Parity's form](#traces), at `pending` where no block is named",
    cost: 'work',
  },
  trace_callMany: {
    params: ['calls', 'block?'],
    result: 'parityTrace[]',
    description:
      "calls, each on the state after the previous ones, in [Parity's form](#traces), at `pending` where no " +
      'block is named',
    cost: 'work',
  },
  debug_traceTransaction: {
    params: ['hash', 'config?'],
    result: 'trace',
    description: 'the trace of a transaction, pre-confirmed ones too; its block is executed again up to it',
    cost: 'work',
  },
  debug_traceBlockByNumber: {
    params: ['block', 'config?'],
    result: 'transactionTrace[]',
    description: 'the traces of all transactions of a block, pre-confirmed ones too',
    cost: 'work',
  },
  debug_traceBlockByHash: {
    params: ['hash', 'config?'],
    result: 'transactionTrace[]',
    description: 'the traces of all transactions of a block, by its hash',
    cost: 'work',
  },
  eth_getStorageValues: {
    params: ['slotsByAddress', 'block?'],
    result: 'storageValues',
    description: 'the values of up to 1024 storage slots in one call',
  },
  eth_getAccountInfo: {
    params: ['address', 'block?'],
    result: 'accountInfo',
    description: 'balance, nonce and code in one call',
  },
  eth_chainId: {
    params: [],
    result: 'quantity',
    description: 'chain id',
  },
  net_version: {
    params: [],
    result: 'text',
    description: 'chain id, in decimal',
    cost: 'short',
  },
  net_peerCount: {
    params: [],
    result: 'quantity',
    description: "the upstream node's peers on a live chain, else none",
  },
  net_listening: {
    params: [],
    result: 'flag',
    description: 'true',
  },
  eth_config: {
    params: [],
    result: 'forkConfigs',
    description: 'forks in force, next and last (EIP-7910)',
    cost: 'short',
  },
  eth_capabilities: {
    params: [],
    result: 'capabilities',
    description: 'the blocks whose state, receipts and logs this program has',
  },
  eth_blockNumber: {
    params: [],
    result: 'quantity',
    description: 'number of the latest block',
  },
  eth_getBlockByNumber: {
    params: ['block', 'fullTransactions?'],
    result: 'block?',
    description: 'the block; a pre-confirmed one by its number, too',
    cost: 'short',
  },
  eth_getBlockByHash: {
    params: ['hash', 'fullTransactions?'],
    result: 'block?',
    cost: 'short',
  },
  eth_getBlockAccessList: {
    params: ['block'],
    result: 'accountAccess[]?',
    description:
      'the accounts and slots that the block read and wrote (EIP-7928), from Amsterdam on; null for a ' +
      'pre-confirmed one',
  },
  eth_getBlockReceipts: {
    params: ['block'],
    result: 'receipt[]?',
  },
  eth_getBlockTransactionCountByNumber: {
    params: ['block'],
    result: 'quantity?',
  },
  eth_getBlockTransactionCountByHash: {
    params: ['hash'],
    result: 'quantity?',
  },
  eth_getTransactionByHash: {
    params: ['hash'],
    result: 'transaction?',
    description: 'from the pre-confirmation on; before, what waits in the pool of the dev chain',
    cost: 'short',
  },
  eth_getTransactionBySenderAndNonce: {
    params: ['address', 'nonce'],
    result: 'transaction?',
    description:
      'complete, pre-confirmed, waiting in the pool of the dev chain, or [on its way](#what-is-on-its-way); ' +
      'null where the nonce is not used, or by no transaction; anything older is forwarded to the node, which ' +
      'may not know the method',
  },
  eth_getTransactionReceipt: {
    params: ['hash'],
    result: 'receipt?',
    description: 'from the pre-confirmation on: block number and index as they will be, the zero hash as block hash',
    cost: 'short',
  },
  eth_getTransactionByBlockNumberAndIndex: {
    params: ['block', 'index'],
    result: 'transaction?',
  },
  eth_getTransactionByBlockHashAndIndex: {
    params: ['hash', 'index'],
    result: 'transaction?',
  },
  eth_getRawTransactionByHash: {
    params: ['hash'],
    result: 'bytes',
    description: 'the encoded transaction, `0x` where there is none',
  },
  debug_getRawTransaction: {
    params: ['hash'],
    result: 'bytes',
    description: 'the encoded transaction, as eth_getRawTransactionByHash has it',
  },
  debug_getRawHeader: {
    params: ['block'],
    result: 'bytes',
    description: 'RLP; complete blocks only',
    completeOnly: true,
  },
  debug_getRawBlock: {
    params: ['block'],
    result: 'bytes',
    description: 'RLP; complete blocks only',
    completeOnly: true,
  },
  debug_getRawReceipts: {
    params: ['block'],
    result: 'bytes[]',
    description: 'encoded receipts as they are in the receipts root; complete blocks only',
    completeOnly: true,
  },
  eth_getRawTransactionByBlockNumberAndIndex: {
    params: ['block', 'index'],
    result: 'bytes',
  },
  eth_getRawTransactionByBlockHashAndIndex: {
    params: ['hash', 'index'],
    result: 'bytes',
  },
  eth_getUncleCountByBlockNumber: {
    params: ['block'],
    result: 'quantity?',
  },
  eth_getUncleCountByBlockHash: {
    params: ['hash'],
    result: 'quantity?',
  },
  eth_getUncleByBlockNumberAndIndex: {
    params: ['block', 'index'],
    result: 'uncle?',
  },
  eth_getUncleByBlockHashAndIndex: {
    params: ['hash', 'index'],
    result: 'uncle?',
  },
  eth_getLogs: {
    params: ['filter'],
    result: 'log[]',
    description: '`toBlock: "pending"` adds pre-confirmed logs; from `pending` on there are no others',
  },
  eth_newFilter: {
    params: ['filter'],
    result: 'quantity',
    description: 'id of a filter of logs, for eth_getFilterChanges and eth_getFilterLogs',
  },
  eth_newBlockFilter: {
    params: [],
    result: 'quantity',
    description: 'id of a filter of complete blocks, for eth_getFilterChanges',
  },
  eth_newPendingTransactionFilter: {
    params: ['fullTransactions?'],
    result: 'quantity',
    description: 'id of a filter of pre-confirmed transactions, for eth_getFilterChanges',
  },
  eth_getFilterChanges: {
    params: ['id'],
    result: 'filterChanges',
    description:
      'what has come since the last such call, or since the filter was made: logs, hashes of blocks, or ' +
      'pre-confirmed transactions',
  },
  eth_getFilterLogs: {
    params: ['id'],
    result: 'log[]',
    description: 'all logs of a filter of logs, as eth_getLogs has them',
  },
  eth_uninstallFilter: {
    params: ['id'],
    result: 'flag',
    description:
      'true once the filter is removed, false if there is none; one that is not polled for five minutes is ' +
      'removed, too',
  },
  eth_subscribe: {
    params: ['topic', 'parameter?', 'from?'],
    result: 'quantity',
    description:
      'over WebSocket: id of a subscription to one of [the topics](push/README.md), which every notification names',
  },
  eth_unsubscribe: {
    params: ['id'],
    result: 'flag',
    description: 'true; an error if the connection has no such subscription',
  },
  eth_gasPrice: {
    params: [],
    result: 'quantity',
    description: 'base fee of the newest block, pre-confirmed or complete, plus eth_maxPriorityFeePerGas',
  },
  eth_maxPriorityFeePerGas: {
    params: [],
    result: 'quantity',
    description: 'a tip for the next block, in wei, suggested as by go-ethereum, on the OP Stack as by op-geth',
  },
  eth_baseFee: {
    params: [],
    result: 'quantity',
    description: 'base fee of the next block',
  },
  eth_blobBaseFee: {
    params: [],
    result: 'quantity?',
    description: 'blob base fee of the next block; null before Cancun and Ecotone',
  },
  eth_feeHistory: {
    params: ['blockCount', 'newestBlock', 'percentiles?'],
    result: 'feeHistory',
    description: 'ends with the pre-confirmed block at `pending`',
  },
  'rpc.discover': {
    params: [],
    result: 'openRpc',
    description: 'this list with its types, as an OpenRPC document',
  },
  web3_clientVersion: {
    params: [],
    result: 'text',
  },
  web3_sha3: {
    params: ['data'],
    result: 'hash',
    description: 'Keccak-256',
  },
  rpc_modules: {
    params: [],
    result: 'modules',
    description: 'the namespaces of these methods, each with its version',
  },
  eth_syncing: {
    params: [],
    result: 'flag',
    description: 'false',
  },
  eth_accounts: {
    params: [],
    result: 'address[]',
    description: "the dev chain's, whose keys its start shows, and for which it signs; else none",
  },
  eth_sendRawTransaction: {
    params: ['bytes'],
    result: 'hash',
    description:
      'its hash: on the dev chain after the increment that executes it, with `--passthrough` on a live one once ' +
      'its node has accepted it',
    needsSubmit: true,
  },
  eth_sendRawTransactionSync: {
    params: ['bytes', 'timeoutMs?'],
    result: 'receipt',
    description: 'the receipt, as soon as it is available',
    needsSubmit: true,
  },
  eth_fillTransaction: {
    params: ['transaction'],
    result: 'filledTransaction',
    description:
      'the transaction with its missing nonce, gas and fees filled in at `pending`, all from one version, and ' +
      'its encoding without a signature',
  },
  eth_sendTransaction: {
    params: ['transaction'],
    result: 'hash',
    description:
      'on the dev chain: filled in as by eth_fillTransaction, signed for one of `eth_accounts`, and sent: its hash',
    needsSubmit: true,
    isDevOnly: true,
  },
  eth_sign: {
    params: ['address', 'message'],
    result: 'bytes',
    description: 'on the dev chain: the signature of a message (EIP-191) by one of `eth_accounts`',
    isDevOnly: true,
  },
  personal_sign: {
    params: ['message', 'address', 'password?'],
    result: 'bytes',
    description: 'on the dev chain: as eth_sign, with the parameters swapped',
    isDevOnly: true,
  },
  eth_signTypedData_v4: {
    params: ['address', 'typedData'],
    result: 'bytes',
    description: 'on the dev chain: the signature of typed structured data (EIP-712) by one of `eth_accounts`',
    isDevOnly: true,
  },
  evm_snapshot: {
    params: [],
    result: 'quantity',
    description: 'on the dev chain: id of a snapshot of `pending`, whose block is sealed where it has transactions',
    needsSubmit: true,
    isDevOnly: true,
  },
  evm_revert: {
    params: ['snapshot'],
    result: 'flag',
    description:
      'on the dev chain: true once the chain is reset to that block; this snapshot and later ones are deleted; ' +
      'false if there is no such snapshot; an error if it is 128 blocks old',
    needsSubmit: true,
    isDevOnly: true,
  },
} as const satisfies Readonly<Record<string, Row>>;

/** Name of a JSON-RPC method that the service implements. */
export type MethodName = keyof typeof ROWS;

export interface MethodRow extends Row {
  readonly name: MethodName;
}

/** The rows by method name, in the order of METHODS.md. */
export const METHODS: ReadonlyMap<string, MethodRow> = new Map(
  (Object.entries(ROWS) as readonly (readonly [MethodName, Row])[]).map(([name, row]) => [name, { ...row, name }]),
);
