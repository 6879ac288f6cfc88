// Verifies that a blob matches its commitment: as a whole (EIP-4844), or by its cells (EIP-7594).

// Blob proofs are verified with the functions of the precompiles (`src/evm/precompiles/blob-proofs.ts`): the polynomial
// by BigInt, sums and pairings by blst, or the library where it is not built, and of the ceremony's setup 64 points of
// G1 and two of G2, where c-kzg would have to be built and holds 4096. See DECISIONS.md.
import { createHash, randomBytes } from 'node:crypto';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { fromHex } from '../../lib/bytes/hex.js';
import { readInteger, toBigInt, toBytes } from '../../lib/bytes/words.js';
import { BLS_ORDER, KZG_SETUP_G1, KZG_SETUP_G2, KZG_SETUP_G2_CELL } from './kzg-setup.js';
import type { BlobFunctions } from './blob-functions.js';
import { STATUS } from '../../native/precompiles/functions.js';

/** Field elements of a blob, 32 bytes each. */
const VALUES = 4096;
const VALUE_BYTES = 32;
/** Bytes of a blob. */
export const BLOB_BYTES = VALUES * VALUE_BYTES;
/** Bytes of a commitment and of a proof: a compressed point. */
export const KZG_POINT_BYTES = 48;
/**
 * Cells of a blob, each with a proof. Each cell has 64 values of the polynomial; all together have twice as many as the
 * blob.
 */
export const CELLS = 128;
const CELL_VALUES = 64;

/** A generator of the field's multiplicative group. */
const PRIMITIVE_ROOT = 7n;
/** Bytes of a random weight: enough that wrong proofs cannot cancel out. */
const WEIGHT_BYTES = 16;
const FIELD_BYTES = 64;
const DOMAIN = Buffer.concat([Buffer.from('FSBLOBVERIFY_V1_'), toBytes(BigInt(VALUES), 16)]);
const SETUP_G2 = fromHex(`0x${KZG_SETUP_G2}`);
const { fields, G2 } = bls12_381;

/** True if `proof` shows that `commitment` is that of the blob. */
export function isBlobProved(
  blob: Uint8Array,
  commitment: Uint8Array,
  proof: Uint8Array,
  functions: BlobFunctions,
): boolean {
  const coefficients = coefficientsOf(blob);
  if (coefficients === null) return false;
  const digest = createHash('sha256').update(DOMAIN).update(blob).update(commitment).digest();
  const z = toBigInt(digest) % BLS_ORDER;
  const y = coefficients.reduceRight((sum, coefficient) => (sum * z + coefficient) % BLS_ORDER, 0n);
  const input = Buffer.concat([toBytes(z, 32), toBytes(y, 32), commitment, proof]);
  return functions.kzgVerify(input, SETUP_G2) === STATUS.done;
}

/**
 * True if the 128 proofs show that `commitment` is that of the blob, cell by cell. With p the blob's polynomial, I_k
 * its remainder modulo x^64 - a_k, which takes the values of cell k, and random weights r_k: e(sum r_k proof_k, [s^64])
 * = e(sum r_k (C - [I_k(s)] + a_k proof_k), G2).
 */
export function areCellsProved(
  blob: Uint8Array,
  commitment: Uint8Array,
  proofs: readonly Uint8Array[],
  functions: BlobFunctions,
): boolean {
  const coefficients = coefficientsOf(blob);
  const points = [commitment, ...proofs].map(uncompressed);
  if (coefficients === null || !points.every((point) => point !== null)) return false;
  const [committed, ...proved] = points;
  const weights = proved.map(() => toBigInt(randomBytes(WEIGHT_BYTES)));
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  const rests = weighedRests(coefficients, weights);
  const left = sumOf(
    functions,
    proved.map((point, k) => [point, weights[k]!]),
  );
  const right = sumOf(functions, [
    [committed!, -total],
    ...setupG1().map((point, i) => [point, rests[i]!] as const),
    ...proved.map((point, k) => [point, -weights[k]! * CELL_SHIFTS[k]!] as const),
  ]);
  if (left === null || right === null) return false;
  const pairs = Buffer.concat([left, encodedG2(G2.Point.fromHex(KZG_SETUP_G2_CELL)), right, encodedG2(G2.Point.BASE)]);
  return functions.blsPairing(pairs) === STATUS.done;
}

/** Coefficients of the sum of all r_k I_k: reducing x^(i + 64 m) leaves a_k^m x^i. */
function weighedRests(coefficients: readonly bigint[], weights: readonly bigint[]): bigint[] {
  const rests = Array.from({ length: CELL_VALUES }, () => 0n);
  let powers = weights;
  for (let at = 0; at < VALUES; at += CELL_VALUES) {
    const sum = powers.reduce((total, each) => total + each, 0n) % BLS_ORDER;
    for (let i = 0; i < CELL_VALUES; i++) rests[i]! += coefficients[at + i]! * sum;
    powers = powers.map((each, k) => (each * CELL_SHIFTS[k]!) % BLS_ORDER);
  }
  return rests;
}

