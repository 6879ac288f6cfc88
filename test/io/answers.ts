// The schemas of results, by type and by method. Their members are those that alloy, op-alloy and go-ethereum's clients
// decode.
import {
  address,
  assertOfSchema,
  bloom,
  byMember,
  bytes,
  whole,
  decimal,
  eightBytes,
  fraction,
  itemsOf,
  either,
  hash,
  large,
  listOf,
  mapOf,
  nothing,
  objectOf,
  only,
  orNull,
  quantity,
  ratio,
  text,
  truth,
  type Schema,
} from './schema.js';

const TOPICS_MAX = 4;
const WITHDRAWAL = objectOf({ index: quantity, validatorIndex: quantity, address, amount: quantity });

/** Position of a transaction or a log: never null; the hash is zero before the block is complete. */
const PLACE = { blockHash: hash, blockNumber: quantity, transactionIndex: quantity };

// ---- block access lists ----

const ACCESSED_VALUE = objectOf({ index: quantity, value: large });
const ACCOUNT_ACCESS = objectOf({
  address,
  storageChanges: listOf(objectOf({ key: hash, changes: listOf(objectOf({ index: quantity, value: hash })) })),
  storageReads: listOf(hash),
  balanceChanges: listOf(ACCESSED_VALUE),
  nonceChanges: listOf(ACCESSED_VALUE),
  codeChanges: listOf(objectOf({ index: quantity, code: bytes })),
});

// ---- transactions ----

const MESSAGE = { from: address, gas: quantity, value: large, input: bytes, nonce: quantity, hash };
const SIGNATURE = { v: large, r: large, s: large };
const ACCESS_LIST = listOf(objectOf({ address, storageKeys: listOf(hash) }));
const TYPED = {
  ...PLACE,
  ...MESSAGE,
  ...SIGNATURE,
  blockTimestamp: quantity,
  gasPrice: large,
  chainId: quantity,
  yParity: quantity,
  accessList: ACCESS_LIST,
};
const FEES = { maxFeePerGas: large, maxPriorityFeePerGas: large };
const AUTHORIZATION = objectOf({ chainId: large, address, nonce: quantity, yParity: quantity, r: large, s: large });

/** By type; a transaction without recipient creates a contract, which types 3 and 4 cannot. */
const TRANSACTION = byMember(
  'type',
  new Map<unknown, Schema>([
    [
      '0x0',
      objectOf(
        {
          ...PLACE,
          ...MESSAGE,
          ...SIGNATURE,
          blockTimestamp: quantity,
          gasPrice: large,
          to: orNull(address),
          type: text,
        },
        { chainId: quantity },
      ),
    ],
    ['0x1', objectOf({ ...TYPED, to: orNull(address), type: text })],
    ['0x2', objectOf({ ...TYPED, ...FEES, to: orNull(address), type: text })],
    [
      '0x3',
      objectOf({
        ...TYPED,
        ...FEES,
        to: address,
        type: text,
        maxFeePerBlobGas: large,
        blobVersionedHashes: listOf(hash),
      }),
    ],
    ['0x4', objectOf({ ...TYPED, ...FEES, to: address, type: text, authorizationList: listOf(AUTHORIZATION) })],
    [
      '0x7e',
      objectOf(
        {
          ...PLACE,
          ...MESSAGE,
          ...SIGNATURE,
          blockTimestamp: quantity,
          gasPrice: only('0x0'),
          yParity: only('0x0'),
          to: orNull(address),
          type: text,
          sourceHash: hash,
          mint: large,
          depositReceiptVersion: only('0x1'),
        },
        { isSystemTx: only(true) },
      ),
    ],
  ]),
);

// ---- receipts and logs ----

const LOG = objectOf({
  ...PLACE,
  blockTimestamp: quantity,
  transactionHash: hash,
  logIndex: quantity,
  address,
  topics: listOf(hash, TOPICS_MAX),
  data: bytes,
  removed: truth,
});

