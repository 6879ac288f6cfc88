// Mutants of the precompiles' addon: bugs in its sources, each a change of one line at most. Does the fuzzer detect
// them?
import type { AddonChange } from './addon-change.js';

/** A change, and the precompiles in which it must be detected. */
export interface PrecompileMutant extends AddonChange {
  readonly numbers: readonly number[];
}

function mutant(file: string, find: string, replace: string, ...numbers: readonly number[]): PrecompileMutant {
  return { file, find, replace, numbers };
}

/** By name. */
export const PRECOMPILE_MUTANTS: Readonly<Record<string, PrecompileMutant>> = {
  'a carry out of a product is lost': mutant('field.h', 'if (carry || !borrow)', 'if (!borrow)', 0x100),
  'numbers beyond the field are elements': mutant('field.h', 'return number < kModulus;', 'return true;', 0x06, 0x08),
  'an inverse is not reduced': mutant('field.h', '!subtract(reduced, result, m) || top', 'top', 0x100),
  'a negative half of an inverse stays': mutant(
    'field.h',
    'if (negative) add(result, result, m);',
    'if (negative) {}',
    0x06,
  ),
  'a point and itself': mutant('curve.h', 'half.is_zero() ? twice() : infinity()', 'infinity()', 0x06),
  'a point and its negative': mutant('curve.h', 'half.is_zero() ? twice() : infinity()', 'twice()', 0x06),
  'infinity and a point': mutant('curve.h', 'if (is_infinity()) return other;', '', 0x06),
  'a point and infinity': mutant('curve.h', 'if (other.is_infinity()) return *this;', '', 0x06),
  'the lowest bits of a factor': mutant('curve.h', 'bit >= 0; bit -= 4', 'bit > 0; bit -= 4', 0x07),
  'a point of G1 off the curve': mutant(
    'bn254.h',
    'return point.y.square() == point.x.square() * point.x + Curve::get().b;',
    'return true;',
    0x06,
    0x08,
  ),
  'a point of G2 outside the subgroup': mutant(
    'bn254.h',
    '.is_infinity() ? Status::kDone',
    '.is_infinity() || true ? Status::kDone',
    0x08,
  ),
  'an infinity hides the other point of its pair': mutant(
    'bn254.h',
    'if (no_q) continue;',
    'if (no_q || no_p) continue;',
    0x08,
  ),
  'infinity by half of its bytes': mutant('bn254.h', 'if (is_zero(bytes, 64))', 'if (is_zero(bytes, 32))', 0x06),
  'the last line of the loop': mutant('bn254.h', '{q2.x, -q2.y}', '{q2.x, q2.y}', 0x08),
  'the first digit of the loop': mutant('bn254.h', 'kLoop[] = {0, -1,', 'kLoop[] = {-1, 0,', 0x08),
  'a pairing ends before its power': mutant(
    'bn254.h',
    'final_exponentiation(miller_loop(pairs)) ==',
    'miller_loop(pairs) ==',
    0x08,
  ),
  'r beyond the order': mutant('p256.h', ' || !(r < Fn::kModulus)', '', 0x100),
  'x of the sum is not reduced': mutant(
    'p256.h',
    'Fn::from(point.affine().x.number()) == Fn::from(r)',
    'point.affine().x.number() == r',
    0x100,
  ),
  'a digit that is too high stays': mutant('modexp.h', 'if (too_high) put_back(part);', '', 0x05),
  'a divisor like the number divided': mutant(
    'modexp.h',
    'high < top_two_ ? divide(high, part[size - 2]) : ~u64(0)',
    'divide(high, part[size - 2])',
    0x05,
  ),
  'a reciprocal that is one too high': mutant('modexp.h', 'if (product >= top_) value--, product -= top_;', '', 0x05),
  'a digit guessed by two limbs': mutant('modexp.h', 'if (rest >= top_two_) digit++;', '', 0x05),
  'the window of an exponent': mutant('modexp.h', 'i > 0 || exponent[0] >> (bit + window)', 'i > 0', 0x05),
  'a modulus is not shifted back': mutant('modexp.h', 'modulus_.shift_right(result.data());', '', 0x05),
  'a base longer than the modulus': mutant(
    'modexp.h',
    'std::max(base.size(), size_) + 1',
    'std::max(base.size(), size_)',
    0x05,
  ),
  'zero modulo zero': mutant(
    'modexp.h',
    'if (number.empty()) return;',
    'if (number.empty()) { if (modulus_bytes) output[0] = 1; return; }',
    0x05,
  ),
  'rows of the message': mutant('blake2f.h', 'row == 9 ? 0', 'row == 8 ? 0', 0x09),
  'the flag of the last block': mutant('blake2f.h', 'v[14] = ~v[14]', 'v[15] = ~v[15]', 0x09),
  'the modulus is an element': mutant('bls12_381.h', 'sizeof kModulus) >= 0', 'sizeof kModulus) > 0', 0x10, 0x11),
  'sums of products outside the subgroup': mutant(
    'bls12_381.h',
    'const Status status = read_member<G>(point, at);',
    'const Status status = read_any<G>(point, at);',
    0x0c,
    0x0e,
  ),
  'sums inside the subgroup only': mutant(
    'bls12_381.h',
    'Status status = read_any<G>(a, input);',
    'Status status = read_member<G>(a, input);',
    0x0b,
    0x0d,
  ),
  'pairs outside G1': mutant('bls12_381.h', 'read_member<G1>(p, at)', 'read_any<G1>(p, at)', 0x0f),
  'pairs outside G2': mutant('bls12_381.h', 'read_member<G2>(q, at', 'read_any<G2>(q, at', 0x0f),
  'pairs with infinity': mutant(
    'bls12_381.h',
    'if (blst_p1_affine_is_inf(&p) || blst_p2_affine_is_inf(&q)) continue;',
    '',
    0x0f,
  ),
  'what a coordinate of G2 beyond the field is called': mutant(
    'bls12_381.h',
    'kBeyondField = Status::kNotInField',
    'kBeyondField = Status::kNotOnCurve',
    0x0d,
  ),
  'a bit of a factor': mutant('bls12_381.h', 'kScalarBits = 255', 'kScalarBits = 254', 0x0c),
  'a proof outside the subgroup': mutant('bls12_381.h', ' && blst_p1_affine_in_g1(&point)', '', 0x0a),
  'z and y beyond the order': mutant('bls12_381.h', 'return blst_scalar_fr_check(&scalar);', 'return true;', 0x0a),
  'the sign of z': mutant('bls12_381.h', 'blst_p2_cneg(&right, true);', '', 0x0a),
};
