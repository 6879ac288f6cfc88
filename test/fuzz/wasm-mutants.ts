// Mutants of the precompiles in WebAssembly: bugs around mcl and in the arithmetic of MODEXP and BLAKE2F, each a slip of a
// line at most. Does the fuzzer see them? Runs in tests only.
//
// JavaScript is changed as it is compiled, and AssemblyScript before.
import type { PrecompileMutant } from './precompile-mutants.js';

function mutant(file: string, find: string, replace: string, ...numbers: readonly number[]): PrecompileMutant {
  return { file, find, replace, numbers };
}

const READING: Readonly<Record<string, PrecompileMutant>> = {
  'numbers beyond the field are elements': mutant(
    'mcl.js',
    'return this.call._mclBnFp_deserialize(at, this.#buffer, this.fieldBytes) !== 0;',
    'this.call._mclBnFp_setLittleEndianMod(at, this.#buffer, this.fieldBytes); return true;',
    0x06,
    0x07,
    0x08,
    0x0a,
    0x0b,
    0x0c,
    0x0d,
    0x0e,
    0x0f,
    0x10,
    0x11,
    0x100,
  ),
  'points off the curve': mutant('mcl.js', 'isValid && isMember(at)', 'isMember(at)', 0x06, 0x07, 0x0b, 0x0d, 0x100),
  'points outside the subgroup': mutant('mcl.js', 'isValid && isMember(at)', 'isValid', 0x08, 0x0c, 0x0e, 0x0f),
  'infinity by half of its bytes': mutant(
    'mcl.js',
    'input.every((byte) => byte === 0)',
    'input.subarray(input.length / 2).every((byte) => byte === 0)',
    0x06,
    0x07,
    0x0b,
    0x0d,
  ),
  'infinity is no point': mutant(
    'mcl.js',
    'input.every((byte) => byte === 0)',
    'false',
    0x06,
    0x07,
    0x08,
    0x0b,
    0x0c,
    0x0d,
    0x0e,
    0x0f,
  ),
  'what a coordinate of G2 beyond the field is called': mutant(
    'mcl.js',
    'degree === 1 ? STATUS.notOnCurve : STATUS.notInField',
    'STATUS.notOnCurve',
    0x08,
    0x0d,
    0x0e,
    0x0f,
  ),
  'the order of the parts of a number': mutant('mcl.js', 'this.#encoding.swaps;', 'false;', 0x08),
  'a point is written as it is': mutant(
    'mcl.js',
    'call[`_mclBnG${this.#degree}_normalize`](at, at);',
    '',
    0x06,
    0x07,
    0x0b,
    0x0c,
    0x0d,
    0x0e,
  ),
  'a factor beyond the order loses its highest bits': mutant(
    'mcl.js',
    'this.call._mclBnFr_setBigEndianMod(at, this.#buffer, bytes.length)',
    '(this.#setReversed(bytes), this.call._mclBnFr_setLittleEndian(at, this.#buffer, bytes.length))',
    0x07,
    0x0c,
    0x0e,
    0x100,
  ),
};

const CURVES: Readonly<Record<string, PrecompileMutant>> = {
  'the second point of a sum of alt_bn128': mutant('bn254.js', 'second !== STATUS.done', 'false', 0x06),
  'the point of a product of alt_bn128': mutant(
    'bn254.js',
    'const status = g1.read(a, input.subarray(0, POINT_BYTES));\n            if (status !== STATUS.done)\n                return status;\n            mcl.readScalar',
    'g1.read(a, input.subarray(0, POINT_BYTES));\n            mcl.readScalar',
    0x07,
  ),
  'the last double of the twist': mutant('bn254-subgroup.js', 'g2.double(image, image);', '', 0x08),
  'the third coordinate on the twist': mutant('bn254-subgroup.js', '[1, 3, 5]', '[1, 3]', 0x08),
  'the parameter of the twist': mutant('bn254-subgroup.js', '4965661367192848881n', '4965661367192848883n', 0x08),
  'every point of the twist': mutant('bn254.js', ', twistSubgroup(mcl)', '', 0x08),
  'the second point of a sum of BLS12-381': mutant('bls12-381.js', 'second !== STATUS.done', 'false', 0x0b, 0x0d),
  'sums inside the subgroup only': mutant(
    'bls12-381.js',
    'group.read(a, input.subarray(0, group.encodedBytes))',
    'group.read(a, input.subarray(0, group.encodedBytes), group.isInSubgroup)',
    0x0b,
    0x0d,
  ),
  'sums of products outside the subgroup': mutant(
    'bls12-381.js',
    'pair.subarray(0, group.encodedBytes), group.isInSubgroup)',
    'pair.subarray(0, group.encodedBytes))',
    0x0c,
    0x0e,
  ),
  'one factor for all': mutant('bls12-381.js', 'scalars + index * SCALAR_BYTES', 'scalars', 0x0c, 0x0e),
  'maps beyond the field': mutant(
    'bls12-381.js',
    '!group.readNumbers(number, input)',
    '!(group.readNumbers(number, input), true)',
    0x10,
    0x11,
  ),
  'an older map': mutant('bls12-381.js', 'mcl.call._mclBn_setMapToMode(MAP_OF_RFC_9380);', '', 0x10, 0x11),
  'pairs outside G1': mutant(
    'bls12-381.js',
    'new Pairing(mcl, mcl.g1.isInSubgroup, ',
    'new Pairing(mcl, undefined, ',
    0x0f,
  ),
  'pairs outside G2': mutant('bls12-381.js', 'mcl.g1.isInSubgroup, mcl.g2.isInSubgroup', 'mcl.g1.isInSubgroup', 0x0f),
  'pairs beyond the first sixteen': mutant(
    'pairing.js',
    'call._mclBnGT_mul(this.#product, this.#product, this.#factor)',
    'this.#mcl.copy(this.#product, this.#factor, PAIRING_BYTES)',
    0x08,
    0x0f,
  ),
  'a pairing ends before its power': mutant(
    'pairing.js',
    'call._mclBn_finalExp(product, product);',
    '',
    0x08,
    0x0a,
    0x0f,
  ),
};

