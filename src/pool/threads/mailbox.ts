// The shared memory between main and one running task. It contains the worker's progress, its results, and the jobs
// that main has added since the task started. It makes messages unnecessary, shows which job was running when a worker
// died, and lets main take back jobs that have not started.
//
//   ten words of 32 bits; from byte 64 on answers, jobs, long
//
//   STARTED   jobs started: before job n, the worker changes it from n to n + 1 by compare-and-exchange. Main stores
//             CLOSED to take back the rest.
//   ANSWERED  results written, in the order of the jobs; stored after the bytes of the result.
//   POSTED    jobs posted so far, in the message that started the task and then in `jobs`; stored after their bytes.
//             The worker waits on this for more. CLOSED when no more will come.
//   ASLEEP    1 from before the worker sleeps until main or a time-out has woken it; at 0 it need not be woken.
//   BELL      counts the worker's signals to main. Main waits on this.
//   LONG      bytes of the long result, 0 for none; the task ends with it
//   READ      results that main has read
//   REWOUND   how often the worker has continued at the start of `answers`, after main has read all of them
//   REFILLED  how often main has continued at the start of `jobs`, after all of them have started
//   ATTENDED  1 while main polls for results: then the worker does not signal. Main polls once more after it stores 0.
//   answers   encoded outcome, when the job started and how long it took (see RunTiming); again for every result
//   jobs      u32 length, time limit and encoded job; again for every job that main has added
//   long      a result that is too long for `answers`, or did not fit next to the others
//
// A mailbox serves one task at a time. When a worker dies, its mailbox is discarded, because the dying thread may still
// write to it.

// A worker thread sleeps on the shared memory of its mailbox, and waits 250 ms for the next job before its piscina task
// ends. A job that arrives in that time takes some 0.6 of the time of a task of its own. Piscina, with one pool per
// worker, still owns the workers, their limits and their termination. See DECISIONS.md.
//
// The main thread waits for the worker's signal by `Atomics.waitAsync`. See DECISIONS.md.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JobOutcome } from '../../transaction/evm-job.js';
import { LIMITS } from '../../limits/index.js';
import { ByteReader, ByteWriter } from '../../lib/bytes/byte-reader-writer.js';
import { recordDroppedSharedMemory } from '../../lib/memory/garbage-collection.js';
import { TIMEOUT_BYTES, packTimeoutMs } from '../codec/job.js';
import { packOutcome, unpackOutcome } from '../codec/outcome.js';
import { writePackedJob } from '../packed-job.js';
import type { AdmittedJob } from '../admitted-job.js';
import { SLEEP_MECHANISM, type SleepMechanism } from './sleep-mechanism.js';
import { packRunTiming, unpackRunTiming, type RunTiming } from './run-timing.js';

const STARTED = 0;
const ANSWERED = 1;
const POSTED = 2;
const BELL = 3;
const ASLEEP = 4;
const LONG = 5;
const ATTENDED = 6;
const READ = 7;
const REWOUND = 8;
const REFILLED = 9;
const WORDS = 10;
const CLOSED = -1;
const ANSWERS_AT = 64;
const JOBS_AT = ANSWERS_AT + LIMITS.mailboxAnswersBytesMax;
const LONG_AT = JOBS_AT + LIMITS.mailboxJobBytesMax;
const MAILBOX_BYTES = LONG_AT + LIMITS.mailboxLongAnswerBytesMax;
/** Maximum number of jobs in a task, since they are counted in 32-bit words. After that a new task starts. */
const JOBS_MAX = 2 ** 24;
const LENGTH_BYTES = 4;
const HEADER_BYTES = LENGTH_BYTES + TIMEOUT_BYTES;

/** The main thread's end of the mailbox. */
export class MainMailbox {
  readonly buffer = new SharedArrayBuffer(MAILBOX_BYTES);
  readonly #words = new Int32Array(this.buffer, 0, WORDS);
  readonly #answers = new ByteReader(new Uint8Array(this.buffer, ANSWERS_AT, LIMITS.mailboxAnswersBytesMax));
  readonly #jobs = Buffer.from(this.buffer, JOBS_AT, LIMITS.mailboxJobBytesMax);
  #read = 0;
  #rewound = 0;
  #startedWhenClosed = 0;
  #jobBytes = 0;
  #rung = 0;
  /** When the job of the last result ran, and for how long. */
  time: RunTiming = { startedMs: 0, tookMs: 0 };
  /** True if a result retains the mailbox's memory, so that the next task needs another mailbox. */
  isGivenAway = false;
  readonly #sleep: SleepMechanism;

  /** `sleep` is the mechanism by which the worker thread sleeps and is woken. */
  constructor(sleep = SLEEP_MECHANISM) {
    this.#sleep = sleep;
  }

