// Computes the fees that an OP-Stack chain charges in addition to gas: for the transaction's share of the L1 data, and
// for the operator. Pure except for reading storage.
import { toBigInt, toBytes } from '../../lib/bytes/big-endian.js';
import { fastLzLength } from './fastlz.js';
import type { OpRules } from '../../chain/op/forks.js';

/** Prices before Ecotone from which the L1 fee is computed, besides the base fee. */
export interface BedrockPrices {
  /** L1 gas that is added for each transaction. */
  readonly overhead: bigint;
  /** Factor on the fee, in millionths. */
  readonly scalar: bigint;
}

/** Values in L1Block's storage from which fees are computed. Prices are in wei per gas, scalars in millionths. */
export interface L1FeePrices {
  /**
   * Bedrock's prices, used until Ecotone's are set (Ecotone's first block still uses Bedrock's); `null` from then on.
   */
  readonly bedrock: BedrockPrices | null;
  readonly baseFee: bigint;
  readonly blobBaseFee: bigint;
  readonly baseFeeScalar: bigint;
  readonly blobBaseFeeScalar: bigint;
  readonly operatorFeeScalar: bigint;
  /** Wei that are added to the operator fee of each transaction. */
  readonly operatorFeeConstant: bigint;
  /** Gas per byte of a transaction's estimated compressed size, which counts against the block's gas limit (Jovian). */
  readonly daFootprintGasScalar: bigint;
}

const SLOT_BASE_FEE = toBytes(1n, 32);
const SLOT_SCALARS = toBytes(3n, 32);
const SLOT_BEDROCK_OVERHEAD = toBytes(5n, 32);
const SLOT_BEDROCK_SCALAR = toBytes(6n, 32);
const SLOT_BLOB_BASE_FEE = toBytes(7n, 32);
const SLOT_OPERATOR = toBytes(8n, 32);

/** DA footprint scalar that applies if L1Block contains 0 (Jovian). */
export const DA_FOOTPRINT_GAS_SCALAR_DEFAULT = 400n;

const MILLION = 1_000_000n;
/** Gas of a non-zero byte of calldata (EIP-2028). */
const CALLDATA_GAS = 16n;
/** Constants of Fjord's size estimate, in millionths of a byte: linear in the FastLZ size, and at least 100 bytes. */
const SIZE_MIN = 100n * MILLION;
const SIZE_INTERCEPT = -42_585_600n;
const SIZE_PER_FASTLZ_BYTE = 836_500n;

/** Reads the prices from storage. `word` returns a slot of L1Block, with or without leading zero bytes. */
export function readL1FeePrices(word: (slot: Uint8Array) => Uint8Array, rules: OpRules): L1FeePrices {
  // Solidity packs values from the low end: byte offset 8 in slot 3 means bits 64 to 95.
  const scalars = toBigInt(word(SLOT_SCALARS));
  const operator = rules.has('isthmus') ? toBigInt(word(SLOT_OPERATOR)) : 0n;
  const blobBaseFee = toBigInt(word(SLOT_BLOB_BASE_FEE));
  const isSet = blobBaseFee > 0n || bits(scalars, 64, 64) > 0n;
  return {
    bedrock: isSet ? null : readBedrockPrices(word),
    baseFee: toBigInt(word(SLOT_BASE_FEE)),
    blobBaseFee,
    baseFeeScalar: bits(scalars, 96, 32),
    blobBaseFeeScalar: bits(scalars, 64, 32),
    operatorFeeScalar: bits(operator, 64, 32),
    operatorFeeConstant: bits(operator, 0, 64),
    daFootprintGasScalar: footprintScalar(operator),
  };
}

/** Reads the DA footprint scalar from storage (Jovian). */
export function readDaFootprintScalar(
  word: (slot: Uint8Array) => Uint8Array,
): Pick<L1FeePrices, 'daFootprintGasScalar'> {
  return { daFootprintGasScalar: footprintScalar(toBigInt(word(SLOT_OPERATOR))) };
}

function footprintScalar(operator: bigint): bigint {
  return bits(operator, 96, 16) || DA_FOOTPRINT_GAS_SCALAR_DEFAULT;
}

function readBedrockPrices(word: (slot: Uint8Array) => Uint8Array): BedrockPrices {
  return { overhead: toBigInt(word(SLOT_BEDROCK_OVERHEAD)), scalar: toBigInt(word(SLOT_BEDROCK_SCALAR)) };
}

/**
 * Returns the fee in wei for the transaction's share of the L1 data. `raw` is the signed transaction as EIP-2718 bytes.
 */
export function l1Fee(raw: Uint8Array, prices: L1FeePrices, rules: OpRules): bigint {
  const { bedrock, baseFee, baseFeeScalar, blobBaseFee, blobBaseFeeScalar } = prices;
  if (bedrock !== null) return (l1GasUsed(raw, prices, rules) * baseFee * bedrock.scalar) / MILLION;
  const scaled = baseFeeScalar * baseFee * 16n + blobBaseFeeScalar * blobBaseFee;
  if (rules.has('fjord')) return (estimatedSize(raw) * scaled) / (MILLION * MILLION);
  return (calldataGas(raw) * scaled) / (16n * MILLION);
}

/** Returns the gas that the transaction's data would cost as calldata on L1. Receipts contain it next to the fee. */
export function l1GasUsed(raw: Uint8Array, { bedrock }: Pick<L1FeePrices, 'bedrock'>, rules: OpRules): bigint {
  if (bedrock !== null) return calldataGas(raw) + bedrock.overhead;
  return rules.has('fjord') ? (estimatedSize(raw) * CALLDATA_GAS) / MILLION : calldataGas(raw);
}

/** Returns the operator fee in wei if a transaction uses (or may use) this much gas; 0 before Isthmus. */
export function operatorFee(gas: bigint, prices: L1FeePrices, rules: OpRules): bigint {
  if (!rules.has('isthmus')) return 0n;
  const { operatorFeeScalar: scalar, operatorFeeConstant: constant } = prices;
  return (rules.has('jovian') ? gas * scalar * 100n : (gas * scalar) / MILLION) + constant;
}

/**
 * Returns the transaction's DA footprint: gas that its data counts against the block's gas limit, in a separate sum
 * (Jovian).
 */
export function daFootprint(raw: Uint8Array, prices: Pick<L1FeePrices, 'daFootprintGasScalar'>): bigint {
  return (estimatedSize(raw) / MILLION) * prices.daFootprintGasScalar;
}

/** Returns the transaction's estimated size in a compressed batch, in millionths of a byte (Fjord). */
function estimatedSize(raw: Uint8Array): bigint {
  const size = SIZE_INTERCEPT + SIZE_PER_FASTLZ_BYTE * BigInt(fastLzLength(raw));
  return size < SIZE_MIN ? SIZE_MIN : size;
}

/** Returns L1's gas for calldata before EIP-7623. Used up to Ecotone. */
function calldataGas(raw: Uint8Array): bigint {
  let gas = 0;
  for (const byte of raw) gas += byte === 0 ? 4 : 16;
  return BigInt(gas);
}

function bits(word: bigint, from: number, count: number): bigint {
  return (word >> BigInt(from)) & ((1n << BigInt(count)) - 1n);
}
