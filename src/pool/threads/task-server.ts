// The message that starts a task of an estimator thread, and the thread's loop over the jobs of the task. The main
// thread writes the message, and piscina's worker receives it.
import type { Job, JobOutcome } from '../../transaction/evm-job.js';
import { ByteReader, ByteWriter } from '../../lib/bytes/byte-reader-writer.js';
import { preciseMonotonicMs } from '../../lib/clock.js';
import { WorkerMailboxEnd } from './mailbox.js';
import { packReferenceResult, type ReferenceResult } from '../codec/reference-result.js';
import { unpackEnvelope } from '../codec/job.js';
import type { TableRef } from '../pool-request-types.js';

/**
 * The message that starts a task, with encoded jobs. More jobs may come through the mailbox. Shared buffers are passed
 * by reference.
 */
export interface WorkerTaskMessage {
  /** The state table of all jobs of the task; `null` if there is no table yet. */
  readonly table: TableRef | null;
  readonly mailbox: SharedArrayBuffer;
  /** Encoded jobs (see src/pool/codec). A large job is in shared memory and must be copied before it is read. */
  readonly jobs: Uint8Array;
  readonly count: number;
  /**
   * True if the reference EVM is to check the single job. The task then returns the result, and the mailbox is not
   * used.
   */
  readonly isCheck: boolean;
  /** True if there have been no jobs for a while: the worker should free the memory that they have left in use. */
  readonly isIdle?: true;
}

/** A message of an estimator thread other than a result. */
export interface EstimatorDamageReport {
  /** An archive record that a job needs is damaged. */
  readonly kind: 'damage';
  readonly message: string;
}

export interface TaskServerDeps {
  /** Runs one job. An exception is a bug; the job then runs once more, alone in its task. */
  readonly run: (job: Job, table: TableRef | null) => JobOutcome | Promise<JobOutcome>;
  /** Runs a job on the reference EVM. */
  readonly runReference?: (job: Job, table: TableRef | null) => Promise<ReferenceResult>;
  /** Called when a job has been answered, before the next one starts. */
  readonly onAnswered?: () => void;
  /** Called by a task without jobs, with the state table in use. The thread then no longer needs earlier tables. */
  readonly onTable?: (table: TableRef) => void;
  /** Called for a task whose `isIdle` is set. */
  readonly onIdle?: () => void;
  /** Returns the time for measuring runs; by default on the clock that all threads share. */
  readonly nowMs?: () => number;
}

const SCRATCH_BYTES = 64 * 1024;

/**
 * Creates the function that piscina calls in a worker thread for each task. It runs jobs, writes their results to the
 * mailbox one by one, and takes further jobs from the mailbox. The task ends when no job has come for
 * LIMITS.mailboxLingerMs, when the main thread has closed the mailbox, or with a result that is too long to fit next to
 * others. Only a task that checks a job with the reference returns the result to piscina. The byte arrays of a job are
 * views of a buffer that the next job overwrites. A task without jobs ends at once.
 */
export function createTaskServer(deps: TaskServerDeps): (task: WorkerTaskMessage) => Promise<ArrayBuffer | null> {
  const { run, runReference, onAnswered, onTable, onIdle, nowMs = preciseMonotonicMs } = deps;
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
    const mailbox = new WorkerMailboxEnd(mailboxBuffer, scratch);
    for (let index = 0; index < count || mailbox.waitFor(index); index++) {
      // Copied before the job starts, because the main thread may overwrite jobs that have started.
      if (index >= count) mailbox.posted(posted);
      if (!mailbox.begin(index)) break;
      const job = unpackEnvelope(index < count ? packed : posted);
      const startedMs = nowMs();
      // One job at a time, because a worker thread has one EVM. Jobs rarely have to wait for anything.
      const running = run(job, table);
      const outcome = running instanceof Promise ? await running : running;
      const isLong = !mailbox.answer(outcome, { startedMs, tookMs: nowMs() - startedMs });
      onAnswered?.();
      if (isLong) break;
    }
    return null;
  };
}

/**
 * Returns a reader of the jobs. Jobs in shared memory are copied to `posted`, which is not used until a job comes
 * through the mailbox.
 */
function readerOf(jobs: Uint8Array, posted: ByteReader): ByteReader {
  if (jobs.buffer instanceof ArrayBuffer) return new ByteReader(jobs);
  posted.load(jobs);
  return posted;
}

function packReference(reference: ReferenceResult, scratch: ByteWriter): ArrayBuffer {
  scratch.reset();
  packReferenceResult(reference, scratch);
  return new Uint8Array(scratch.written).buffer;
}
