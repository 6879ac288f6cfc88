// The checks of what stands beside a blob transaction: go-ethereum's rules, order and texts.
import { createHash } from 'node:crypto';
import { areCellsProved, BLOB_BYTES, CELLS, isBlobProved, KZG_POINT_BYTES } from '../../evm/precompiles/blob-proofs.js';
import { BLOB_FUNCTIONS } from '../../evm/precompiles/blob-functions.js';
import { sameBytes } from '../../lib/bytes/byte-map.js';
import { toHex } from '../../lib/bytes/hex.js';
import type { BlobSidecar } from '../../transaction/blob-sidecar.js';

/** First byte of the hash of a commitment (EIP-4844). */
const HASH_VERSION = 1;

/**
 * Reason for which the sidecar is not that of a transaction with these blob hashes; `null`: it is, and its proofs hold.
 */
export function wrongSidecar(sidecar: BlobSidecar, hashes: readonly Uint8Array[]): string | null {
  return sidecarFault(sidecar) ?? wrongCommitments(sidecar, hashes) ?? wrongProofs(sidecar);
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
    hash[0] = HASH_VERSION;
    if (!sameBytes(hash, hashes[i]!))
      return `blob ${i}: computed hash ${toHex(hash)} mismatches transaction one ${toHex(hashes[i]!)}`;
  }
  if (blobs.length === commitments.length) return null;
  return `invalid number of ${blobs.length} blobs compared to ${commitments.length} commitments`;
}

function wrongProofs({ version, blobs, commitments, proofs }: BlobSidecar): string | null {
  const each = version === 0 ? 1 : CELLS;
  if (proofs.length !== blobs.length * each)
    return `Wrong sidecar format: invalid number of ${proofs.length} blob proofs expected ${blobs.length * each}`;
  const isProved = (blob: Uint8Array, i: number): boolean => {
    const own = proofs.slice(i * each, (i + 1) * each);
    return version === 0
      ? isBlobProved(blob, commitments[i]!, own[0]!, BLOB_FUNCTIONS)
      : areCellsProved(blob, commitments[i]!, own, BLOB_FUNCTIONS);
  };
  return blobs.every(isProved) ? null : "KZG verification error: can't verify opening proof";
}
