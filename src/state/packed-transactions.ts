// Encodes executed transactions as bytes, in the archive's encoding: sending them to another thread or retaining them
// costs three arrays, whatever their number, and they are decoded only on request.
import { decodeTransactionRecord, encodeTransactionRecord } from './archive/format/records.js';
import type { ConfirmedTransaction } from './block.js';

const HASH_BYTES = 32;

/** Plain data, structured-cloneable. */
export interface PackedTransactions {
  /** 32 bytes each. */
  readonly hashes: Uint8Array;
  /** End of each record in `records`. */
  readonly ends: Uint32Array;
  readonly records: Uint8Array;
}

/** Packs transactions in their order. */
export function packTransactions(transactions: readonly ConfirmedTransaction[]): PackedTransactions {
  const records = transactions.map(encodeTransactionRecord);
  const hashes = new Uint8Array(HASH_BYTES * transactions.length);
  for (const [index, { hash }] of transactions.entries()) hashes.set(hash, HASH_BYTES * index);
  let end = 0;
  const ends = Uint32Array.from(records, ({ length }) => (end += length));
  const joined = new Uint8Array(end);
  for (const [index, record] of records.entries()) joined.set(record, ends[index]! - record.length);
  return { hashes, ends, records: joined };
}

/** Number of transactions. */
export function countOf({ ends }: PackedTransactions): number {
  return ends.length;
}

/** Hash of transaction `index`: a view. */
export function hashAt({ hashes }: PackedTransactions, index: number): Uint8Array {
  return hashes.subarray(HASH_BYTES * index, HASH_BYTES * (index + 1));
}

/** Record of transaction `index`: a view. */
export function recordAt({ ends, records }: PackedTransactions, index: number): Uint8Array {
  return records.subarray(index === 0 ? 0 : ends[index - 1]!, ends[index]);
}

/** Transaction `index`, decoded. */
export function transactionAt(packed: PackedTransactions, index: number): ConfirmedTransaction {
  return decodeTransactionRecord(recordAt(packed, index));
}

/** Decodes all of them. */
export function unpackTransactions(packed: PackedTransactions): ConfirmedTransaction[] {
  return Array.from(packed.ends, (_, index) => transactionAt(packed, index));
}