const RECEIPT = {
  ...PLACE,
  transactionHash: hash,
  from: address,
  to: orNull(address),
  contractAddress: orNull(address),
  gasUsed: quantity,
  cumulativeGasUsed: quantity,
  effectiveGasPrice: large,
  logs: listOf(LOG),
  logsBloom: bloom,
};
/** L1 fees that a transaction of the OP Stack has paid. */
const L1_FEES = { l1GasPrice: large, l1GasUsed: large, l1Fee: large };
const L1_SCALARS = {
  // Only in Bedrock; not an integer.
  l1FeeScalar: fraction,
  l1BaseFeeScalar: quantity,
  l1BlobBaseFee: large,
  l1BlobBaseFeeScalar: quantity,
  operatorFeeScalar: large,
  operatorFeeConstant: large,
  daFootprintGasScalar: quantity,
  blobGasUsed: quantity,
};
const STATUS = either(only('0x0'), only('0x1'));
/** Before Byzantium there is a root instead of the status. */
const plainReceipt = either(
  objectOf({ ...RECEIPT, ...L1_FEES, type: text, status: STATUS }, L1_SCALARS),
  objectOf({ ...RECEIPT, type: text, root: hash }),
  objectOf({ ...RECEIPT, type: text, status: STATUS }),
);
const TRANSACTION_RECEIPT = byMember(
  'type',
  new Map<unknown, Schema>([
    ...['0x0', '0x1', '0x2', '0x4'].map((type) => [type, plainReceipt] as const),
    ['0x3', objectOf({ ...RECEIPT, type: text, status: STATUS, blobGasUsed: quantity, blobGasPrice: large })],
    [
      '0x7e',
      objectOf({ ...RECEIPT, type: text, status: STATUS, depositNonce: quantity, depositReceiptVersion: only('0x1') }),
    ],
  ]),
);

// ---- blocks ----

const HEADER = {
  parentHash: hash,
  sha3Uncles: hash,
  miner: address,
  stateRoot: hash,
  transactionsRoot: hash,
  receiptsRoot: hash,
  logsBloom: bloom,
  difficulty: large,
  number: quantity,
  gasLimit: quantity,
  gasUsed: quantity,
  timestamp: quantity,
  extraData: bytes,
  mixHash: hash,
};
/** Members added by forks, each including all earlier ones. */
const FORKS: readonly Readonly<Record<string, Schema>>[] = [
  { baseFeePerGas: large },
  { withdrawalsRoot: hash, withdrawals: listOf(WITHDRAWAL) },
  { blobGasUsed: quantity, excessBlobGas: quantity, parentBeaconBlockRoot: hash },
  { requestsHash: hash },
  { blockAccessListHash: hash, slotNumber: quantity },
];

/** A block with these members, of any fork. */
function blockOf(members: Readonly<Record<string, Schema>>): Schema {
  const shapes = Array.from({ length: FORKS.length + 1 }, (_, count) => {
    return objectOf({ ...HEADER, ...members, ...Object.assign({}, ...FORKS.slice(0, count)) });
  });
  return (value, at) => {
    const known = Object.keys(value ?? {});
    const count = FORKS.filter((fork) => Object.keys(fork).every((name) => known.includes(name))).length;
    return shapes[count]!(value, at);
  };
}

const SEALED = { hash, nonce: eightBytes, size: quantity, uncles: listOf(hash) };
const UNSEALED = { hash: nothing, nonce: nothing, size: quantity, uncles: listOf(hash) };

/** A block; under the tag `pending` without hash and nonce; with transaction hashes, or full transactions. */
export function blockSchema({
  full,
  isTagged = false,
}: {
  readonly full: boolean;
  readonly isTagged?: boolean;
}): Schema {
  return blockOf({ ...(isTagged ? UNSEALED : SEALED), transactions: listOf(full ? TRANSACTION : hash) });
}

/** An uncle is decoded as its header, because its block has no transactions here. */
const { withdrawalsRoot: _root, ...UNCLE_FORKS } = { ...FORKS[0], withdrawalsRoot: hash };
const UNCLE = objectOf({ ...HEADER, ...SEALED }, UNCLE_FORKS);

// ---- methods ----

