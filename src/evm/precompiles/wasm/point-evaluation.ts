// Proofs of a polynomial's value (EIP-4844) in WebAssembly. Runs on publisher and estimators where blst is not built.
// oxlint-disable no-underscore-dangle -- the names are mcl's
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { toBigInt, toBytes } from '../../../lib/words.js';
import { BLS_ORDER, KZG_SETUP_G2 } from '../../kzg-setup.js';
import { STATUS, type BlsFunctions } from '../functions.js';
import { FIELD_BYTES, SCALAR_BYTES, type Group, type Mcl, type Place } from './mcl.js';
import type { Pairing } from './pairing.js';

const { G1, G2 } = bls12_381;
/** The first three bits of a compressed point. */
const FLAGS = { compressed: 0x80, infinity: 0x40, isGreater: 0x20 } as const;

/** p(z) = y: e(C - [y]G1 + [z]proof, -G2) e(proof, [s]G2) = 1, with the s of the ceremony. */
export function pointEvaluation(mcl: Mcl, pairing: Pairing): BlsFunctions['kzgVerify'] {
  const { g1, g2, call } = mcl;
  const [z, y] = [mcl.allocate(SCALAR_BYTES), mcl.allocate(SCALAR_BYTES)];
  const [commitment, proof, product] = [g1.allocate(), g1.allocate(), g1.allocate()];
  const minusG1 = constant(g1, ({ x, y: ordinate }) => [x, ordinate], G1.Point.BASE.negate().toAffine());
  const minusG2 = constant(g2, partsOf, G2.Point.BASE.negate().toAffine());
  const setup = constant(g2, partsOf, G2.Point.fromHex(KZG_SETUP_G2).toAffine());
  const read = compressedReader(mcl);
  return (input) => {
    const [zBytes, yBytes] = [input.subarray(0, 32), input.subarray(32, 64)];
    if (toBigInt(zBytes) >= BLS_ORDER || toBigInt(yBytes) >= BLS_ORDER) return STATUS.notInField;
    if (!read(commitment, input.subarray(64, 112)) || !read(proof, input.subarray(112, 160))) return STATUS.notOnCurve;
    mcl.readScalar(z, zBytes);
    mcl.readScalar(y, yBytes);
    call._mclBnG1_mul(product, minusG1, y);
    g1.add(commitment, commitment, product);
    call._mclBnG1_mul(product, proof, z);
    g1.add(commitment, commitment, product);
    pairing.begin();
    pairing.multiply(commitment, minusG2);
    pairing.multiply(proof, setup);
    return pairing.isOne() ? STATUS.done : STATUS.false;
  };
}

type Affine<T> = { readonly x: T; readonly y: T };
type Extended = { readonly c0: bigint; readonly c1: bigint };

function partsOf({ x, y }: Affine<Extended>): bigint[] {
  return [x.c0, x.c1, y.c0, y.c1];
}

function constant<T>(group: Group, numbersOf: (point: Affine<T>) => bigint[], point: Affine<T>): Place {
  const at = group.allocate();
  const bytes = numbersOf(point).map((number) => toBytes(number, 64));
  group.read(at, Buffer.concat(bytes), false);
  return at;
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
