// Blocks, transactions and receipts as the JSON objects of the execution API. Runs on main.
import { RLP, type NestedUint8Array } from '@ethereumjs/rlp';
import { GAS_PER_BLOB } from '../../chain/forks.js';
import type { CompleteBlock, ConfirmedTransaction, Log, Withdrawal } from '../../state/block.js';
import type { ExecutedBlock, Inclusion } from '../executed-blocks.js';
import type { BlockSoFar } from '../pre-confirmed-blocks.js';
import { toHex, toQuantity } from '../../lib/hex.js';
import { logsBloom } from '../../lib/bloom.js';
import { toBigInt } from '../../lib/words.js';

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
type Members = Record<string, Json>;

const ZERO_HASH = toHex(new Uint8Array(32));
const EMPTY_BLOOM = toHex(new Uint8Array(256));
const EMPTY_UNCLES = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347';

/** How a field of an RLP list is written: `quantity`, `flag` (true or false), `data`, `address` (null when empty) or a list of its own. */
type Kind = 'quantity' | 'flag' | 'data' | 'address' | 'accessList' | 'authorizationList' | 'hashes';
type Field = readonly [name: string, kind: Kind];

/** Header fields in RLP order; a header ends where its fork ends it. */
const HEADER: readonly Field[] = [
  ['parentHash', 'data'],
  ['sha3Uncles', 'data'],
  ['miner', 'data'],
  ['stateRoot', 'data'],
  ['transactionsRoot', 'data'],
  ['receiptsRoot', 'data'],
  ['logsBloom', 'data'],
  ['difficulty', 'quantity'],
  ['number', 'quantity'],
  ['gasLimit', 'quantity'],
  ['gasUsed', 'quantity'],
  ['timestamp', 'quantity'],
  ['extraData', 'data'],
  ['mixHash', 'data'],
  ['nonce', 'data'],
  ['baseFeePerGas', 'quantity'],
  ['withdrawalsRoot', 'data'],
  ['blobGasUsed', 'quantity'],
  ['excessBlobGas', 'quantity'],
  ['parentBeaconBlockRoot', 'data'],
  ['requestsHash', 'data'],
];

const LEGACY_SIGNATURE: readonly Field[] = [
  ['v', 'quantity'],
  ['r', 'quantity'],
  ['s', 'quantity'],
];
const SIGNATURE: readonly Field[] = [
  ['yParity', 'quantity'],
  ['r', 'quantity'],
  ['s', 'quantity'],
];
const FEE_MARKET: readonly Field[] = [
  ['chainId', 'quantity'],
  ['nonce', 'quantity'],
  ['maxPriorityFeePerGas', 'quantity'],
  ['maxFeePerGas', 'quantity'],
];
const MESSAGE: readonly Field[] = [
  ['gas', 'quantity'],
  ['to', 'address'],
  ['value', 'quantity'],
  ['input', 'data'],
];
const ACCESS_LIST: Field = ['accessList', 'accessList'];

/** Transaction fields in RLP order, by EIP-2718 type. */
const TRANSACTION: readonly (readonly Field[])[] = [
  [['nonce', 'quantity'], ['gasPrice', 'quantity'], ...MESSAGE, ...LEGACY_SIGNATURE],
  [['chainId', 'quantity'], ['nonce', 'quantity'], ['gasPrice', 'quantity'], ...MESSAGE, ACCESS_LIST, ...SIGNATURE],
  [...FEE_MARKET, ...MESSAGE, ACCESS_LIST, ...SIGNATURE],
  [
    ...FEE_MARKET,
    ...MESSAGE,
    ACCESS_LIST,
    ['maxFeePerBlobGas', 'quantity'],
    ['blobVersionedHashes', 'hashes'],
    ...SIGNATURE,
  ],
  [...FEE_MARKET, ...MESSAGE, ACCESS_LIST, ['authorizationList', 'authorizationList'], ...SIGNATURE],
];

/** Of an OP-Stack deposit. */
const DEPOSIT_TYPE = 0x7e;
const DEPOSIT: readonly Field[] = [
  ['sourceHash', 'data'],
  ['from', 'data'],
  ['to', 'address'],
  ['mint', 'quantity'],
  ['value', 'quantity'],
  ['gas', 'quantity'],
  ['isSystemTx', 'flag'],
  ['input', 'data'],
];
/** What nobody signed and nobody pays for is shown with, so that clients that expect these can read it. */
const UNSIGNED: Members = { v: '0x0', r: '0x0', s: '0x0', yParity: '0x0', gasPrice: '0x0' };