const FEE_HISTORY = objectOf(
  { oldestBlock: quantity, gasUsedRatio: orNull(listOf(ratio)) },
  {
    baseFeePerGas: listOf(large),
    blobGasUsedRatio: listOf(ratio),
    baseFeePerBlobGas: listOf(large),
    reward: listOf(listOf(large)),
  },
);
const ACCESS = objectOf({ accessList: ACCESS_LIST, gasUsed: quantity }, { error: text });
const FAULT = objectOf(
  { code: either((value, at) => (Number.isInteger(value) ? null : `${at} is no code`)), message: text },
  { data: bytes },
);
const CALL = objectOf(
  { status: STATUS, returnData: bytes, gasUsed: quantity, logs: listOf(LOG) },
  { error: FAULT, maxUsedGas: quantity },
);
/** Wei in decimal; negative if the fee recipient has paid. */
const wei: Schema = (value, at) =>
  typeof value === 'string' && /^(0|-?[1-9][0-9]*)$/.test(value) ? null : `${at} is no wei`;
const count: Schema = (value, at) => (Number.isSafeInteger(value) && Number(value) >= 0 ? null : `${at} is no count`);
const GAIN = { coinbaseDiff: wei, ethSentToCoinbase: wei, gasFees: decimal };
const CHANGED = { balance: large, code: bytes, codeHash: hash, nonce: count, storage: mapOf(hash, hash) };
const STATE_DIFF = objectOf({
  pre: mapOf(address, objectOf({ balance: large }, CHANGED)),
  post: mapOf(address, objectOf({}, CHANGED)),
});
const TRANSACTION_OF_BUNDLE = {
  ...GAIN,
  fromAddress: address,
  gasPrice: wei,
  gasUsed: count,
  toAddress: orNull(address),
  txHash: hash,
};
const ENDS = [{ value: bytes }, { error: text }, { error: text, revert: bytes }];

type BundleSettings = TraceSettings & { readonly stateDiff?: unknown };

/** The result of eth_callBundle. */
function bundleSchema(asked: BundleSettings): Schema {
  const diff: Record<string, Schema> = asked.stateDiff === true ? { stateDiff: STATE_DIFF } : {};
  if (asked.tracer !== undefined) diff['trace'] = traced(asked);
  const result = either(...ENDS.map((end) => objectOf({ ...TRANSACTION_OF_BUNDLE, ...end, ...diff })));
  const numbers = { stateBlockNumber: count, totalGasUsed: count };
  return objectOf({ ...GAIN, ...numbers, bundleGasPrice: wei, bundleHash: hash, results: listOf(result) });
}
const METERED = { coinbaseDiff: large, ethSentToCoinbase: large, gasFees: large };
const METERED_TRANSACTION = {
  ...METERED,
  fromAddress: address,
  gasPrice: large,
  gasUsed: count,
  toAddress: orNull(address),
  txHash: hash,
  value: large,
  executionTimeUs: count,
};
/** The result of base_meterBundle. */
const METERED_BUNDLE = objectOf({
  ...METERED,
  bundleGasPrice: large,
  bundleHash: hash,
  results: listOf(objectOf(METERED_TRANSACTION)),
  stateBlockNumber: count,
  totalGasUsed: count,
  totalExecutionTimeUs: count,
  stateRootTimeUs: count,
});
/** The result of one call of eth_callMany. */
function callOfMany(config: unknown): Schema {
  const trace: Readonly<Record<string, Schema>> = (config ?? null) === null ? {} : { trace: traced(config) };
  return either(objectOf({ value: bytes, ...trace }), objectOf({ error: text, ...trace }, { data: bytes }));
}

/** The blocks of eth_simulateV1. */
function simulated(full: boolean): Schema {
  return blockOf({ ...SEALED, transactions: listOf(full ? TRANSACTION : hash), calls: listOf(CALL) });
}

