// Proofs of a polynomial's value (EIP-4844) in WebAssembly. Runs on publisher and estimators where blst is not built.
// oxlint-disable no-underscore-dangle -- the names are mcl's
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { toBigInt, toBytes } from '../../../lib/words.js';
import { BLS_ORDER, KZG_SETUP_G2 } from '../../kzg-setup.js';
import { STATUS, type BlsFunctions } from '../functions.js';
import { FIELD_BYTES, PAIRING_BYTES, SCALAR_BYTES, type Mcl, type Place } from './mcl.js';
import { isPairingOne } from './pairing.js';

const { G1, G2 } = bls12_381;
/** The first three bits of a compressed point. */
const FLAGS = { compressed: 0x80, infinity: 0x40, isGreater: 0x20 } as const;

/** p(z) = y: e(C - [y]G1 + [z]proof, -G2) e(proof, [s]G2) = 1, with the s of the ceremony. */
export function pointEvaluation(mcl: Mcl): BlsFunctions['kzgVerify'] {
  const { g1, call } = mcl;
  const scalars = mcl.allocate(2 * SCALAR_BYTES);
  const [y, z] = [scalars, scalars + SCALAR_BYTES];
  const factors = g1.allocate(2);
  const [commitment, proof, sum, pairings] = [g1.allocate(), g1.allocate(), g1.allocate(), mcl.allocate(PAIRING_BYTES)];
  const { x, y: ordinate } = G1.Point.BASE.negate().toAffine();
  const minusG1 = g1.allocate();
  g1.read(minusG1, encoded([x, ordinate]));
  const minusG2 = linesOf(mcl, G2.Point.BASE.negate());
  const setup = linesOf(mcl, G2.Point.fromHex(KZG_SETUP_G2));
  const read = compressedReader(mcl);
  return (input) => {
    const [zBytes, yBytes] = [input.subarray(0, 32), input.subarray(32, 64)];
    if (toBigInt(zBytes) >= BLS_ORDER || toBigInt(yBytes) >= BLS_ORDER) return STATUS.notInField;
    if (!read(commitment, input.subarray(64, 112)) || !read(proof, input.subarray(112, 160))) return STATUS.notOnCurve;
    mcl.readScalar(z, zBytes);
    mcl.readScalar(y, yBytes);
    mcl.copy(factors, minusG1, g1.bytes);
    mcl.copy(factors + g1.bytes, proof, g1.bytes);
    g1.addProducts(sum, factors, scalars, 2);
    g1.add(commitment, commitment, sum);
    call._mclBn_precomputedMillerLoop2(pairings, commitment, minusG2, proof, setup);
    return isPairingOne(mcl, pairings) ? STATUS.done : STATUS.false;
  };
}

/** Numbers of the field as points are read. */
function encoded(numbers: readonly bigint[]): Uint8Array {
  return Buffer.concat(numbers.map((number) => toBytes(number, 64)));
}

/** The lines that pairings with the point draw, for good. */
function linesOf(mcl: Mcl, point: typeof G2.Point.BASE): Place {
  const { g2, call } = mcl;
  const { x, y } = point.toAffine();
  const at = g2.allocate();
  g2.read(at, encoded([x.c0, x.c1, y.c0, y.c1]));
  const lines = mcl.allocate(8 * call._mclBn_getUint64NumToPrecompute());
  call._mclBn_precomputeG2(lines, at);
  return lines;
}

/** Reads a point of the subgroup from x and the flags; whether it is one. */
function compressedReader(mcl: Mcl): (at: Place, bytes: Uint8Array) => boolean {
  const { call, g1 } = mcl;
  const [four, square] = [mcl.allocate(FIELD_BYTES), mcl.allocate(FIELD_BYTES)];
  call._mclBnFp_setInt32(four, 4);
  const readX = (at: Place, bytes: Uint8Array): boolean => {
    const x = Uint8Array.from(bytes);
    x[0]! &= FLAGS.isGreater - 1;
    return mcl.readField(at, x);
  };
  /** y^2 = x^3 + 4, and of the two the one asked for. */
  const findY = (at: Place, isGreater: boolean): boolean => {
    const y = at + FIELD_BYTES;
    call._mclBnFp_mul(square, at, at);
    call._mclBnFp_mul(square, square, at);
    call._mclBnFp_add(square, square, four);
    if (call._mclBnFp_squareRoot(y, square) !== 0) return false;
    if ((call._mclBnFp_isNegative(y) === 1) !== isGreater) call._mclBnFp_neg(y, y);
    return true;
  };
  return (at, bytes) => {
    if ((bytes[0]! & FLAGS.compressed) === 0) return false;
    if ((bytes[0]! & FLAGS.infinity) !== 0) {
      g1.clear(at);
      return bytes.every((byte, i) => byte === (i === 0 ? FLAGS.compressed | FLAGS.infinity : 0));
    }
    if (!readX(at, bytes) || !findY(at, (bytes[0]! & FLAGS.isGreater) !== 0)) return false;
    g1.setAffine(at);
    return g1.isInSubgroup(at);
  };
}
