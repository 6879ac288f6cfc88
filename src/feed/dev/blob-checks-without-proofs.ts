// Checks the sidecar of a blob transaction as go-ethereum does: by the same rules, in the same order and with the same
// error messages. One exception: the proofs are counted, but not verified. See DECISIONS.md.
import { createHash } from 'node:crypto';
import { BLOB_HASH_VERSION } from '../../chain/active-forks.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { toHex } from '../../lib/bytes/hex.js';
import type { BlobSidecar } from '../../transaction/split-blob-sidecar.js';

/** Size of a blob: 4096 field elements of 32 bytes. */
const BLOB_BYTES = 4096 * 32;
/** Size of a KZG commitment, and of a KZG proof: each is a compressed curve point. */
const KZG_POINT_BYTES = 48;
/** Number of cells into which a blob is divided. Each cell has a proof of its own (EIP-7594). */
const CELLS = 128;

/** Returns why the sidecar does not belong to a transaction with these blob hashes; `null` if it does. */
export function blobSidecarFault(sidecar: BlobSidecar, hashes: readonly Uint8Array[]): string | null {
  return sidecarFault(sidecar) ?? wrongCommitments(sidecar, hashes) ?? wrongProofCount(sidecar);
}

function sidecarFault({ version, blobs, commitments, proofs }: BlobSidecar): string | null {
  if (version > 1) return `unsupported blob tx version ${version}`;
  const lengths = [
    [blobs, BLOB_BYTES, 'Blob'],
    [commitments, KZG_POINT_BYTES, 'Commitment'],
    [proofs, KZG_POINT_BYTES, 'Proof'],
  ] as const;
  const wrong = lengths.find(([items, bytes]) => items.some(({ length }) => length !== bytes));
  return wrong === undefined ? null : `rlp: wrong size for kzg4844.${wrong[2]}`;
}

function wrongCommitments({ blobs, commitments }: BlobSidecar, hashes: readonly Uint8Array[]): string | null {
  if (commitments.length !== hashes.length)
    return `invalid number of ${commitments.length} blob commitments compared to ${hashes.length} blob hashes`;
  for (const [i, commitment] of commitments.entries()) {
    const hash = createHash('sha256').update(commitment).digest();
    hash[0] = BLOB_HASH_VERSION;
    if (!sameBytes(hash, hashes[i]!))
      return `blob ${i}: computed hash ${toHex(hash)} mismatches transaction one ${toHex(hashes[i]!)}`;
  }
  if (blobs.length === commitments.length) return null;
  return `invalid number of ${blobs.length} blobs compared to ${commitments.length} commitments`;
}

function wrongProofCount({ version, blobs, proofs }: BlobSidecar): string | null {
  const expected = blobs.length * (version === 0 ? 1 : CELLS);
  if (proofs.length === expected) return null;
  return `Wrong sidecar format: invalid number of ${proofs.length} blob proofs expected ${expected}`;
}
