// Block headers as plain data, and the fields of the next block's header that follow from its parent.
import { keccak256 } from '../../lib/bytes/keccak.js';
import { encodeRlp, type RlpInput } from '../../lib/bytes/rlp.js';
import { decodeRlp } from '../../lib/bytes/rlp-reader.js';
import { ZERO_WORD, toBigInt } from '../../lib/bytes/big-endian.js';
import type { BlockEnv } from '../../state/state-diff.js';

/** All fields of a header (yellow paper 4.4). A field is `null` if the block's fork does not have it. */
export interface Header {
  readonly parentHash: Uint8Array;
  readonly unclesHash: Uint8Array;
  /** Fee recipient, 20 bytes. */
  readonly coinbase: Uint8Array;
  readonly stateRoot: Uint8Array;
  readonly transactionsRoot: Uint8Array;
  readonly receiptsRoot: Uint8Array;
  /** 256 bytes. */
  readonly logsBloom: Uint8Array;
  readonly difficulty: bigint;
  readonly number: number;
  readonly gasLimit: bigint;
  readonly gasUsed: bigint;
  /** Seconds since 1970, 64 bits. */
  readonly timestamp: bigint;
  readonly extraData: Uint8Array;
  /** `prevRandao` from the merge on. */
  readonly mixHash: Uint8Array;
  /** 8 bytes. */
  readonly nonce: Uint8Array;
  /** EIP-1559, wei. */
  readonly baseFeePerGas: bigint | null;
  /** EIP-4895. */
  readonly withdrawalsRoot: Uint8Array | null;
  /** EIP-4844. */
  readonly blobGasUsed: bigint | null;
  readonly excessBlobGas: bigint | null;
  /** EIP-4788. */
  readonly parentBeaconBlockRoot: Uint8Array | null;
  /** EIP-7685. */
  readonly requestsHash: Uint8Array | null;
  /** EIP-7928; absent before Amsterdam. */
  readonly blockAccessListHash?: Uint8Array;
  /** EIP-7843; absent before Amsterdam. */
  readonly slotNumber?: bigint;
  /** Further items of the RLP list, from forks that this program does not know. */
  readonly unknownItems?: readonly Uint8Array[];
}

/**
 * Offset of the logs bloom in an RLP header. Before it are the prefixes of the list and of the bloom, five 32-byte
 * fields and the fee recipient, each with a prefix byte.
 */
const BLOOM_AT = 3 + 5 * 33 + 21 + 3;
const BLOOM_BYTES = 256;

/** The logs bloom of an RLP header, as a view: its offset is the same in all forks. */
export function logsBloomOfHeader(header: Uint8Array): Uint8Array {
  return header.subarray(BLOOM_AT, BLOOM_AT + BLOOM_BYTES);
}

/** keccak-256 of the RLP of an empty list: a block without uncles. */
export const EMPTY_UNCLES_HASH = keccak256(Uint8Array.of(0xc0));

/** keccak-256 of the RLP of a block's uncles. */
export function hashUncles(uncles: readonly Header[]): Uint8Array {
  return keccak256(encodeRlp(uncles.map(itemsOf)));
}

/** EIP-1559: base fee of the first block that has one, in wei. */
export const INITIAL_BASE_FEE = 1_000_000_000n;

/** How the base fee follows the gas used: gas limit to gas target, and the denominator of the largest change. */
export interface BaseFeeParams {
  readonly elasticity: bigint;
  readonly denominator: bigint;
}

/** The parameters of EIP-1559. */
const ETHEREUM_PARAMS: BaseFeeParams = { elasticity: 2n, denominator: 8n };

/**
 * Type of a field: a number stands for that many bytes, `bytes` for any length, `integer` for an unsigned integer of
 * any size, `u64` for one of 64 bits, `number` for a safe integer.
 */
type Form = number | 'bytes' | 'integer' | 'u64' | 'number';

/** Fields in RLP order, named as in the execution API: the first 15, and of the others as many as the fork has. */
export const HEADER_FIELDS = [
  ['parentHash', 'parentHash', 32],
  ['unclesHash', 'sha3Uncles', 32],
  ['coinbase', 'miner', 20],
  ['stateRoot', 'stateRoot', 32],
  ['transactionsRoot', 'transactionsRoot', 32],
  ['receiptsRoot', 'receiptsRoot', 32],
  ['logsBloom', 'logsBloom', BLOOM_BYTES],
  ['difficulty', 'difficulty', 'integer'],
  ['number', 'number', 'number'],
  ['gasLimit', 'gasLimit', 'integer'],
  ['gasUsed', 'gasUsed', 'integer'],
  ['timestamp', 'timestamp', 'u64'],
  ['extraData', 'extraData', 'bytes'],
  ['mixHash', 'mixHash', 32],
  ['nonce', 'nonce', 8],
  ['baseFeePerGas', 'baseFeePerGas', 'integer'],
  ['withdrawalsRoot', 'withdrawalsRoot', 32],
  ['blobGasUsed', 'blobGasUsed', 'integer'],
  ['excessBlobGas', 'excessBlobGas', 'integer'],
  ['parentBeaconBlockRoot', 'parentBeaconBlockRoot', 32],
  ['requestsHash', 'requestsHash', 32],
  ['blockAccessListHash', 'blockAccessListHash', 32],
  ['slotNumber', 'slotNumber', 'u64'],
] as const satisfies readonly (readonly [name: keyof Header, json: string, form: Form])[];
export const HEADER_FIELD_COUNT_MIN = 15;
/** Fields from this index on are absent from the object, rather than `null`, if the block's fork does not have them. */
const OPTIONAL_FROM = 21;
/** Most unknown fields of later forks that a header may have. */
const UNKNOWN_MAX = 8;
/** Largest values of the bounded integers. */
const MOST = { u64: 2n ** 64n - 1n, number: BigInt(Number.MAX_SAFE_INTEGER) };

