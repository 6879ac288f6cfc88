// JSON Schemas of parameters and results, by the type names that the method table uses, for rpc.discover (OpenRPC).
import { PARAMETERS_BY_NAME, type ResultShape } from '../../methods.table.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The name of a parameter type in the method table, without `[]`. */
type ParameterType = (typeof PARAMETERS_BY_NAME)[keyof typeof PARAMETERS_BY_NAME]['type'];

/** The name of any type with a schema. Results and parameters share these types. */
type TypeName = ResultShape | Exclude<ParameterType, `${string}[]`> | 'withdrawal' | 'accessListItem' | 'authorization';

const TRANSACTION_LOCATION = { blockHash: 'hash?', blockNumber: 'quantity?', transactionIndex: 'quantity?' };

const HEADER = {
  parentHash: 'hash',
  sha3Uncles: 'hash',
  miner: 'address',
  stateRoot: 'hash',
  transactionsRoot: 'hash',
  receiptsRoot: 'hash',
  logsBloom: 'bytes',
  difficulty: 'quantity',
  number: 'quantity',
  gasLimit: 'quantity',
  gasUsed: 'quantity',
  timestamp: 'quantity',
  extraData: 'bytes',
  mixHash: 'hash',
};

/** Members of block headers that forks have added. */
const FORK_MEMBERS = {
  baseFeePerGas: 'quantity',
  withdrawalsRoot: 'hash',
  withdrawals: 'withdrawal[]',
  blobGasUsed: 'quantity',
  excessBlobGas: 'quantity',
  parentBeaconBlockRoot: 'hash',
  requestsHash: 'hash',
  blockAccessListHash: 'hash',
  slotNumber: 'quantity',
};

const SEALED = { hash: 'hash?', nonce: 'bytes?', size: 'quantity', uncles: 'hash[]' };
const BLOCK = { ...HEADER, ...SEALED, transactions: 'any[]' };

const BUNDLE = { bundleHash: 'hash', results: 'object[]', stateBlockNumber: 'number', totalGasUsed: 'number' };

