// Reads transaction objects, and overrides of state and block environment.
import type { AccessListEntry } from '../../chain/access-list-entry.js';
import type { AccountOverride, Authorization, BlockOverride, CallRequest } from '../../transaction/evm-job.js';
import { rpcError } from '../../rpc-errors.js';
import { LIMITS } from '../../limits/index.js';
import type { Withdrawal } from '../../state/complete-block.js';
import { isPresent, type RpcArguments } from './arguments.js';
import { FieldReader } from './field-reader.js';
import { lenientStruct, closedStruct, type StructFields } from './json-struct.js';
import { ZERO_ADDRESS } from '../../lib/bytes/big-endian.js';

const BLOB_BYTES = 131_072;

/**
 * Members of a transaction object that a call uses. Clients also send members that a call does not use; those are
 * ignored, whatever they contain.
 */
const TRANSACTION = lenientStruct('ethapi.TransactionArgs', [
  'from',
  'to',
  'gas',
  'gasPrice',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
  'maxFeePerBlobGas',
  'value',
  'nonce',
  'data',
  'input',
  'accessList',
  'chainId',
  'blobVersionedHashes',
  'authorizationList',
  'blobs',
]);
const ACCESS_TUPLE = lenientStruct('types.AccessTuple', ['address', 'storageKeys']);
const AUTHORIZATION = lenientStruct('types.SetCodeAuthorization', ['chainId', 'address', 'nonce', 'yParity', 'r', 's']);
const ACCOUNT = closedStruct('override.OverrideAccount', [
  'nonce',
  'balance',
  'code',
  'state',
  'stateDiff',
  'movePrecompileToAddress',
]);
/** Names of block override members in go-ethereum, and their other names in Erigon and alloy. */
const BLOCK = closedStruct(
  'override.BlockOverrides',
  [
    'number',
    'difficulty',
    'time',
    'gasLimit',
    'feeRecipient',
    'prevRandao',
    'baseFeePerGas',
    'blobBaseFee',
    'blockHash',
    'beaconRoot',
    'withdrawals',
  ],
  {
    blockNumber: 'number',
    timestamp: 'time',
    coinbase: 'feeRecipient',
    random: 'prevRandao',
    baseFee: 'baseFeePerGas',
  },
);
const WITHDRAWAL = closedStruct('types.Withdrawal', ['index', 'validatorIndex', 'address', 'amount']);

/** Removes the nonce, which matters only for calls that run as transactions of a block. */
export function withoutNonce(call: CallRequest): CallRequest {
  if (call.nonce === undefined) return call;
  const { nonce: _nonce, ...rest } = call;
  return rest;
}

/** Parses a transaction object inside the parameter at `index`, including its nonce. */
export function parseCallObject(args: RpcArguments, value: unknown, index: number, chainId: bigint): CallRequest {
  const reader = new FieldReader(args, value, TRANSACTION, { index });
  const nonce = reader.quantity('nonce', 64);
  if (!reader.has('blobVersionedHashes')) refuseBlobs(args, reader, index);
  const call: CallRequest = {
    from: reader.address('from') ?? ZERO_ADDRESS,
    to: reader.address('to'),
    gas: reader.quantity('gas', 64),
    gasPrice: reader.quantity('gasPrice', 256),
    maxFeePerGas: reader.quantity('maxFeePerGas', 256),
    maxPriorityFeePerGas: reader.quantity('maxPriorityFeePerGas', 256),
    maxFeePerBlobGas: reader.quantity('maxFeePerBlobGas', 256),
    value: reader.quantity('value', 256) ?? 0n,
    data: readData(args, reader),
    accessList: reader.list('accessList', ACCESS_TUPLE, readAccessListEntry),
    blobVersionedHashes: reader.words('blobVersionedHashes'),
    authorizationList: reader.list('authorizationList', AUTHORIZATION, readAuthorization),
  };
  if (call.gasPrice !== null && (call.maxFeePerGas !== null || call.maxPriorityFeePerGas !== null)) {
    args.fail('both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified');
  }
  checkChainId(args, reader.quantity('chainId', 256), chainId);
  return nonce === null ? call : { ...call, nonce };
}

/**
 * Refuses blobs without their versioned hashes, because this program does not compute the hashes. With hashes, the
 * blobs themselves are ignored.
 */
function refuseBlobs(args: RpcArguments, reader: FieldReader, index: number): void {
  const blobs = reader.items('blobs', '[]kzg4844.Blob');
  for (const blob of blobs) args.fixedBytes(blob, BLOB_BYTES, 'kzg4844.Blob', { index });
  if (blobs.length > 0) args.fail(`invalid argument ${index}: blobs need their blobVersionedHashes beside them`);
}

function readData(args: RpcArguments, reader: FieldReader): Uint8Array {
  const data = reader.bytes('data');
  const input = reader.bytes('input');
  if (data !== null && input !== null && Buffer.compare(data, input) !== 0) {
    args.fail('both "data" and "input" are set and not equal. Please use "input" to pass transaction call data');
  }
  return input ?? data ?? new Uint8Array();
}

function checkChainId(args: RpcArguments, have: bigint | null, want: bigint): void {
  if (have === null || have === want) return;
  args.failure ??= rpcError('execution', `chainId does not match node's (have=${have}, want=${want})`);
}

