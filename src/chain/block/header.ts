// Block headers as plain data, and the fields of the next header that follow from its parent.
import { keccak256 } from '../../lib/bytes/keccak-wasm.js';
import { encodeRlp, type RlpInput } from '../../lib/bytes/encode-rlp.js';
import { decodeRlp } from '../../lib/bytes/rlp-reader.js';
import { ZERO_WORD, toBigInt } from '../../lib/bytes/big-endian.js';
import type { BlockEnv, ChainPosition } from '../../state/state-diff.js';

/** All fields of a header (yellow paper 4.4). A field is `null` if the block's fork does not have it. */
export interface Header {
  readonly parentHash: Uint8Array;
  readonly unclesHash: Uint8Array;
  /** Fee recipient, 20 bytes. */
  readonly coinbase: Uint8Array;
  readonly stateRoot: Uint8Array;
  readonly transactionsRoot: Uint8Array;
  readonly receiptsRoot: Uint8Array;
  /** Bloom filter over the logs of the block, 256 bytes. */
  readonly logsBloom: Uint8Array;
  readonly difficulty: bigint;
  readonly number: number;
  readonly gasLimit: bigint;
  readonly gasUsed: bigint;
  /** Seconds since 1970, 64 bits. */
  readonly timestamp: bigint;
  readonly extraData: Uint8Array;
  /** Proof-of-work field; `prevRandao` from the merge on. 32 bytes. */
  readonly mixHash: Uint8Array;
  /** Proof-of-work nonce, 8 bytes; zeros from the merge on. */
  readonly nonce: Uint8Array;
  /** Base fee in wei per gas (EIP-1559). */
  readonly baseFeePerGas: bigint | null;
  /** Since Shanghai (EIP-4895). */
  readonly withdrawalsRoot: Uint8Array | null;
  /** Since Cancun (EIP-4844), like the next field. */
  readonly blobGasUsed: bigint | null;
  readonly excessBlobGas: bigint | null;
  /** Since Cancun (EIP-4788). */
  readonly parentBeaconBlockRoot: Uint8Array | null;
  /** Since Prague (EIP-7685). */
  readonly requestsHash: Uint8Array | null;
  /** Since Amsterdam (EIP-7928); absent before. */
  readonly blockAccessListHash?: Uint8Array;
  /** Since Amsterdam (EIP-7843); absent before. */
  readonly slotNumber?: bigint;
  /** Additional items of the RLP list, from forks that this program does not know. */
  readonly unknownItems?: readonly Uint8Array[];
}

/**
 * Offset of the logs bloom in an RLP header. It is preceded by the prefixes of the list and of the bloom, and by five
 * 32-byte fields and the fee recipient, each with a prefix byte.
 */
const BLOOM_AT = 3 + 5 * 33 + 21 + 3;
const BLOOM_BYTES = 256;

/** Returns the logs bloom of an RLP header as a view. Its offset is the same in all forks. */
export function logsBloomOfHeader(header: Uint8Array): Uint8Array {
  return header.subarray(BLOOM_AT, BLOOM_AT + BLOOM_BYTES);
}

/** Uncles hash of a block without uncles: keccak-256 of the RLP of an empty list. */
export const EMPTY_UNCLES_HASH = keccak256(Uint8Array.of(0xc0));

/** Returns the uncles hash: keccak-256 of the RLP of the uncles' headers. */
export function hashUncles(uncles: readonly Header[]): Uint8Array {
  return keccak256(encodeRlp(uncles.map(itemsOf)));
}

/** Base fee of the first block that has one, in wei (EIP-1559). */
export const INITIAL_BASE_FEE = 1_000_000_000n;

/** Parameters of EIP-1559: ratio of gas limit to gas target, and denominator that bounds the change per block. */
export interface BaseFeeParams {
  readonly elasticity: bigint;
  readonly denominator: bigint;
}

/** Ethereum's parameters of EIP-1559. */
const ETHEREUM_PARAMS: BaseFeeParams = { elasticity: 2n, denominator: 8n };

/**
 * Type of a header field. A number n: n bytes; `bytes`: any length; `integer`: unsigned integer of any size; `u64`:
 * unsigned 64-bit integer; `number`: safe integer.
 */
type Form = number | 'bytes' | 'integer' | 'u64' | 'number';

/**
 * Header fields in RLP order: name in `Header`, name in JSON-RPC, type. All headers have the first 15; later forks have
 * added the others in this order.
 */
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
/** Fields from this index on are absent from the object, not `null`, if the block's fork does not have them. */
const OPTIONAL_FROM = 21;
/** Largest number of header fields that may come from later, unknown forks. */
const UNKNOWN_MAX = 8;
/** Largest values of the bounded integer types. */
const MOST = { u64: 2n ** 64n - 1n, number: BigInt(Number.MAX_SAFE_INTEGER) };

/**
 * Cache of decoded headers, keyed by the `Uint8Array` object that they were decoded from. Without it, each block's
 * header would be decoded a dozen times, and each decoding takes 8 us.
 */
const READ = new WeakMap<Uint8Array, Header>();

/** Decodes an RLP header. Throws an error that names the malformed field. The bytes must not be changed afterwards. */
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
  if (unknown.length > 0) header.unknownItems = unknown.map((item) => requireBytes(item, 'a field', null));
  return header as Header;
}

/** Encodes a header as RLP. The keccak-256 of these bytes is the block's hash. */
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

/** Returns the environment in which the header's block was executed. */
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

/** Returns the position in the chain of the state after the block with this header and hash, and its environment. */
export function positionAfterBlock(header: Header, hash: Uint8Array): ChainPosition {
  const { number: block, parentHash } = header;
  return { coordinates: { block, index: 0, hash, parentHash }, env: blockEnvOfHeader(header) };
}

/**
 * Returns the slot number of the next block (EIP-7843), assuming that no slot is missed after `parent`; an empty object
 * if the next block's fork has no slot numbers.
 */
export function nextSlotNumber(
  parent: Pick<Header, 'slotNumber'>,
  { common }: { readonly common: { isActivatedEIP(eip: 7843): boolean } },
): Pick<BlockEnv, 'slotNumber'> {
  return common.isActivatedEIP(7843) ? { slotNumber: (parent.slotNumber ?? 0n) + 1n } : {};
}

/** Returns the base fee of the next block in wei (EIP-1559). Call it only if that block has London's rules. */
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
  if (form === 'bytes' || typeof form === 'number') return requireBytes(item, name, form === 'bytes' ? null : form);
  const bytes = requireBytes(item, name, null);
  if (bytes[0] === 0) throw new Error(`${name} has leading zeros`);
  const value = toBigInt(bytes);
  if (form !== 'integer' && value > MOST[form]) throw new Error(`${name} is too large`);
  return form === 'number' ? Number(value) : value;
}

function requireBytes(item: unknown, name: string, length: number | null): Uint8Array {
  if (!(item instanceof Uint8Array)) throw new Error(`${name} must be a string of bytes`);
  if (length !== null && item.length !== length)
    throw new Error(`${name} must be ${length} bytes long, not ${item.length}`);
  return item.slice();
}
