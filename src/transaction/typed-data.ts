// Computes the signing hash of typed structured data (EIP-712). Pure.
import { parseHex } from '../lib/bytes/hex.js';
import { keccak256 } from '../lib/bytes/keccak-wasm.js';
import { WORD_BYTES, toBytes, toWord } from '../lib/bytes/big-endian.js';

interface Field {
  readonly name: string;
  readonly type: string;
}

type Members = Readonly<Record<string, unknown>>;
type Types = ReadonlyMap<string, readonly Field[]>;

/** Thrown, with the reason, for data that cannot be hashed. */
class Malformed extends Error {}

const DOMAIN = 'EIP712Domain';
/**
 * Fields of the EIP-712 domain in the EIP's order. If the request defines no domain type, it has the fields that are
 * present.
 */
const DOMAIN_FIELDS: readonly Field[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
];

/** Returns the 32-byte hash that an account signs, or a message why the data cannot be hashed. */
export function typedDataHash(data: unknown): Uint8Array | string {
  try {
    const { types: given, primaryType, domain, message } = membersOf(data, 'typed data');
    const own = membersOf(domain, 'domain');
    const types = new Map(
      Object.entries(membersOf(given, 'types')).map(([name, fields]) => [name, fieldsOf(fields, name)]),
    );
    if (!types.has(DOMAIN))
      types.set(
        DOMAIN,
        DOMAIN_FIELDS.filter(({ name }) => own[name] !== undefined),
      );
    if (typeof primaryType !== 'string' || !types.has(primaryType))
      throw new Malformed('primaryType is not among types');
    const body = primaryType === DOMAIN ? [] : [hashStruct(primaryType, membersOf(message, 'message'), types)];
    return keccak256(Buffer.concat([Uint8Array.of(0x19, 1), hashStruct(DOMAIN, own, types), ...body]));
  } catch (error) {
    if (error instanceof Malformed) return error.message;
    throw error;
  }
}

function membersOf(value: unknown, what: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Malformed(`${what} is no object`);
  return value as Members;
}

function fieldsOf(value: unknown, type: string): readonly Field[] {
  if (!Array.isArray(value)) throw new Malformed(`type ${type} is no list of fields`);
  return value.map((field) => {
    const { name, type: of } = membersOf(field, `a field of ${type}`);
    if (typeof name !== 'string' || typeof of !== 'string')
      throw new Malformed(`a field of ${type} has no name or type`);
    return { name, type: of };
  });
}

function hashStruct(name: string, value: Members, types: Types): Uint8Array {
  const words = types.get(name)!.map((field) => {
    const member = value[field.name];
    if (member === undefined) throw new Malformed(`${name} lacks ${field.name}`);
    return encodeValue(field.type, member, types);
  });
  return keccak256(Buffer.concat([keccak256(Buffer.from(encodeType(name, types))), ...words]));
}

/** Returns EIP-712's `encodeType`: the type itself, then the types that it refers to, sorted by name. */
function encodeType(name: string, types: Types): string {
  const referred = new Set<string>();
  const visit = (each: string): void => {
    if (referred.has(each) || !types.has(each)) return;
    referred.add(each);
    for (const { type } of types.get(each)!) visit(type.replace(/\[.*$/, ''));
  };
  visit(name);
  referred.delete(name);
  const textOf = (each: string): string =>
    `${each}(${types
      .get(each)!
      .map(({ name: field, type }) => `${type} ${field}`)
      .join(',')})`;
  return [name, ...[...referred].toSorted()].map(textOf).join('');
}

function encodeValue(type: string, value: unknown, types: Types): Uint8Array {
  const [, item, length] = /^(.+)\[(\d*)\]$/.exec(type) ?? [];
  if (item !== undefined) return encodeArray(item, length!, value, types);
  if (types.has(type))
    return value === null ? new Uint8Array(WORD_BYTES) : hashStruct(type, membersOf(value, type), types);
  return encodeAtom(type, value);
}

function encodeArray(item: string, length: string, value: unknown, types: Types): Uint8Array {
  const isFitting = Array.isArray(value) && (length === '' || value.length === Number(length));
  if (!isFitting) throw new Malformed(`want ${item}[${length}]`);
  return keccak256(Buffer.concat(value.map((each) => encodeValue(item, each, types))));
}

function encodeAtom(type: string, value: unknown): Uint8Array {
  if (type === 'string' && typeof value === 'string') return keccak256(Buffer.from(value));
  if (type === 'bool' && typeof value === 'boolean') return toBytes(value ? 1n : 0n, WORD_BYTES);
  if (type === 'address' && typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value))
    return toWord(parseHex(value, 2)!);
  if (type === 'bytes') return keccak256(parseBytes(type, value));
  const [, bytes] = /^bytes(\d+)$/.exec(type) ?? [];
  if (bytes !== undefined) return fixedBytes(type, Number(bytes), value);
  const [, sign, bits] = /^(u?)int(\d*)$/.exec(type) ?? [];
  if (bits !== undefined) return integer(type, { isSigned: sign === '', bits: Number(bits || 256) }, value);
  throw new Malformed(`${JSON.stringify(value)} is no ${type}`);
}

function parseBytes(type: string, value: unknown): Uint8Array {
  const bytes = typeof value === 'string' && value.startsWith('0x') ? parseHex(value, 2) : null;
  if (bytes === null) throw new Malformed(`${JSON.stringify(value)} is no ${type}`);
  return bytes;
}

function fixedBytes(type: string, length: number, value: unknown): Uint8Array {
  const bytes = parseBytes(type, value);
  if (length < 1 || length > WORD_BYTES || bytes.length !== length)
    throw new Malformed(`${JSON.stringify(value)} is no ${type}`);
  const word = new Uint8Array(WORD_BYTES);
  word.set(bytes);
  return word;
}

/** Parses an integer from a JSON number, or from decimal or hex text. */
function integer(
  type: string,
  { isSigned, bits }: { readonly isSigned: boolean; readonly bits: number },
  value: unknown,
): Uint8Array {
  const isNumber = Number.isSafeInteger(value) || (typeof value === 'string' && /^(-?\d+|0x[0-9a-f]+)$/i.test(value));
  const number = isNumber ? BigInt(value as string | number) : null;
  const half = 2n ** BigInt(bits - 1);
  const [least, above] = isSigned ? [-half, half] : [0n, 2n * half];
  if (number === null || bits > 256 || bits < 8 || number < least || number >= above)
    throw new Malformed(`${JSON.stringify(value)} is no ${type}`);
  return toBytes(BigInt.asUintN(256, number), WORD_BYTES);
}
