// Every word function of the kernel returns what BigInt does, or node's and a library's hashes: for edge-case operands
// in all combinations, for seeded random ones of every length, and if the result overwrites an operand. Runs on the
// main thread.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import { kernelWords } from '../../support/kernel-words.js';
import { rounds } from '../../support/rounds.js';

const ROUNDS = rounds(2000);
const WIDE_ROUNDS = rounds(250);
const MODULUS = 2n ** 256n;
const SIGN = 2n ** 255n;
const MAX = MODULUS - 1n;

const { functions, memory, free } = kernelWords();
const memory64 = new BigUint64Array(memory.buffer);
/** Addresses of operands; the first is for results that do not overwrite an operand. */
const ADDRESSES = [0, 1, 2, 3].map((index) => free + 64 * index);

function write(at: number, value: bigint): void {
  // The stored word is the value modulo 2^64.
  for (let limb = 0; limb < 4; limb++) memory64[at / 8 + limb] = value >> BigInt(64 * limb);
}

function read(at: number): bigint {
  return [3, 2, 1, 0].reduce((value, limb) => (value << 64n) | memory64[at / 8 + limb]!, 0n);
}

/** mulberry32: the same numbers in every run. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

const random = generator(7);
const isOneIn = (count: number): boolean => random() % count === 0;

/** 64 bits, often all ones, all zeros or close to a power of two, where carries and quotients go wrong. */
function randomLimb(): bigint {
  const kind = random() % 8;
  if (kind === 0) return 0n;
  if (kind === 1) return 2n ** 64n - 1n;
  if (kind === 2) return 2n ** 63n - BigInt(random() % 3) + 1n;
  if (kind === 3) return BigInt(random() % 4);
  return (BigInt(random()) << 32n) | BigInt(random());
}

/** Any length in bits; sometimes as its two's complement. */
function randomWord(): bigint {
  const limbs = [randomLimb(), randomLimb(), randomLimb(), randomLimb()];
  const word = limbs.reduce((value, limb) => (value << 64n) | limb) >> BigInt(random() % 256);
  return isOneIn(4) ? (MODULUS - word) % MODULUS : word;
}

const POWERS = [8n, 31n, 32n, 63n, 64n, 65n, 96n, 127n, 128n, 160n, 191n, 192n, 193n, 224n, 255n].map(
  (bits) => 2n ** bits,
);
const SMALL = [0n, 1n, 2n, 3n, 7n, 10n, 31n, 32n, 255n, 257n, 10n ** 18n, 10n ** 27n];
const LARGE = [
  2n ** 256n - 2n ** 32n - 977n,
  SIGN + 2n ** 64n,
  MODULUS - 2n ** 128n,
  MODULUS - 2n ** 192n,
  MAX - 1n,
  MAX,
];
const EDGES = [...SMALL, ...POWERS.flatMap((power) => [power - 1n, power, power + 1n]), ...LARGE];

const signed = (value: bigint): bigint => BigInt.asIntN(256, value);
const word = (value: bigint): bigint => BigInt.asUintN(256, value);
const lengthInBits = (value: bigint): number => (value === 0n ? 0 : value.toString(2).length);

function modularPower(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let [square, rest] = [base, exponent]; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = word(result * square);
    square = word(square * square);
  }
  return result;
}

type Expected = (a: bigint, b: bigint, m: bigint) => bigint;
const UNARY: Readonly<Record<string, Expected>> = {
  leadingZeros: (x) => BigInt(256 - lengthInBits(x)),
};
const BINARY: Readonly<Record<string, Expected>> = {
  multiply: (a, b) => word(a * b),
  divide: (a, b) => (b === 0n ? 0n : a / b),
  signedDivide: (a, b) => (b === 0n ? 0n : word(signed(a) / signed(b))),
  modulo: (a, b) => (b === 0n ? 0n : a % b),
  signedModulo: (a, b) => (b === 0n ? 0n : word(signed(a) % signed(b))),
  shiftLeft: (shift, value) => (shift > 255n ? 0n : word(value << shift)),
  shiftRight: (shift, value) => (shift > 255n ? 0n : value >> shift),
  shiftRightSigned: (shift, value) => word(signed(value) >> (shift > 255n ? 256n : shift)),
  signExtend: (k, x) => (k > 30n ? x : word(BigInt.asIntN(8 * Number(k) + 8, x))),
  byteAt: (i, x) => (i > 31n ? 0n : (x >> (8n * (31n - i))) & 0xffn),
};
const POWER: Readonly<Record<string, Expected>> = { power: modularPower };
const TERNARY: Readonly<Record<string, Expected>> = {
  addModulo: (a, b, m) => (m === 0n ? 0n : (a + b) % m),
  multiplyModulo: (a, b, m) => (m === 0n ? 0n : (a * b) % m),
};

