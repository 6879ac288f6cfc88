// Inputs of precompiles: valid ones, almost valid ones, and others.
import { createHash } from 'node:crypto';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bn254 } from '@noble/curves/bn254.js';
import { p256 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { toBytes } from '../../../src/lib/bytes/big-endian.js';
import type { Fork } from './opcodes.js';
import type { Random, Weighted } from './random.js';
import { randomWord } from './values.js';

/** A precompile's address and an input for it. */
export interface PrecompileInput {
  readonly address: number;
  readonly input: Uint8Array;
}

/** An input for a precompile of the fork, rarely for one that the fork lacks. */
export function precompileInput(random: Random, fork: Fork): PrecompileInput {
  const all = random.chance(0.02) ? ADDRESSES.osaka : ADDRESSES[fork];
  const address = random.weighted(all);
  const input = MAKERS[address]!(random);
  return { address, input: random.chance(0.25) ? spoilt(random, input) : input };
}

/** Precompiles that take milliseconds are rare. */
const SHANGHAI: Weighted<number> = [
  [3, 1],
  [5, 2],
  [3, 3],
  [4, 4],
  [4, 5],
  [2, 6],
  [1, 7],
  [0.3, 8],
  [3, 9],
];
const CANCUN: Weighted<number> = [...SHANGHAI, [0.3, 0x0a]];
const PRAGUE: Weighted<number> = [
  ...CANCUN,
  ...[0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11].map((address) => [0.25, address] as const),
];
const OSAKA: Weighted<number> = [...PRAGUE, [1, 0x100]];
const ADDRESSES: Readonly<Record<Fork, Weighted<number>>> = {
  shanghai: SHANGHAI,
  cancun: CANCUN,
  prague: PRAGUE,
  osaka: OSAKA,
  amsterdam: OSAKA,
};

function spoilt(random: Random, input: Uint8Array): Uint8Array {
  const changed = input.slice();
  switch (random.below(4)) {
    case 0:
      return input.subarray(0, random.below(input.length + 1));
    case 1:
      return join(input, random.bytes(random.between(1, 40)));
    case 2:
      return random.bytes(input.length);
    default:
      if (changed.length > 0) changed[random.below(changed.length)]! ^= 1 << random.below(8);
      return changed;
  }
}

function join(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

function word(value: bigint): Uint8Array {
  return toBytes(value, 32);
}

const HASH = new Uint8Array(createHash('sha256').update('programs').digest());
const KEY = new Uint8Array(32).fill(7);

const RECOVERABLE = recoverable();
function recoverable(): Uint8Array {
  const signature = secp256k1.sign(HASH, KEY, { prehash: false, format: 'recovered' });
  return join(HASH, word(27n + BigInt(signature[0]!)), signature.subarray(1));
}

const P256 = join(HASH, p256.sign(HASH, KEY, { prehash: false }), p256.getPublicKey(KEY, false).subarray(1));

const BN_POINTS = [1n, 2n, 3n, bn254.fields.Fr.ORDER - 1n].map((factor) => {
  const { x, y } = bn254.G1.Point.BASE.multiply(factor).toAffine();
  return join(word(x), word(y));
});
const BN_NOTHING = new Uint8Array(64);
const BN_G2 = bnG2();
function bnG2(): Uint8Array {
  const { x, y } = bn254.G2.Point.BASE.toAffine();
  return join(word(x.c1), word(x.c0), word(y.c1), word(y.c0));
}

function bnPoint(random: Random): Uint8Array {
  return random.chance(0.2) ? BN_NOTHING : random.pick(BN_POINTS);
}

const BLS_G1 = [1n, 2n, bls12_381.fields.Fr.ORDER - 1n].map((factor) => {
  const { x, y } = bls12_381.G1.Point.BASE.multiply(factor).toAffine();
  return join(toBytes(x, 64), toBytes(y, 64));
});
const BLS_G2 = [1n, 2n].map((factor) => {
  const { x, y } = bls12_381.G2.Point.BASE.multiply(factor).toAffine();
  return join(...[x.c0, x.c1, y.c0, y.c1].map((part) => toBytes(part, 64)));
});

function g1(random: Random): Uint8Array {
  return random.chance(0.2) ? new Uint8Array(128) : random.pick(BLS_G1);
}

function g2(random: Random): Uint8Array {
  return random.chance(0.2) ? new Uint8Array(256) : random.pick(BLS_G2);
}

function several(random: Random, max: number, make: () => Uint8Array): Uint8Array {
  return join(...Array.from({ length: random.below(max + 1) }, make));
}

function modexp(random: Random): Uint8Array {
  const lengths = [0, 0, 0].map(() => random.pick([0, 1, 2, 8, 31, 32, 33, 40, 64]));
  if (random.chance(0.05)) return join(...[0, 1, 2].map(() => word(randomWord(random))), random.bytes(40));
  if (random.chance(0.03)) lengths[random.below(3)] = random.pick([1023, 1024, 1025]);
  return join(...lengths.map((length) => word(BigInt(length))), ...lengths.map((length) => random.bytes(length)));
}

function blake2f(random: Random): Uint8Array {
  const rounds = toBytes(BigInt(random.chance(0.9) ? random.below(20) : random.below(1000)), 4);
  return join(rounds, random.bytes(208), Uint8Array.of(random.chance(0.9) ? random.below(2) : random.below(256)));
}

/** A commitment to the zero polynomial. */
function kzg(random: Random): Uint8Array {
  const infinity = Uint8Array.of(0xc0, ...new Uint8Array(47));
  const hash = new Uint8Array(createHash('sha256').update(infinity).digest());
  hash[0] = 1;
  return join(hash, word(BigInt(random.below(1000))), word(0n), infinity, infinity);
}

/** Lengths around block boundaries, with and without SHA-256's padding. */
const SHA256_EDGES = [55, 56, 63, 64, 119, 120];

const MAKERS: Readonly<Record<number, (random: Random) => Uint8Array>> = {
  1: () => RECOVERABLE,
  2: (random) => random.bytes(random.chance(0.3) ? random.below(200) : random.pick(SHA256_EDGES)),
  3: (random) => random.bytes(random.below(200)),
  4: (random) => random.bytes(random.below(400)),
  5: modexp,
  6: (random) => join(bnPoint(random), bnPoint(random)),
  7: (random) => join(bnPoint(random), word(randomWord(random))),
  8: (random) => several(random, 2, () => join(bnPoint(random), random.chance(0.2) ? new Uint8Array(128) : BN_G2)),
  9: blake2f,
  0x0a: kzg,
  0x0b: (random) => join(g1(random), g1(random)),
  0x0c: (random) => several(random, 2, () => join(g1(random), word(randomWord(random)))),
  0x0d: (random) => join(g2(random), g2(random)),
  0x0e: (random) => several(random, 2, () => join(g2(random), word(randomWord(random)))),
  0x0f: (random) => several(random, 2, () => join(g1(random), g2(random))),
  0x10: (random) => join(new Uint8Array(16), toBytes(randomWord(random), 48)),
  0x11: (random) =>
    join(new Uint8Array(16), toBytes(randomWord(random), 48), new Uint8Array(16), toBytes(randomWord(random), 48)),
  0x100: () => P256,
};