const AUTHORIZATION: readonly Field[] = [
  ['chainId', 'quantity'],
  ['address', 'data'],
  ['nonce', 'quantity'],
  ['yParity', 'quantity'],
  ['r', 'quantity'],
  ['s', 'quantity'],
];

type RlpValue = Uint8Array | NestedUint8Array;

function renderField(value: RlpValue, kind: Kind): Json {
  switch (kind) {
    case 'quantity':
      return toQuantity(toBigInt(value as Uint8Array));
    case 'flag':
      return toBigInt(value as Uint8Array) !== 0n;
    case 'data':
      return toHex(value as Uint8Array);
    case 'address':
      return (value as Uint8Array).length === 0 ? null : toHex(value as Uint8Array);
    case 'hashes':
      return (value as Uint8Array[]).map(toHex);
    case 'accessList':
      return (value as [Uint8Array, Uint8Array[]][]).map(([address, keys]) => ({
        address: toHex(address),
        storageKeys: keys.map(toHex),
      }));
    case 'authorizationList':
      return (value as RlpValue[][]).map((entry) => renderFields(entry, AUTHORIZATION));
  }
}

function renderFields(values: readonly RlpValue[], fields: readonly Field[]): Members {
  return Object.fromEntries(values.map((value, i) => [fields[i]![0], renderField(value, fields[i]![1])]));
}

/** Header fields of an RLP header, in execution API form. */
export function renderHeader(header: Uint8Array): Members {
  return renderFields(RLP.decode(header) as RlpValue[], HEADER);
}

/** The header of a complete block, as subscribers are told it. */
export function renderHead(header: Uint8Array, hash: Uint8Array): Members {
  return { ...renderHeader(header), hash: toHex(hash) };
}

/** What a block that is not complete has in the place of its hash, as nodes of the OP Stack show it. */
function hashText(hash: Uint8Array | null): string {
  return hash === null ? ZERO_HASH : toHex(hash);
}

/** Transaction `index` of a block. */
export function renderTransaction({ block, index }: Inclusion): Members {
  const { number, timestamp, hash, transactions } = block;
  const tx = transactions[index]!;
  const { type, fields } = fieldsOf(tx);
  return {
    blockHash: hashText(hash),
    blockNumber: toQuantity(number),
    blockTimestamp: toQuantity(timestamp),
    transactionIndex: toQuantity(index),
    from: toHex(tx.from),
    hash: toHex(tx.hash),
    type: toQuantity(type),
    gasPrice: toQuantity(tx.receipt.effectiveGasPrice),
    ...fields,
    ...signatureMembers(type, tx, fields),
  };
}

/** What the bytes of a transaction say. */
function fieldsOf(tx: ConfirmedTransaction): { readonly type: number; readonly fields: Members } {
  const type = tx.raw[0]! < 0x80 ? tx.raw[0]! : 0;
  const layout = type === DEPOSIT_TYPE ? DEPOSIT : TRANSACTION[type]!;
  return { type, fields: renderFields(RLP.decode(type === 0 ? tx.raw : tx.raw.subarray(1)) as RlpValue[], layout) };
}

/** What follows from the signature, or stands in for it. */
function signatureMembers(type: number, { receipt }: ConfirmedTransaction, fields: Members): Members {
  if (type === 0) return legacyChainId(fields['v'] as string);
  if (type !== DEPOSIT_TYPE) return { v: fields['yParity']! };
  return { ...UNSIGNED, nonce: toQuantity(receipt.depositNonce ?? 0n) };
}

/** EIP-155: `v` carries the chain id from 35 on. */
function legacyChainId(v: string): Members {
  const value = BigInt(v);
  return value >= 35n ? { chainId: toQuantity((value - 35n) / 2n) } : {};
}

function renderWithdrawal(withdrawal: Withdrawal): Members {
  return {
    index: toQuantity(withdrawal.index),
    validatorIndex: toQuantity(withdrawal.validatorIndex),
    address: toHex(withdrawal.address),
    amount: toQuantity(withdrawal.amount),
  };
}

/** A complete block, with transaction hashes, or whole transactions where `executed` is given. */
export function renderBlock(block: CompleteBlock, executed: ExecutedBlock | null): Members {
  return {
    ...renderHeader(block.header),
    hash: toHex(block.hash),
    size: toQuantity(block.sizeBytes),
    transactions: executed === null ? hashesOf(block) : transactionsOf(executed),
    uncles: [],
    ...(block.withdrawals === null ? {} : { withdrawals: block.withdrawals.map(renderWithdrawal) }),
  };
}

