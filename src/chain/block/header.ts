// Block headers as plain data, and what follows from a header for the block after it. Runs on every thread.
import { RLP } from '@ethereumjs/rlp';
import { keccak256 } from '../../lib/bytes/keccak.js';
import { encodeBytes, encodeList, encodeNumber } from '../../lib/bytes/rlp.js';
import { toBigInt } from '../../lib/bytes/words.js';
import type { BlockEnv } from '../../state/diff.js';

/** All fields of a header (yellow paper 4.4); `null`: the fork of the block does not have the field. */
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
  /** Seconds since 1970, of 64 bits. */
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
  /** Items behind those, of forks that are not known here. */
  readonly unknownItems?: readonly Uint8Array[];
}

/** Bytes of an RLP header before its bloom: the list's, 32-byte fields and the fee recipient with a byte each, the bloom's own. */
const BLOOM_AT = 3 + 5 * 33 + 21 + 3;
const BLOOM_BYTES = 256;

/** The logs bloom of an RLP header, a view: it has its place whatever the header's fork. */
export function bloomOf(header: Uint8Array): Uint8Array {
  return header.subarray(BLOOM_AT, BLOOM_AT + BLOOM_BYTES);
}

/** keccak-256 of the RLP of an empty list: a block without uncles. */
export const NO_UNCLES_HASH = keccak256(Uint8Array.of(0xc0));
/** EIP-1559: base fee of the first block with one, wei. */
export const INITIAL_BASE_FEE = 1_000_000_000n;

/**
 * Parameters by which the base fee follows the gas used: the limit over the target, and the part by which the fee changes at
 * most.
 */
export interface BaseFeeParams {
  readonly elasticity: bigint;
  readonly denominator: bigint;
}

/** EIP-1559's. */
const ETHEREUM_PARAMS: BaseFeeParams = { elasticity: 2n, denominator: 8n };
const ZERO_WORD = new Uint8Array(32);

/** Fields in RLP order. The first 15 are always there; of the rest a beginning, as far as the block's fork goes. */
const FIELDS = [
  'parentHash',
  'unclesHash',
  'coinbase',
  'stateRoot',
  'transactionsRoot',
  'receiptsRoot',
  'logsBloom',
  'difficulty',
  'number',
  'gasLimit',
  'gasUsed',
  'timestamp',
  'extraData',
  'mixHash',
  'nonce',
  'baseFeePerGas',
  'withdrawalsRoot',
  'blobGasUsed',
  'excessBlobGas',
  'parentBeaconBlockRoot',
  'requestsHash',
  'blockAccessListHash',
  'slotNumber',
] as const satisfies readonly (keyof Header)[];
const FIELDS_MIN = 15;
/** Fields that a header may have of forks that are not known here. */
const UNKNOWN_MAX = 8;
const U64_MAX = 2n ** 64n - 1n;

/** Fields of an RLP header. Throws, naming the field, where the bytes are no header. */
export function decodeHeader(rlp: Uint8Array): Header {
  const items = RLP.decode(rlp);
  if (items instanceof Uint8Array) throw new Error('a block header must be a list');
  return headerOfItems(items);
}

/** Fields of a header's decoded list. */
export function headerOfItems(items: readonly unknown[]): Header {
  const fieldsMax = FIELDS.length + UNKNOWN_MAX;
  if (items.length < FIELDS_MIN || items.length > fieldsMax)
    throw new Error(`a block header has ${FIELDS_MIN} to ${fieldsMax} fields, not ${items.length}`);
  return { ...fieldsOfAll(items), ...fieldsOfForks(items), ...fieldsOfAmsterdam(items) };
}

/** Fields that forks have added to headers: `null` in a header of an earlier one. */
export type ForkField =
  | 'baseFeePerGas'
  | 'withdrawalsRoot'
  | 'blobGasUsed'
  | 'excessBlobGas'
  | 'parentBeaconBlockRoot'
  | 'requestsHash';

function fieldsOfAll(items: readonly unknown[]): Omit<Header, ForkField> {
  return {
    parentHash: bytesAt(items, 0, 32),
    unclesHash: bytesAt(items, 1, 32),
    coinbase: bytesAt(items, 2, 20),
    stateRoot: bytesAt(items, 3, 32),
    transactionsRoot: bytesAt(items, 4, 32),
    receiptsRoot: bytesAt(items, 5, 32),
    logsBloom: bytesAt(items, 6, 256),
    difficulty: bigintAt(items, 7),
    number: numberAt(items, 8),
    gasLimit: bigintAt(items, 9),
    gasUsed: bigintAt(items, 10),
    timestamp: u64At(items, 11),
    extraData: bytesAt(items, 12, null),
    mixHash: bytesAt(items, 13, 32),
    nonce: bytesAt(items, 14, 8),
  };
}