/** An unsigned transaction. */
const UNSIGNED = objectOf(
  {
    type: text,
    nonce: quantity,
    to: orNull(address),
    gas: quantity,
    gasPrice: orNull(large),
    maxPriorityFeePerGas: orNull(large),
    maxFeePerGas: orNull(large),
    value: large,
    input: bytes,
    v: only('0x0'),
    r: only('0x0'),
    s: only('0x0'),
    hash,
  },
  {
    chainId: quantity,
    yParity: only('0x0'),
    accessList: ACCESS_LIST,
    maxFeePerBlobGas: large,
    blobVersionedHashes: listOf(hash),
    authorizationList: listOf(AUTHORIZATION),
  },
);

type Params = readonly unknown[];

/** Schemas of methods' results, which may depend on the parameters. */
const METHODS: ReadonlyMap<string, (params: Params) => Schema> = new Map<string, (params: Params) => Schema>([
  ...of(large, 'eth_getBalance', 'eth_gasPrice', 'eth_maxPriorityFeePerGas', 'eth_baseFee'),
  ...of(orNull(large), 'eth_blobBaseFee'),
  ...of(
    quantity,
    'eth_getTransactionCount',
    'eth_estimateGas',
    'eth_chainId',
    'eth_blockNumber',
    'net_peerCount',
    'evm_snapshot',
  ),
  ...of(bytes, 'eth_getCode', 'eth_call', 'eth_getRawTransactionByHash', 'debug_getRawTransaction'),
  ...of(bytes, 'debug_getRawHeader', 'debug_getRawBlock', 'eth_sign', 'personal_sign', 'eth_signTypedData_v4'),
  ...of(listOf(bytes), 'debug_getRawReceipts'),
  ...of(objectOf({ raw: bytes, tx: UNSIGNED }), 'eth_fillTransaction'),
  ...of(bytes, 'eth_getRawTransactionByBlockNumberAndIndex', 'eth_getRawTransactionByBlockHashAndIndex'),
  ...of(hash, 'eth_getStorageAt', 'eth_sendRawTransaction', 'eth_sendTransaction', 'web3_sha3'),
  ...of(mapOf(address, listOf(hash)), 'eth_getStorageValues'),
  ...of(objectOf({ balance: large, nonce: quantity, code: bytes }), 'eth_getAccountInfo'),
  ...of(decimal, 'net_version'),
  ...of(text, 'web3_clientVersion'),
  ...of(mapOf(text, only('1.0')), 'rpc_modules'),
  ...of(truth, 'net_listening', 'eth_syncing', 'eth_uninstallFilter', 'eth_unsubscribe', 'evm_revert'),
  ...of(listOf(address), 'eth_accounts'),
  ...of(orNull(quantity), 'eth_getBlockTransactionCountByNumber', 'eth_getBlockTransactionCountByHash'),
  ...of(orNull(quantity), 'eth_getUncleCountByBlockNumber', 'eth_getUncleCountByBlockHash'),
  ...of(orNull(UNCLE), 'eth_getUncleByBlockNumberAndIndex', 'eth_getUncleByBlockHashAndIndex'),
  ...of(orNull(TRANSACTION), 'eth_getTransactionByHash', 'eth_getTransactionBySenderAndNonce'),
  ...of(orNull(TRANSACTION), 'eth_getTransactionByBlockNumberAndIndex', 'eth_getTransactionByBlockHashAndIndex'),
  ...of(orNull(TRANSACTION_RECEIPT), 'eth_getTransactionReceipt'),
  ...of(TRANSACTION_RECEIPT, 'eth_sendRawTransactionSync'),
  ...of(orNull(listOf(TRANSACTION_RECEIPT)), 'eth_getBlockReceipts'),
  ...of(orNull(listOf(ACCOUNT_ACCESS)), 'eth_getBlockAccessList'),
  ...of(listOf(LOG), 'eth_getLogs', 'eth_getFilterLogs'),
  ...of(either(listOf(LOG), listOf(hash), listOf(TRANSACTION)), 'eth_getFilterChanges'),
  ...of(large, 'eth_newFilter', 'eth_newBlockFilter', 'eth_newPendingTransactionFilter', 'eth_subscribe'),
  ...of(FEE_HISTORY, 'eth_feeHistory'),
  ...of(ACCESS, 'eth_createAccessList'),
  ['eth_callMany', ([, , , , config]) => listOf(listOf(callOfMany(config)))],
  ['debug_traceCallMany', ([, , config]) => listOf(listOf(traced(config)))],
  ['trace_call', ([, types]) => parityResult(types)],
  [
    'trace_callMany',
    ([calls]) => itemsOf(((calls ?? []) as readonly Params[]).map(([, types]) => parityResult(types))),
  ],
  ...of(METERED_BUNDLE, 'base_meterBundle'),
  ['debug_traceCall', ([, , config]) => traced(config)],
  ['debug_traceTransaction', ([, config]) => traced(config)],
  ...['debug_traceBlockByNumber', 'debug_traceBlockByHash'].map((name): [string, (params: Params) => Schema] => [
    name,
    ([, config]) => listOf(objectOf({ txHash: hash, result: traced(config) })),
  ]),
  ['eth_callBundle', ([params]) => bundleSchema(params ?? {})],
  ['eth_simulateV1', ([options]) => listOf(simulated(isFull(options)))],
  ['eth_getBlockByNumber', ([tag, full]) => orNull(blockSchema({ full: full === true, isTagged: tag === 'pending' }))],
  ['eth_getBlockByHash', ([, full]) => orNull(blockSchema({ full: full === true }))],
]);

