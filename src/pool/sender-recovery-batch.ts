// Transactions in shared memory whose senders are being recovered. Threads claim groups of transactions and write the
// senders next to them. The thread that needs a sender recovers transactions in the same way.
//
//   states   i32 each: PENDING, RECOVERED or NOT_RECOVERED; after the last one the index of the next free group
//   ends     u32 each: offset of the transaction's end from the start of the first transaction
//   answers  for each transaction 32 bytes hash, 20 bytes address
//   raws     the transactions, one after the other
import { recoverSenders, type SendersBeingRecovered, type RecoveredSender } from '../transaction/recover-sender.js';

const PENDING = 0;
const RECOVERED = 1;
const NOT_RECOVERED = 2;
const HASH_BYTES = 32;
const ANSWER_BYTES = 52;
const WORD_BYTES = 4;
/** Transactions in a group. In a group of eight each takes 26 us, in one of sixteen 25 us, alone 41 us. */
const GROUP = 8;

/** A batch of transactions in the form in which it is sent to another thread. */
export interface SenderTask {
  readonly count: number;
  readonly buffer: SharedArrayBuffer;
}

/**
 * A batch of transactions that several threads process at the same time. Each thread can read the senders that others
 * have recovered.
 */
export class SenderRecoveryBatch implements SendersBeingRecovered {
  readonly task: SenderTask;
  readonly #states: Int32Array;
  readonly #ends: Uint32Array;
  readonly #answers: Uint8Array;
  readonly #raws: Uint8Array;

  /** Opens a batch that `of` has created. */
  constructor(task: SenderTask) {
    const { count, buffer } = (this.task = task);
    const endsAt = (count + 1) * WORD_BYTES;
    const answersAt = endsAt + count * WORD_BYTES;
    this.#states = new Int32Array(buffer, 0, count + 1);
    this.#ends = new Uint32Array(buffer, endsAt, count);
    this.#answers = new Uint8Array(buffer, answersAt, count * ANSWER_BYTES);
    this.#raws = new Uint8Array(buffer, answersAt + count * ANSWER_BYTES);
  }

  /** Creates a batch with copies of these transactions. */
  static of(transactions: readonly Uint8Array[]): SenderRecoveryBatch {
    const count = transactions.length;
    const rawBytes = transactions.reduce((sum, { length }) => sum + length, 0);
    const head = (2 * count + 1) * WORD_BYTES + count * ANSWER_BYTES;
    const batch = new SenderRecoveryBatch({ count, buffer: new SharedArrayBuffer(head + rawBytes) });
    let end = 0;
    for (const [index, raw] of transactions.entries()) {
      batch.#raws.set(raw, end);
      batch.#ends[index] = end += raw.length;
    }
    return batch;
  }

  /** Recovers senders until every transaction of the batch is claimed by some thread. */
  work(): void {
    const { count } = this.task;
    for (let first = this.#next(); first < count; first = this.#next()) this.#recover(first);
  }

  /**
   * Returns the sender of a transaction, see SendersBeingRecovered. Never waits for another thread. Until the sender is
   * available, this thread recovers unclaimed groups, and finally this transaction itself, even if another thread is
   * working on it.
   */
  at(index: number): RecoveredSender | null {
    while (Atomics.load(this.#states, index) === PENDING) {
      const next = this.#next();
      if (next < this.task.count) this.#recover(next);
      else this.#recover(index, 1);
    }
    if (Atomics.load(this.#states, index) === NOT_RECOVERED) return null;
    const from = index * ANSWER_BYTES;
    // Hash and address are copied, so that a retained sender does not retain the whole batch.
    const hash = new Uint8Array(this.#answers.subarray(from, from + HASH_BYTES));
    return { hash, address: new Uint8Array(this.#answers.subarray(from + HASH_BYTES, from + ANSWER_BYTES)) };
  }

  #next(): number {
    return Atomics.add(this.#states, this.task.count, GROUP);
  }

  /** Recovers the senders of at most `most` transactions from `first` on. */
  #recover(first: number, most = GROUP): void {
    const { count } = this.task;
    const raws = Array.from({ length: Math.min(most, count - first) }, (_, at) => this.#raw(first + at));
    for (const [at, sender] of recoverSenders(raws).entries()) this.#answer(first + at, sender);
  }

  /** Returns a copy of a raw transaction, because some functions that process it do not accept shared memory. */
  #raw(index: number): Uint8Array {
    const start = index === 0 ? 0 : this.#ends[index - 1]!;
    return new Uint8Array(this.#raws.subarray(start, this.#ends[index]));
  }

  #answer(index: number, sender: RecoveredSender | null): void {
    const at = index * ANSWER_BYTES;
    if (sender !== null) {
      this.#answers.set(sender.hash, at);
      this.#answers.set(sender.address, at + HASH_BYTES);
    }
    Atomics.store(this.#states, index, sender === null ? NOT_RECOVERED : RECOVERED);
  }
}

/** Processes a batch. Piscina calls this function in each thread. */
export function recoverBatchSenders(task: SenderTask): void {
  new SenderRecoveryBatch(task).work();
}
