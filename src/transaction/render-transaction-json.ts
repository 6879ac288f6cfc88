// Renders transactions as JSON objects, as Ethereum's JSON-RPC specification defines them.
import type { JsonValue, JsonRecord } from '../chain/render-header-json.js';
import { toHex, toQuantity } from '../lib/bytes/hex.js';
import { toBigInt } from '../lib/bytes/big-endian.js';
import type { RlpReader } from '../lib/bytes/rlp-reader.js';
import { AUTHORIZATION_FIELDS, type TransactionField, type FieldKind } from './fields.table.js';
import { RawTransactionReader } from './raw-transaction-fields.js';

/**
 * Returns type and fields of a transaction in EIP-2718 bytes. Throws if malformed, which a transaction of a block never
 * is.
 */
export function renderTransactionJson(raw: Uint8Array): { readonly type: number; readonly fields: JsonRecord } {
  const transaction = RawTransactionReader.of(raw);
  if (transaction === null) throw new Error('no transaction of a type that is known here');
  const members = transaction.map(renderField).filter(([, value]) => value !== false);
  if (!transaction.isWhole()) throw new Error('a transaction has items of another form');
  return { type: transaction.type, fields: Object.fromEntries(members) };
}

function renderField(reader: RlpReader, [name, kind]: TransactionField): readonly [name: string, value: JsonValue] {
  return [name, RENDERED[kind](reader)];
}

const RENDERED: Readonly<Record<FieldKind, (reader: RlpReader) => JsonValue>> = {
  u64: renderQuantity,
  u256: renderQuantity,
  flag: (reader) => toBigInt(reader.string()) !== 0n,
  data: renderBytes,
  address(reader) {
    const address = reader.string();
    return address.length === 0 ? null : toHex(address);
  },
  hashes: (reader) => reader.list(renderBytes),
  accessList: (reader) => reader.list(renderAccess),
  authorizationList: (reader) => reader.list(renderAuthorization),
};

function renderQuantity(reader: RlpReader): string {
  return toQuantity(toBigInt(reader.string()));
}

function renderBytes(reader: RlpReader): string {
  return toHex(reader.string());
}

function renderAccess(reader: RlpReader): JsonValue {
  const outer = reader.enter();
  const entry = { address: renderBytes(reader), storageKeys: reader.list(renderBytes) };
  reader.leave(outer);
  return entry;
}

function renderAuthorization(reader: RlpReader): JsonValue {
  const outer = reader.enter();
  const members = AUTHORIZATION_FIELDS.map((field) => renderField(reader, field));
  reader.leave(outer);
  return Object.fromEntries(members);
}
