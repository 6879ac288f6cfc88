// Slow inputs for every precompile: benchmarks measure them and tests fill blocks with them.
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bn254 } from '@noble/curves/bn254.js';
import { p256 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { createHash } from 'node:crypto';
import { toBytes } from '../../src/lib/bytes/big-endian.js';

/** A precompile and the inputs it is measured with. */
export interface Subject {
  readonly name: string;
  readonly number: number;
  /** The fork in which a call is cheapest. */
  readonly fork: string;
  readonly inputs: readonly Uint8Array[];
}

function subject(name: string, number: number, inputs: readonly Uint8Array[], fork = 'osaka'): Subject {
  return { name, number, fork, inputs };
}

function join(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

function many(count: number, make: (index: number) => Uint8Array): Uint8Array {
  return join(...Array.from({ length: count }, (_, index) => make(index)));
}

/** 32 bytes whose bits all depend on the index. */
function hashed(index: number): Uint8Array {
  return new Uint8Array(createHash('sha256').update(String(index)).digest());
}

function scalar(index: number): bigint {
  return BigInt(`0x${Buffer.from(hashed(index)).toString('hex')}`) >> 4n;
}

function bnG1(index: number): Uint8Array {
  const { x, y } = bn254.G1.Point.BASE.multiply(scalar(index)).toAffine();
  return join(toBytes(x, 32), toBytes(y, 32));
}

function bnG2(index: number): Uint8Array {
  const { x, y } = bn254.G2.Point.BASE.multiply(scalar(index)).toAffine();
  return join(...[x.c1, x.c0, y.c1, y.c0].map((value) => toBytes(value, 32)));
}

function blsG1(index: number): Uint8Array {
  const { x, y } = bls12_381.G1.Point.BASE.multiply(scalar(index)).toAffine();
  return join(toBytes(x, 64), toBytes(y, 64));
}

function blsG2(index: number): Uint8Array {
  const { x, y } = bls12_381.G2.Point.BASE.multiply(scalar(index)).toAffine();
  return join(...[x.c0, x.c1, y.c0, y.c1].map((value) => toBytes(value, 64)));
}

function field(index: number): Uint8Array {
  return join(new Uint8Array(32), hashed(index));
}

function recoverable(index: number): Uint8Array {
  const signature = secp256k1.sign(hashed(index), hashed(-index), { prehash: false, format: 'recovered' });
  return join(hashed(index), toBytes(27n + BigInt(signature[0]!), 32), signature.subarray(1));
}

function signed(index: number): Uint8Array {
  const key = hashed(-index);
  const signature = p256.sign(hashed(index), key, { prehash: false });
  return join(hashed(index), signature, p256.getPublicKey(key, false).subarray(1));
}

/** All operands are ones; the modulus has its highest bit set, and is odd or a power of two. */
function modexp(bytes: number, exponentBytes: number, isPower = false): Uint8Array {
  const numbers = [bytes, exponentBytes, bytes].map((length) => new Uint8Array(length).fill(0xff));
  if (isPower) numbers[2]!.fill(0).fill(0x80, 0, 1);
  return join(...numbers.map(({ length }) => toBytes(BigInt(length), 32)), ...numbers);
}

function blake2f(rounds: number): Uint8Array {
  return join(toBytes(BigInt(rounds), 4), many(7, hashed).subarray(0, 208), Uint8Array.of(1));
}

/** A valid proof for a constant polynomial (the point at infinity), or an invalid one. */
function kzg(index: number, isProved: boolean): Uint8Array {
  const { Point } = bls12_381.G1;
  const { ORDER } = bls12_381.fields.Fr;
  const [y, z] = [scalar(index) % ORDER, scalar(index + 1) % ORDER];
  const commitment = Point.BASE.multiply(y).toBytes(true);
  const proof = (isProved ? Point.ZERO : Point.BASE.multiply(z)).toBytes(true);
  const hash = createHash('sha256').update(commitment).digest();
  hash[0] = 1;
  return join(hash, toBytes(z, 32), toBytes(y, 32), commitment, proof);
}

/** One per precompile; those that take no measurable time are left out. */
export const SUBJECTS: readonly Subject[] = [
  subject('ECRECOVER', 0x01, [recoverable(1), recoverable(2), recoverable(3)]),
  subject('RIPEMD160', 0x03, [many(1, hashed), many(32, hashed), many(1000, hashed)]),
  subject(
    'MODEXP',
    0x05,
    [
      ...[8, 16, 24, 32, 64, 128, 256, 512, 1024].map((bytes) => modexp(bytes, 32)),
      ...[8, 32, 256, 1024].map((bytes) => modexp(bytes, 1)),
      modexp(8, 1024),
      modexp(256, 256),
      modexp(256, 32, true),
      modexp(1024, 8, true),
    ],
    'prague',
  ),
  subject('BN254 add', 0x06, [join(bnG1(1), bnG1(2)), join(bnG1(1), bnG1(1)), join(bnG1(1), new Uint8Array(64))]),
  subject(
    'BN254 mul',
    0x07,
    [1, 2, 3].map((index) => join(bnG1(index), hashed(index))),
  ),
  subject(
    'BN254 pairing',
    0x08,
    [1, 2, 8].map((count) => many(count, (index) => join(bnG1(index), bnG2(index)))),
  ),
  subject('BLAKE2F', 0x09, [blake2f(1000), blake2f(100_000), blake2f(1_000_000)]),
  subject('point evaluation', 0x0a, [kzg(1, true), kzg(1, false), kzg(2, false)]),
  subject('BLS G1ADD', 0x0b, [join(blsG1(1), blsG1(2)), join(blsG1(1), blsG1(1)), join(blsG1(1), new Uint8Array(128))]),
  subject(
    'BLS G1MSM',
    0x0c,
    [1, 8, 128].map((count) => many(count, (index) => join(blsG1(index), hashed(index)))),
  ),
  subject('BLS G2ADD', 0x0d, [join(blsG2(1), blsG2(2)), join(blsG2(1), blsG2(1)), join(blsG2(1), new Uint8Array(256))]),
  subject(
    'BLS G2MSM',
    0x0e,
    [1, 8, 128].map((count) => many(count, (index) => join(blsG2(index), hashed(index)))),
  ),
  subject(
    'BLS pairing',
    0x0f,
    [1, 2, 8].map((count) => many(count, (index) => join(blsG1(index), blsG2(index)))),
  ),
  subject('BLS map to G1', 0x10, [field(1), field(2), field(3)]),
  subject('BLS map to G2', 0x11, [join(field(1), field(2)), join(field(2), field(3)), join(field(3), field(4))]),
  subject('P256VERIFY', 0x100, [signed(1), signed(2), signed(3)]),
];
