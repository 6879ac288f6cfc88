// go-ethereum's words for why a precompile refuses its input, found in the input once it has been refused. Runs on publisher and
// estimators.

// Decision (2026-11, two cores): Texts of refused precompiles are found in the input, once it has been refused. Price:
// a second reader of points (`src/evm/precompiles/failure-text.ts`); behind two points that are tested for their
// subgroup the text may be that of another point.
import { createHash } from 'node:crypto';
import type { Common } from '@ethereumjs/common';
import { EVMError } from '@ethereumjs/evm';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bn254 } from '@noble/curves/bn254.js';
import { LIMITS } from '../../limits/index.js';
import { toBigInt } from '../../lib/bytes/words.js';
import { BLS_ORDER } from './kzg-setup.js';
import type { HaltReason } from '../engine.js';
import { messageHaltReason } from '../halt-reason.js';
import { modexpGas } from './modexp.js';
import { modexpLengths } from './modexp-input.js';

const { OUT_OF_GAS } = EVMError.errorMessages;
const MODEXP = 0x05;

/** Fault of an input, in the order in which go-ethereum looks; `null`: none that is known here. */
type Wrong = string | null;
type Find = (input: Uint8Array, tests: SubgroupTests) => Wrong;

/** The call of a precompile that has failed. */
export interface FailedPrecompile {
  readonly number: number;
  readonly data: Uint8Array;
  readonly gasLimit: bigint;
  readonly common: Common;
}

/** Reason for which the outermost message failed, which was for a precompile; `error`: what the library says. */
export function precompileHaltReason(error: string, call: FailedPrecompile): HaltReason {
  if (error === OUT_OF_GAS && !isModexpTooLong(call)) return messageHaltReason(error);
  const gas = PRICED_LATE[call.number]?.(call) ?? 0n;
  if (call.gasLimit < gas) return messageHaltReason(OUT_OF_GAS);
  const text = FINDS[call.number]?.(call.data, new SubgroupTests()) ?? null;
  return text === null ? messageHaltReason(error) : { text, outOfGas: false };
}

/** The library lacks gas for numbers that EIP-7823 does not allow, too. */
function isModexpTooLong({ number, data, gasLimit, common }: FailedPrecompile): boolean {
  return number === MODEXP && common.isActivatedEIP(7823) && gasLimit >= modexpGas(modexpLengths(data), common);
}

const LENGTH = 'invalid input length';
const ENCODING = 'invalid fp.Element encoding';

/** Tests for membership in a subgroup are dear: beyond a few, points are taken for members. */
class SubgroupTests {
  #left: number = LIMITS.failureSubgroupTestsMax;

