// Separates a blob transaction from its sidecar. The sidecar has the blobs and their proofs; it is submitted with the
// transaction but is not part of a block (EIP-4844, EIP-7594).
import { RlpReader } from '../lib/bytes/rlp-reader.js';
import { BLOB_TRANSACTION_TYPE } from './fields.table.js';

/** Blobs, commitments and proofs of a blob transaction. */
export interface BlobSidecar {
  /**
   * Format of the sidecar. Version 0 has one proof per blob, version 1 one proof per cell of each blob. Other versions
   * are refused.
   */
  readonly version: number;
  readonly blobs: readonly Uint8Array[];
  readonly commitments: readonly Uint8Array[];
  readonly proofs: readonly Uint8Array[];
}

/** A transaction as EIP-2718 bytes as in a block, and its sidecar, or `null` if it has none. */
export interface TransactionAndSidecar {
  readonly raw: Uint8Array;
  readonly sidecar: BlobSidecar | null;
}

/** Separates a transaction from its sidecar; returns `null` if the sidecar is malformed. */
export function separateSidecar(raw: Uint8Array): TransactionAndSidecar | null {
  if (raw[0] !== BLOB_TRANSACTION_TYPE || !isWrapped(raw)) return { raw, sidecar: null };
  const reader = new RlpReader(raw, 1);
  const outer = reader.enter();
  const from = reader.offset;
  reader.skip();
  const transaction = Uint8Array.from([BLOB_TRANSACTION_TYPE, ...raw.subarray(from, reader.offset)]);
  const isVersioned = !reader.isAtList;
  const version = isVersioned ? Number(reader.integer(1)) : 0;
  const [blobs, commitments, proofs] = [strings(reader), strings(reader), strings(reader)];
  reader.leave(outer);
  // An explicit version 0 is malformed: sidecars of version 0 do not contain the number.
  if (!reader.isSound || !reader.isAtEnd || (isVersioned && version === 0)) return null;
  return { raw: transaction, sidecar: { version, blobs, commitments, proofs } };
}

/** Returns the transaction without its sidecar. The transaction's hash is the hash of these bytes. */
export function withoutSidecar(raw: Uint8Array): Uint8Array {
  return separateSidecar(raw)?.raw ?? raw;
}

/**
 * True if the bytes contain a sidecar: then the first RLP item is the whole transaction, and otherwise the chain id.
 */
function isWrapped(raw: Uint8Array): boolean {
  const reader = new RlpReader(raw, 1);
  reader.enter();
  return reader.isSound && reader.isAtList;
}

function strings(reader: RlpReader): readonly Uint8Array[] {
  return reader.list((each) => each.string());
}
