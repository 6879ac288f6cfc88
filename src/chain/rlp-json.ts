// Converts headers and transactions in RLP, and withdrawals, to the JSON objects of the execution API. Runs on main, on
// the publisher and on the estimators.
import { RLP, type NestedUint8Array } from '@ethereumjs/rlp';
import { toHex, toQuantity } from '../lib/bytes/hex.js';
import { toBigInt } from '../lib/bytes/words.js';
import { HEADER_FIELDS } from './block/header.js';
import type { Withdrawal } from '../state/block.js';

/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
/** A JSON object. */
export type Members = Record<string, Json>;

/**
 * Type of a field of an RLP list: `quantity`, `flag` (true, or omitted), `data`, `address` (null when empty) or a
 * nested list.
 */
export type Kind = 'quantity' | 'flag' | 'data' | 'address' | 'accessList' | 'authorizationList' | 'hashes';
export type Field = readonly [name: string, kind: Kind];

/** Header fields in RLP order; a header has as many as its fork defines. */
const HEADER: readonly Field[] = HEADER_FIELDS.map(([, name, form]) => {
  return [name, typeof form === 'number' || form === 'bytes' ? 'data' : 'quantity'];
});

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
export const TRANSACTION_FIELDS: readonly (readonly Field[])[] = [
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

/** EIP-2718 type of an OP-Stack deposit. */
export const DEPOSIT_TYPE = 0x7e;
export const DEPOSIT_FIELDS: readonly Field[] = [
  ['sourceHash', 'data'],
  ['from', 'data'],
  ['to', 'address'],
  ['mint', 'quantity'],
  ['value', 'quantity'],
  ['gas', 'quantity'],
  ['isSystemTx', 'flag'],
  ['input', 'data'],
];
/** Fields of an authorization (EIP-7702). */
export const AUTHORIZATION_FIELDS: readonly Field[] = [
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
      return (value as RlpValue[][]).map((entry) => renderFields(entry, AUTHORIZATION_FIELDS));
  }
}

function renderFields(values: readonly RlpValue[], fields: readonly Field[]): Members {
  const members = values.map((value, i) => [fields[i]![0], renderField(value, fields[i]![1])] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== false));
}

/** Header fields of an RLP header, in execution API form. */
export function renderHeader(header: Uint8Array): Members {
  return renderFields((RLP.decode(header) as RlpValue[]).slice(0, HEADER.length), HEADER);
}

/** Type and fields of a transaction in EIP-2718 bytes. */
export function renderRaw(raw: Uint8Array): { readonly type: number; readonly fields: Members } {
  const type = raw[0]! < 0x80 ? raw[0]! : 0;
  const layout = type === DEPOSIT_TYPE ? DEPOSIT_FIELDS : TRANSACTION_FIELDS[type]!;
  return { type, fields: renderFields(RLP.decode(type === 0 ? raw : raw.subarray(1)) as RlpValue[], layout) };
}

/** EIP-4895. */
export function renderWithdrawal(withdrawal: Withdrawal): Members {
  return {
    index: toQuantity(withdrawal.index),
    validatorIndex: toQuantity(withdrawal.validatorIndex),
    address: toHex(withdrawal.address),
    amount: toQuantity(withdrawal.amount),
  };
}