function of(schema: Schema, ...methods: readonly string[]): [string, () => Schema][] {
  return methods.map((method) => [method, () => schema]);
}

// ---- traces ----

/** A value that is unchanged, added, removed or changed. */
function delta(value: Schema): Schema {
  return either(
    only('='),
    objectOf({ '+': value }),
    objectOf({ '-': value }),
    objectOf({ '*': objectOf({ from: value, to: value }) }),
  );
}

const PARITY_DIFF = mapOf(
  address,
  objectOf({ balance: delta(large), code: delta(bytes), nonce: delta(quantity), storage: mapOf(hash, delta(hash)) }),
);
const PARITY_FRAMES = { subtraces: count, traceAddress: listOf(count) };
const CALL_ACTION = objectOf({
  callType: either(...['call', 'callcode', 'delegatecall', 'staticcall'].map(only)),
  from: address,
  gas: quantity,
  input: bytes,
  to: address,
  value: large,
});
const CREATE_ACTION = objectOf({
  creationMethod: either(only('create'), only('create2')),
  from: address,
  gas: quantity,
  init: bytes,
  value: large,
});
const PARITY_FRAME = either(
  objectOf(
    {
      ...PARITY_FRAMES,
      type: only('call'),
      action: CALL_ACTION,
      result: orNull(objectOf({ gasUsed: quantity, output: bytes })),
    },
    { error: text },
  ),
  objectOf(
    {
      ...PARITY_FRAMES,
      type: only('create'),
      action: CREATE_ACTION,
      result: orNull(objectOf({ address, code: bytes, gasUsed: quantity })),
    },
    { error: text },
  ),
  objectOf({
    ...PARITY_FRAMES,
    type: only('suicide'),
    action: objectOf({ address, balance: large, refundAddress: address }),
    result: only(null),
  }),
);

/** The result of a call with these trace types. */
function parityResult(types: unknown): Schema {
  const has = (type: string): boolean => Array.isArray(types) && types.includes(type);
  return objectOf({
    output: bytes,
    stateDiff: has('stateDiff') ? PARITY_DIFF : only(null),
    trace: has('trace') ? listOf(PARITY_FRAME) : listOf(PARITY_FRAME, 0),
    vmTrace: only(null),
  });
}

const FLAT_FRAMES = {
  subtraces: whole,
  traceAddress: listOf(whole),
  blockHash: orNull(hash),
  blockNumber: whole,
  transactionHash: orNull(hash),
  transactionPosition: whole,
};
const FLAT_FRAME = either(
  objectOf(
    { ...FLAT_FRAMES, type: only('call'), action: CALL_ACTION },
    { error: text, result: objectOf({ gasUsed: quantity, output: bytes }) },
  ),
  objectOf(
    { ...FLAT_FRAMES, type: only('create'), action: CREATE_ACTION },
    { error: text, result: objectOf({ code: bytes, gasUsed: quantity }, { address }) },
  ),
  objectOf({
    ...FLAT_FRAMES,
    type: only('suicide'),
    action: objectOf({ address, balance: large, refundAddress: address }),
  }),
);

