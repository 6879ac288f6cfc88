// Verifies KZG proofs for the point evaluation precompile (EIP-4844, address 0x0a), in JavaScript.
import { bls12_381 } from '@noble/curves/bls12-381.js';
import type { CustomCrypto } from '@ethereumjs/common';
import { fromHex } from '../../lib/bytes/hex.js';
import { toBigInt } from '../../lib/bytes/big-endian.js';
import { KZG_SETUP_G2 } from '../precompiles/kzg-trusted-setup-point.js';

const { G1, G2, fields, pairingBatch } = bls12_381;
type G1Point = typeof G1.Point.BASE;

const SETUP_G2 = G2.Point.fromHex(KZG_SETUP_G2);

/** The KZG interface of @ethereumjs. The EVM only calls `verifyProof`. */
export const REFERENCE_KZG: NonNullable<CustomCrypto['kzg']> = {
  verifyProof: (commitment, z, y, proof) => verify(point(commitment), scalar(z), scalar(y), point(proof)),
  blobToKzgCommitment: unsupported,
  computeBlobProof: unsupported,
  verifyBlobProofBatch: unsupported,
  computeCells: unsupported,
  computeCellsAndProofs: unsupported,
  recoverCellsAndProofs: unsupported,
  verifyCellKzgProofBatch: unsupported,
};

/** True if p(z) = y, which holds if e(C - [y]G1, -G2) e(proof, [s]G2 - [z]G2) = 1. */
function verify(commitment: G1Point, z: bigint, y: bigint, proof: G1Point): boolean {
  const left = commitment.subtract(times(G1.Point.BASE, y));
  const right = SETUP_G2.subtract(z === 0n ? G2.Point.ZERO : G2.Point.BASE.multiply(z));
  // Leave out pairs with the point at infinity: they contribute 1, and @noble/curves does not accept them.
  const pairs = [
    { g1: left, g2: G2.Point.BASE.negate() },
    { g1: proof, g2: right },
  ].filter(({ g1, g2 }) => !g1.is0() && !g2.is0());
  return pairs.length === 0 || fields.Fp12.eql(pairingBatch(pairs), fields.Fp12.ONE);
}

function times(base: G1Point, factor: bigint): G1Point {
  return factor === 0n ? G1.Point.ZERO : base.multiply(factor);
}

/**
 * Parses a field element. For bad input, throws the message of the C library c-kzg, for which the precompile of
 * @ethereumjs checks.
 */
function scalar(hex: string): bigint {
  const value = toBigInt(fromHex(hex));
  if (value >= fields.Fr.ORDER) throw new Error('C_KZG_BADARGS');
  return value;
}

/** Parses a compressed point of the right subgroup; infinity is allowed. */
function point(hex: string): G1Point {
  try {
    const value = G1.Point.fromHex(hex.slice(2));
    if (!value.is0()) value.assertValidity();
    return value;
  } catch {
    throw new Error('C_KZG_BADARGS');
  }
}

function unsupported(): never {
  throw new Error('only proofs of a point are checked here');
}
