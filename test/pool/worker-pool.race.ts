// Random mixtures of quick, slow, long, endless and crashing jobs on two workers: every job gets exactly the result in
// its script, whatever happens to the workers, and whichever job used its memory before.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { JobOutcome } from '../../src/transaction/evm-job.js';
import { LIMITS } from '../../src/limits/index.js';
import { WorkerPool } from '../../src/pool/worker-pool.js';
import { ACTION, script, SHARED } from './fixtures/script-worker.js';
import { jobWith } from './jobs.js';
import { TestClock } from './test-clock.js';

const KILL_MS = 300;
/** Timeout of jobs that never end; the others have no time limit. */
const TIMEOUT_MS = 1;
/**
 * The clock advances with the ticks of the main thread's event loop: if they are slow, the workers get more of them.
 */
const TICK_MS = 2;
const WORKER_FILE = new URL('./fixtures/script-worker.js', import.meta.url);
const BROKEN: JobOutcome = { kind: 'failure', error: 'internal', message: 'internal error' };
const TIMED_OUT: JobOutcome = { kind: 'failure', error: 'timeout', message: 'execution aborted (timeout = 1ms)' };

interface Step {
  readonly action: number;
  readonly argument: number;
  /** Bytes after the script: a job with enough of them counts as long. */
  readonly padding: number;
  /** True if an event-loop tick precedes this step. */
  readonly turn: boolean;
}

const padding = fc.oneof(
  { weight: 9, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.nat(3 * LIMITS.longJobBytesMin) },
);

function steps(action: number, most: number): fc.Arbitrary<Step> {
  return fc.record({ action: fc.constant(action), argument: fc.nat(most), padding, turn: fc.boolean() });
}

const anyStep = fc.oneof(
  { weight: 60, arbitrary: steps(ACTION.echo, 0) },
  { weight: 8, arbitrary: steps(ACTION.spin, 15) },
  { weight: 4, arbitrary: steps(ACTION.sleep, 15) },
  { weight: 8, arbitrary: steps(ACTION.long, 80_000) },
  { weight: 1, arbitrary: steps(ACTION.throw, 0) },
  { weight: 1, arbitrary: steps(ACTION.exit, 0) },
  { weight: 1, arbitrary: steps(ACTION.uncaught, 0) },
  { weight: 1, arbitrary: steps(ACTION.take, 0) },
);

/** Call data, padded with bytes that are specific to the job. */
function dataOf({ action, argument, padding: length }: Step, tag: number): Uint8Array {
  const start = script(action, argument, tag);
  const data = new Uint8Array(start.length + length).fill(tag * 7);
  data.set(start);
  return data;
}

function expected(step: Step, tag: number): JobOutcome {
  const { action, argument } = step;
  switch (action) {
    case ACTION.throw:
    case ACTION.exit:
    case ACTION.uncaught:
      return BROKEN;
    case ACTION.long:
      return { kind: 'return', data: new Uint8Array(argument).fill(tag) };
    case ACTION.take:
      return TIMED_OUT;
    default:
      return { kind: 'return', data: dataOf(step, tag) };
  }
}

async function play(pool: WorkerPool, plan: readonly Step[]): Promise<void> {
  const answers: Promise<void>[] = [];
  for (const [tag, step] of plan.entries()) {
    const { action, turn } = step;
    if (turn) await new Promise(setImmediate);
    const limits = action === ACTION.take ? { timeoutMs: TIMEOUT_MS } : {};
    const answer = pool.submit(jobWith(dataOf(step, tag), limits));
    assert.ok(answer !== null);
    answers.push(answer.then((outcome) => assert.deepEqual(outcome, expected(step, tag))));
  }
  await Promise.all(answers);
}

void test('every job has the result of its script', async () => {
  const pinned = new Map<number, number>();
  const clock = new TestClock();
  const ticking = setInterval(() => clock.advance(TICK_MS), TICK_MS);
  const shared = new SharedArrayBuffer(4 * SHARED.words);
  const pool = await WorkerPool.start(
    {
      workers: 2,
      workerFile: WORKER_FILE,
      workerData: () => shared,
      timeoutGraceMs: KILL_MS,
      killGraceMs: KILL_MS,
      queuedJobMsMax: Infinity,
    },
    {
      pinOn: ({ generation }) => ({
        pin: (version) => pinned.set(generation, version).size > 0,
        unpin: () => pinned.delete(generation),
      }),
      onFailure: ({ message }) => assert.match(message, /script|exited/),
      nowMs: clock.nowMs,
    },
  );
  pool.setTable({ generation: 1, buffer: new SharedArrayBuffer(8) });
  try {
    const property = fc.asyncProperty(
      fc.array(anyStep, { minLength: 1, maxLength: 120, size: 'max' }),
      async (plan) => {
        await play(pool, plan);
        assert.deepEqual({ ...pool.stats, queued: 0, running: 0 }, pool.stats);
        assert.equal(pinned.size, 0, 'no pin is left');
      },
    );
    await fc.assert(property, { seed: 11, numRuns: 12, endOnFailure: true });
    const { crashes, kills, completed } = pool.stats;
    assert.ok(crashes > 0 && kills > 0 && completed > 500, `${crashes} crashes, ${kills} kills, ${completed} answers`);
  } finally {
    clearInterval(ticking);
    await pool.close();
  }
});