  isOutside(point: { isTorsionFree(): boolean } | null): boolean {
    if (point === null || this.#left === 0) return false;
    this.#left--;
    return !point.isTorsionFree();
  }
}

/** The first text of the parts of an input, looked at in turn. */
function first(input: Uint8Array, bytes: number, find: (part: Uint8Array) => Wrong): Wrong {
  for (let at = 0; at < input.length; at += bytes) {
    const wrong = find(input.subarray(at, at + bytes));
    if (wrong !== null) return wrong;
  }
  return null;
}

/** Input of so many bytes; beyond its end there are zeros. */
function padded(input: Uint8Array, bytes: number): Uint8Array {
  const whole = new Uint8Array(bytes);
  whole.set(input.subarray(0, bytes));
  return whole;
}

// ---- points ----

type Pair = readonly [real: bigint, imaginary: bigint];

/** A curve y^2 = x^3 + b, its twist, and the points of both as @noble/curves has them. */
interface Curve {
  readonly modulus: bigint;
  readonly b: bigint;
  readonly twistB: Pair;
  readonly group: typeof bn254.G1 | typeof bls12_381.G1;
  readonly twist: typeof bn254.G2 | typeof bls12_381.G2;
}

const BN254: Curve = {
  modulus: bn254.G1.Point.Fp.ORDER,
  b: 3n,
  twistB: [
    19485874751759354771024239261021720505790618469301721065564631296452457478373n,
    266929791119991161246907387137283842545076965332900288569378510910307636690n,
  ],
  group: bn254.G1,
  twist: bn254.G2,
};
const BLS: Curve = {
  modulus: bls12_381.G1.Point.Fp.ORDER,
  b: 4n,
  twistB: [4n, 4n],
  group: bls12_381.G1,
  twist: bls12_381.G2,
};

function isOnCurve({ modulus, b }: Curve, x: bigint, y: bigint): boolean {
  return (x === 0n && y === 0n) || (y * y - x * x * x - b) % modulus === 0n;
}

function isOnTwist({ modulus, twistB }: Curve, x: Pair, y: Pair): boolean {
  if ([...x, ...y].every((part) => part === 0n)) return true;
  const [cube, square] = [product(product(x, x), x), product(y, y)];
  return [0, 1].every((i) => (square[i]! - cube[i]! - twistB[i]!) % modulus === 0n);
}

function product(a: Pair, b: Pair): Pair {
  return [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
}

/** A point that is on its curve, for a test; `null` for the one at infinity. */
function pointOf({ group }: Curve, x: bigint, y: bigint): { isTorsionFree(): boolean } | null {
  return x === 0n && y === 0n ? null : group.Point.fromAffine({ x, y });
}

function twistPointOf({ twist }: Curve, x: Pair, y: Pair): { isTorsionFree(): boolean } | null {
  if ([...x, ...y].every((part) => part === 0n)) return null;
  return twist.Point.fromAffine({ x: { c0: x[0], c1: x[1] }, y: { c0: y[0], c1: y[1] } });
}

// ---- alt_bn128 ----

const BN_CURVE = 'point is not on curve';

function words(input: Uint8Array, bytes: number): bigint[] {
  return Array.from({ length: input.length / bytes }, (_, i) => toBigInt(input.subarray(i * bytes, (i + 1) * bytes)));
}

function bnPoint(input: Uint8Array): Wrong {
  const [x, y] = words(input, 32) as [bigint, bigint];
  if (x >= BN254.modulus || y >= BN254.modulus) return ENCODING;
  return isOnCurve(BN254, x, y) ? null : BN_CURVE;
}

function bnTwistPoint(input: Uint8Array, tests: SubgroupTests): Wrong {
  const parts = words(input, 32) as [bigint, bigint, bigint, bigint];
  if (parts.some((part) => part >= BN254.modulus)) return ENCODING;
  const [x, y]: [Pair, Pair] = [
    [parts[1], parts[0]],
    [parts[3], parts[2]],
  ];
  if (!isOnTwist(BN254, x, y)) return BN_CURVE;
  return tests.isOutside(twistPointOf(BN254, x, y)) ? 'point is not in correct subgroup' : null;
}

function bnPairing(input: Uint8Array, tests: SubgroupTests): Wrong {
  if (input.length % 192 > 0) return 'bad elliptic curve pairing size';
  return first(input, 192, (pair) => bnPoint(pair.subarray(0, 64)) ?? bnTwistPoint(pair.subarray(64), tests));
}

// ---- BLS12-381 ----

const TOP = 'invalid field element top bytes';
const BLS_CURVE = 'invalid point: not on curve';

/** Each of 64 bytes. */
function blsElements(input: Uint8Array): Wrong {
  return first(input, 64, (element) => {
    if (element.subarray(0, 16).some((byte) => byte !== 0)) return TOP;
    return toBigInt(element) < BLS.modulus ? null : ENCODING;
  });
}

function blsPoint(input: Uint8Array): Wrong {
  const [x, y] = words(input, 64) as [bigint, bigint];
  return blsElements(input) ?? (isOnCurve(BLS, x, y) ? null : BLS_CURVE);
}

function blsTwistPoint(input: Uint8Array): Wrong {
  const parts = words(input, 64) as [bigint, bigint, bigint, bigint];
  return blsElements(input) ?? (isOnTwist(BLS, [parts[0], parts[1]], [parts[2], parts[3]]) ? null : BLS_CURVE);
}

/** Points that `blsPoint` and `blsTwistPoint` have found nothing wrong with. */
function blsSubgroup(input: Uint8Array, tests: SubgroupTests): Wrong {
  const [x, y] = words(input, 64) as [bigint, bigint];
  return tests.isOutside(pointOf(BLS, x, y)) ? G1_SUBGROUP : null;
}

function blsTwistSubgroup(input: Uint8Array, tests: SubgroupTests): Wrong {
  const parts = words(input, 64) as [bigint, bigint, bigint, bigint];
  return tests.isOutside(twistPointOf(BLS, [parts[0], parts[1]], [parts[2], parts[3]])) ? G2_SUBGROUP : null;
}

const G1_SUBGROUP = 'g1 point is not on correct subgroup';
const G2_SUBGROUP = 'g2 point is not on correct subgroup';

/** `bytes`: of an element; what is refused for nothing else is outside of the subgroup. */
function blsElementwise(bytes: number, find: Find, otherwise: Wrong): Find {
  return (input, tests) => {
    if (input.length === 0 || input.length % bytes > 0) return LENGTH;
    return first(input, bytes, (part) => find(part, tests)) ?? otherwise;
  };
}

function ofLength(bytes: number, find: (input: Uint8Array) => Wrong): Find {
  return (input) => (input.length === bytes ? find(input) : LENGTH);
}

function blsPair(pair: Uint8Array, tests: SubgroupTests): Wrong {
  const [point, twistPoint] = [pair.subarray(0, 128), pair.subarray(128)];
  const wrong = blsPoint(point) ?? blsTwistPoint(twistPoint);
  return wrong ?? blsSubgroup(point, tests) ?? blsTwistSubgroup(twistPoint, tests);
}

// ---- point evaluation (EIP-4844) ----

function pointEvaluation(input: Uint8Array, tests: SubgroupTests): Wrong {
  const commitment = input.subarray(96, 144);
  const hash = createHash('sha256').update(commitment).digest();
  hash[0] = 1;
  if (!hash.equals(input.subarray(0, 32))) return 'mismatched versioned hash';
  const why =
    scalar(input.subarray(64, 96)) ??
    scalar(input.subarray(32, 64)) ??
    compressed(commitment, tests) ??
    compressed(input.subarray(144), tests) ??
    "can't verify opening proof";
  return `error verifying kzg proof: ${why}`;
}

function scalar(input: Uint8Array): Wrong {
  return toBigInt(input) < BLS_ORDER ? null : 'scalar is not canonical when interpreted as a big integer in big-endian';
}

/** A point of 48 bytes, whose first three bits say what it is. */
function compressed(input: Uint8Array, tests: SubgroupTests): Wrong {
  const kind = input[0]! >> 5;
  const x = toBigInt(Uint8Array.of(input[0]! & 0x1f, ...input.subarray(1)));
  if (kind === 0 || kind === 2) return 'short buffer';
  if (kind === 6) return x === 0n ? null : 'invalid infinity point encoding';
  if (kind !== 4 && kind !== 5) return 'invalid point encoding';
  if (x >= BLS.modulus) return ENCODING;
  try {
    const y = bls12_381.G1.Point.Fp.sqrt((x * x * x + BLS.b) % BLS.modulus);
    return tests.isOutside(pointOf(BLS, x, y)) ? 'invalid point: subgroup check failed' : null;
  } catch {
    // The only thing that it throws for.
    return "invalid compressed coordinate: square root doesn't exist";
  }
}

// ---- others ----

/** EIP-7823. */
function modexp(input: Uint8Array): Wrong {
  const { base, exponent, modulus } = modexpLengths(input);
  if (Math.max(base, exponent, modulus) <= 1024) return null;
  return 'one or more of base/exponent/modulus length exceeded 1024 bytes';
}

const BLAKE2F_BYTES = 213;
/** EIP-2537: pairs behind which an MSM has the last of its discounts, in thousandths. */
const MSM_PAIRS = 128;

/**
 * Gas of precompiles that refuse some inputs before they look at their gas, the library's and the OP Stack's: in
 * go-ethereum the price comes first. MSMs are among them where their input is longer than the OP Stack allows.
 */
const PRICED_LATE: Readonly<Record<number, (call: FailedPrecompile) => bigint>> = {
  0x08: (call) => pricedPairs(call, 192, 'bn254PairingGas', 'bn254PairingWordGas'),
  0x09: ({ data, common }) =>
    data.length === BLAKE2F_BYTES ? toBigInt(data.subarray(0, 4)) * common.param('blake2RoundGas') : 0n,
  0x0c: (call) => msmGas(call, 160, call.common.param('bls12381G1MulGas') * 519n),
  0x0e: (call) => msmGas(call, 288, call.common.param('bls12381G2MulGas') * 524n),
  0x0f: (call) => pricedPairs(call, 384, 'bls12381PairingBaseGas', 'bls12381PairingPerPairGas'),
};

function pricedPairs({ data, common }: FailedPrecompile, bytes: number, base: string, each: string): bigint {
  return common.param(base) + BigInt(Math.floor(data.length / bytes)) * common.param(each);
}

/** `each`: thousandths of gas a pair. */
function msmGas({ data }: FailedPrecompile, bytes: number, each: bigint): bigint {
  const pairs = Math.floor(data.length / bytes);
  return pairs > MSM_PAIRS ? (BigInt(pairs) * each) / 1000n : 0n;
}

const FINDS: Readonly<Record<number, Find>> = {
  [MODEXP]: modexp,
  0x06: (input) => first(padded(input, 128), 64, bnPoint),
  0x07: (input) => bnPoint(padded(input, 64)),
  0x08: bnPairing,
  0x09: (input) => (input.length === BLAKE2F_BYTES ? 'invalid final flag' : LENGTH),
  0x0a: (input, tests) => (input.length === 192 ? pointEvaluation(input, tests) : LENGTH),
  0x0b: ofLength(256, (input) => first(input, 128, blsPoint)),
  0x0c: blsElementwise(
    160,
    (part, tests) => blsPoint(part.subarray(0, 128)) ?? blsSubgroup(part.subarray(0, 128), tests),
    G1_SUBGROUP,
  ),
  0x0d: ofLength(512, (input) => first(input, 256, blsTwistPoint)),
  0x0e: blsElementwise(
    288,
    (part, tests) => blsTwistPoint(part.subarray(0, 256)) ?? blsTwistSubgroup(part.subarray(0, 256), tests),
    G2_SUBGROUP,
  ),
  0x0f: blsElementwise(384, blsPair, G1_SUBGROUP),
  0x10: ofLength(64, blsElements),
  0x11: ofLength(128, blsElements),
};