export const TYPE_SCHEMAS: Readonly<Record<TypeName, JsonSchema>> = {
  accessListItem: members({ address: 'address', storageKeys: 'hash[]' }),
  accessListResult: members({ accessList: 'accessListItem[]', gasUsed: 'quantity' }, { error: 'text' }),
  accountAccess: members({
    address: 'address',
    storageChanges: 'object[]',
    storageReads: 'hash[]',
    balanceChanges: 'object[]',
    nonceChanges: 'object[]',
    codeChanges: 'object[]',
  }),
  accountInfo: members({ balance: 'quantity', nonce: 'quantity', code: 'bytes' }),
  address: hex('{40}'),
  any: {},
  authorization: members({
    chainId: 'quantity',
    address: 'address',
    nonce: 'quantity',
    yParity: 'quantity',
    r: 'quantity',
    s: 'quantity',
  }),
  block: members(BLOCK, FORK_MEMBERS),
  blockRef: {
    anyOf: [
      { enum: ['latest', 'pending', 'safe', 'finalized', 'earliest'] },
      typeSchema('quantity'),
      typeSchema('hash'),
      members({}, { blockHash: 'hash', blockNumber: 'any', requireCanonical: 'flag' }),
    ],
  },
  bundleResults: members(BUNDLE),
  bytes: { type: 'string', pattern: '^0x([0-9a-fA-F]{2})*$' },
  call: members(
    {},
    {
      from: 'address?',
      to: 'address?',
      gas: 'quantity?',
      gasPrice: 'quantity?',
      maxFeePerGas: 'quantity?',
      maxPriorityFeePerGas: 'quantity?',
      maxFeePerBlobGas: 'quantity?',
      value: 'quantity?',
      nonce: 'quantity?',
      data: 'bytes?',
      input: 'bytes?',
      chainId: 'quantity?',
      accessList: 'accessListItem[]?',
      blobVersionedHashes: 'hash[]?',
      authorizationList: 'authorization[]?',
    },
  ),
  callResult: members({}, { value: 'bytes', error: 'text', data: 'bytes', trace: 'trace' }),
  capabilities: members({ head: 'object', state: 'object', logs: 'object', receipts: 'object', blocks: 'object' }),
  feeHistory: members(
    { oldestBlock: 'quantity', gasUsedRatio: 'number[]?' },
    {
      baseFeePerGas: 'quantity[]',
      reward: 'quantity[][]',
      blobGasUsedRatio: 'number[]',
      baseFeePerBlobGas: 'quantity[]',
    },
  ),
  filledTransaction: members({ raw: 'bytes', tx: 'object' }),
  filterChanges: { type: 'array', items: { anyOf: ['hash', 'log', 'transaction'].map(typeSchema) } },
  flag: { type: 'boolean' },
  forkConfigs: members({ current: 'object' }, { next: 'object?', last: 'object?' }),
  hash: hex('{64}'),
  log: members(
    { ...TRANSACTION_LOCATION, transactionHash: 'hash', address: 'address', topics: 'hash[]', data: 'bytes' },
    { logIndex: 'quantity', removed: 'flag', blockTimestamp: 'quantity' },
  ),
  logFilter: members(
    {},
    { address: 'any', topics: 'any', fromBlock: 'blockRef?', toBlock: 'blockRef?', blockHash: 'hash?' },
  ),
  modules: { type: 'object', additionalProperties: { type: 'string' } },
  number: { type: 'number' },
  object: { type: 'object' },
  openRpc: members({ openrpc: 'text', info: 'object', methods: 'object[]', components: 'object' }),
  parityTrace: members({ output: 'bytes', stateDiff: 'object?', trace: 'object[]', vmTrace: 'object?' }),
  quantity: { type: 'string', pattern: '^0x(0|[1-9a-fA-F][0-9a-fA-F]{0,63})$' },
  receipt: members(
    {
      ...TRANSACTION_LOCATION,
      transactionHash: 'hash',
      type: 'quantity',
      from: 'address',
      to: 'address?',
      contractAddress: 'address?',
      gasUsed: 'quantity',
      cumulativeGasUsed: 'quantity',
      effectiveGasPrice: 'quantity',
      logs: 'log[]',
      logsBloom: 'bytes',
    },
    { status: 'quantity', root: 'hash', blobGasUsed: 'quantity', blobGasPrice: 'quantity', l1Fee: 'quantity' },
  ),
  signedBundle: members({ txs: 'bytes[]' }, { blockNumber: 'any', stateBlockNumber: 'blockRef', timestamp: 'any' }),
  simulatedBlock: members({ ...BLOCK, calls: 'object[]' }, FORK_MEMBERS),
  simulation: members(
    { blockStateCalls: 'object[]' },
    { traceTransfers: 'flag', validation: 'flag', returnFullTransactions: 'flag' },
  ),
  slot: hex('{1,64}'),
  storageValues: { type: 'object', additionalProperties: typeSchema('word[]') },
  text: { type: 'string' },
  /** A list is possible, too, because flatCallTracer returns one. */
  trace: { anyOf: [{ type: 'object' }, { type: 'array', items: { type: 'object' } }] },
  transaction: members(
    {
      ...TRANSACTION_LOCATION,
      hash: 'hash',
      type: 'quantity',
      from: 'address',
      to: 'address?',
      gas: 'quantity',
      gasPrice: 'quantity',
      value: 'quantity',
      input: 'bytes',
      nonce: 'quantity',
      v: 'quantity',
      r: 'quantity',
      s: 'quantity',
    },
    {
      chainId: 'quantity',
      yParity: 'quantity',
      blockTimestamp: 'quantity?',
      accessList: 'accessListItem[]',
      maxFeePerGas: 'quantity',
      maxPriorityFeePerGas: 'quantity',
      maxFeePerBlobGas: 'quantity',
      blobVersionedHashes: 'hash[]',
      authorizationList: 'authorization[]',
      sourceHash: 'hash',
      mint: 'quantity',
    },
  ),
  transactionTrace: members({ txHash: 'hash', result: 'trace' }),
  uncle: members({ ...HEADER, ...SEALED }, FORK_MEMBERS),
  withdrawal: members({ index: 'quantity', validatorIndex: 'quantity', address: 'address', amount: 'quantity' }),
  word: hex('{64}'),
};

/** Returns the JSON Schema for a type name. `[]` at its end marks a list, and `?` a type that may be null. */
export function typeSchema(type: string): JsonSchema {
  if (type.endsWith('?')) return { anyOf: [typeSchema(type.slice(0, -1)), { type: 'null' }] };
  if (type.endsWith('[]')) return { type: 'array', items: typeSchema(type.slice(0, -2)) };
  return { $ref: `#/components/schemas/${type}` };
}

function hex(digits: string): JsonSchema {
  return { type: 'string', pattern: `^0x[0-9a-fA-F]${digits}$` };
}

/** Returns the JSON Schema of an object with at least these members. Each value is the name of the member's type. */
function members(
  required: Readonly<Record<string, string>>,
  optional: Readonly<Record<string, string>> = {},
): JsonSchema {
  const all = Object.entries({ ...required, ...optional }).map(([name, type]) => [name, typeSchema(type)]);
  const properties = Object.fromEntries(all) as JsonSchema;
  return { type: 'object', properties, ...(Object.keys(required).length > 0 && { required: Object.keys(required) }) };
}
