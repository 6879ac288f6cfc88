// Which points of alt_bn128's twist are of the subgroup, in a third of the time that their product by its order takes. Runs
// on publisher and estimators where the addon does not serve.
// oxlint-disable no-underscore-dangle -- the names are mcl's
import { bn254 } from '@noble/curves/bn254.js';
import { toBytes } from '../../../lib/words.js';
import { FIELD_BYTES, type IsMember, type Mcl, type Place } from './mcl.js';

/** The curve's parameter: modulus and order are polynomials of it. */
const X = 4965661367192848881n;
/** Its bits but the highest one, which is where a product begins. */
const BITS = X.toString(2).slice(1).split('').map(Number);

/**
 * Q is of the subgroup if [X+1]Q + f([X]Q) + f^2([X]Q) = f^3([2X]Q), with the Frobenius map f brought to the twist (El
 * Housni, Guillevic, Piellard, "Co-factor clearing and subgroup membership testing", 2022). Only if, too: f^2 - tf + p = 0,
 * the resultant of both polynomials and the cofactor 2p - r have no common factor.
 */
export function twistSubgroup(mcl: Mcl): IsMember {
  const { call, g2 } = mcl;
  const map = frobenius(mcl);
  const [times, sum, image] = [g2.allocate(), g2.allocate(), g2.allocate()];
  return (at) => {
    product(mcl, times, at);
    g2.add(sum, times, at);
    map(image, times);
    g2.add(sum, sum, image);
    map(image, image);
    g2.add(sum, sum, image);
    map(image, image);
    g2.double(image, image);
    return call._mclBnG2_isEqual(sum, image) === 1;
  };
}

/** times = [X]at. mcl's own product takes points for those of the subgroup. */
function product({ g2 }: Mcl, times: Place, at: Place): void {
  g2.double(times, at);
  for (const [i, bit] of BITS.entries()) {
    if (i > 0) g2.double(times, times);
    if (bit === 1) g2.add(times, times, at);
  }
}

/** Conjugates the coordinates, and multiplies x and y by powers of 9 + i. */
function frobenius(mcl: Mcl): (image: Place, point: Place) => void {
  const { call, g2 } = mcl;
  const { Fp, Fp2 } = bn254.fields;
  const powers = g2.allocate();
  const numbers = [3n, 2n].map((part) => Fp2.pow(Fp2.create({ c0: 9n, c1: 1n }), (Fp.ORDER - 1n) / part));
  g2.readNumbers(powers, Buffer.concat(numbers.flatMap(({ c0, c1 }) => [toBytes(c1, 32), toBytes(c0, 32)])));
  return (image, point) => {
    mcl.copy(image, point, g2.bytes);
    for (const part of [1, 3, 5]) call._mclBnFp_neg(image + part * FIELD_BYTES, image + part * FIELD_BYTES);
    for (const part of [0, 2]) {
      const at = image + part * FIELD_BYTES;
      call._mclBnFp2_mul(at, at, powers + part * FIELD_BYTES);
    }
  };
}
