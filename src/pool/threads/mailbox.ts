// The shared memory between main and one running task: the worker's progress, its answers, and the jobs that main has added
// since the task began. It spares messages, shows which job ran when a worker died, and lets main take back jobs that have
// not begun. Runs on main (MainMailbox) and on the estimators (WorkerMailbox).
//
//   byte 0           4              8            12         16           20         24             64
//        +-----------+--------------+------------+----------+------------+----------+--------------+---------+------+------+
//        | BEGUN i32 | ANSWERED i32 | POSTED i32 | BELL i32 | ASLEEP i32 | LONG i32 | ATTENDED i32 | answers | jobs | long |
//        +-----------+--------------+------------+----------+------------+----------+--------------+---------+------+------+
//
//   BEGUN     jobs begun: the worker swaps n for n + 1 before job n. Main stores CLOSED to take back the rest.
//   ANSWERED  answers written, in the order of the jobs; stored after the bytes of the answer.
//   POSTED    jobs of the message and of the mailbox; stored after their bytes. The worker waits here for more. CLOSED when
//             no more will come.
//   ASLEEP    1 from before the worker waits until main has woken it, or it has woken by itself: then it need not be woken.
//   BELL      counts the worker's calls for main to look. Main waits here.
//   LONG      bytes of the long answer, 0 for none; the task ends with it
//   ATTENDED  1 while main looks for answers by itself: then the bell is not rung. Main looks once more after it stores 0.
//   answers   packed outcome, when the job began and how long it took (see RunTime); again for every answer
//   jobs      u32 length, limit and packed job; again for every job that main has added
//   long      an answer that did not fit the others
//
// A mailbox serves one task at a time. When a worker dies its mailbox is discarded: the dying thread may still write.

// Decision (2026-11, two cores): A worker waits 5 ms for its next job before its piscina task ends, asleep on a mailbox
// in shared memory: a job that finds it there takes some 0.6 of the time of a task of its own. piscina, one pool a
// worker, still owns the workers, their limits and their end. Price: a mailbox of 576 KiB a worker, and behind it room
// for one long answer, which takes memory where it was used.
//
// Decision (2026-11, two cores): Main waits for the bell by `Atomics.waitAsync`. A bell of libuv in the addon (`uv_async_send`)
// spared 4 % of the processor time of an ERC-20 estimate over HTTP, 1 to 32 connections, for 310 lines with its tests.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Outcome } from '../../transaction/call-request.js';
import { LIMITS } from '../../limits/index.js';
import { ByteReader, ByteWriter } from '../../lib/bytes/bytes.js';
import { LIMIT_BYTES, packLimit } from '../codec/handed.js';
import { packOutcome, unpackOutcome } from '../codec/outcome.js';
import { writePacked } from '../long-job.js';
import type { PoolJob } from '../pool-job.js';
import { SLEEP, type Sleep } from './sleep.js';
import { packRunTime, unpackRunTime, type RunTime } from './run-time.js';

const BEGUN = 0;
const ANSWERED = 1;
const POSTED = 2;
const BELL = 3;
const ASLEEP = 4;
const LONG = 5;
const ATTENDED = 6;
const WORDS = 7;
const CLOSED = -1;
const ANSWERS_AT = 64;
const JOBS_AT = ANSWERS_AT + LIMITS.mailboxAnswerBytesMax;
const LONG_AT = JOBS_AT + LIMITS.mailboxJobBytesMax;
const MAILBOX_BYTES = LONG_AT + LIMITS.mailboxLongAnswerBytesMax;
const LENGTH_BYTES = 4;
const HEADER_BYTES = LENGTH_BYTES + LIMIT_BYTES;

