// What a task is made of, and the estimator's loop over one. The message is read by piscina's worker; the task server runs on
// the estimators.
import type { Job, Outcome } from '../../transaction/call-request.js';
import { ByteReader, ByteWriter } from '../../lib/bytes.js';
import { WorkerMailbox } from './mailbox.js';
import { packJudgment, unpackHanded, type Judgment } from './codec.js';
import type { KernelMismatch } from '../../evm/kernel/mismatch.js';

/** A shared table; the versions of a job are those of the table that was present when it was submitted. */
export interface TableRef {
  /** In a task: counted by the pool, as the successor of a publisher that died may count its tables anew. */
  readonly generation: number;
  readonly buffer: SharedArrayBuffer;
}

/**
 * One message to a worker: several packed jobs; more may come by the mailbox. Shared buffers are passed by reference.
 */
export interface Task {
  /** `null` until there is a table; of all jobs of the task. */
  readonly table: TableRef | null;
  readonly mailbox: SharedArrayBuffer;
  readonly jobs: ArrayBuffer;
  readonly count: number;
  /** The one job has been answered by the kernel: its judgment is the task's answer, and the mailbox is not used. */
  readonly isCheck: boolean;
}

/** What an estimator tells besides the answers to its tasks. */
export type FromEstimator =
  | { readonly kind: 'mismatch'; readonly mismatch: KernelMismatch }
  /** A record of the archive that a job needed is damaged. */
  | { readonly kind: 'damage'; readonly message: string };

/** Runs one job on an estimator. An exception is a bug: the job is tried once more, alone. */
export type RunJob = (job: Job, table: TableRef | null) => Outcome | Promise<Outcome>;

/** What the reference says to a job. */
export type JudgeJob = (job: Job, table: TableRef | null) => Promise<Judgment>;

const SCRATCH_BYTES = 64 * 1024;

/**
 * The function that piscina calls in a worker. Answers go to the mailbox one by one, and further jobs come from there;
 * the task ends when none have come for a while, main has closed the mailbox, or an answer is too long for it: that is
 * its result. Byte arrays of a job are views into a buffer that the next one overwrites. A task without jobs ends at
 * once.
 */
export function createTaskServer(run: RunJob, judge?: JudgeJob): (task: Task) => Promise<ArrayBuffer | null> {
  const scratch = new ByteWriter(SCRATCH_BYTES);
  const posted = new ByteReader(new Uint8Array(SCRATCH_BYTES));
  return async ({ table, mailbox: mailboxBuffer, jobs, count, isCheck }) => {
    if (count === 0) return null;
    const packed = new ByteReader(new Uint8Array(jobs));
    if (isCheck) return judge === undefined ? null : packedJudgment(await judge(unpackHanded(packed), table), scratch);
    const mailbox = new WorkerMailbox(mailboxBuffer, scratch);
    for (let index = 0; (index < count || mailbox.waitFor(index)) && mailbox.begin(index); index++) {
      if (index >= count) mailbox.posted(posted);
      const job = unpackHanded(index < count ? packed : posted);
      const startMs = performance.now();
      // One at a time: a worker has one EVM.
      const outcome = await run(job, table);
      const last = mailbox.answer(outcome, performance.now() - startMs);
      if (last !== null) return last;
    }
    return null;
  };
}

function packedJudgment(judgment: Judgment, scratch: ByteWriter): ArrayBuffer {
  scratch.reset();
  packJudgment(judgment, scratch);
  return new Uint8Array(scratch.written).buffer;
}