function hashesOf({ transactions }: Pick<ExecutedBlock, 'transactions'>): Json[] {
  return transactions.map(({ hash }) => toHex(hash));
}

function transactionsOf(block: ExecutedBlock): Json[] {
  return block.transactions.map((_tx, index) => renderTransaction({ block, index }));
}

/**
 * The pre-confirmed block. What is known only of a complete block - hash, nonce, roots, bloom - is null or zero, so that
 * clients that need every header field can read it.
 */
export function renderPending({ coordinates, env, gasUsed }: BlockSoFar, block: ExecutedBlock, full: boolean): Members {
  return {
    hash: null,
    nonce: null,
    parentHash: toHex(coordinates.parentHash),
    number: toQuantity(env.number),
    timestamp: toQuantity(env.timestamp),
    miner: toHex(env.coinbase),
    difficulty: toQuantity(env.difficulty),
    mixHash: toHex(env.prevRandao),
    gasLimit: toQuantity(env.gasLimit),
    gasUsed: toQuantity(gasUsed),
    baseFeePerGas: toQuantity(env.baseFeePerGas),
    excessBlobGas: toQuantity(env.excessBlobGas),
    blobGasUsed: '0x0',
    parentBeaconBlockRoot: toHex(env.parentBeaconBlockRoot),
    extraData: '0x',
    logsBloom: EMPTY_BLOOM,
    stateRoot: ZERO_HASH,
    receiptsRoot: ZERO_HASH,
    transactionsRoot: ZERO_HASH,
    withdrawalsRoot: ZERO_HASH,
    sha3Uncles: EMPTY_UNCLES,
    size: '0x0',
    uncles: [],
    withdrawals: [],
    transactions: full ? transactionsOf(block) : hashesOf(block),
  };
}

/** The receipt of transaction `index` of a block. */
export function renderReceipt({ block, index }: Inclusion): Members {
  const tx = block.transactions[index]!;
  const { receipt } = tx;
  const { fields } = fieldsOf(tx);
  return {
    ...placeMembers(block, index),
    type: toQuantity(receipt.type),
    ...(receipt.root === undefined ? { status: toQuantity(receipt.status) } : { root: toHex(receipt.root) }),
    from: toHex(tx.from),
    to: fields['to'] ?? null,
    contractAddress: receipt.contractAddress === null ? null : toHex(receipt.contractAddress),
    gasUsed: toQuantity(receipt.gasUsed),
    cumulativeGasUsed: toQuantity(receipt.cumulativeGasUsed),
    effectiveGasPrice: toQuantity(receipt.effectiveGasPrice),
    ...(receipt.depositNonce === undefined ? {} : depositMembers(receipt.depositNonce)),
    ...blobMembers(fields['blobVersionedHashes'], block),
    logsBloom: toHex(logsBloom(receipt.logs)),
    logs: logsOf({ block, index }).map((log) => renderLog(log)),
  };
}

function placeMembers({ number, hash, transactions }: ExecutedBlock, index: number): Members {
  return {
    blockHash: hashText(hash),
    blockNumber: toQuantity(number),
    transactionHash: toHex(transactions[index]!.hash),
    transactionIndex: toQuantity(index),
  };
}

/** EIP-4844. */
function blobMembers(hashes: Json | undefined, { blobGasPrice }: ExecutedBlock): Members {
  if (!Array.isArray(hashes)) return {};
  return { blobGasUsed: toQuantity(GAS_PER_BLOB * BigInt(hashes.length)), blobGasPrice: toQuantity(blobGasPrice) };
}

/** As op-geth shows deposits from Canyon on. */
function depositMembers(nonce: bigint): Members {
  return { depositNonce: toQuantity(nonce), depositReceiptVersion: '0x1' };
}

/** A log and where it stands. */
export interface PlacedLog extends Inclusion {
  readonly log: Log;
  /** In its block. */
  readonly logIndex: number;
}

/** The logs of transaction `index` of a block. */
export function logsOf({ block, index }: Inclusion): PlacedLog[] {
  const before = block.transactions.slice(0, index).reduce((sum, tx) => sum + tx.receipt.logs.length, 0);
  return block.transactions[index]!.receipt.logs.map((log, i) => ({ block, index, log, logIndex: before + i }));
}

/** A log. `removed`: its block has left the chain. */
export function renderLog({ block, index, log, logIndex }: PlacedLog, removed = false): Members {
  return {
    ...placeMembers(block, index),
    blockTimestamp: toQuantity(block.timestamp),
    address: toHex(log.address),
    topics: log.topics.map(toHex),
    data: toHex(log.data),
    logIndex: toQuantity(logIndex),
    removed,
  };
}
