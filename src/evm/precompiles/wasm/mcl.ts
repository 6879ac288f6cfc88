// One curve of mcl in WebAssembly: numbers of its fields and points of its groups, which lie in the memory of an instance.
// Runs on publisher and estimators where the addon does not serve.
// oxlint-disable no-underscore-dangle -- the names are mcl's
import { STATUS, type Status } from '../functions.js';

/** mcl's numbers of the curves. */
export const CURVES = { bn254: 4, bls12381: 5, p256: 107 } as const;

/** Place of a value in the instance's memory. */
export type Place = number;

/** Bytes of mcl's values, by which its memory is laid out, and what `init` has to be told of them. */
export const FIELD_BYTES = 48;
const LAYOUT = 46;
/** Bytes of a number modulo the order of the curve. */
export const SCALAR_BYTES = 32;
/** Bytes of what pairings come to. */
export const PAIRING_BYTES = 12 * FIELD_BYTES;

type Operation = (...parameters: number[]) => number;
type GroupOperation =
  | 'add'
  | 'clear'
  | 'dbl'
  | 'isEqual'
  | 'isValid'
  | 'isValidOrder'
  | 'isZero'
  | 'mul'
  | 'mulVec'
  | 'normalize';
type ScalarOperation = 'isEqual' | 'inv' | 'mul' | 'setBigEndianMod' | 'setLittleEndianMod';
type FieldOperation = 'add' | 'deserialize' | 'isNegative' | 'mul' | 'neg' | 'serialize' | 'setInt32' | 'squareRoot';
type PairingOperation = 'isOne' | 'mul' | 'setInt32';

/** mcl's functions that are called here. They answer as in C: 0, or a count of bytes, or whether. */
type Functions = Readonly<
  Record<
    | `_mclBnG${1 | 2}_${GroupOperation}`
    | `_mclBnFr_${ScalarOperation}`
    | `_mclBnFp_${FieldOperation}`
    | `_mclBnGT_${PairingOperation}`
    | '_mclBnFp_mapToG1'
    | '_mclBnFp2_mapToG2'
    | '_mclBnFp2_mul'
    | '_mclBnG1_getBasePoint'
    | '_mclBn_init'
    | '_mclBn_setMapToMode'
    | '_mclBn_verifyOrderG1'
    | '_mclBn_verifyOrderG2'
    | '_mclBn_getUint64NumToPrecompute'
    | '_mclBn_millerLoopVec'
    | '_mclBn_precomputeG2'
    | '_mclBn_precomputedMillerLoop2'
    | '_mclBn_finalExp'
    | '_mclBn_getFpByteSize'
    | '_malloc',
    Operation
  >
> & { readonly HEAP8: Int8Array };

/** Whether a point of the curve is one of those that are asked for. */
export type IsMember = (at: Place) => boolean;

/** Where every point of the curve is of the subgroup, or need not be. */
const anyPoint: IsMember = () => true;

/** How precompiles write a number of the field or its extension. */
interface Encoding {
  readonly bytes: number;
  /** Whether the second part of a number of the extension comes first. */
  readonly swaps: boolean;
}

/** An instance with its curve. */
export class Mcl {
  readonly call: Functions;
  readonly g1: Group;
  readonly g2: Group;
  /** Bytes of a number of the field. */
  readonly fieldBytes: number;
  readonly #buffer: Place;

  private constructor(functions: Functions, curve: number, encoding: Encoding) {
    this.call = functions;
    if (functions._mclBn_init(curve, LAYOUT) !== 0) throw new Error(`mcl does not know the curve ${curve}`);
    // Whether a point is of the subgroup is asked by itself.
    functions._mclBn_verifyOrderG1(0);
    functions._mclBn_verifyOrderG2(0);
    this.fieldBytes = functions._mclBn_getFpByteSize();
    this.#buffer = this.allocate(FIELD_BYTES);
    this.g1 = new Group(this, 1, encoding);
    this.g2 = new Group(this, 2, encoding);
  }

  /** Takes 0.1 s and some 2 MB, once a thread. Throws a RangeError where the system has no memory for it. */
  static async create(curve: number, encoding: Encoding): Promise<Mcl> {
    const { default: createModule } = await import('mcl-wasm/dist/mcl_c.js');
    return new Mcl((await createModule({})) as Functions, curve, encoding);
  }

  /** A place for good. */
  allocate(bytes: number): Place {
    return this.call._malloc(bytes);
  }