function readAccessListEntry(entry: FieldReader): AccessListEntry {
  const read = { address: entry.address('address') ?? ZERO_ADDRESS, slots: entry.words('storageKeys') ?? [] };
  entry.require('address', 'storageKeys');
  return read;
}

function readAuthorization(entry: FieldReader): Authorization {
  const read = {
    chainId: entry.quantity('chainId', 256) ?? 0n,
    address: entry.address('address') ?? ZERO_ADDRESS,
    nonce: entry.quantity('nonce', 64) ?? 0n,
    yParity: entry.quantity('yParity', 64) ?? 0n,
    r: entry.quantity('r', 256) ?? 0n,
    s: entry.quantity('s', 256) ?? 0n,
  };
  entry.require('chainId', 'address', 'nonce', 'yParity', 'r', 's');
  return read;
}

/**
 * Parses state overrides, if they are present: the parameter at `index` or a value inside it, which maps addresses to
 * changes of the accounts.
 */
export function parseStateOverride(args: RpcArguments, value: unknown, index: number): AccountOverride[] {
  if (!isPresent(value)) return [];
  const accounts = args.object(value, 'override.StateOverride', { index });
  if (countOverrides(accounts) > LIMITS.overridesMax) {
    args.fail(`invalid argument ${index}: too many overrides (max ${LIMITS.overridesMax} accounts and slots)`);
    return [];
  }
  const seen = new Set<string>();
  return Object.entries(accounts).map(([text, account]) => {
    const address = args.fixedBytes(text, 20, 'common.Address', { index });
    const key = text.toLowerCase();
    if (seen.has(key)) args.fail(`invalid argument ${index}: account ${key} is overridden twice`);
    seen.add(key);
    return readAccountOverride(args, new FieldReader(args, account ?? {}, ACCOUNT, { index }), address, text);
  });
}

/** Counts the overridden accounts and slots before they are validated. */
function countOverrides(accounts: StructFields): number {
  let count = 0;
  for (const account of Object.values(accounts)) {
    count++;
    for (const member of Object.values((account ?? {}) as StructFields))
      if (typeof member === 'object') count += Object.keys(member ?? {}).length;
  }
  return count;
}

function readAccountOverride(
  args: RpcArguments,
  reader: FieldReader,
  address: Uint8Array,
  text: string,
): AccountOverride {
  if (reader.has('state') && reader.has('stateDiff')) {
    args.fail(`account ${text} has both 'state' and 'stateDiff'`);
  }
  return withoutNulls<AccountOverride>({
    address,
    nonce: reader.quantity('nonce', 64),
    balance: reader.quantity('balance', 256),
    code: reader.bytes('code'),
    state: reader.slots('state'),
    stateDiff: reader.slots('stateDiff'),
    movePrecompileToAddress: reader.address('movePrecompileToAddress'),
  });
}

/**
 * Parses a block override, if it is present: the parameter at `index` or a value inside it. `isSimulated`: the members
 * of eth_simulateV1's blocks are allowed, too.
 */
export function parseBlockOverride(
  args: RpcArguments,
  value: unknown,
  index: number,
  isSimulated = false,
): BlockOverride | null {
  if (!isPresent(value)) return null;
  const reader = new FieldReader(args, value, BLOCK, { index });
  for (const name of isSimulated ? [] : ['beaconRoot', 'withdrawals'])
    if (reader.has(name)) args.fail(`block override "${name}" is not supported for this RPC method`);
  return withoutNulls<BlockOverride>({
    number: isSimulated ? reader.quantity('number', 256) : readNumber(args, reader, index),
    difficulty: reader.quantity('difficulty', 256),
    time: reader.quantity('time', 64),
    gasLimit: reader.quantity('gasLimit', 64),
    feeRecipient: reader.address('feeRecipient'),
    prevRandao: reader.word('prevRandao'),
    baseFeePerGas: reader.quantity('baseFeePerGas', 256),
    blobBaseFee: reader.quantity('blobBaseFee', 256),
    blockHash: reader.hashes('blockHash'),
    beaconRoot: isSimulated ? reader.word('beaconRoot') : null,
    withdrawals: isSimulated ? reader.list('withdrawals', WITHDRAWAL, readWithdrawal) : null,
  });
}

/**
 * Reads a block number that a JavaScript number represents exactly. For a simulated block, the difference from its
 * parent's number is checked later.
 */
function readNumber(args: RpcArguments, reader: FieldReader, index: number): bigint | null {
  const number = reader.quantity('number', 256);
  if (number !== null && number > Number.MAX_SAFE_INTEGER)
    args.fail(`invalid argument ${index}: block number larger than ${Number.MAX_SAFE_INTEGER}`);
  return number;
}

function readWithdrawal(entry: FieldReader): Withdrawal {
  return {
    index: entry.quantity('index', 64) ?? 0n,
    validatorIndex: entry.quantity('validatorIndex', 64) ?? 0n,
    address: entry.address('address') ?? ZERO_ADDRESS,
    amount: entry.quantity('amount', 64) ?? 0n,
  };
}

type Nullable<T> = { readonly [K in keyof T]-?: Exclude<T[K], undefined> | null };

/** Returns only the members that are present. */
export function withoutNulls<T extends object>(members: Nullable<T>): T {
  const present: Partial<T> = {};
  for (const name in members) if (members[name] !== null) present[name] = members[name];
  return present as T;
}