/** Decoded headers by their bytes. Otherwise a block's header would be decoded a dozen times, at 8 us each. */
const READ = new WeakMap<Uint8Array, Header>();

/** Decodes an RLP header. Throws an error that names the malformed field. The bytes must not be changed later. */
export function decodeHeader(rlp: Uint8Array): Header {
  let header = READ.get(rlp);
  if (header === undefined) READ.set(rlp, (header = readHeader(rlp)));
  return header;
}

function readHeader(rlp: Uint8Array): Header {
  const items = decodeRlp(rlp);
  if (items instanceof Uint8Array) throw new Error('a block header must be a list');
  return headerFromRlpItems(items);
}

/** Makes a header from the decoded items of its RLP list. */
export function headerFromRlpItems(items: readonly unknown[]): Header {
  const fieldsMax = HEADER_FIELDS.length + UNKNOWN_MAX;
  if (items.length < HEADER_FIELD_COUNT_MIN || items.length > fieldsMax)
    throw new Error(`a block header has ${HEADER_FIELD_COUNT_MIN} to ${fieldsMax} fields, not ${items.length}`);
  const header: Partial<Record<keyof Header, unknown>> = {};
  for (const [index, [name, , form]] of HEADER_FIELDS.entries()) {
    if (index < items.length) header[name] = valueOf(items[index], name, form);
    else if (index < OPTIONAL_FROM) header[name] = null;
  }
  const unknown = items.slice(HEADER_FIELDS.length);
  if (unknown.length > 0) header.unknownItems = unknown.map((item) => bytesOf(item, 'a field', null));
  return header as Header;
}

/** RLP of a header; its keccak-256 is the block's hash. */
export function encodeHeader(header: Header): Uint8Array {
  return encodeRlp(itemsOf(header));
}

function itemsOf(header: Header): RlpInput[] {
  const items: RlpInput[] = [];
  for (const [name] of HEADER_FIELDS) {
    const value = header[name] ?? null;
    if (value === null) break;
    items.push(value);
  }
  return [...items, ...(header.unknownItems ?? [])];
}

/** The environment that the header's block was executed in. */
export function blockEnvOfHeader(header: Header): BlockEnv {
  const merged = header.difficulty === 0n;
  return {
    number: header.number,
    timestamp: header.timestamp,
    gasLimit: header.gasLimit,
    baseFeePerGas: header.baseFeePerGas ?? 0n,
    coinbase: header.coinbase,
    prevRandao: merged ? header.mixHash : ZERO_WORD,
    difficulty: header.difficulty,
    excessBlobGas: header.excessBlobGas ?? 0n,
    parentBeaconBlockRoot: header.parentBeaconBlockRoot ?? ZERO_WORD,
    ...(header.slotNumber === undefined ? {} : { slotNumber: header.slotNumber }),
  };
}

/** EIP-7843: slot number of the next block by that block's rules, assuming that no slot stays empty. */
export function nextSlotNumber(
  parent: Pick<Header, 'slotNumber'>,
  { common }: { readonly common: { isActivatedEIP(eip: 7843): boolean } },
): Pick<BlockEnv, 'slotNumber'> {
  return common.isActivatedEIP(7843) ? { slotNumber: (parent.slotNumber ?? 0n) + 1n } : {};
}

/** EIP-1559: base fee of the next block in wei, if London's rules are active for that block. */
export function nextBaseFee(
  parent: Pick<Header, 'baseFeePerGas' | 'gasLimit' | 'gasUsed'>,
  { elasticity, denominator }: BaseFeeParams = ETHEREUM_PARAMS,
): bigint {
  const { baseFeePerGas: fee, gasLimit, gasUsed } = parent;
  if (fee === null) return INITIAL_BASE_FEE;
  const target = gasLimit / elasticity;
  if (gasUsed === target || target === 0n) return fee;
  if (gasUsed < target) return fee - (fee * (target - gasUsed)) / target / denominator;
  const rise = (fee * (gasUsed - target)) / target / denominator;
  return fee + (rise > 0n ? rise : 1n);
}

function valueOf(item: unknown, name: string, form: Form): Uint8Array | bigint | number {
  if (form === 'bytes' || typeof form === 'number') return bytesOf(item, name, form === 'bytes' ? null : form);
  const bytes = bytesOf(item, name, null);
  if (bytes[0] === 0) throw new Error(`${name} has leading zeros`);
  const value = toBigInt(bytes);
  if (form !== 'integer' && value > MOST[form]) throw new Error(`${name} is too large`);
  return form === 'number' ? Number(value) : value;
}

function bytesOf(item: unknown, name: string, length: number | null): Uint8Array {
  if (!(item instanceof Uint8Array)) throw new Error(`${name} must be a string of bytes`);
  if (length !== null && item.length !== length)
    throw new Error(`${name} must be ${length} bytes long, not ${item.length}`);
  return item.slice();
}
