// Finds what is malformed in the bytes of a raw transaction, with go-ethereum's messages.
import { decodeRlp, type DecodedRlpItem } from '../lib/bytes/rlp-reader.js';
import { TRANSACTION_FIELDS, type TransactionField } from './fields.table.js';

/** go-ethereum's names of the transaction types; the index is the type. */
const NAMES = ['types.LegacyTx', 'types.AccessListTx', 'types.DynamicFeeTx', 'types.BlobTx', 'types.SetCodeTx'];
const FIRST_STRING = 0x80;

/** Returns the error message; `null` if each field has the form that its type requires. Never throws. */
export function malformedTransactionMessage(raw: Uint8Array): string | null {
  const first = raw[0];
  if (first === undefined || (first < FIRST_STRING && raw.length === 1)) return 'typed transaction too short';
  if (first >= FIRST_STRING) return wrongPayload(raw, 0);
  return first > 0 && first < NAMES.length ? wrongPayload(raw.subarray(1), first) : 'transaction type not supported';
}

function wrongPayload(payload: Uint8Array, type: number): string | null {
  const [name, fields] = [NAMES[type]!, TRANSACTION_FIELDS[type]!];
  const items = listOf(payload, name);
  if (typeof items === 'string') return items;
  if (items.length < fields.length) return `rlp: too few elements for ${name}`;
  if (items.length > fields.length) return `rlp: input list has too many elements for ${name}`;
  const wrong = fields.map((field, index) => wrongItem(items[index]!, field, name));
  return wrong.find((text) => text !== null) ?? null;
}

function listOf(payload: Uint8Array, name: string): readonly DecodedRlpItem[] | string {
  try {
    const item = decodeRlp(payload);
    return item instanceof Uint8Array ? `rlp: expected input list for ${name}` : item;
  } catch (error) {
    return `rlp: ${error instanceof Error ? error.message.replace(/^invalid RLP[^:]*: /, '') : 'invalid'}`;
  }
}

function wrongItem(item: DecodedRlpItem, [field, kind, label = field]: TransactionField, name: string): string | null {
  const where = `decoding into (${name}).${label}`;
  const string = item instanceof Uint8Array ? item : null;
  switch (kind) {
    case 'u64':
    case 'u256':
      if (string === null) return `rlp: expected input string or byte for ${label}, ${where}`;
      if (string.length > (kind === 'u64' ? 8 : 32)) return `rlp: input string too long for ${label}, ${where}`;
      return string[0] === 0 ? `rlp: non-canonical integer (leading zero bytes) for ${label}, ${where}` : null;
    case 'address':
      return string?.length === 0 || string?.length === 20 ? null : `rlp: wrong size for common.Address, ${where}`;
    case 'data':
      return string === null ? `rlp: expected input string or byte for []uint8, ${where}` : null;
    default:
      return string === null ? null : `rlp: expected input list, ${where}`;
  }
}