const PROOFS: Readonly<Record<string, PrecompileMutant>> = {
  'r of a signature beyond the order': mutant('p256.js', '!isScalar(rBytes) ||', '', 0x100),
  's of a signature beyond the order': mutant('p256.js', '|| !isScalar(sBytes)', '', 0x100),
  'a key off the curve': mutant('p256.js', 'status !== STATUS.done || ', '', 0x100),
  'a key at infinity': mutant('p256.js', ' || call._mclBnG1_isZero(key) === 1', '', 0x100),
  'x of the sum is not reduced': mutant(
    'mcl.js',
    '_mclBnFr_setLittleEndianMod(scalar',
    '_mclBnFr_setLittleEndian(scalar',
    0x100,
  ),
  'z beyond the order': mutant('point-evaluation.js', 'toBigInt(zBytes) >= BLS_ORDER || ', '', 0x0a),
  'y beyond the order': mutant('point-evaluation.js', ' || toBigInt(yBytes) >= BLS_ORDER', '', 0x0a),
  'a commitment that is no point': mutant(
    'point-evaluation.js',
    '!read(commitment, input.subarray(64, 112)) ||',
    'read(commitment, input.subarray(64, 112)),',
    0x0a,
  ),
  'a proof that is no point': mutant(
    'point-evaluation.js',
    '|| !read(proof, input.subarray(112, 160))',
    '|| (read(proof, input.subarray(112, 160)), false)',
    0x0a,
  ),
  'points that are not compressed': mutant('point-evaluation.js', '(bytes[0] & FLAGS.compressed) === 0', 'false', 0x0a),
  'infinity with other bits': mutant(
    'point-evaluation.js',
    'return bytes.every((byte, i) => byte === (i === 0 ? FLAGS.compressed | FLAGS.infinity : 0));',
    'return true;',
    0x0a,
  ),
  'infinity of the greater y': mutant(
    'point-evaluation.js',
    'byte === (i === 0 ? FLAGS.compressed | FLAGS.infinity : 0)',
    '(i === 0 || byte === 0)',
    0x0a,
  ),
  'which y': mutant('point-evaluation.js', '!== isGreater)', '=== isGreater)', 0x0a),
  'proofs outside the subgroup': mutant('point-evaluation.js', 'return g1.isInSubgroup(at);', 'return true;', 0x0a),
};

const INTEGERS: Readonly<Record<string, PrecompileMutant>> = {
  'a base that lies where it is divided': mutant('integers.js', '+ limbs(base) + 2', '+ 2', 0x05),
  'a digit that is too high stays': mutant('modexp.ts', 'if (high < borrow) putBack(part);', '', 0x05),
  'a divisor like the number divided': mutant(
    'modexp.ts',
    'high < top || (high == top && middle < second)',
    'true',
    0x05,
  ),
  'a digit guessed by two limbs': mutant(
    'modexp.ts',
    'if (restHigh > top || (restHigh == top && restLow >= second)) {',
    'if (false) {',
    0x05,
  ),
  'the remainder of one limb': mutant('modexp.ts', 'return rest >= top ? rest - top : rest;', 'return rest;', 0x05),
  'the remainder below zero': mutant('modexp.ts', 'if (rest > fraction) rest += top;', '', 0x05),
  'a modulus is not shifted back': mutant('modexp.ts', 'shiftRight(result);\n  const', 'const', 0x05),
  'a base longer than the modulus': mutant('modexp.ts', 'max(count, size) + 1', 'max(count, size)', 0x05),
  'zero modulo zero': mutant(
    'modexp.ts',
    'if (size == 0) return;',
    'if (size == 0) { if (modulusBytes > 0) store<u8>(output, 1); return; }',
    0x05,
  ),
  'the window of an exponent': mutant('modexp.ts', 'if (digit == 0) continue;', 'if (digit <= 1) continue;', 0x05),
  'the last power of a window': mutant('modexp.ts', 'fill(powers, 1 << bits);', 'fill(powers, (1 << bits) - 1);', 0x05),
  'the carry of a row': mutant('modexp.ts', 'store<u64>(at, carry);\n  }\n  reduce', '}\n  reduce', 0x05),
  'rows of the message': mutant('blake2f.ts', 'ORDER_END: usize = ORDER + 160', 'ORDER_END: usize = ORDER + 144', 0x09),
  'the flag of the last block': mutant(
    'blake2f.ts',
    'STATE + 112, ~load<u64>(STATE + 112)',
    'STATE + 120, ~load<u64>(STATE + 120)',
    0x09,
  ),
  'the high half of the offset': mutant('blake2f.ts', 'load<u64>(input + 204)', '0', 0x09),
  'the rounds of three bytes': mutant('blake2f.ts', 'bswap(load<u32>(input))', 'bswap(load<u32>(input)) & 0xff', 0x09),
};

/** By name. */
export const WASM_MUTANTS: Readonly<Record<string, PrecompileMutant>> = {
  ...READING,
  ...CURVES,
  ...PROOFS,
  ...INTEGERS,
};
