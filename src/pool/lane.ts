// The shared memory between one running task and main: how far the worker is, and its answers so far. Main sees every
// answer without a message, knows which job is to blame when a worker dies, and can take back what has not begun. Runs on
// main (MainLane) and on the estimators (WorkerLane).
//
//   byte 0           4              8          64                                                LANE_BYTES
//        +-----------+--------------+----------+---------------+---------------+-----------------+
//        | BEGUN i32 | ANSWERED i32 | (unused) | answer        | answer        | ...             |
//        +-----------+--------------+----------+---------------+---------------+-----------------+
//
//   BEGUN     jobs begun: the worker swaps n for n + 1 before job n. Main swaps in CLOSED to take back the rest.
//   ANSWERED  answers written, in the order of the jobs; stored after the bytes of the answer.
//   answer    packed outcome
//
// A lane is used by one task at a time. After a worker died its lane is thrown away: the dying thread may still write.
import type { Outcome } from '../evm/call.js';
import { LIMITS } from '../limits.js';
import { ByteReader, ByteWriter } from './bytes.js';
import { packOutcome, unpackOutcome } from './packing.js';

const BEGUN = 0;
const ANSWERED = 1;
const CLOSED = -1;
const ANSWERS_AT = 64;
const LANE_BYTES = ANSWERS_AT + LIMITS.laneAnswerBytesMax;

/** Main's end. */
export class MainLane {
  readonly buffer = new SharedArrayBuffer(LANE_BYTES);
  readonly #words = new Int32Array(this.buffer, 0, 2);
  readonly #answers = new ByteReader(new Uint8Array(this.buffer, ANSWERS_AT));
  #read = 0;
  #begunWhenClosed = 0;

  /** Makes the lane ready for a new task; no worker may be using it. */
  open(): void {
    this.#answers.rewind();
    this.#read = 0;
    Atomics.store(this.#words, ANSWERED, 0);
    Atomics.store(this.#words, BEGUN, 0);
  }

  /** Jobs begun so far. */
  get begun(): number {
    const begun = Atomics.load(this.#words, BEGUN);
    return begun === CLOSED ? this.#begunWhenClosed : begun;
  }

  /** Lets no further job begin; answers how many have. */
  close(): number {
    const begun = Atomics.exchange(this.#words, BEGUN, CLOSED);
    if (begun !== CLOSED) this.#begunWhenClosed = begun;
    return this.#begunWhenClosed;
  }

  /** The next answer that was not taken yet; null when there is none. */
  next(): Outcome | null {
    if (this.#read === Atomics.load(this.#words, ANSWERED)) return null;
    this.#read += 1;
    return unpackOutcome(this.#answers);
  }
}

/** The worker's end. */
export class WorkerLane {
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;
  readonly #packed: ByteWriter;
  #length = 0;
  #answered = 0;

  /** `scratch` is the worker's own and is overwritten by every answer. */
  constructor(buffer: SharedArrayBuffer, scratch: ByteWriter) {
    this.#words = new Int32Array(buffer, 0, 2);
    this.#bytes = new Uint8Array(buffer, ANSWERS_AT);
    this.#packed = scratch;
  }

  /** Begins job `index`; false when main took it back. */
  begin(index: number): boolean {
    return Atomics.compareExchange(this.#words, BEGUN, index, index + 1) === index;
  }

  /** Answers the job begun last. Bytes that do not fit are handed back, for the task to end with; else null. */
  answer(outcome: Outcome): ArrayBuffer | null {
    this.#packed.reset();
    packOutcome(outcome, this.#packed);
    const packed = this.#packed.written;
    if (this.#length + packed.length > this.#bytes.length) return new Uint8Array(packed).buffer;
    this.#bytes.set(packed, this.#length);
    this.#length += packed.length;
    Atomics.store(this.#words, ANSWERED, (this.#answered += 1));
    return null;
  }
}