  /** Reads a number, the highest byte first; whether it is one of the field. */
  readField(at: Place, bytes: Uint8Array): boolean {
    this.#setReversed(bytes);
    return this.call._mclBnFp_deserialize(at, this.#buffer, this.fieldBytes) !== 0;
  }

  /** The number, the highest byte first, at the end of `output`. */
  writeField(at: Place, output: Uint8Array): void {
    this.#serialize(at);
    const start = output.length - this.fieldBytes;
    for (let i = 0; i < this.fieldBytes; i++)
      output[start + i] = this.call.HEAP8[this.#buffer + this.fieldBytes - 1 - i]!;
  }

  /** The number modulo the order, the lowest byte first. */
  fieldToScalar(scalar: Place, field: Place): void {
    this.#serialize(field);
    this.call._mclBnFr_setLittleEndianMod(scalar, this.#buffer, this.fieldBytes);
  }

  /** Reads a number of 32 bytes modulo the order. */
  readScalar(at: Place, bytes: Uint8Array): void {
    this.#set(bytes);
    this.call._mclBnFr_setBigEndianMod(at, this.#buffer, bytes.length);
  }

  /** Copies bytes of the memory. */
  copy(target: Place, source: Place, bytes: number): void {
    this.call.HEAP8.copyWithin(target, source, source + bytes);
  }

  #serialize(field: Place): void {
    this.call._mclBnFp_serialize(this.#buffer, FIELD_BYTES, field);
  }

  #set(bytes: Uint8Array): void {
    this.call.HEAP8.set(bytes, this.#buffer);
  }

  #setReversed(bytes: Uint8Array): void {
    const memory = this.call.HEAP8;
    const last = this.#buffer + bytes.length - 1;
    for (let i = 0; i < bytes.length; i++) memory[last - i] = bytes[i]!;
  }
}

/** The points over the field, or over its extension of two parts. */
export class Group {
  /** Of a point in memory: x, y, z. */
  readonly bytes: number;
  /** Of a point as precompiles write it: x, y, or zeros at infinity. */
  readonly encodedBytes: number;
  readonly #mcl: Mcl;
  readonly #degree: 1 | 2;
  readonly #encoding: Encoding;
  readonly #one: Place;
  /** The library's word for a point whose numbers are not of the field. */
  readonly #beyondField: Status;

  constructor(mcl: Mcl, degree: 1 | 2, encoding: Encoding) {
    this.#mcl = mcl;
    this.#degree = degree;
    this.#encoding = encoding;
    this.bytes = 3 * degree * FIELD_BYTES;
    this.encodedBytes = 2 * degree * encoding.bytes;
    this.#beyondField = degree === 1 ? STATUS.notOnCurve : STATUS.notInField;
    this.#one = mcl.allocate(degree * FIELD_BYTES);
    for (let part = 0; part < degree; part++)
      mcl.call._mclBnFp_setInt32(this.#one + part * FIELD_BYTES, part === 0 ? 1 : 0);
  }

  /** A place for a point, for good. */
  allocate(count = 1): Place {
    return this.#mcl.allocate(count * this.bytes);
  }

  /** Reads a point of the curve, and of the subgroup where `isMember` asks for that. */
  read(at: Place, input: Uint8Array, isMember: IsMember = anyPoint): Status {
    const { call } = this.#mcl;
    if (input.every((byte) => byte === 0)) {
      this.clear(at);
      return STATUS.done;
    }
    if (!this.readNumbers(at, input)) return this.#beyondField;
    this.setAffine(at);
    const isValid = call[`_mclBnG${this.#degree}_isValid`](at) === 1;
    return isValid && isMember(at) ? STATUS.done : STATUS.notOnCurve;
  }

  /** Reads numbers one after the other; whether all are of the field. */
  readNumbers(at: Place, input: Uint8Array): boolean {
    const { bytes } = this.#encoding;
    const count = input.length / bytes;
    for (let i = 0; i < count; i++) if (!this.#mcl.readField(this.#place(at, i), this.#used(input, i))) return false;
    return true;
  }

  /** Writes a point into an output that is zero. */
  write(at: Place, output: Uint8Array): void {
    const { call } = this.#mcl;
    if (call[`_mclBnG${this.#degree}_isZero`](at) === 1) return;
    call[`_mclBnG${this.#degree}_normalize`](at, at);
    for (let i = 0; i < 2 * this.#degree; i++) this.#mcl.writeField(this.#place(at, i), this.#used(output, i));
  }

  /** Makes a point of its x and y. */
  setAffine(at: Place): void {
    this.#mcl.copy(at + 2 * this.#degree * FIELD_BYTES, this.#one, this.#degree * FIELD_BYTES);
  }

  /** Whether a point of the curve is one of the subgroup. */
  readonly isInSubgroup: IsMember = (at) => this.#mcl.call[`_mclBnG${this.#degree}_isValidOrder`](at) === 1;

  /** Leaves the point at infinity. */
  clear(at: Place): void {
    this.#mcl.call[`_mclBnG${this.#degree}_clear`](at);
  }

  /** sum = a + b. */
  add(sum: Place, a: Place, b: Place): void {
    this.#mcl.call[`_mclBnG${this.#degree}_add`](sum, a, b);
  }

  /** twice = point + point. */
  double(twice: Place, point: Place): void {
    this.#mcl.call[`_mclBnG${this.#degree}_dbl`](twice, point);
  }

  /** sum = the points, one after the other, each by its scalar; at most POINTS_MAX, which are left in another form. */
  addProducts(sum: Place, points: Place, scalars: Place, count: number): void {
    this.#mcl.call[`_mclBnG${this.#degree}_mulVec`](sum, points, scalars, count);
  }

  #place(at: Place, number: number): Place {
    const isSwapped = this.#degree === 2 && this.#encoding.swaps;
    return at + (isSwapped ? number ^ 1 : number) * FIELD_BYTES;
  }

  /** The bytes of a number that may be other than zero. */
  #used(bytes: Uint8Array, number: number): Uint8Array {
    const end = (number + 1) * this.#encoding.bytes;
    return bytes.subarray(end - this.#mcl.fieldBytes, end);
  }
}

/** mcl puts all points of a sum on its stack of a megabyte, which nothing guards; a pair of G2 takes 320 bytes there. */
export const POINTS_MAX = 1024;
