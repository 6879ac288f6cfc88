// Announced transactions as one piece of bytes: a message of some hundred arrays costs both of its threads a microsecond for
// each. Runs on main and publisher.
//
// for each   u32 length of its bytes, hash (32), sender (20), bytes (EIP-2718)
import type { PublishedTransaction } from './block.js';

const HASH_AT = 4;
const FROM_AT = 36;
const RAW_AT = 56;

/** Packs transactions. */
export function packTransactions(transactions: readonly PublishedTransaction[]): Uint8Array {
  const packed = new Uint8Array(transactions.reduce((sum, { raw }) => sum + RAW_AT + raw.length, 0));
  const view = new DataView(packed.buffer);
  let at = 0;
  for (const { hash, raw, from } of transactions) {
    view.setUint32(at, raw.length, true);
    packed.set(hash, at + HASH_AT);
    packed.set(from, at + FROM_AT);
    packed.set(raw, at + RAW_AT);
    at += RAW_AT + raw.length;
  }
  return packed;
}

/** What was packed, as views. */
export function unpackTransactions(packed: Uint8Array): PublishedTransaction[] {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length);
  const transactions: PublishedTransaction[] = [];
  for (let at = 0; at < packed.length;) {
    const end = at + RAW_AT + view.getUint32(at, true);
    const [hash, from] = [packed.subarray(at + HASH_AT, at + FROM_AT), packed.subarray(at + FROM_AT, at + RAW_AT)];
    transactions.push({ hash, from, raw: packed.subarray(at + RAW_AT, end) });
    at = end;
  }
  return transactions;
}
