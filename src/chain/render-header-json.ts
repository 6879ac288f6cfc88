// Renders RLP headers, and withdrawals, as JSON objects of Ethereum's JSON-RPC API.
import { toHex, toQuantity } from '../lib/bytes/hex.js';
import { RlpReader } from '../lib/bytes/rlp-reader.js';
import { toBigInt } from '../lib/bytes/big-endian.js';
import { HEADER_FIELDS } from './block/header.js';
import type { Withdrawal } from '../state/complete-block.js';

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };
export type JsonRecord = Record<string, JsonValue>;

/** Returns the fields of an RLP header as JSON properties. */
export function renderHeader(header: Uint8Array): JsonRecord {
  const members: JsonRecord = {};
  const reader = new RlpReader(header);
  reader.enter();
  for (const [, name, form] of HEADER_FIELDS) {
    if (reader.isAtEnd) break;
    const item = reader.string();
    members[name] = typeof form === 'number' || form === 'bytes' ? toHex(item) : toQuantity(toBigInt(item));
  }
  if (!reader.isSound) throw new Error('no block header');
  return members;
}

/** Returns a withdrawal (EIP-4895) as JSON properties. */
export function renderWithdrawal(withdrawal: Withdrawal): JsonRecord {
  return {
    index: toQuantity(withdrawal.index),
    validatorIndex: toQuantity(withdrawal.validatorIndex),
    address: toHex(withdrawal.address),
    amount: toQuantity(withdrawal.amount),
  };
}
