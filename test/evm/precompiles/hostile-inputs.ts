// Hostile inputs for precompiles: numbers at and beyond the field bounds, points off the curve, outside the subgroup,
// of small order and at infinity, wrong encodings and lengths; and valid inputs.
import { createHash } from 'node:crypto';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bn254 } from '@noble/curves/bn254.js';
import { p256 } from '@noble/curves/nist.js';
import { toBigInt, toBytes } from '../../../src/lib/bytes/big-endian.js';
import type { Random } from '../../support/programs/random.js';

/** An input for the precompile at this address. */
export function hostileInput(random: Random, precompile: number): Uint8Array {
  const input = MAKERS.get(precompile)!(random);
  return random.chance(0.12) ? spoilt(random, input) : input;
}

function spoilt(random: Random, input: Uint8Array): Uint8Array {
  switch (random.below(4)) {
    case 0:
      return input.subarray(0, random.below(input.length + 1));
    case 1:
      return join(input, random.bytes(random.between(1, 200)));
    case 2:
      return random.bytes(input.length);
    default:
      return flipped(random, input);
  }
}

/** Flips one bit. */
function flipped(random: Random, input: Uint8Array): Uint8Array {
  const changed = input.slice();
  if (changed.length > 0) changed[random.below(changed.length)]! ^= 1 << random.below(8);
  return changed;
}