/** Main's end. */
export class MainMailbox {
  readonly buffer = new SharedArrayBuffer(MAILBOX_BYTES);
  readonly #words = new Int32Array(this.buffer, 0, WORDS);
  readonly #answers = new ByteReader(new Uint8Array(this.buffer, ANSWERS_AT, LIMITS.mailboxAnswerBytesMax));
  readonly #jobs = Buffer.from(this.buffer, JOBS_AT, LIMITS.mailboxJobBytesMax);
  #read = 0;
  #begunWhenClosed = 0;
  #jobBytes = 0;
  #rung = 0;
  #time: RunTime = { beganMs: 0, tookMs: 0 };
  readonly #sleep: Sleep;

  /** `sleep`: that of the worker. */
  constructor(sleep = SLEEP) {
    this.#sleep = sleep;
  }

  /** Prepares the mailbox for a task with `count` jobs in its message. No worker may be using it. */
  open(count: number): void {
    this.#answers.rewind();
    this.#read = 0;
    this.#jobBytes = 0;
    Atomics.store(this.#words, POSTED, count);
    Atomics.store(this.#words, ANSWERED, 0);
    Atomics.store(this.#words, ASLEEP, 0);
    Atomics.store(this.#words, LONG, 0);
    Atomics.store(this.#words, ATTENDED, 0);
    Atomics.store(this.#words, BEGUN, 0);
  }

  /** Jobs begun so far. */
  get begun(): number {
    const begun = Atomics.load(this.#words, BEGUN);
    return begun === CLOSED ? this.#begunWhenClosed : begun;
  }

  /** True if no further job may begin. */
  get isClosed(): boolean {
    return Atomics.load(this.#words, BEGUN) === CLOSED;
  }

  /** Lets no further job begin; returns how many have. */
  close(): number {
    const begun = Atomics.exchange(this.#words, BEGUN, CLOSED);
    if (begun !== CLOSED) this.#begunWhenClosed = begun;
    this.#tell(CLOSED);
    return this.#begunWhenClosed;
  }

  /**
   * Gives the worker further jobs; false when the mailbox is closed or they do not fit. A worker that is just leaving does
   * not see them: they have not begun when its task ends.
   */
  post(jobs: readonly Pick<PoolJob, 'packed' | 'limitMs'>[]): boolean {
    const bytes = jobs.reduce((sum, { packed }) => sum + HEADER_BYTES + packed.length, 0);
    if (this.isClosed || this.#jobBytes + bytes > LIMITS.mailboxJobBytesMax) return false;
    for (const { packed, limitMs } of jobs) {
      this.#jobBytes = this.#jobs.writeUInt32LE(LIMIT_BYTES + packed.length, this.#jobBytes);
      this.#jobBytes = packLimit(limitMs, this.#jobs, this.#jobBytes);
      this.#jobBytes += writePacked(packed, this.#jobs, this.#jobBytes);
    }
    this.#tell(Atomics.load(this.#words, POSTED) + jobs.length);
    return true;
  }

  /** Resolves when the bell has been rung since the last call. */
  async bell(): Promise<void> {
    const { async: waits, value: rung } = Atomics.waitAsync(this.#words, BELL, this.#rung);
    // At least one turn of the event loop between two looks, however fast the worker rings.
    await (waits ? rung : nextTurn());
    this.#rung = Atomics.load(this.#words, BELL);
  }

  /** Rings the bell from this end. */
  ring(): void {
    call(this.#words);
  }

  /** Main is going to look for answers: until `leave` the worker does not ring the bell. */
  attend(): void {
    Atomics.store(this.#words, ATTENDED, 1);
  }

  /** Lets the worker ring the bell again. An answer for which it has not is there when this returns. */
  leave(): void {
    Atomics.store(this.#words, ATTENDED, 0);
  }

  /** True if `next` has an answer. */
  get hasAnswer(): boolean {
    return this.#read !== Atomics.load(this.#words, ANSWERED);
  }

  /** The next answer; `null` when there is none yet. */
  next(): Outcome | null {
    if (!this.hasAnswer) return null;
    this.#read += 1;
    const outcome = unpackOutcome(this.#answers);
    this.#time = unpackRunTime(this.#answers);
    return outcome;
  }

  /** The answer that its task has ended with; `null` where all have fitted. */
  long(): Outcome | null {
    const length = Atomics.load(this.#words, LONG);
    if (length === 0) return null;
    const packed = new ByteReader(new Uint8Array(this.buffer, LONG_AT, length));
    const outcome = unpackOutcome(packed);
    this.#time = unpackRunTime(packed);
    return outcome;
  }

  /** When the run of the last answer was. */
  get time(): RunTime {
    return this.#time;
  }

  /** A worker that goes to sleep at the same moment finds another number there, or is seen to sleep. */
  #tell(posted: number): void {
    Atomics.store(this.#words, POSTED, posted);
    if (Atomics.exchange(this.#words, ASLEEP, 0) !== 0) this.#sleep.wake(this.#words, POSTED);
  }
}

/** The worker's end. */
export class WorkerMailbox {
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;
  readonly #long: Uint8Array;
  readonly #packed: ByteWriter;
  readonly #jobs: Uint8Array;
  readonly #lengths: DataView;
  readonly #sleep: Sleep;
  #length = 0;
  #answered = 0;
  #jobBytes = 0;

  /** `scratch` belongs to the worker; every answer overwrites it. */
  constructor(buffer: SharedArrayBuffer, scratch: ByteWriter, sleep = SLEEP) {
    this.#words = new Int32Array(buffer, 0, WORDS);
    this.#bytes = new Uint8Array(buffer, ANSWERS_AT, LIMITS.mailboxAnswerBytesMax);
    this.#long = new Uint8Array(buffer, LONG_AT);
    this.#jobs = new Uint8Array(buffer, JOBS_AT, LIMITS.mailboxJobBytesMax);
    this.#lengths = new DataView(buffer, JOBS_AT);
    this.#packed = scratch;
    this.#sleep = sleep;
  }

  /**
   * Sleeps until there is a job `index`; false when the mailbox is closed, or when none has come for LIMITS.mailboxLingerMs.
   * A job that finds the worker here takes some 0.6 of the time of a task of its own.
   */
  waitFor(index: number): boolean {
    if (Atomics.load(this.#words, POSTED) === index) {
      Atomics.store(this.#words, ASLEEP, 1);
      this.#sleep.wait(this.#words, POSTED, index, LIMITS.mailboxLingerMs);
      Atomics.store(this.#words, ASLEEP, 0);
    }
    return Atomics.load(this.#words, POSTED) > index;
  }

  /** Copies the next job that main has added out of shared memory. */
  posted(to: ByteReader): void {
    const start = this.#jobBytes + LENGTH_BYTES;
    this.#jobBytes = start + this.#lengths.getUint32(this.#jobBytes, true);
    to.load(this.#jobs.subarray(start, this.#jobBytes));
  }

  /** Begins job `index`; false when main has taken it back. */
  begin(index: number): boolean {
    return Atomics.compareExchange(this.#words, BEGUN, index, index + 1) === index;
  }

  /** Answers the job begun last; false where it did not fit the other answers: the task has to end with it. */
  answer(outcome: Outcome, time: RunTime): boolean {
    this.#packed.reset();
    packOutcome(outcome, this.#packed);
    packRunTime(time, this.#packed);
    const packed = this.#packed.written;
    if (this.#length + packed.length > this.#bytes.length) {
      this.#long.set(packed);
      Atomics.store(this.#words, LONG, packed.length);
      return false;
    }
    this.#bytes.set(packed, this.#length);
    this.#length += packed.length;
    Atomics.store(this.#words, ANSWERED, (this.#answered += 1));
    const isLast = this.#answered === Atomics.load(this.#words, POSTED);
    const isDue = isLast || this.#answered % ANSWERS_PER_RING === 0;
    if (isDue && Atomics.load(this.#words, ATTENDED) === 0) call(this.#words);
    return true;
  }
}

/** Answers after which main is woken while there are further jobs: waking it costs some 5 us. */
const ANSWERS_PER_RING = 16;

function call(words: Int32Array): void {
  Atomics.add(words, BELL, 1);
  Atomics.notify(words, BELL);
}
