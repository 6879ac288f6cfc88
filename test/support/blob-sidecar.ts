// Blob transactions with a sidecar. Nothing verifies the proofs, only their number and length, so they may be any
// bytes.
import { createHash } from 'node:crypto';
import { RLP } from '@ethereumjs/rlp';

export const BLOB = Buffer.alloc(4096 * 32, 1);
export const COMMITMENT = Buffer.alloc(48, 0xc0);
export const BLOB_PROOF = Buffer.alloc(48, 0xc1);
export const CELL_PROOFS = Array.from({ length: 128 }, () => BLOB_PROOF);

/** Versioned hash of the blob (EIP-4844). */
export const BLOB_HASH = `0x01${createHash('sha256').update(COMMITMENT).digest('hex').slice(2)}`;

/** The sidecar of a transaction: one blob for each of its blob hashes. */
export interface SidecarOptions {
  /** -1: version 0, written out explicitly. */
  readonly version: -1 | 0 | 1 | 2;
  readonly count?: number;
  readonly blob?: Uint8Array;
  readonly commitment?: Uint8Array;
  readonly proofs?: readonly Uint8Array[];
}

/** A signed blob transaction with its blobs in the network encoding (EIP-4844, EIP-7594), as a client submits it. */
export function withBlobs(raw: Uint8Array, sidecar: SidecarOptions): Uint8Array {
  const { version, count = 1, blob = BLOB, commitment = COMMITMENT } = sidecar;
  const { proofs = version < 1 ? [BLOB_PROOF] : CELL_PROOFS } = sidecar;
  const each = <T>(item: T): T[] => Array.from({ length: count }, () => item);
  const items = [each(blob), each(commitment), each(proofs).flat()];
  const wrapped = [RLP.decode(raw.subarray(1)), ...(version === 0 ? [] : [Math.max(version, 0)]), ...items];
  return Uint8Array.from([3, ...RLP.encode(wrapped)]);
}
