// Signatures of the curve P-256 (RIP-7212, EIP-7951) in WebAssembly. Runs on publisher and estimators where the addon does
// not serve.
// oxlint-disable no-underscore-dangle -- the names are mcl's
import { STATUS, type GeneralFunctions } from '../functions.js';
import { toBigInt } from '../../../lib/words.js';
import { CURVES, Mcl, SCALAR_BYTES } from './mcl.js';

/** Order of the curve (FIPS 186-4, D.1.2.3). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** What the addon has of this curve. */
export type P256Functions = Pick<GeneralFunctions, 'p256Verify'>;

/** Takes 0.1 s, once a thread. Throws a RangeError where the system has no memory for it. */
export async function createP256(): Promise<P256Functions> {
  const mcl = await Mcl.create(CURVES.p256, { bytes: 32, swaps: false });
  const { g1, call } = mcl;
  const points = g1.allocate(2);
  const [base, key] = [points, points + g1.bytes];
  const scalars = mcl.allocate(2 * SCALAR_BYTES);
  const [u1, u2] = [scalars, scalars + SCALAR_BYTES];
  const [sum, r, s] = [g1.allocate(), mcl.allocate(SCALAR_BYTES), mcl.allocate(SCALAR_BYTES)];
  return {
    p256Verify(input) {
      const [hash, rBytes, sBytes] = [0, 32, 64].map((at) => input.subarray(at, at + 32)) as [Word, Word, Word];
      if (!isScalar(rBytes) || !isScalar(sBytes)) return STATUS.false;
      const status = g1.read(key, input.subarray(96, 160));
      if (status !== STATUS.done || call._mclBnG1_isZero(key) === 1) return STATUS.false;
      mcl.readScalar(u1, hash);
      mcl.readScalar(r, rBytes);
      mcl.readScalar(s, sBytes);
      call._mclBnFr_inv(s, s);
      call._mclBnFr_mul(u1, u1, s);
      call._mclBnFr_mul(u2, r, s);
      call._mclBnG1_getBasePoint(base);
      g1.addProducts(sum, points, scalars, 2);
      if (call._mclBnG1_isZero(sum) === 1) return STATUS.false;
      call._mclBnG1_normalize(sum, sum);
      mcl.fieldToScalar(s, sum);
      return call._mclBnFr_isEqual(r, s) === 1 ? STATUS.done : STATUS.false;
    },
  };
}

type Word = Uint8Array;

function isScalar(bytes: Word): boolean {
  const value = toBigInt(bytes);
  return value > 0n && value < ORDER;
}
