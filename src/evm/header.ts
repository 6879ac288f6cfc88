// Block headers as plain data, and what follows from a header for the block after it. Runs on every thread.
import { RLP } from '@ethereumjs/rlp';
import { encodeBytes, encodeList, encodeNumber } from '../lib/rlp.js';
import { toBigInt } from '../lib/words.js';
import type { BlockEnv } from '../state/diff.js';
import { keccak256 } from './crypto.js';

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
  /** Seconds since 1970. */
  readonly timestamp: number;
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
}

/** keccak-256 of the RLP of an empty list: a block without uncles. */
export const NO_UNCLES_HASH = keccak256(Uint8Array.of(0xc0));
/** EIP-1559: base fee of the first block with one, wei. */
export const INITIAL_BASE_FEE = 1_000_000_000n;

const ELASTICITY = 2n;
const CHANGE_DENOMINATOR = 8n;
const ZERO_WORD = new Uint8Array(32);

/** A number of at most `number` size, a number of any size, or bytes of a fixed or (`null`) any length. */
type Kind = 'number' | 'bigint' | { readonly bytes: number | null };
const HASH: Kind = { bytes: 32 };

/** Fields in RLP order. The first 15 are always there; of the rest a beginning, as far as the block's fork goes. */
const FIELDS: readonly (readonly [name: keyof Header, kind: Kind])[] = [
  ['parentHash', HASH],
  ['unclesHash', HASH],
  ['coinbase', { bytes: 20 }],
  ['stateRoot', HASH],
  ['transactionsRoot', HASH],
  ['receiptsRoot', HASH],
  ['logsBloom', { bytes: 256 }],
  ['difficulty', 'bigint'],
  ['number', 'number'],
  ['gasLimit', 'bigint'],
  ['gasUsed', 'bigint'],
  ['timestamp', 'number'],
  ['extraData', { bytes: null }],
  ['mixHash', HASH],
  ['nonce', { bytes: 8 }],
  ['baseFeePerGas', 'bigint'],
  ['withdrawalsRoot', HASH],
  ['blobGasUsed', 'bigint'],
  ['excessBlobGas', 'bigint'],
  ['parentBeaconBlockRoot', HASH],
  ['requestsHash', HASH],
];
const FIELDS_MIN = 15;

/** Fields of an RLP header. Throws, naming the field, where the bytes are no header. */
export function decodeHeader(rlp: Uint8Array): Header {
  const items = RLP.decode(rlp);
  if (items instanceof Uint8Array) throw new Error('a block header must be a list');
  return headerOfItems(items);
}

/** The same of a decoded list. */
export function headerOfItems(items: readonly unknown[]): Header {
  if (items.length < FIELDS_MIN || items.length > FIELDS.length)
    throw new Error(`a block header has ${FIELDS_MIN} to ${FIELDS.length} fields, not ${items.length}`);
  const fields = FIELDS.map(([name, kind], i) => [name, i < items.length ? readField(items[i], name, kind) : null]);
  return Object.fromEntries(fields) as unknown as Header;
}

/** RLP of a header; its keccak-256 is the block's hash. */
export function encodeHeader(header: Header): Uint8Array {
  const items: Uint8Array[] = [];
  for (const [name] of FIELDS) {
    const value = header[name];
    if (value === null) break;
    items.push(value instanceof Uint8Array ? encodeBytes(value) : encodeNumber(BigInt(value)));
  }
  return encodeList(items);
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
  };
}

/** EIP-1559: base fee of the block after this one, wei, where London's rules hold for that block. */
export function nextBaseFee(parent: Pick<Header, 'baseFeePerGas' | 'gasLimit' | 'gasUsed'>): bigint {
  const { baseFeePerGas: fee, gasLimit, gasUsed } = parent;
  if (fee === null) return INITIAL_BASE_FEE;
  const target = gasLimit / ELASTICITY;
  if (gasUsed === target || target === 0n) return fee;
  if (gasUsed < target) return fee - (fee * (target - gasUsed)) / target / CHANGE_DENOMINATOR;
  const rise = (fee * (gasUsed - target)) / target / CHANGE_DENOMINATOR;
  return fee + (rise > 0n ? rise : 1n);
}

function readField(item: unknown, name: string, kind: Kind): Uint8Array | bigint | number {
  if (!(item instanceof Uint8Array)) throw new Error(`${name} must be a string of bytes`);
  if (typeof kind === 'object') {
    if (kind.bytes !== null && item.length !== kind.bytes)
      throw new Error(`${name} must be ${kind.bytes} bytes long, not ${item.length}`);
    return item.slice();
  }
  if (item[0] === 0) throw new Error(`${name} has leading zeros`);
  const value = toBigInt(item);
  if (kind === 'bigint') return value;
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new Error(`${name} is too large`);
  return Number(value);
}
