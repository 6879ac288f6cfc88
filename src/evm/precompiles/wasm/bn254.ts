// The curve alt_bn128 (EIP-196, EIP-197) in WebAssembly. Runs on publisher and estimators where the addon does not serve.
// oxlint-disable no-underscore-dangle -- the names are mcl's
import { STATUS, type GeneralFunctions } from '../functions.js';
import { CURVES, Mcl, SCALAR_BYTES } from './mcl.js';
import { twistSubgroup } from './bn254-subgroup.js';
import { Pairing } from './pairing.js';

const POINT_BYTES = 64;
const PRODUCT_INPUT_BYTES = 96;

/** What the addon has of this curve. */
export type Bn254Functions = Pick<GeneralFunctions, 'bn254Add' | 'bn254Mul' | 'bn254Pairing'>;

/** Takes 0.1 s, once a thread. Throws a RangeError where the system has no memory for it. */
export async function createBn254(): Promise<Bn254Functions> {
  const mcl = await Mcl.create(CURVES.bn254, { bytes: 32, swaps: true });
  const { g1 } = mcl;
  const [a, b, scalar] = [g1.allocate(), g1.allocate(), mcl.allocate(SCALAR_BYTES)];
  // All points of the curve are of the first subgroup.
  const pairing = new Pairing(mcl, undefined, twistSubgroup(mcl));
  return {
    bn254Add(input, output) {
      const status = g1.read(a, input.subarray(0, POINT_BYTES));
      if (status !== STATUS.done) return status;
      const second = g1.read(b, input.subarray(POINT_BYTES, 2 * POINT_BYTES));
      if (second !== STATUS.done) return second;
      g1.add(a, a, b);
      g1.write(a, output);
      return STATUS.done;
    },
    bn254Mul(input, output) {
      const status = g1.read(a, input.subarray(0, POINT_BYTES));
      if (status !== STATUS.done) return status;
      mcl.readScalar(scalar, input.subarray(POINT_BYTES, PRODUCT_INPUT_BYTES));
      mcl.call._mclBnG1_mul(a, a, scalar);
      g1.write(a, output);
      return STATUS.done;
    },
    bn254Pairing: (input) => pairing.check(input),
  };
}
