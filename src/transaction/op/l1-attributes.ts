// Reads the L1 attributes (the L1 prices for a block's transactions) from the first deposit of an OP-Stack block.
import { readInteger } from '../../lib/bytes/big-endian.js';
import { parseRawDeposit } from './deposit.js';
import { DA_FOOTPRINT_GAS_SCALAR_DEFAULT, type L1FeePrices } from './l1-and-operator-fees.js';

/**
 * The L1 prices, and the form of the call that sets them in the contract L1Block. The first block of a fork still uses
 * the previous fork's form.
 */
export interface L1Attributes extends L1FeePrices {
  readonly form: 'bedrock' | 'ecotone' | 'isthmus' | 'jovian';
}

/**
 * Forms of the call to L1Block: selector and length of the call data. From Ecotone on, the arguments are packed
 * (`setL1BlockValuesEcotone` and later functions).
 */
const FORMS: readonly (readonly [form: L1Attributes['form'], selector: number, bytes: number])[] = [
  ['jovian', 0x3db6be2b, 178],
  ['isthmus', 0x098999be, 176],
  ['ecotone', 0x440a5e20, 164],
  ['bedrock', 0x015d8eb9, 260],
];

/** Attributes that were introduced after Bedrock. These values are used if the call does not contain them. */
const UNSET = {
  baseFeeScalar: 0n,
  blobBaseFee: 0n,
  blobBaseFeeScalar: 0n,
  operatorFeeScalar: 0n,
  operatorFeeConstant: 0n,
  daFootprintGasScalar: DA_FOOTPRINT_GAS_SCALAR_DEFAULT,
};

/** Reads the attributes; returns `null` if the call has no known form. `raw` is the block's first transaction. */
export function l1AttributesOf(raw: Uint8Array | undefined): L1Attributes | null {
  const deposit = parseRawDeposit(raw);
  if (deposit === null) return null;
  const data = deposit.bytes(deposit.at.input);
  if (data.length < 4) return null;
  const selector = Number(readInteger(data, 0, 4));
  const known = FORMS.find(([, each, bytes]) => each === selector && data.length >= bytes);
  if (known === undefined) return null;
  return known[0] === 'bedrock' ? bedrockAttributes(data) : attributes(data, known[0]);
}

/** Reads Bedrock's form by word index after the selector: 2 is the base fee, 6 the overhead, 7 the scalar. */
function bedrockAttributes(data: Uint8Array): L1Attributes {
  const word = (index: number): bigint => readInteger(data, 4 + 32 * index, 36 + 32 * index);
  return {
    form: 'bedrock',
    bedrock: { overhead: word(6), scalar: word(7) },
    baseFee: word(2),
    ...UNSET,
  };
}

/**
 * Reads the packed form. Byte offsets, with lengths in parentheses: 4 base fee scalar (4), 8 blob base fee scalar (4),
 * 36 base fee (32), 68 blob base fee (32). From Isthmus on also 164 operator fee scalar (4) and 168 operator fee
 * constant (8); from Jovian on 176 DA footprint scalar (2).
 */
function attributes(data: Uint8Array, form: L1Attributes['form']): L1Attributes {
  const hasOperator = form !== 'ecotone';
  const footprint = form === 'jovian' ? readInteger(data, 176, 178) : 0n;
  return {
    form,
    bedrock: null,
    baseFeeScalar: readInteger(data, 4, 8),
    blobBaseFeeScalar: readInteger(data, 8, 12),
    baseFee: readInteger(data, 36, 68),
    blobBaseFee: readInteger(data, 68, 100),
    operatorFeeScalar: hasOperator ? readInteger(data, 164, 168) : 0n,
    operatorFeeConstant: hasOperator ? readInteger(data, 168, 176) : 0n,
    daFootprintGasScalar: footprint || DA_FOOTPRINT_GAS_SCALAR_DEFAULT,
  };
}
