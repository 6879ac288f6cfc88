// The curve BLS12-381 (EIP-2537) and point evaluation (EIP-4844) in WebAssembly. Runs on publisher and estimators where blst
// is not built.
// oxlint-disable no-underscore-dangle -- the names are mcl's
import { STATUS, type BlsFunctions, type Compute, type Status } from '../functions.js';
import { CURVES, Mcl, POINTS_MAX, SCALAR_BYTES, type Group, type Place } from './mcl.js';
import { Pairing } from './pairing.js';
import { pointEvaluation } from './point-evaluation.js';

/** mcl's number for maps as RFC 9380 has them. */
const MAP_OF_RFC_9380 = 5;

/** Takes 0.1 s, once a thread. Throws a RangeError where the system has no memory for it. */
export async function createBls(): Promise<BlsFunctions> {
  const mcl = await Mcl.create(CURVES.bls12381, { bytes: 64, swaps: false });
  mcl.call._mclBn_setMapToMode(MAP_OF_RFC_9380);
  const pairing = new Pairing(mcl, mcl.g1.isInSubgroup, mcl.g2.isInSubgroup);
  return {
    blsG1Add: sumOf(mcl.g1),
    blsG2Add: sumOf(mcl.g2),
    blsG1Msm: productsOf(mcl, mcl.g1),
    blsG2Msm: productsOf(mcl, mcl.g2),
    blsMapG1: mapTo(mcl.g1, mcl.call._mclBnFp_mapToG1),
    blsMapG2: mapTo(mcl.g2, mcl.call._mclBnFp2_mapToG2),
    blsPairing: (input) => pairing.check(input),
    kzgVerify: pointEvaluation(mcl),
  };
}

/** The sum of two points, which need not be in the subgroup. */
function sumOf(group: Group): Compute {
  const [a, b] = [group.allocate(), group.allocate()];
  return (input, output) => {
    const first = group.read(a, input.subarray(0, group.encodedBytes));
    if (first !== STATUS.done) return first;
    const second = group.read(b, input.subarray(group.encodedBytes));
    if (second !== STATUS.done) return second;
    group.add(a, a, b);
    group.write(a, output);
    return STATUS.done;
  };
}

/** The sum of points in the subgroup, each by its scalar. */
function productsOf(mcl: Mcl, group: Group): Compute {
  const [points, scalars] = [group.allocate(POINTS_MAX), mcl.allocate(POINTS_MAX * SCALAR_BYTES)];
  const [sum, part] = [group.allocate(), group.allocate()];
  const pairBytes = group.encodedBytes + SCALAR_BYTES;
  const readPair = (index: number, pair: Uint8Array): Status => {
    mcl.readScalar(scalars + index * SCALAR_BYTES, pair.subarray(group.encodedBytes));
    return group.read(points + index * group.bytes, pair.subarray(0, group.encodedBytes), group.isInSubgroup);
  };
  return (input, output) => {
    group.clear(sum);
    const count = input.length / pairBytes;
    for (let start = 0; start < count; start += POINTS_MAX) {
      const end = Math.min(count, start + POINTS_MAX);
      for (let i = start; i < end; i++) {
        const status = readPair(i - start, input.subarray(i * pairBytes, (i + 1) * pairBytes));
        if (status !== STATUS.done) return status;
      }
      group.addProducts(part, points, scalars, end - start);
      group.add(sum, sum, part);
    }
    group.write(sum, output);
    return STATUS.done;
  };
}

/** The point that a number of the field, or of its extension, maps to. */
function mapTo(group: Group, map: (point: Place, number: Place) => number): Compute {
  const [number, point] = [group.allocate(), group.allocate()];
  return (input, output) => {
    if (!group.readNumbers(number, input)) return STATUS.notInField;
    map(point, number);
    group.write(point, output);
    return STATUS.done;
  };
}
