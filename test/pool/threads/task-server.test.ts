// The task server's loop over the jobs of a task, without a thread: jobs that finish synchronously and jobs that have
// to wait.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JobOutcome } from '../../../src/transaction/evm-job.js';
import { ByteWriter } from '../../../src/lib/bytes/byte-reader-writer.js';
import { NO_TIMEOUT_MS } from '../../../src/pool/codec/job.js';
import { packJob } from '../../../src/pool/codec/job.js';
import { MainMailbox } from '../../../src/pool/threads/mailbox.js';
import {
  createTaskServer,
  type TaskServerDeps,
  type WorkerTaskMessage,
} from '../../../src/pool/threads/task-server.js';
import { job } from '../../support/jobs.js';

const NOBODY = '0x1000000000000000000000000000000000000001';

/** A task of `count` jobs with consecutive values, closed after the last one. */
function taskOf(count: number): { readonly task: WorkerTaskMessage; readonly mailbox: MainMailbox } {
  const mailbox = new MainMailbox();
  const writer = new ByteWriter(1024);
  for (let number = 0; number < count; number++) {
    writer.u32(NO_TIMEOUT_MS);
    packJob(job({ from: NOBODY, to: NOBODY, value: BigInt(number) }), writer);
  }
  mailbox.open(count);
  const jobs = new Uint8Array(writer.written);
  return { task: { table: null, mailbox: mailbox.buffer, jobs, count, isCheck: false }, mailbox };
}

function answers(mailbox: MainMailbox): JobOutcome[] {
  const all: JobOutcome[] = [];
  for (let outcome = mailbox.next(); outcome !== null; outcome = mailbox.next()) all.push(outcome);
  return all;
}

function gas(amount: bigint): JobOutcome {
  return { kind: 'gas', gas: amount };
}

void test('jobs that finish synchronously run one after another, with no microtask between them', async () => {
  const { task, mailbox } = taskOf(5);
  const order: string[] = [];
  const run: TaskServerDeps['run'] = ({ call }) => {
    order.push(`job ${call.value}`);
    queueMicrotask(() => order.push('microtask'));
    return gas(call.value);
  };
  assert.equal(await createTaskServer({ run })(task), null);
  assert.deepEqual(order.slice(0, 6), ['job 0', 'job 1', 'job 2', 'job 3', 'job 4', 'microtask']);
  assert.deepEqual(answers(mailbox), [0n, 1n, 2n, 3n, 4n].map(gas));
});

void test('jobs after one that has to wait are run after it', async () => {
  const { task, mailbox } = taskOf(3);
  const run: TaskServerDeps['run'] = ({ call }) =>
    call.value === 1n ? Promise.resolve(gas(call.value)) : gas(call.value);
  await createTaskServer({ run })(task);
  assert.deepEqual(answers(mailbox), [0n, 1n, 2n].map(gas));
});

void test('onAnswered runs after each result, when main can already read it, and before the next job', async () => {
  const { task, mailbox } = taskOf(2);
  const order: string[] = [];
  const run: TaskServerDeps['run'] = ({ call }) => {
    order.push(`job ${call.value}`);
    return gas(call.value);
  };
  await createTaskServer({ run, onAnswered: () => order.push(`${answers(mailbox).length} answered`) })(task);
  assert.deepEqual(order, ['job 0', '1 answered', 'job 1', '1 answered']);
});