const TRACED_LOG = objectOf({
  address,
  topics: listOf(hash, TOPICS_MAX),
  data: bytes,
  index: quantity,
  position: quantity,
});
const FRAME_KIND = either(
  ...['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT'].map(only),
);
const FRAME: Schema = (value, at) => FRAME_SHAPE(value, at);
const FRAME_SHAPE = objectOf(
  { from: address, gas: quantity, gasUsed: quantity, input: bytes, type: FRAME_KIND },
  {
    to: address,
    output: bytes,
    error: text,
    revertReason: text,
    calls: listOf(FRAME),
    logs: listOf(TRACED_LOG),
    value: large,
  },
);
const ACCOUNTS = mapOf(
  address,
  objectOf({}, { balance: large, code: bytes, codeHash: hash, nonce: whole, storage: mapOf(hash, hash) }),
);
const STEP = objectOf(
  { pc: whole, op: text, gas: whole, gasCost: whole, depth: whole },
  {
    error: text,
    stack: listOf(large),
    returnData: bytes,
    memory: listOf(hash),
    storage: mapOf(hash, hash),
    refund: whole,
  },
);
const STEPS = objectOf({ gas: whole, failed: truth, returnValue: bytes, structLogs: listOf(STEP) });

interface TraceSettings {
  readonly tracer?: string;
  readonly tracerConfig?: Readonly<Record<string, unknown>>;
}

function traced(config: unknown): Schema {
  const { tracer, tracerConfig } = (config ?? {}) as TraceSettings;
  switch (tracer) {
    case undefined:
      return STEPS;
    case 'callTracer':
      return FRAME;
    case 'flatCallTracer':
      return listOf(FLAT_FRAME);
    case 'prestateTracer':
      return tracerConfig?.['diffMode'] === true ? objectOf({ post: ACCOUNTS, pre: ACCOUNTS }) : ACCOUNTS;
    case '4byteTracer':
      return mapOf(text, whole);
    case 'noopTracer':
      return objectOf({});
    default:
      return tracedByAll(tracerConfig ?? {});
  }
}

function tracedByAll(tracers: Readonly<Record<string, unknown>>): Schema {
  const named = Object.entries(tracers).map(([tracer, tracerConfig]) => [tracer, traced({ tracer, tracerConfig })]);
  return objectOf(Object.fromEntries(named) as Readonly<Record<string, Schema>>);
}

function isFull(options: unknown): boolean {
  return (options as { returnFullTransactions?: boolean } | undefined)?.returnFullTransactions === true;
}

/** Methods whose results are specified by the execution API or OpenRPC, not by what these clients decode. */
const UNTYPED = new Set(['eth_config', 'eth_capabilities', 'rpc.discover']);

/** The schema of a method's results; `null`: they are not typed. Throws if a schema is missing. */
export function schemaOf(method: string, params: Params): Schema | null {
  if (UNTYPED.has(method)) return null;
  const schema = METHODS.get(method);
  if (schema === undefined) throw new Error(`there is no schema of ${method}`);
  return schema(params);
}

interface Question {
  readonly id: unknown;
  readonly method: string;
  readonly params?: Params;
}

interface Answer {
  readonly id: unknown;
  readonly result?: unknown;
}

/** Checks the results of a body against the schemas of its requests; a request that is not JSON has none. */
export function assertTyped(request: string, answer: string): void {
  const questions = parsed(request) as readonly Question[];
  for (const { id, result } of (parsed(answer) as readonly Answer[]).filter((each) => each.result !== undefined)) {
    const { method, params = [] } = questions.find((question) => question.id === id)!;
    const schema = schemaOf(method, params);
    if (schema !== null) assertOfSchema(result, schema, `${method} ${JSON.stringify(params)}`);
  }
}

function parsed(json: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? value : [value];
  } catch {
    return [];
  }
}
