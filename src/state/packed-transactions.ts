// Encodes a list of executed transactions as bytes, in the archive's format. Such a list consists of only three arrays,
// however long it is, so it is cheap to send to another thread and to retain. A transaction is decoded only when it is
// requested.
import { decodeTransactionRecord, encodeTransactionRecord } from './archive/format/block-records.js';
import type { ExecutedTransaction } from './complete-block.js';

const HASH_BYTES = 32;

/** Transactions as bytes: plain data that can be cloned between threads. */
export interface PackedTransactions {
  /** Hashes of the transactions, 32 bytes each. */
  readonly hashes: Uint8Array;
  /** For each transaction, the offset in `records` at which its record ends. */
  readonly ends: Uint32Array;
  readonly records: Uint8Array;
}

/** Encodes transactions in order. */
export function packExecutedTransactions(transactions: readonly ExecutedTransaction[]): PackedTransactions {
  const records = transactions.map(encodeTransactionRecord);
  const hashes = new Uint8Array(HASH_BYTES * transactions.length);
  for (const [index, { hash }] of transactions.entries()) hashes.set(hash, HASH_BYTES * index);
  let end = 0;
  const ends = Uint32Array.from(records, ({ length }) => (end += length));
  const joined = new Uint8Array(end);
  for (const [index, record] of records.entries()) joined.set(record, ends[index]! - record.length);
  return { hashes, ends, records: joined };
}

export function countPackedTransactions({ ends }: PackedTransactions): number {
  return ends.length;
}

/** Returns the hash of transaction `index`, without copying it. */
export function packedHashAt({ hashes }: PackedTransactions, index: number): Uint8Array {
  return hashes.subarray(HASH_BYTES * index, HASH_BYTES * (index + 1));
}

/** Returns the encoded record of transaction `index`, without copying it. */
export function packedRecordAt({ ends, records }: PackedTransactions, index: number): Uint8Array {
  return records.subarray(index === 0 ? 0 : ends[index - 1]!, ends[index]);
}

export function unpackExecutedTransactions(packed: PackedTransactions): ExecutedTransaction[] {
  return Array.from(packed.ends, (_, index) => decodeTransactionRecord(packedRecordAt(packed, index)));
}
