// Converts a node's JSON of transactions back to the signed bytes. Pure.
import {
  AUTHORIZATION_FIELDS,
  TRANSACTION_FIELDS,
  type TransactionField,
  type FieldKind,
} from '../../transaction/fields.table.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { keccak256 } from '../../lib/bytes/keccak-wasm.js';
import { toHex } from '../../lib/bytes/hex.js';
import { encodeRlp, type RlpInput } from '../../lib/bytes/encode-rlp.js';
import type { AnnouncedTransaction } from '../../state/complete-block.js';
import type { UndecodedTransaction } from '../upstream.js';
import {
  parseBytes,
  quantityDigits,
  parseHexString,
  isAbsent,
  asJsonArray,
  asJsonObject,
  parseSafeInteger,
  throwWrongAnswer,
  type JsonObject,
} from './json-values.js';

/** Alternative names that older nodes use for two members: the signature's parity, and the data of a call. */
const OLDER_NAMES: Readonly<Record<string, string>> = { yParity: 'v', input: 'data' };
/** Default values of members that nodes may leave out. */
const LEFT_OUT: Readonly<Record<string, unknown>> = { mint: '0x0', accessList: [] };

/** For each kind of member: the function that converts it to an item of the transaction's RLP list. */
const ITEMS: Readonly<Record<FieldKind, (value: unknown, name: string) => RlpInput>> = {
  u64: integerAt,
  u256: integerAt,
  // Marks a system transaction of the OP Stack before Regolith. Most nodes leave the member out.
  flag: (value) => (value === true ? 1 : 0),
  data: (value, name) => bytesAt(value, name),
  // Empty if the transaction creates a contract.
  address: (value, name) => (isAbsent(value) ? '' : bytesAt(value, name, 20)),
  hashes: (value, name) => asJsonArray(value, name).map((hash) => bytesAt(hash, 'a hash', 32)),
  accessList: (value, name) => asJsonArray(value, name).map(accessEntry),
  authorizationList: (value, name) =>
    asJsonArray(value, name).map((entry) => itemsOf(asJsonObject(entry, 'an authorization'), AUTHORIZATION_FIELDS)),
};

function bytesAt(value: unknown, name: string, length?: number): string {
  return parseHexString(value, name, length).slice(2);
}

/** Returns the digits of a quantity without leading zeros. */
function integerAt(value: unknown, name: string): string {
  const digits = quantityDigits(value, name);
  let from = 0;
  while (from < digits.length && digits[from] === '0') from++;
  return (digits.length - from) % 2 === 0 ? digits.slice(from) : `0${digits.slice(from)}`;
}

function accessEntry(json: unknown): RlpInput {
  const { address, storageKeys } = asJsonObject(json, 'an entry of the access list');
  const keys = asJsonArray(storageKeys ?? [], 'storageKeys').map((key) => bytesAt(key, 'a storage key', 32));
  return [bytesAt(address, 'address', 20), keys];
}

function itemsOf(members: JsonObject, fields: readonly TransactionField[]): RlpInput {
  return fields.map(([name, kind]) => ITEMS[kind](memberOf(members, name), name));
}

function memberOf(members: JsonObject, name: string): unknown {
  const older = OLDER_NAMES[name];
  return members[name] ?? (older === undefined ? LEFT_OUT[name] : members[older]);
}

/** Returns the EIP-2718 type of a transaction object if this program does not know the type; otherwise `null`. */
export function unknownTransactionTypeOf(json: unknown): number | null {
  const type = typeOf(asJsonObject(json, 'a transaction'));
  return TRANSACTION_FIELDS[type] === undefined ? type : null;
}

/** Decodes a transaction object of any type. Throws UpstreamError if its hash is missing or does not match. */
export function parseTransactionOfAnyType(json: unknown): UndecodedTransaction {
  const text = JSON.stringify(json);
  if (unknownTransactionTypeOf(json) === null) return { ...parseTransaction(json), text };
  return {
    hash: parseBytes(asJsonObject(json, 'a transaction')['hash'], 'the hash of a transaction', 32),
    raw: null,
    text,
  };
}

/** Decodes a transaction object to its EIP-2718 bytes. Throws UpstreamError if these do not have the object's hash. */
export function parseTransaction(json: unknown): AnnouncedTransaction {
  const tx = asJsonObject(json, 'a transaction');
  const hash = parseBytes(tx['hash'], 'the hash of a transaction', 32);
  const raw = encodeTransaction(tx);
  if (!sameBytes(keccak256(raw), hash))
    return throwWrongAnswer(`transaction ${toHex(hash)} has another hash than it says`);
  return { raw, hash, from: parseBytes(tx['from'], 'from', 20) };
}

function typeOf(tx: JsonObject): number {
  return isAbsent(tx['type']) ? 0 : parseSafeInteger(tx['type'], 'the type of a transaction');
}

function encodeTransaction(tx: JsonObject): Uint8Array {
  const type = typeOf(tx);
  const fields = TRANSACTION_FIELDS[type];
  if (fields === undefined) return throwWrongAnswer(`transactions of type 0x${type.toString(16)} are not known`);
  return encodeRlp(itemsOf(tx, fields), type);
}
