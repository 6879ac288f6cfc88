// A question to a thread that recovers senders, and its answer: bytes that are transferred, not copied. Runs on the publisher
// and on the senders.
//
// question u32 lengths of the transactions, one each, little endian; then the transactions
// answer   for each transaction 32 bytes hash, 64 bytes public key, 20 bytes address; zeros when not recovered
import { move } from 'piscina';
import { senderOf, type Sender } from '../../transaction/sender.js';

/** One question. */
export interface SenderTask {
  /** Number of transactions. */
  readonly count: number;
  readonly bytes: ArrayBuffer;
}

const LENGTH_BYTES = 4;
const KEY_AT = 32;
const ADDRESS_AT = 96;
const ANSWER_BYTES = 116;

/** Packs a question about raw transactions. */
export function packTransactions(transactions: readonly Uint8Array[]): SenderTask {
  const head = transactions.length * LENGTH_BYTES;
  const total = transactions.reduce((sum, { length }) => sum + length, head);
  const bytes = new Uint8Array(total);
  const view = new DataView(bytes.buffer);
  let at = head;
  for (const [index, raw] of transactions.entries()) {
    view.setUint32(index * LENGTH_BYTES, raw.length, true);
    bytes.set(raw, at);
    at += raw.length;
  }
  return { count: transactions.length, bytes: bytes.buffer };
}

/** Answers a question. Piscina calls it in each thread. */
export function answerSenderTask(task: SenderTask): ArrayBuffer {
  return move(packSenders(unpackTransactions(task).map(senderOf))) as ArrayBuffer;
}

/** Views into the question. */
function unpackTransactions({ count, bytes }: SenderTask): Uint8Array[] {
  const view = new DataView(bytes);
  let at = count * LENGTH_BYTES;
  return Array.from({ length: count }, (_, index) => {
    const length = view.getUint32(index * LENGTH_BYTES, true);
    at += length;
    return new Uint8Array(bytes, at - length, length);
  });
}

function packSenders(senders: readonly (Sender | null)[]): ArrayBuffer {
  const bytes = new Uint8Array(senders.length * ANSWER_BYTES);
  for (const [index, sender] of senders.entries()) {
    if (sender === null) continue;
    const at = index * ANSWER_BYTES;
    bytes.set(sender.hash, at);
    bytes.set(sender.publicKey, at + KEY_AT);
    bytes.set(sender.address, at + ADDRESS_AT);
  }
  return bytes.buffer;
}

/** The senders of an answer, `null` when not recovered. They are copies: keeping one must not keep the whole answer. */
export function unpackSenders(answer: ArrayBuffer): (Sender | null)[] {
  return Array.from({ length: answer.byteLength / ANSWER_BYTES }, (_, index) => {
    const bytes = new Uint8Array(answer, index * ANSWER_BYTES, ANSWER_BYTES);
    if (bytes.every((byte) => byte === 0)) return null;
    return {
      hash: bytes.slice(0, KEY_AT),
      publicKey: bytes.slice(KEY_AT, ADDRESS_AT),
      address: bytes.slice(ADDRESS_AT),
    };
  });
}