function fieldsOfForks(items: readonly unknown[]): Pick<Header, ForkField> {
  const has = (index: number): boolean => index < items.length;
  return {
    baseFeePerGas: has(15) ? bigintAt(items, 15) : null,
    withdrawalsRoot: has(16) ? bytesAt(items, 16, 32) : null,
    blobGasUsed: has(17) ? bigintAt(items, 17) : null,
    excessBlobGas: has(18) ? bigintAt(items, 18) : null,
    parentBeaconBlockRoot: has(19) ? bytesAt(items, 19, 32) : null,
    requestsHash: has(20) ? bytesAt(items, 20, 32) : null,
  };
}

/** Fields that are absent before Amsterdam, and those of forks that are not known here. */
function fieldsOfAmsterdam(
  items: readonly unknown[],
): Pick<Header, 'blockAccessListHash' | 'slotNumber' | 'unknownItems'> {
  const unknown = items.slice(FIELDS.length);
  return {
    ...(items.length > 21 ? { blockAccessListHash: bytesAt(items, 21, 32) } : {}),
    ...(items.length > 22 ? { slotNumber: u64At(items, 22) } : {}),
    ...(unknown.length > 0 ? { unknownItems: unknown.map((_, at) => bytesAt(items, FIELDS.length + at, null)) } : {}),
  };
}

/** RLP of a header; its keccak-256 is the block's hash. */
export function encodeHeader(header: Header): Uint8Array {
  const items: Uint8Array[] = [];
  for (const name of FIELDS) {
    const value = header[name] ?? null;
    if (value === null) break;
    items.push(value instanceof Uint8Array ? encodeBytes(value) : encodeNumber(BigInt(value)));
  }
  return encodeList([...items, ...(header.unknownItems ?? []).map(encodeBytes)]);
}

/** The environment that the header's block was executed in. */
export function envOfHeader(header: Header): BlockEnv {
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

/** Header of a block in this environment as far as it is known before it is complete, with zeros for the rest. */
export function headerOfEnv(env: BlockEnv, parentHash: Uint8Array): Header {
  return {
    parentHash,
    unclesHash: NO_UNCLES_HASH,
    coinbase: env.coinbase,
    stateRoot: ZERO_WORD,
    transactionsRoot: ZERO_WORD,
    receiptsRoot: ZERO_WORD,
    logsBloom: new Uint8Array(BLOOM_BYTES),
    difficulty: env.difficulty,
    number: env.number,
    gasLimit: env.gasLimit,
    gasUsed: 0n,
    timestamp: env.timestamp,
    extraData: new Uint8Array(0),
    mixHash: env.prevRandao,
    nonce: new Uint8Array(8),
    baseFeePerGas: env.baseFeePerGas,
    withdrawalsRoot: ZERO_WORD,
    blobGasUsed: 0n,
    excessBlobGas: env.excessBlobGas,
    parentBeaconBlockRoot: env.parentBeaconBlockRoot,
    requestsHash: null,
    ...(env.slotNumber === undefined ? {} : { slotNumber: env.slotNumber }),
  };
}

/** EIP-7843: of the block after this one, by the rules of that block, where no slot stays empty. */
export function nextSlot(
  parent: Pick<Header, 'slotNumber'>,
  { common }: { readonly common: { isActivatedEIP(eip: 7843): boolean } },
): Pick<BlockEnv, 'slotNumber'> {
  return common.isActivatedEIP(7843) ? { slotNumber: (parent.slotNumber ?? 0n) + 1n } : {};
}

/** EIP-1559: base fee of the block after this one, wei, where London's rules hold for that block. */
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

function bytesAt(items: readonly unknown[], index: number, length: number | null): Uint8Array {
  const item = items[index];
  if (!(item instanceof Uint8Array)) throw new Error(`${FIELDS[index] ?? 'a field'} must be a string of bytes`);
  if (length !== null && item.length !== length)
    throw new Error(`${FIELDS[index]} must be ${length} bytes long, not ${item.length}`);
  return item.slice();
}

function bigintAt(items: readonly unknown[], index: number): bigint {
  const bytes = bytesAt(items, index, null);
  if (bytes[0] === 0) throw new Error(`${FIELDS[index]} has leading zeros`);
  return toBigInt(bytes);
}

function u64At(items: readonly unknown[], index: number): bigint {
  const value = bigintAt(items, index);
  if (value > U64_MAX) throw new Error(`${FIELDS[index]} is too large`);
  return value;
}

function numberAt(items: readonly unknown[], index: number): number {
  const value = bigintAt(items, index);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new Error(`${FIELDS[index]} is too large`);
  return Number(value);
}
