// EIP-2718 bytes of a transaction to its fields, refused with the texts of go-ethereum. Runs on the publisher.
import { RLP } from '@ethereumjs/rlp';
import { TRANSACTION_FIELDS } from '../chain/rlp-json.js';
import { toBigInt } from '../lib/bytes/words.js';

/** go-ethereum's names of the transaction types that are accepted. */
const NAMES = [
  'types.LegacyTx',
  'types.AccessListTx',
  'types.DynamicFeeTx',
  'types.BlobTx',
  'types.SetCodeTx',
] as const;

/** Order of secp256k1. */
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** Fields of a transaction that the pool needs before it is built for execution. Fees in wei per gas. */
export interface TransactionFields {
  readonly type: 0 | 1 | 2 | 3 | 4;
  /** `null`: a legacy transaction without replay protection (EIP-155). */
  readonly chainId: bigint | null;
  readonly nonce: bigint;
  readonly tipCap: bigint;
  readonly feeCap: bigint;
  readonly gasLimit: bigint;
  readonly creates: boolean;
  readonly value: bigint;
  readonly dataBytes: number;
  /** EIP-7702 tuples; `null` for other types. */
  readonly authorizations: number | null;
  /** EIP-4844 hashes of blobs; `null` for other types. */
  readonly blobs: number | null;
  /** True if r, s (EIP-2: the lower one) and the parity are in range. */
  readonly signatureInRange: boolean;
}

/** Fields, or the text of the refusal. */
export type Decoded = { readonly fields: TransactionFields } | { readonly refusal: string };

type Item = Uint8Array | readonly Item[];
/** Items by the names of their fields in the execution API. */
type Items = ReadonlyMap<string, Item>;

/** Longest encoding of each number, and what go-ethereum calls its field. */
const NUMBERS: readonly (readonly [field: string, bytesMax: number, label: string])[] = [
  ['chainId', 32, 'ChainID'],
  ['nonce', 8, 'Nonce'],
  ['gasPrice', 32, 'GasPrice'],
  ['maxFeePerGas', 32, 'GasPrice'],
  ['maxPriorityFeePerGas', 32, 'GasTipCap'],
  ['gas', 8, 'Gas'],
  ['value', 32, 'Value'],
  ['maxFeePerBlobGas', 32, 'BlobFeeCap'],
  ['v', 32, 'V'],
  ['yParity', 32, 'V'],
  ['r', 32, 'R'],
  ['s', 32, 'S'],
];
/** Lists, and their names in a refusal. */
const LISTS = [
  ['accessList', 'accessList'],
  ['authorizationList', 'auths'],
  ['blobVersionedHashes', 'blobHashes'],
] as const;

/** Decodes `raw`. Never throws: whatever is wrong with the bytes comes back as a refusal. */
export function decodeFields(raw: Uint8Array): Decoded {
  const first = raw[0];
  if (first === undefined || (first < 0x80 && raw.length === 1)) return { refusal: 'typed transaction too short' };
  if (first >= 0x80) return decodePayload(0, raw);
  if (first !== 1 && first !== 2 && first !== 3 && first !== 4) return { refusal: 'transaction type not supported' };
  return decodePayload(first, raw.subarray(1));
}

function decodePayload(type: TransactionFields['type'], payload: Uint8Array): Decoded {
  const [name, fields] = [NAMES[type], TRANSACTION_FIELDS[type]!];
  const items = decodeList(payload, name);
  if (typeof items === 'string') return { refusal: items };
  if (items.length < fields.length) return { refusal: `rlp: too few elements for ${name}` };
  if (items.length > fields.length) return { refusal: `rlp: input list has too many elements for ${name}` };
  const byName = new Map(fields.map(([field], i) => [field, items[i]!]));
  const refusal = wrongField(byName, name);
  return refusal === null ? readFields(type, byName) : { refusal };
}

function decodeList(payload: Uint8Array, name: string): readonly Item[] | string {
  try {
    const item: Item = RLP.decode(payload);
    return item instanceof Uint8Array ? `rlp: expected input list for ${name}` : item;
  } catch (error) {
    return `rlp: ${error instanceof Error ? error.message.replace(/^invalid RLP[^:]*: /, '') : 'invalid'}`;
  }
}

function wrongField(items: Items, name: string): string | null {
  for (const [field, bytesMax, label] of NUMBERS) {
    const item = items.get(field);
    if (item === undefined) continue;
    const where = `decoding into (${name}).${label}`;
    if (!(item instanceof Uint8Array)) return `rlp: expected input string or byte for ${label}, ${where}`;
    if (item.length > bytesMax) return `rlp: input string too long for ${label}, ${where}`;
    if (item[0] === 0) return `rlp: non-canonical integer (leading zero bytes) for ${label}, ${where}`;
  }
  const to = items.get('to');
  if (!(to instanceof Uint8Array) || (to.length !== 0 && to.length !== 20))
    return `rlp: wrong size for common.Address, decoding into (${name}).To`;
  if (!(items.get('input') instanceof Uint8Array))
    return `rlp: expected input string or byte for []uint8, decoding into (${name}).Data`;
  for (const [list, label] of LISTS)
    if (items.get(list) instanceof Uint8Array) return `rlp: expected input list, decoding into (${name}).${label}`;
  return null;
}

/** Every item has been checked by `wrongField`. */
function readFields(type: TransactionFields['type'], items: Items): Decoded {
  const number = (field: string): bigint => toBigInt(bytesOf(items.get(field)));
  const feeCap = number(type < 2 ? 'gasPrice' : 'maxFeePerGas');
  return {
    fields: {
      type,
      chainId: type === 0 ? legacyChainId(number('v')) : number('chainId'),
      nonce: number('nonce'),
      tipCap: type < 2 ? feeCap : number('maxPriorityFeePerGas'),
      feeCap,
      gasLimit: number('gas'),
      creates: bytesOf(items.get('to')).length === 0,
      value: number('value'),
      dataBytes: bytesOf(items.get('input')).length,
      authorizations: items.get('authorizationList')?.length ?? null,
      blobs: items.get('blobVersionedHashes')?.length ?? null,
      signatureInRange: inRange(number('r'), number('s'), type === 0 ? 0n : number('yParity')),
    },
  };
}

/** A legacy transaction's parity is any that its v says. */
function inRange(r: bigint, s: bigint, parity: bigint): boolean {
  return r > 0n && r < CURVE_ORDER && s > 0n && s <= CURVE_ORDER / 2n && parity <= 1n;
}

function bytesOf(item: Item | undefined): Uint8Array {
  return item instanceof Uint8Array ? item : new Uint8Array(0);
}

/** EIP-155: v = 35 + 2 * chain id + parity; 27 and 28 (and 0 and 1) carry no chain id. */
function legacyChainId(v: bigint): bigint | null {
  return v >= 35n ? (v - 35n) / 2n : null;
}