  /** Prepares the mailbox for a task with `count` jobs in its message. No worker may be using the mailbox. */
  open(count: number): void {
    this.#answers.rewind();
    this.#read = 0;
    this.#rewound = 0;
    this.#jobBytes = 0;
    Atomics.store(this.#words, READ, 0);
    Atomics.store(this.#words, REWOUND, 0);
    Atomics.store(this.#words, REFILLED, 0);
    Atomics.store(this.#words, POSTED, count);
    Atomics.store(this.#words, ANSWERED, 0);
    Atomics.store(this.#words, ASLEEP, 0);
    Atomics.store(this.#words, LONG, 0);
    Atomics.store(this.#words, ATTENDED, 0);
    Atomics.store(this.#words, STARTED, 0);
  }

  /** Number of jobs that the worker has started so far. */
  get started(): number {
    const started = Atomics.load(this.#words, STARTED);
    return started === CLOSED ? this.#startedWhenClosed : started;
  }

  /** True if the main thread has closed the mailbox, so that no further job may start. */
  get isClosed(): boolean {
    return Atomics.load(this.#words, STARTED) === CLOSED;
  }

  /** Closes the mailbox, so that no further job may start. Returns how many have started. */
  close(): number {
    const started = Atomics.exchange(this.#words, STARTED, CLOSED);
    if (started !== CLOSED) this.#startedWhenClosed = started;
    this.#signal(CLOSED);
    return this.#startedWhenClosed;
  }

  /**
   * Adds jobs to the running task. Returns false if the mailbox is closed or the jobs do not fit. A worker that is just
   * ending its task does not see them; they then count as not started.
   */
  post(jobs: readonly Pick<AdmittedJob, 'packed' | 'limitMs'>[]): boolean {
    const bytes = jobs.reduce((sum, { packed }) => sum + HEADER_BYTES + packed.length, 0);
    const posted = Atomics.load(this.#words, POSTED);
    if (this.isClosed || posted + jobs.length > JOBS_MAX || !this.#hasSpace(bytes, posted)) return false;
    for (const { packed, limitMs } of jobs) {
      this.#jobBytes = this.#jobs.writeUInt32LE(TIMEOUT_BYTES + packed.length, this.#jobBytes);
      this.#jobBytes = packTimeoutMs(limitMs, this.#jobs, this.#jobBytes);
      this.#jobBytes += writePackedJob(packed, this.#jobs, this.#jobBytes);
    }
    this.#signal(posted + jobs.length);
    return true;
  }

  /**
   * True if there is room for the jobs. Makes room by starting at the front, if the worker has copied all earlier jobs.
   */
  #hasSpace(bytes: number, posted: number): boolean {
    if (this.#jobBytes + bytes <= LIMITS.mailboxJobBytesMax) return true;
    if (bytes > LIMITS.mailboxJobBytesMax || this.started !== posted) return false;
    this.#jobBytes = 0;
    Atomics.add(this.#words, REFILLED, 1);
    return true;
  }

  /** Resolves when the worker has signalled the main thread since the last call. */
  async bell(): Promise<void> {
    const { async: waits, value: rung } = Atomics.waitAsync(this.#words, BELL, this.#rung);
    // There is at least one event-loop tick between two collections of results, however fast the worker signals.
    await (waits ? rung : nextTurn());
    this.#rung = Atomics.load(this.#words, BELL);
  }

  /** Called by the main thread to end its own wait in `bell`. */
  ring(): void {
    call(this.#words);
  }

  /** Tells the worker that the main thread polls for results, so that the worker does not signal until `leave`. */
  attend(): void {
    Atomics.store(this.#words, ATTENDED, 1);
  }

  /**
   * Ends `attend`: from now on the worker signals its results. A result for which it did not signal is visible when
   * this function returns.
   */
  leave(): void {
    Atomics.store(this.#words, ATTENDED, 0);
  }

  /** True if `next` will return a result. */
  get hasAnswer(): boolean {
    return this.#read !== Atomics.load(this.#words, ANSWERED);
  }

  /** Removes and returns the next result; `null` if there is none yet. */
  next(): JobOutcome | null {
    if (!this.hasAnswer) return null;
    const rewound = Atomics.load(this.#words, REWOUND);
    if (rewound !== this.#rewound) this.#answers.rewind();
    this.#rewound = rewound;
    const outcome = unpackOutcome(this.#answers);
    this.time = unpackRunTiming(this.#answers);
    Atomics.store(this.#words, READ, (this.#read += 1));
    return outcome;
  }

  /**
   * Returns the result that was too long for the other results' memory and therefore ended the task; `null` if every
   * result fitted. Its data are views of the mailbox's memory, which the result retains: copying some megabytes would
   * be the longest uninterrupted work of the main thread.
   */
  long(): JobOutcome | null {
    const length = Atomics.load(this.#words, LONG);
    if (length === 0) return null;
    const packed = new ByteReader(new Uint8Array(this.buffer, LONG_AT, length));
    const outcome = unpackOutcome(packed, true);
    this.isGivenAway = true;
    recordDroppedSharedMemory(length);
    this.time = unpackRunTiming(packed);
    return outcome;
  }

  /**
   * Stores the number of posted jobs, and wakes the worker if it sleeps. A worker that is about to sleep either finds
   * the changed number or is seen asleep.
   */
  #signal(posted: number): void {
    Atomics.store(this.#words, POSTED, posted);
    if (Atomics.exchange(this.#words, ASLEEP, 0) !== 0) this.#sleep.wake(this.#words, POSTED);
  }
}

/** The worker thread's end of the mailbox. */
export class WorkerMailboxEnd {
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;
  readonly #long: Uint8Array;
  readonly #packed: ByteWriter;
  readonly #jobs: Uint8Array;
  readonly #lengths: DataView;
  readonly #sleep: SleepMechanism;
  #length = 0;
  #answered = 0;
  #jobBytes = 0;
  #refilled = 0;

  /** `scratch` is memory of the worker, which every result overwrites. */
  constructor(buffer: SharedArrayBuffer, scratch: ByteWriter, sleep = SLEEP_MECHANISM) {
    this.#words = new Int32Array(buffer, 0, WORDS);
    this.#bytes = new Uint8Array(buffer, ANSWERS_AT, LIMITS.mailboxAnswersBytesMax);
    this.#long = new Uint8Array(buffer, LONG_AT);
    this.#jobs = new Uint8Array(buffer, JOBS_AT, LIMITS.mailboxJobBytesMax);
    this.#lengths = new DataView(buffer, JOBS_AT);
    this.#packed = scratch;
    this.#sleep = sleep;
  }

  /**
   * Sleeps until job `index` is posted. Returns false if the mailbox is closed, or if no job has come for
   * LIMITS.mailboxLingerMs. Passing a job to a task that sleeps here takes some 0.6 of the time of starting a task for
   * it.
   */
  waitFor(index: number): boolean {
    if (Atomics.load(this.#words, POSTED) === index) {
      Atomics.store(this.#words, ASLEEP, 1);
      this.#sleep.wait(this.#words, POSTED, index, LIMITS.mailboxLingerMs);
      Atomics.store(this.#words, ASLEEP, 0);
    }
    return Atomics.load(this.#words, POSTED) > index;
  }

  /** Copies the next job that the main thread has added from the shared memory to `to`. */
  posted(to: ByteReader): void {
    const refilled = Atomics.load(this.#words, REFILLED);
    if (refilled !== this.#refilled) this.#jobBytes = 0;
    this.#refilled = refilled;
    const start = this.#jobBytes + LENGTH_BYTES;
    this.#jobBytes = start + this.#lengths.getUint32(this.#jobBytes, true);
    to.load(this.#jobs.subarray(start, this.#jobBytes));
  }

  /** Starts job `index`. Returns false if the main thread has taken the job back. */
  begin(index: number): boolean {
    return Atomics.compareExchange(this.#words, STARTED, index, index + 1) === index;
  }

  /** Writes the result of the last started job. Returns false if it does not fit: the task must then end. */
  answer(outcome: JobOutcome, time: RunTiming): boolean {
    this.#packed.reset();
    packOutcome(outcome, this.#packed);
    packRunTiming(time, this.#packed);
    const packed = this.#packed.written;
    this.#rewind(packed.length);
    const isTooLong = packed.length > LIMITS.mailboxAnswerBytesMax;
    if (isTooLong || this.#length + packed.length > this.#bytes.length) {
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

  /**
   * Starts again at the front of the memory for results, if the main thread has read all of them, and so much is used
   * that it would leave the cache, or the next result does not fit.
   */
  #rewind(bytes: number): void {
    const isSpacious = this.#length < LIMITS.mailboxRewindBytesMin && this.#length + bytes <= this.#bytes.length;
    if (isSpacious || Atomics.load(this.#words, READ) !== this.#answered) return;
    this.#length = 0;
    Atomics.add(this.#words, REWOUND, 1);
  }
}

/**
 * Number of results after which the worker signals the main thread while there are further jobs. It does not signal
 * each result, because a signal costs about 5 us.
 */
const ANSWERS_PER_RING = 16;

function call(words: Int32Array): void {
  Atomics.add(words, BELL, 1);
  Atomics.notify(words, BELL);
}
