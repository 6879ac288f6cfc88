// A task's message, and the estimator's loop over its jobs. Main writes the message, piscina's worker reads it; the
// task server runs on the estimators.
import type { Job, JobOutcome } from '../../transaction/call-request.js';
import { whenReady } from '../../lib/threads/sync-or-async.js';
import { ByteReader, ByteWriter } from '../../lib/bytes/bytes.js';
import { preciseMs } from '../../lib/clock.js';
import { WorkerMailbox } from './mailbox.js';
import { packReferenceResult, type ReferenceResult } from '../codec/reference-result.js';
import { unpackEnvelope } from '../codec/job-envelope.js';
import type { RunTime } from './run-time.js';
import type { TableRef } from '../pool.js';

/** One message to a worker: packed jobs; more may come through the mailbox. Shared buffers are passed by reference. */
export interface WorkerTask {
  /** Table of all jobs of the task; `null` until there is one. */
  readonly table: TableRef | null;
  readonly mailbox: SharedArrayBuffer;
  /** Packed jobs (see codec.ts); a long one is in shared memory and must be copied before it is read. */
  readonly jobs: Uint8Array;
  /** Number of jobs. */
  readonly count: number;
  /** The one job is checked by the reference: its result is the task's result, and the mailbox is not used. */
  readonly isCheck: boolean;
  /** There have been no jobs for a while: the worker frees the memory that it retains for a load that is over. */
  readonly isIdle?: true;
}

/** Messages of an estimator besides its results. */
export interface FromEstimator {
  /** An archive record that a job needs is damaged. */
  readonly kind: 'damage';
  readonly message: string;
}

/** Runs one job on an estimator. An exception is a bug: the job runs once more, alone. */
export type RunJob = (job: Job, table: TableRef | null) => JobOutcome | Promise<JobOutcome>;

/** Runs a job on the reference engine of an estimator. */
export type RunReference = (job: Job, table: TableRef | null) => Promise<ReferenceResult>;

/** Functions that a worker's task server calls. */
export interface TaskServerDeps {
  readonly run: RunJob;
  readonly runReference?: RunReference;
  /** Called when a job has been answered, before the next one starts. */
  readonly onAnswered?: () => void;
  /** Called with the table of a task without jobs: earlier tables are out of use. */
  readonly onTable?: (table: TableRef) => void;
  /** Called for a task with `isIdle`. */
  readonly onIdle?: () => void;
  /** Measures the runs; by default the clock that all threads share. */
  readonly nowMs?: () => number;
}

const SCRATCH_BYTES = 64 * 1024;

/**
 * Creates the function that piscina calls in a worker. Results go to the mailbox one by one, and further jobs come from
 * there. The task ends when none has come for LIMITS.mailboxLingerMs, when main has closed the mailbox, or with a
 * result that is too long to fit next to others. It returns the result of a check, else nothing. Byte arrays of a job
 * are views into a buffer that the next job overwrites. A task without jobs ends at once.
 */
export function createTaskServer(deps: TaskServerDeps): (task: WorkerTask) => Promise<ArrayBuffer | null> {
  const { runReference, onAnswered, onTable, onIdle } = deps;
  const run = createRun(deps);
  const scratch = new ByteWriter(SCRATCH_BYTES);
  const posted = new ByteReader(new Uint8Array(SCRATCH_BYTES));
  return async ({ table, mailbox: mailboxBuffer, jobs, count, isCheck, isIdle }) => {
    if (count === 0) {
      if (table !== null) onTable?.(table);
      if (isIdle === true) onIdle?.();
      return null;
    }
    const packed = readerOf(jobs, posted);
    if (isCheck)
      return runReference === undefined
        ? null
        : packReference(await runReference(unpackEnvelope(packed), table), scratch);
    const mailbox = new WorkerMailbox(mailboxBuffer, scratch);
    for (let index = 0; index < count || mailbox.waitFor(index); index++) {
      // Copied before it starts: main may write over jobs that have started.
      if (index >= count) mailbox.posted(posted);
      if (!mailbox.begin(index)) break;
      // One at a time: a worker has one EVM. Jobs rarely wait for anything.
      const running = run(unpackEnvelope(index < count ? packed : posted), table);
      const { outcome, time } = running instanceof Promise ? await running : running;
      const isLong = !mailbox.answer(outcome, time);
      onAnswered?.();
      if (isLong) break;
    }
    return null;
  };
}

/** Jobs in shared memory are copied to `posted`, which is unused until a job comes through the mailbox. */
function readerOf(jobs: Uint8Array, posted: ByteReader): ByteReader {
  if (jobs.buffer instanceof ArrayBuffer) return new ByteReader(jobs);
  posted.load(jobs);
  return posted;
}

interface Ran {
  readonly outcome: JobOutcome;
  readonly time: RunTime;
}

/** Runs jobs and measures their time. */
function createRun({ run, nowMs = preciseMs }: TaskServerDeps) {
  return (job: Job, table: TableRef | null): Ran | Promise<Ran> => {
    const startedMs = nowMs();
    return whenReady(run(job, table), (outcome) => ({
      outcome,
      time: { startedMs, tookMs: nowMs() - startedMs },
    }));
  };
}

function packReference(reference: ReferenceResult, scratch: ByteWriter): ArrayBuffer {
  scratch.reset();
  packReferenceResult(reference, scratch);
  return new Uint8Array(scratch.written).buffer;
}