/** a_k of each cell: the 64th power of the points at which its values are taken. */
const CELL_SHIFTS = Array.from({ length: CELLS }, (_, k) => {
  return power(rootOfUnity(CELLS), BigInt(reversedBits(k, Math.log2(CELLS))));
});

function reversedBits(value: number, bits: number): number {
  let reversed = 0;
  for (let bit = 0; bit < bits; bit++) reversed |= ((value >> bit) & 1) << (bits - 1 - bit);
  return reversed;
}

/**
 * Coefficients of the blob's polynomial, lowest first; `null` if a value is not in the field. A blob lists its values
 * at roots of unity in bit-reversed order, which is the order that the inverse transform needs.
 */
function coefficientsOf(blob: Uint8Array): bigint[] | null {
  const values = Array.from({ length: VALUES }, (_, i) => readInteger(blob, i * VALUE_BYTES, (i + 1) * VALUE_BYTES));
  if (values.some((value) => value >= BLS_ORDER)) return null;
  for (let size = 2; size <= VALUES; size *= 2) mergeHalves(values, size);
  return values.map((value) => (value * SCALE) % BLS_ORDER);
}

const SCALE = power(BigInt(VALUES), BLS_ORDER - 2n);
const INVERSE_ROOTS = powersOf(power(rootOfUnity(VALUES), BLS_ORDER - 2n), VALUES / 2);

/** One step of the inverse transform: merges two halves into one block of `size`. */
function mergeHalves(values: bigint[], size: number): void {
  const half = size / 2;
  const step = VALUES / size;
  for (let start = 0; start < VALUES; start += size) {
    for (let k = 0; k < half; k++) {
      const even = values[start + k]!;
      const odd = (values[start + k + half]! * INVERSE_ROOTS[k * step]!) % BLS_ORDER;
      values[start + k] = even + odd < BLS_ORDER ? even + odd : even + odd - BLS_ORDER;
      values[start + k + half] = even < odd ? even - odd + BLS_ORDER : even - odd;
    }
  }
}

function rootOfUnity(order: number): bigint {
  return power(PRIMITIVE_ROOT, (BLS_ORDER - 1n) / BigInt(order));
}

function powersOf(base: bigint, count: number): bigint[] {
  const powers = [1n];
  while (powers.length < count) powers.push((powers.at(-1)! * base) % BLS_ORDER);
  return powers;
}

function power(base: bigint, exponent: bigint): bigint {
  return fields.Fr.pow(base, exponent);
}

/** The sum of points multiplied by their factors, encoded (EIP-2537); `null` if a point is not in the subgroup. */
function sumOf(
  { blsG1Msm }: BlobFunctions,
  products: readonly (readonly [point: Uint8Array, factor: bigint])[],
): Uint8Array | null {
  const input = products.flatMap(([point, factor]) => [point, toBytes(fields.Fr.create(factor), VALUE_BYTES)]);
  const output = new Uint8Array(2 * FIELD_BYTES);
  return blsG1Msm(Buffer.concat(input), output) === STATUS.done ? output : null;
}

let setup: Uint8Array[] | null = null;

function setupG1(): Uint8Array[] {
  return (setup ??= KZG_SETUP_G1.map((point) => uncompressed(fromHex(`0x${point}`))!));
}

/** The three flag bits of a compressed point. */
const COMPRESSED = 0x80;
const INFINITY = 0x40;
const IS_GREATER = 0x20;

/** Decompresses a point of the curve, encoded (EIP-2537); `null` if it is invalid. The subgroup is not checked. */
function uncompressed(bytes: Uint8Array): Uint8Array | null {
  const flags = bytes[0]!;
  if ((flags & COMPRESSED) === 0) return null;
  if ((flags & INFINITY) !== 0) {
    const isPlain = bytes.every((byte, i) => byte === (i === 0 ? COMPRESSED | INFINITY : 0));
    return isPlain ? new Uint8Array(2 * FIELD_BYTES) : null;
  }
  const x = toBigInt(Uint8Array.from([flags & (IS_GREATER - 1), ...bytes.subarray(1)]));
  if (x >= fields.Fp.ORDER) return null;
  const y = squareRoot(fields.Fp.create(x * x * x + 4n));
  if (y === null) return null;
  const isGreater = y * 2n > fields.Fp.ORDER;
  return encoded([x, isGreater === ((flags & IS_GREATER) !== 0) ? y : fields.Fp.neg(y)]);
}

/** A square root in the base field, whose order is 3 modulo 4. */
function squareRoot(square: bigint): bigint | null {
  const root = fields.Fp.pow(square, (fields.Fp.ORDER + 1n) / 4n);
  return fields.Fp.create(root * root) === square ? root : null;
}

function encodedG2(point: typeof G2.Point.BASE): Uint8Array {
  const { x, y } = point.toAffine();
  return encoded([x.c0, x.c1, y.c0, y.c1]);
}

function encoded(numbers: readonly bigint[]): Uint8Array {
  return Buffer.concat(numbers.map((number) => toBytes(number, FIELD_BYTES)));
}