/** Writes the result to its own address, then over each operand; other operands must not change. */
function check(name: string, expected: bigint, operands: readonly bigint[]): void {
  const addresses = ADDRESSES.slice(1, 1 + operands.length);
  for (const out of [ADDRESSES[0]!, ...addresses]) {
    operands.forEach((operand, index) => write(addresses[index]!, operand));
    functions[name]!(out, ...addresses);
    const answer = read(out);
    if (answer !== expected) assert.fail(`${name}(${operands.join(', ')}) to ${out}: ${answer}, not ${expected}`);
    addresses.forEach((place, index) => {
      if (place !== out && read(place) !== operands[index]) assert.fail(`${name} wrote to operand ${index}`);
    });
  }
}

/** Uses one address for all operands and the result. */
function checkEqual(name: string, expected: bigint, operand: bigint, count: number): void {
  write(ADDRESSES[1]!, operand);
  functions[name]!(ADDRESSES[1]!, ...Array.from({ length: count }, () => ADDRESSES[1]!));
  assert.equal(read(ADDRESSES[1]!), expected, `${name} of ${operand} alone`);
}

function checkAll(table: Readonly<Record<string, Expected>>, count: number, operands: readonly bigint[]): void {
  const [a = 0n, b = 0n, m = 0n] = operands;
  for (const [name, answer] of Object.entries(table)) {
    check(name, answer(a, b, m), operands);
    checkEqual(name, answer(a, a, a), a, count);
  }
}

test('every word function equals BigInt on all combinations of edge operands', () => {
  for (const a of EDGES) {
    checkAll(UNARY, 1, [a]);
    for (const b of EDGES) {
      checkAll(BINARY, 2, [a, b]);
      for (const m of EDGES)
        for (const [name, answer] of Object.entries(TERNARY)) check(name, answer(a, b, m), [a, b, m]);
    }
  }
});

test('every word function equals BigInt on random operands', () => {
  for (let round = 0; round < ROUNDS; round++) {
    const [a, b, m] = [randomWord(), randomWord(), randomWord()];
    checkAll(UNARY, 1, [a]);
    checkAll(BINARY, 2, [a, b]);
    checkAll(TERNARY, 3, [a, b, m]);
  }
});

test('divisions equal BigInt’s next to multiples of the divisor, where the first quotient estimate is too large', () => {
  for (let round = 0; round < ROUNDS; round++) {
    const divisor = randomWord() || 1n;
    const multiple = divisor * (randomWord() % (MAX / divisor + 1n));
    for (const near of [multiple - 1n, multiple, multiple + divisor - 1n].map(word))
      checkAll(BINARY, 2, [near, divisor]);
    // Products of residues close to the modulus, as in elliptic curve arithmetic.
    const [a, b] = [divisor - BigInt(random() % 3), divisor - randomLimb()].map(word) as [bigint, bigint];
    checkAll(TERNARY, 3, [a, b, divisor]);
  }
});

test('shifts and byte indexes equal BigInt’s around the end of every limb', () => {
  for (let small = 0n; small <= 260n; small++) {
    for (const x of [...EDGES, randomWord(), randomWord()]) checkAll(BINARY, 2, [small, x]);
    // A shift by 256 or more is that whatever its lowest limb says.
    for (const limb of [64n, 128n, 192n]) checkAll(BINARY, 2, [small + 2n ** limb, randomWord()]);
  }
});

test('powers equal BigInt’s for edge, random and small operands', () => {
  for (const base of EDGES) for (const exponent of EDGES) checkAll(POWER, 2, [base, exponent]);
  for (let round = 0; round < WIDE_ROUNDS; round++) {
    checkAll(POWER, 2, [randomWord(), randomWord()]);
    checkAll(POWER, 2, [BigInt(random() % 300), BigInt(random() % 300)]);
  }
});

test('byteLength counts the bytes of a word without leading zeros', () => {
  for (const x of [...EDGES, ...Array.from({ length: ROUNDS }, randomWord)]) {
    write(ADDRESSES[1]!, x);
    assert.equal(functions['byteLength']!(ADDRESSES[1]!), Math.ceil(lengthInBits(x) / 8), String(x));
  }
});

const LONG = [1_000, 1_088, 4_095, 4_096, 65_537, 100_000];
const LENGTHS = [...Array.from({ length: 601 }, (_, length) => length), ...LONG];

/** The digest for every length: from an odd address, then written over the beginning of the input. */
function checkHash(name: string, expected: (input: Buffer) => Uint8Array): void {
  const input = free + 101;
  for (const length of LENGTHS) {
    const bytes = Buffer.from(Array.from({ length }, () => random() & 0xff));
    const digest = Buffer.from(expected(bytes)).toString('hex');
    for (const out of [free, input]) {
      bytes.copy(memory, input);
      memory.fill(0xee, input + length, input + length + 64);
      functions[name]!(out, input, length);
      assert.equal(memory.toString('hex', out, out + 32), digest, `${name} of ${length} bytes`);
    }
  }
}

test('keccak256 equals the library’s digest for every length', () => checkHash('keccak256', keccak256));

test('sha256 equals OpenSSL’s digest for every length', () =>
  checkHash('sha256', (input) => createHash('sha256').update(input).digest()));
