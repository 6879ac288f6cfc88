// The fields of every transaction type in RLP order. Decoding, encoding, rendering and rejecting transactions all use
// this one table.

/** Type of a field: integer of 64 or 256 bits, flag (true or left out), bytes, address or null, or a list. */
export type FieldKind = 'u64' | 'u256' | 'flag' | 'data' | 'address' | 'accessList' | 'authorizationList' | 'hashes';

/** Names of all fields, as in Ethereum's JSON-RPC specification. */
export const TRANSACTION_FIELD_NAMES = [
  'chainId',
  'nonce',
  'gasPrice',
  'maxPriorityFeePerGas',
  'maxFeePerGas',
  'gas',
  'to',
  'value',
  'input',
  'accessList',
  'maxFeePerBlobGas',
  'blobVersionedHashes',
  'authorizationList',
  'v',
  'yParity',
  'r',
  's',
  'sourceHash',
  'from',
  'mint',
  'isSystemTx',
  'address',
] as const;
export type TransactionFieldName = (typeof TRANSACTION_FIELD_NAMES)[number];

/** One field. `label` is go-ethereum's name in error messages, if that differs. */
export type TransactionField = readonly [name: TransactionFieldName, kind: FieldKind, label?: string];

const MESSAGE: readonly TransactionField[] = [
  ['gas', 'u64', 'Gas'],
  ['to', 'address', 'To'],
  ['value', 'u256', 'Value'],
  ['input', 'data', 'Data'],
];
const NONCE: TransactionField = ['nonce', 'u64', 'Nonce'];
const CHAIN_ID: TransactionField = ['chainId', 'u256', 'ChainID'];
const GAS_PRICE: TransactionField = ['gasPrice', 'u256', 'GasPrice'];
const ACCESS_LIST: TransactionField = ['accessList', 'accessList'];
const FEE_MARKET: readonly TransactionField[] = [
  CHAIN_ID,
  NONCE,
  ['maxPriorityFeePerGas', 'u256', 'GasTipCap'],
  ['maxFeePerGas', 'u256', 'GasPrice'],
  ...MESSAGE,
  ACCESS_LIST,
];
const SIGNATURE: readonly TransactionField[] = [
  ['yParity', 'u256', 'V'],
  ['r', 'u256', 'R'],
  ['s', 'u256', 'S'],
];

/** Fields of an authorization (EIP-7702). */
export const AUTHORIZATION_FIELDS: readonly TransactionField[] = [
  ['chainId', 'u256'],
  ['address', 'data'],
  ['nonce', 'u64'],
  ...SIGNATURE,
];

/** EIP-2718 type of blob transactions. */
export const BLOB_TRANSACTION_TYPE = 3;
/** EIP-2718 type of an OP-Stack deposit. */
export const DEPOSIT_TRANSACTION_TYPE = 0x7e;

/** Fields by EIP-2718 type: legacy (EIP-155), EIP-2930, EIP-1559, EIP-4844, EIP-7702, and OP-Stack deposits. */
export const TRANSACTION_FIELDS: Readonly<Partial<Record<number, readonly TransactionField[]>>> = {
  0: [NONCE, GAS_PRICE, ...MESSAGE, ['v', 'u256', 'V'], ...SIGNATURE.slice(1)],
  1: [CHAIN_ID, NONCE, GAS_PRICE, ...MESSAGE, ACCESS_LIST, ...SIGNATURE],
  2: [...FEE_MARKET, ...SIGNATURE],
  [BLOB_TRANSACTION_TYPE]: [
    ...FEE_MARKET,
    ['maxFeePerBlobGas', 'u256', 'BlobFeeCap'],
    ['blobVersionedHashes', 'hashes', 'blobHashes'],
    ...SIGNATURE,
  ],
  4: [...FEE_MARKET, ['authorizationList', 'authorizationList', 'auths'], ...SIGNATURE],
  [DEPOSIT_TRANSACTION_TYPE]: [
    ['sourceHash', 'data'],
    ['from', 'data'],
    ['to', 'address'],
    ['mint', 'u256'],
    ['value', 'u256'],
    ['gas', 'u64'],
    ['isSystemTx', 'flag'],
    ['input', 'data', 'data'],
  ],
};
/** Number of signature fields at the end of every type except deposits: v or yParity, r, s. */
export const SIGNATURE_FIELD_COUNT = SIGNATURE.length;