function join(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

/** Rarely so many that another algorithm is used. */
function several(random: Random, many: number, make: () => Uint8Array): Uint8Array {
  const length = random.chance(0.05) ? random.between(4, many) : random.between(0, 3);
  return join(...Array.from({ length }, make));
}

/** A number of so many bytes, often close to a bound of `modulus`'s field. */
function number(random: Random, modulus: bigint, bytes: number): bigint {
  const top = 1n << BigInt(8 * bytes);
  const edges = [0n, 1n, 2n, 3n, modulus - 1n, modulus, modulus + 1n, 2n * modulus, top - 1n, top >> 1n];
  return random.chance(0.3) ? random.pick(edges) % top : toBigInt(random.bytes(bytes));
}

// ---- curves ----

/** Coordinates in the order in which the precompile takes them. */
type Coordinates = readonly bigint[];

/** What is needed to make valid and invalid points of a curve. */
interface Curve {
  readonly modulus: bigint;
  /** Bytes of a coordinate, and how many of them may be nonzero. */
  readonly bytes: number;
  readonly usedBytes: number;
  /** A multiple of the generator. */
  multiple(times: bigint): Coordinates;
  /** A point on the curve, rarely in the subgroup; of small order if there is one. */
  outside(random: Random): Coordinates;
}

function encoded({ bytes }: Curve, coordinates: Coordinates): Uint8Array {
  return join(...coordinates.map((value) => toBytes(value, bytes)));
}

/** A point, by default valid three times out of four. */
function point(random: Random, curve: Curve, kinds: readonly (readonly [number, Kind])[] = KINDS): Uint8Array {
  const { modulus, usedBytes } = curve;
  const right = curve.multiple(random.chance(0.5) ? BigInt(random.between(1, 4)) : toBigInt(random.bytes(8)) + 1n);
  const top = 1n << BigInt(8 * usedBytes);
  const at = random.below(right.length);
  const changed = (value: bigint): Uint8Array => encoded(curve, right.with(at, value % top));
  switch (random.weighted(kinds)) {
    case 'right':
      return encoded(curve, right);
    case 'infinity':
      return encoded(
        curve,
        right.map(() => 0n),
      );
    case 'negated':
      return encoded(
        curve,
        right.map((value, i) => (i < right.length / 2 ? value : (modulus - value) % modulus)),
      );
    case 'outside':
      return encoded(curve, curve.outside(random));
    case 'beyond':
      return changed(right[at]! + modulus);
    case 'off':
      return changed(number(random, modulus, usedBytes));
    case 'half': {
      const isFirst = random.chance(0.5);
      return encoded(
        curve,
        right.map((value, i) => (i < right.length / 2 === isFirst ? 0n : value)),
      );
    }
    case 'padded': {
      const bytes = encoded(curve, right);
      bytes[at * curve.bytes + random.below(16)]! ^= 1;
      return bytes;
    }
  }
}

type Kind = 'right' | 'infinity' | 'negated' | 'outside' | 'beyond' | 'off' | 'half' | 'padded';

const WRONG_KINDS: readonly (readonly [number, Kind])[] = [
  [2, 'outside'],
  [1, 'beyond'],
  [1, 'off'],
  [1, 'half'],
  [0.5, 'padded'],
];
const KINDS: readonly (readonly [number, Kind])[] = [[12, 'right'], [4, 'infinity'], [4, 'negated'], ...WRONG_KINDS];

/** The first point of the curve whose x is at least `start`. */
function lift<T>(start: bigint, find: (x: bigint) => T | null): T {
  for (let x = start; ; x++) {
    const found = find(x);
    if (found !== null) return found;
  }
}

type Fp = typeof bn254.fields.Fp;
type Fp2 = typeof bn254.fields.Fp2;

function liftFp(fp: Fp, b: bigint, start: bigint): Coordinates {
  return lift(fp.create(start), (x) => {
    const square = fp.add(fp.mul(fp.sqr(fp.create(x)), fp.create(x)), b);
    try {
      return [fp.create(x), fp.sqrt(square)];
    } catch {
      return null;
    }
  });
}

function liftFp2(fp: Fp2, b: ReturnType<Fp2['create']>, start: bigint, c1: bigint): ReturnType<Fp2['create']>[] {
  return lift(start, (c0) => {
    const x = fp.create({ c0, c1 });
    try {
      return [x, fp.sqrt(fp.add(fp.mul(fp.sqr(x), x), b))];
    } catch {
      return null;
    }
  });
}

const BN_G1: Curve = {
  modulus: bn254.fields.Fp.ORDER,
  bytes: 32,
  usedBytes: 32,
  multiple(times) {
    const { x, y } = bn254.G1.Point.BASE.multiply(times).toAffine();
    return [x, y];
  },
  outside: (random) => liftFp(bn254.fields.Fp, 3n, toBigInt(random.bytes(8))),
};
const BN_G2: Curve = {
  ...BN_G1,
  multiple(times) {
    const { x, y } = bn254.G2.Point.BASE.multiply(times).toAffine();
    return [x.c1, x.c0, y.c1, y.c0];
  },
  outside(random) {
    const { Fp2 } = bn254.fields;
    const b = Fp2.mul(Fp2.inv(Fp2.create({ c0: 9n, c1: 1n })), Fp2.create({ c0: 3n, c1: 0n }));
    const [x, y] = liftFp2(Fp2, b, BigInt(random.below(1000)), BigInt(random.below(1000))) as [Fp2Value, Fp2Value];
    return [x.c1, x.c0, y.c1, y.c0];
  },
};
const BLS_G1: Curve = {
  modulus: bls12_381.fields.Fp.ORDER,
  bytes: 64,
  usedBytes: 48,
  multiple(times) {
    const { x, y } = bls12_381.G1.Point.BASE.multiply(times).toAffine();
    return [x, y];
  },
  // (0, 2) is of order 3.
  outside: (random) => (random.chance(0.3) ? [0n, 2n] : liftFp(bls12_381.fields.Fp, 4n, toBigInt(random.bytes(8)))),
};
const BLS_G2: Curve = {
  ...BLS_G1,
  multiple(times) {
    const { x, y } = bls12_381.G2.Point.BASE.multiply(times).toAffine();
    return [x.c0, x.c1, y.c0, y.c1];
  },
  outside(random) {
    const b = bls12_381.fields.Fp2.create({ c0: 4n, c1: 4n });
    const start = BigInt(random.below(1000));
    const [x, y] = liftFp2(bls12_381.fields.Fp2, b, start, BigInt(random.below(1000))) as [Fp2Value, Fp2Value];
    return [x.c0, x.c1, y.c0, y.c1];
  },
};
interface Fp2Value {
  readonly c0: bigint;
  readonly c1: bigint;
}

/** A point twice, or with its negative, as often as two different points: addition formulas differ. */
function pairOf(random: Random, curve: Curve): Uint8Array {
  const first = point(random, curve);
  if (random.chance(0.7)) return join(first, point(random, curve));
  if (random.chance(0.5)) return join(first, first);
  const negated = first.slice();
  const half = first.length / 2;
  for (let at = half; at < first.length; at += curve.bytes) {
    const value = toBigInt(first.subarray(at, at + curve.bytes));
    negated.set(toBytes(value === 0n || value > curve.modulus ? value : curve.modulus - value, curve.bytes), at);
  }
  return join(first, negated);
}

function factor(random: Random, order: bigint): Uint8Array {
  return toBytes(number(random, order, 32), 32);
}

/** Points of both groups whose pairings multiply to 1, often with one wrong point among them. */
function pairing(random: Random, g1: Curve, g2: Curve, order: bigint): Uint8Array {
  const [a, b] = [BigInt(random.between(1, 1000)), BigInt(random.between(1, 1000))];
  const first = join(encoded(g1, g1.multiple(a)), encoded(g2, g2.multiple(b)));
  const last = join(encoded(g1, g1.multiple(order - ((a * b) % order))), encoded(g2, g2.multiple(1n)));
  const others = several(random, 20, () => join(point(random, g1), point(random, g2)));
  switch (random.weighted(PAIRINGS)) {
    case 'others':
      return others;
    case 'before':
      return join(first, last, others);
    case 'behind':
      return join(others, first, last);
    case 'wrong G1':
      return join(first, point(random, g1, WRONG_KINDS), last.subarray(2 * g1.bytes), last);
    case 'wrong G2':
      return join(first, first.subarray(0, 2 * g1.bytes), point(random, g2, WRONG_KINDS), last);
    case 'many':
      return join(first, new Uint8Array(random.between(14, 18) * first.length), last);
  }
}

const PAIRINGS = [
  [3, 'others'],
  [2, 'before'],
  [2, 'behind'],
  [2, 'wrong G1'],
  [2, 'wrong G2'],
  [1, 'many'],
] as const;

// ---- other precompiles ----

const HASH = new Uint8Array(createHash('sha256').update('hostile').digest());
const P = p256.Point;

function word(value: bigint): Uint8Array {
  return toBytes(value, 32);
}

/** Signatures, some of which reach the exceptional cases of the addition formulas. */
function p256Input(random: Random): Uint8Array {
  const order = P.Fn.ORDER;
  const secret = random.chance(0.3) ? random.pick([1n, 2n, 3n, order - 1n]) : toBigInt(random.bytes(31)) + 1n;
  const key = P.BASE.multiply(secret).toAffine();
  const edge = (): bigint => number(random, random.chance(0.5) ? order : P.Fp.ORDER, 32);
  switch (random.below(7)) {
    case 0: {
      // u1 G = -u2 Q: the sum is the point at infinity.
      const r = edge();
      return join(
        word((((order - (r % order)) % order) * secret) % order),
        word(r),
        word(edge()),
        word(key.x),
        word(key.y),
      );
    }
    case 1:
      return forged(random);
    case 2:
      return smallKey(random);
    case 3: {
      // u1 = 0 and u2 = 1: the sum is the key itself, without checking that it is on the curve.
      const y = random.chance(0.3) ? key.y : edge();
      return join(...[0n, key.x, key.x, key.x, y].map(word));
    }
    case 4:
      return join(...[edge(), edge(), edge(), key.x, random.chance(0.7) ? key.y : edge()].map(word));
    default: {
      const hash = random.chance(0.5) ? HASH : word(edge());
      const signature = p256.sign(hash, word(secret), { prehash: false, lowS: random.chance(0.5) });
      const wrong = random.chance(0.3) ? flipped(random, signature) : signature;
      return join(hash, wrong, word(key.x + (random.chance(0.1) ? 1n : 0n)), word(key.y));
    }
  }
}

/** The first point of the curve whose x is at least `start`. */
function liftP256(start: bigint): typeof P.BASE {
  const { Fp } = P;
  return lift(start, (x) => {
    try {
      return P.fromAffine({ x, y: Fp.sqrt(Fp.add(Fp.mul(Fp.add(Fp.sqr(x), P.CURVE().a), x), P.CURVE().b)) });
    } catch {
      return null;
    }
  });
}

function timesP256(base: typeof P.BASE, scalar: bigint): typeof P.BASE {
  return scalar === 0n ? P.ZERO : base.multiply(scalar);
}

/** The number, or rarely an unreduced one that is equal modulo `modulus`. */
function orBeyond(random: Random, value: bigint, modulus: bigint): bigint {
  return random.chance(0.4) && value + modulus < 1n << 256n ? value + modulus : value;
}

/**
 * A valid signature, constructed from the sum: its x may exceed the order, hash and s may be small enough to have an
 * unreduced alternative, and the key may be at infinity.
 */
function forged(random: Random): Uint8Array {
  const { Fn } = P;
  const small = (): bigint => BigInt(random.between(1, 1000));
  const times = small();
  const sum = random.chance(0.4) ? liftP256(Fn.ORDER + BigInt(random.below(1000))) : P.BASE.multiply(times);
  const { x } = sum.toAffine();
  const [r, s] = [Fn.create(x), random.chance(0.6) ? small() : toBigInt(random.bytes(31)) + 1n];
  const hash = random.chance(0.2) ? Fn.mul(times, s) : random.chance(0.5) ? small() : toBigInt(random.bytes(31));
  const key = timesP256(sum.subtract(timesP256(P.BASE, Fn.mul(hash, Fn.inv(s)))), Fn.mul(s, Fn.inv(r))).toAffine();
  const numbers = [orBeyond(random, hash, Fn.ORDER), random.chance(0.7) ? r : x, orBeyond(random, s, Fn.ORDER)];
  return join(...[...numbers, key.x, key.y].map(word));
}

/** A valid signature by a key whose x is small enough to have an unreduced alternative. */
function smallKey(random: Random): Uint8Array {
  const { Fn, Fp } = P;
  const key = liftP256(BigInt(random.below(1000)));
  const [u1, u2] = [BigInt(random.between(1, 1000)), BigInt(random.between(1, 1000))];
  const r = Fn.create(P.BASE.multiply(u1).add(key.multiply(u2)).toAffine().x);
  const s = Fn.mul(r, Fn.inv(u2));
  const { x, y } = key.toAffine();
  return join(...[Fn.mul(u1, s), r, s, orBeyond(random, x, Fp.ORDER), y].map(word));
}

/** Numbers of every kind, and limbs for which a quotient digit is estimated wrong. */
function modexp(random: Random): Uint8Array {
  if (random.chance(0.4)) return division(random);
  const length = (): number => random.pick([0, 1, 2, 7, 8, 9, 16, 24, 31, 32, 33, 40, 64, 65, 100]);
  const lengths = [length(), random.pick([0, 1, 2, 4, 8, 9, 31, 32, 33, 40]), length()];
  if (random.chance(0.4)) lengths[0] = lengths[2]!;
  if (random.chance(0.04)) lengths[random.below(3)] = random.pick([255, 256, 1023, 1024, 1025]);
  const numbers = lengths.map((bytes) => limbs(random, bytes));
  const heads = lengths.map((bytes) => toBytes(BigInt(bytes), 32));
  if (random.chance(0.03))
    heads[random.below(3)] = toBytes(random.pick([BigInt(random.below(3000)), ...HUGE_LENGTHS]), 32);
  const input = join(...heads, ...numbers);
  return random.chance(0.1) ? input.subarray(0, random.below(input.length + 1)) : input;
}

/** More than a test's gas pays for: the library kills the process for exponents of a hundred megabytes. */
const HUGE_LENGTHS = [31n, 32n, 53n, 64n, 128n, 255n].flatMap((bits) => [(1n << bits) - 1n, 1n << bits]);

/**
 * A base longer than the modulus, and an exponent so small that the base is divided as it is; often the base starts
 * with the modulus minus one, whose highest limbs equal the modulus's.
 */
function division(random: Random): Uint8Array {
  const modulus = edgeLimbs(random, 8 * random.pick([1, 1, 2, 3, 4, 5]));
  const value = toBigInt(modulus);
  const rest = edgeLimbs(random, 8 * random.between(1, 9));
  const base = random.chance(0.2) && value > 0n ? join(toBytes(value - 1n, modulus.length), rest) : rest;
  const numbers = [base, Uint8Array.of(random.pick([1, 1, 1, 2, 3])), modulus];
  return join(...numbers.map(({ length }) => toBytes(BigInt(length), 32)), ...numbers);
}

const TOP = 1n << 63n;
const LOW_LIMBS = [0n, 1n, 2n, 3n, 1n << 61n];
const HIGH_LIMBS = [TOP - 1n, TOP, TOP + 1n, TOP + 5n, TOP + (1n << 32n), 2n * TOP - 2n, 2n * TOP - 1n];
const EDGE_LIMBS = [...LOW_LIMBS, ...HIGH_LIMBS];

function edgeLimbs(random: Random, bytes: number): Uint8Array {
  const limb = (): Uint8Array => (random.chance(0.75) ? toBytes(random.pick(EDGE_LIMBS), 8) : random.bytes(8));
  return join(...Array.from({ length: bytes / 8 }, limb));
}

function limbs(random: Random, bytes: number): Uint8Array {
  const kind = random.below(4);
  const value = Uint8Array.from({ length: bytes }, (_, i) => {
    if (kind === 0) return random.below(256);
    if (kind === 1) return random.pick([0, 255]);
    return i % 8 === 0 ? random.pick([0, 1, 0x7f, 0x80, 0xff]) : random.pick([0, 255]);
  });
  if (random.chance(0.15)) value.fill(random.pick([0, 255]), random.below(bytes + 1));
  if (random.chance(0.05)) value.fill(0, 0, Math.max(0, bytes - 1));
  return value;
}

function blake2f(random: Random): Uint8Array {
  const rounds = toBytes(BigInt(random.chance(0.9) ? random.below(25) : random.below(5000)), 4);
  return join(rounds, random.bytes(208), Uint8Array.of(random.chance(0.9) ? random.below(2) : random.below(256)));
}

const { Fr } = bls12_381.fields;
const { BASE } = bls12_381.G1.Point;

/** [s]G1 of the ceremony's setup. */
const SETUP_G1 = bls12_381.G1.Point.fromHex(
  'ad3eb50121139aa34db1d545093ac9374ab7bca2c0f3bf28e27c8dcd8fc7cb42d25926fc0c97b336e9f0fb35e5a04c81',
);

/** For the polynomial a + b x: p(z) = a + b z, and the proof is [b]G1. Often one of the parts is wrong. */
function kzg(random: Random): Uint8Array {
  const [a, b] = [0, 0].map(() => (random.chance(0.3) ? 0n : Fr.create(number(random, Fr.ORDER, 32)))) as [
    bigint,
    bigint,
  ];
  const z = Fr.create(number(random, Fr.ORDER, 32));
  const y = Fr.add(a, Fr.mul(b, z));
  const wrong = random.weighted(KZG_PARTS);
  const points = [product(BASE, a).add(product(SETUP_G1, b)), product(BASE, b)].map((value, i) =>
    wrong === KZG_POINTS[i] ? wrongPoint(random, value) : value.toBytes(true),
  );
  const hash = createHash('sha256').update(points[0]!).digest();
  hash[0] = wrong === 'hash' ? random.below(256) : 1;
  const numbers = [
    z + (wrong === 'z' ? Fr.ORDER : 0n),
    wrong === 'another y' ? number(random, Fr.ORDER, 32) : y + (wrong === 'y' ? Fr.ORDER : 0n),
  ];
  return join(hash, ...numbers.map(word), ...points);
}

const KZG_POINTS = ['commitment', 'proof'];
const KZG_PARTS = [
  [5, 'none'],
  [1, 'z'],
  [1, 'y'],
  [1, 'another y'],
  [0.5, 'hash'],
  [3, 'commitment'],
  [3, 'proof'],
] as const;

function product(base: typeof BASE, scalar: bigint): typeof BASE {
  return scalar === 0n ? bls12_381.G1.Point.ZERO : base.multiply(scalar);
}

/** A multiple of the generator whose x is small enough to have an unreduced alternative. */
const SMALL_X = lift(1n, (times) => {
  const small = BASE.multiply(times);
  return small.toAffine().x + bls12_381.fields.Fp.ORDER < 1n << 381n ? small : null;
});

/**
 * Wrong flags, infinity with other bits set, an x beyond the field, or an x of no point or of one outside the subgroup.
 */
function wrongPoint(random: Random, value: typeof BASE): Uint8Array {
  const bytes = value.toBytes(true);
  const sign = bytes[0]! & 0x20;
  switch (random.pick(['flags', 'uncompressed', 'infinity', 'sign of infinity', 'small', 'beyond'])) {
    case 'flags':
      bytes[0]! ^= random.below(8) << 5;
      return bytes;
    case 'uncompressed':
      bytes[0]! &= 0x7f;
      return bytes;
    case 'infinity':
      return flipped(random, Uint8Array.of(0xc0, ...new Uint8Array(47)));
    case 'sign of infinity':
      return Uint8Array.of(0xe0, ...new Uint8Array(47));
    case 'small':
      bytes.set(toBytes(BigInt(random.below(50)), 48));
      break;
    default:
      bytes.set(toBytes(SMALL_X.toAffine().x + bls12_381.fields.Fp.ORDER, 48));
  }
  bytes[0]! |= 0x80 | sign;
  return bytes;
}

function blsField(random: Random): Uint8Array {
  const { ORDER } = bls12_381.fields.Fp;
  const other = random.chance(0.15) ? ORDER + BigInt(random.below(2)) : number(random, ORDER, 48) % (1n << 384n);
  const bytes = toBytes(random.chance(0.8) && other > ORDER + 1n ? other % ORDER : other, 64);
  if (random.chance(0.05)) bytes[random.below(16)] = 1;
  return bytes;
}

const MAKERS: ReadonlyMap<number, (random: Random) => Uint8Array> = new Map([
  [0x05, modexp],
  [0x06, (random) => pairOf(random, BN_G1)],
  [0x07, (random) => join(point(random, BN_G1), factor(random, bn254.fields.Fr.ORDER))],
  [0x08, (random) => pairing(random, BN_G1, BN_G2, bn254.fields.Fr.ORDER)],
  [0x09, blake2f],
  [0x0a, kzg],
  [0x0b, (random) => pairOf(random, BLS_G1)],
  [0x0c, (random) => several(random, 80, () => join(point(random, BLS_G1), factor(random, Fr.ORDER)))],
  [0x0d, (random) => pairOf(random, BLS_G2)],
  [0x0e, (random) => several(random, 40, () => join(point(random, BLS_G2), factor(random, Fr.ORDER)))],
  [0x0f, (random) => pairing(random, BLS_G1, BLS_G2, Fr.ORDER)],
  [0x10, blsField],
  [0x11, (random) => join(blsField(random), blsField(random))],
  [0x100, p256Input],
]);

/** How many inputs `npm test` tries, by precompile address: the library takes milliseconds for each. */
export const HOSTILE_CASES: ReadonlyMap<number, number> = new Map([
  [0x05, 2500],
  [0x06, 300],
  [0x07, 100],
  [0x08, 36],
  [0x09, 300],
  [0x0a, 80],
  [0x0b, 150],
  [0x0c, 60],
  [0x0d, 150],
  [0x0e, 40],
  [0x0f, 36],
  [0x10, 60],
  [0x11, 40],
  [0x100, 200],
]);
