// A job on state that is not cached: when the node is queried for an access list, and how the job's timeout covers all
// of its runs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rpcError, type RpcError } from '../../../src/rpc-errors.js';
import type { CallToPrefetchFor } from '../../../src/feed/feed.js';
import { rerunWithFetchedState } from '../../../src/rpc/call/rerun-cold-job.js';
import { timeoutOutcome, type Job, type JobOutcome } from '../../../src/transaction/evm-job.js';
import { callRequest } from '../../support/jobs.js';
import type { BackingNode } from '../../../src/rpc/view/upstream-node-access.js';

const TO = `0x${'aa'.repeat(20)}`;
const CALL = { to: TO };
const DONE: JobOutcome = { kind: 'gas', gas: 21_000n };
const account = (text: string): JobOutcome => ({
  kind: 'missing',
  missingKeys: { accounts: [Uint8Array.from(Buffer.from(text.slice(2), 'hex'))], slots: [] },
});

function jobOf(data: string): Job {
  const position = { kind: 'version', version: 1 } as const;
  const call = callRequest({ to: TO, data });
  const overrides = { stateOverride: [], blockOverride: null };
  return { kind: 'estimate', position, call, ...overrides, gasCap: 10n ** 7n, timeoutMs: 1600 };
}

interface Run {
  readonly result: JobOutcome | RpcError;
  /** For each fetch, whether it requested an access list. */
  readonly listed: readonly boolean[];
  /** The timeout of each run. */
  readonly timeouts: readonly number[];
}

/** Runs the job with these successive outcomes; each fetch takes `fillMs` on a fake clock. */
async function play(job: Job, outcomes: readonly JobOutcome[], fillMs: number): Promise<Run> {
  let nowMs = 0;
  const listed: boolean[] = [];
  const timeouts: number[] = [];
  const backing: BackingNode = {
    epoch: () => 1,
    request: () => assert.fail('nothing is passed on'),
    async fill(_wants, untilMs, purpose?: CallToPrefetchFor) {
      listed.push(purpose?.call === CALL);
      nowMs += fillMs;
      return nowMs > untilMs ? rpcError('upstream', 'late') : null;
    },
  };
  const run = (one: Job): Promise<JobOutcome> => {
    timeouts.push(one.timeoutMs);
    return Promise.resolve(outcomes[timeouts.length]!);
  };
  const result = await rerunWithFetchedState(job, CALL, Promise.resolve(outcomes[0]!), {
    run,
    backing,
    now: () => nowMs,
  });
  return { result, listed, timeouts };
}

test('the access list is requested at once for a call to code that is not cached', async () => {
  const { result, listed } = await play(jobOf('0x01020304'), [account(TO), account('0x01'), DONE], 1);
  assert.deepEqual([result, listed], [DONE, [true, false]]);
});

test('for other calls the access list is requested at the second state miss', async () => {
  for (const [data, first] of [
    ['0x', account(TO)],
    ['0x01020304', account('0x01')],
  ] as const) {
    const { listed } = await play(jobOf(data), [first, account('0x02'), account('0x03'), DONE], 1);
    assert.deepEqual(listed, [false, true, false]);
  }
});

test('a later run has the time that is left, rounded so that equal jobs have equal timeouts', async () => {
  const { result, timeouts } = await play(jobOf('0x'), [account('0x01'), account('0x02'), DONE], 190);
  assert.deepEqual([result, timeouts], [DONE, [1400, 1200]]);
});

test('a job whose time was spent on fetching state is not run again', async () => {
  const { result, timeouts } = await play(jobOf('0x'), [account('0x01'), DONE], 1550);
  assert.deepEqual([result, timeouts], [timeoutOutcome(1600), []]);
  const late = await play(jobOf('0x'), [account('0x01'), DONE], 1700);
  assert.deepEqual(late.result, rpcError('upstream', 'late'));
});

test('a timeout of a later run reports the timeout of the whole job', async () => {
  const { result } = await play(jobOf('0x'), [account('0x01'), timeoutOutcome(1400)], 190);
  assert.deepEqual(result, timeoutOutcome(1600));
});
