// The sidecar of a blob transaction: the blobs and their proofs, which are submitted with it but are not part of a
// block (EIP-4844, EIP-7594).
import { RlpReader } from '../lib/bytes/rlp-reader.js';
import { BLOB_TRANSACTION_TYPE } from './fields.table.js';

/** Blobs, commitments and proofs of a blob transaction. */
export interface BlobSidecar {
  /** Version 0 has one proof for each blob, version 1 one for each cell of each blob. Other versions are refused. */
  readonly version: number;
  readonly blobs: readonly Uint8Array[];
  readonly commitments: readonly Uint8Array[];
  readonly proofs: readonly Uint8Array[];
}

/** EIP-2718 bytes as in a block, and the sidecar, or `null` if there is none. */
export interface TransactionAndSidecar {
  readonly raw: Uint8Array;
  readonly sidecar: BlobSidecar | null;
}

/** Separates the transaction from its sidecar; `null` if the sidecar is malformed. */
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
  // The number of version 0 is never written.
  if (!reader.isSound || !reader.isAtEnd || (isVersioned && version === 0)) return null;
  return { raw: transaction, sidecar: { version, blobs, commitments, proofs } };
}

/** The transaction without its sidecar. The transaction's hash is that of these bytes. */
export function withoutSidecar(raw: Uint8Array): Uint8Array {
  return separateSidecar(raw)?.raw ?? raw;
}

/** True if the first item is the whole transaction. Without a sidecar it is the chain id. */
function isWrapped(raw: Uint8Array): boolean {
  const reader = new RlpReader(raw, 1);
  reader.enter();
  return reader.isSound && reader.isAtList;
}

function strings(reader: RlpReader): readonly Uint8Array[] {
  return reader.list((each) => each.string());
}
