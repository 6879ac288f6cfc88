// Public keys from signatures by mcl in WebAssembly. Runs on publisher, estimators and senders where there is no native build.
// oxlint-disable no-underscore-dangle -- the names are mcl's
import type { Recover } from './secp256k1-native.js';

/** mcl's number of the curve, and what it has to be told of its layout. */
const CURVE = 102;
const LAYOUT = 46;
/** Bytes of mcl's values: a number of the field and one modulo the order; a point is x, y, z. */
const FIELD_BYTES = 48;
const SCALAR_BYTES = 32;
const POINT_BYTES = 3 * FIELD_BYTES;
const WORD_BYTES = 32;

type FieldOperation = 'add' | 'deserialize' | 'isOdd' | 'mul' | 'neg' | 'serialize' | 'setInt32' | 'squareRoot';
type ScalarOperation = 'deserialize' | 'inv' | 'isZero' | 'mul' | 'neg' | 'setBigEndianMod';
type PointOperation = 'getBasePoint' | 'isZero' | 'mulVec' | 'normalize';

/** mcl's functions that are called here; parameters are places in its memory. */
type Functions = Readonly<
  Record<
    | `_mclBnFp_${FieldOperation}`
    | `_mclBnFr_${ScalarOperation}`
    | `_mclBnG1_${PointOperation}`
    | '_mclBn_init'
    | '_malloc',
    (...parameters: number[]) => number
  >
> & { readonly HEAP8: Int8Array };

/** Takes 0.1 s and some 2 MB, once a thread. `null`: the system has no memory for it. */
export async function loadWasm(): Promise<Recover | null> {
  const { default: createModule } = await import('mcl-wasm/dist/mcl_c.js');
  try {
    return recoverBy((await createModule({})) as Functions);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Q = (s R - hash G) / r, with the R whose x is r and whose y is as odd as `parity` says. */
function recoverBy(call: Functions): Recover {
  if (call._mclBn_init(CURVE, LAYOUT) !== 0) throw new Error('mcl does not know the curve');
  const buffer = call._malloc(FIELD_BYTES);
  const [seven, square] = [call._malloc(FIELD_BYTES), call._malloc(FIELD_BYTES)];
  call._mclBnFp_setInt32(seven, 7);
  const points = call._malloc(2 * POINT_BYTES);
  const [base, x, key] = [points, points + POINT_BYTES, call._malloc(POINT_BYTES)];
  const scalars = call._malloc(2 * SCALAR_BYTES);
  const [baseTimes, pointTimes, inverse] = [scalars, scalars + SCALAR_BYTES, call._malloc(SCALAR_BYTES)];

  const put = (bytes: Uint8Array): void => {
    for (let i = 0; i < WORD_BYTES; i++) call.HEAP8[buffer + WORD_BYTES - 1 - i] = bytes[i]!;
  };
  const readScalar = (at: number, bytes: Uint8Array): void => {
    put(bytes);
    const isRead = call._mclBnFr_deserialize(at, buffer, WORD_BYTES) !== 0;
    if (!isRead || call._mclBnFr_isZero(at) === 1) throw new Error('no number of a signature');
  };
  /** y^2 = x^3 + 7. The word at `buffer` is x. */
  const readPoint = (parity: 0 | 1): void => {
    const [y, z] = [x + FIELD_BYTES, x + 2 * FIELD_BYTES];
    call._mclBnFp_deserialize(x, buffer, WORD_BYTES);
    call._mclBnFp_mul(square, x, x);
    call._mclBnFp_mul(square, square, x);
    call._mclBnFp_add(square, square, seven);
    if (call._mclBnFp_squareRoot(y, square) !== 0) throw new Error('no point of the curve');
    if (call._mclBnFp_isOdd(y) !== parity) call._mclBnFp_neg(y, y);
    call._mclBnFp_setInt32(z, 1);
  };
  const write = (at: number, output: Uint8Array): void => {
    call._mclBnFp_serialize(buffer, FIELD_BYTES, at);
    for (let i = 0; i < WORD_BYTES; i++) output[i] = call.HEAP8[buffer + WORD_BYTES - 1 - i]!;
  };
  return (hash, parity, signature) => {
    readScalar(pointTimes, signature.subarray(WORD_BYTES));
    readScalar(inverse, signature.subarray(0, WORD_BYTES));
    readPoint(parity);
    call._mclBnFr_inv(inverse, inverse);
    call._mclBnFr_mul(pointTimes, pointTimes, inverse);
    call.HEAP8.set(hash, buffer);
    call._mclBnFr_setBigEndianMod(baseTimes, buffer, WORD_BYTES);
    call._mclBnFr_mul(baseTimes, baseTimes, inverse);
    call._mclBnFr_neg(baseTimes, baseTimes);
    // The sum leaves its points in another form.
    call._mclBnG1_getBasePoint(base);
    call._mclBnG1_mulVec(key, points, scalars, 2);
    if (call._mclBnG1_isZero(key) === 1) throw new Error('the key is at infinity');
    call._mclBnG1_normalize(key, key);
    const bytes = new Uint8Array(1 + 2 * WORD_BYTES).fill(4, 0, 1);
    write(key, bytes.subarray(1));
    write(key + FIELD_BYTES, bytes.subarray(1 + WORD_BYTES));
    return bytes;
  };
}
