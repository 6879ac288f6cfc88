// The time limit of a task: what counts, what exceeds it, what aborts it; on a fake clock.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { DeadlineError } from '../../../../src/execution/deadline-error.js';
import { newLiveFeedCounters, type LiveFeedCounters } from '../../../../src/feed/live-feed-counters.js';
import {
  ExecutionTimeLimiter,
  ExecutionAborted,
  type ExecutionTask,
} from '../../../../src/feed/live/executing/execution-time-limiter.js';
import type { CurrentExecution } from '../../../../src/feed/live-status.js';
import { LIMITS } from '../../../../src/limits/index.js';

const BLOCK: ExecutionTask = { kind: 'block', block: 7, hash: new Uint8Array(32) };
const INCREMENT: ExecutionTask = { kind: 'increment', block: 8 };

let nowMs: number;
let turns: number;
let counts: LiveFeedCounters;
let reported: (CurrentExecution | null)[];
let time: ExecutionTimeLimiter;

beforeEach(() => {
  [nowMs, turns, reported, counts] = [1000, 0, [], newLiveFeedCounters()];
  time = new ExecutionTimeLimiter({
    counts,
    onChange: () => reported.push(time.executing),
    now: () => nowMs,
    yieldTick: async () => void turns++,
  });
});

const executor = { deadline: Infinity };
const step = async (ms: number): Promise<unknown> => time.step(executor, () => (nowMs += ms));
const givenUp =
  (kind: ExecutionAborted['kind'], text: string) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof ExecutionAborted);
    assert.equal(error.kind, kind);
    assert.equal(error.message, text);
    return true;
  };

describe('the time of a task', () => {
  test('is that of its steps; main is notified before they begin and when they have ended', async () => {
    await time.during(BLOCK, async () => {
      await step(30);
      nowMs += 60_000;
      await step(20);
      assert.deepEqual(time.executing, { kind: 'block', block: 7, executedMs: 50 });
    });
    assert.deepEqual(reported, [{ kind: 'block', block: 7, executedMs: 0 }, null]);
    assert.deepEqual(time.newestMs, { block: 50, increment: 0 });
    assert.deepEqual(counts, newLiveFeedCounters());
  });

  test('above the expected time is counted, and nothing is aborted', async () => {
    await time.during(INCREMENT, async () => {
      await step(LIMITS.incrementMs + 1);
      await step(0);
    });
    assert.deepEqual(counts, { ...newLiveFeedCounters(), incrementsSlow: 1 });
  });

  test('above its bound ends it before the next step', async () => {
    const run = time.during(BLOCK, async () => {
      await step(LIMITS.blockMsMax);
      await step(0);
    });
    await assert.rejects(run, givenUp('late', `block 7 takes longer than ${LIMITS.blockMsMax} ms to execute`));
    assert.equal(time.task, null);
    assert.deepEqual(counts, { ...newLiveFeedCounters(), blocksSlow: 1, blocksAborted: 1 });
  });

  test('that runs out within a step aborts the step', async () => {
    const run = time.during(INCREMENT, () =>
      time.step(executor, async () => {
        assert.ok(executor.deadline <= performance.now() + LIMITS.incrementMsMax);
        throw new DeadlineError('at the deadline');
      }),
    );
    const text = `an increment of block 8 takes longer than ${LIMITS.incrementMsMax} ms to execute`;
    await assert.rejects(run, givenUp('late', text));
    assert.equal(executor.deadline, Infinity);
  });

  test('is limited to the expected time once the task is superseded', async () => {
    await time.during(BLOCK, async () => {
      time.supersede('another head');
      await step(LIMITS.blockMs - 1);
      await step(1);
    });
    const run = time.during(BLOCK, async () => {
      await step(LIMITS.blockMs);
      await step(0);
      time.supersede('another head');
      time.supersede('one more');
      await step(0);
    });
    await assert.rejects(run, givenUp('superseded', 'block 7 is given up: another head'));
    assert.equal(counts.blocksAborted, 1);
  });

  test('is not counted while there is no task', async () => {
    time.supersede('nothing');
    await time.step(executor, async () => assert.equal(executor.deadline, Infinity));
    await step(10 * LIMITS.blockMsMax);
    await time.during(BLOCK, () => step(1));
    assert.deepEqual(counts, newLiveFeedCounters());
  });

  test('is shared with incoming events, one event-loop tick after each time slice', async () => {
    await time.during(BLOCK, async () => {
      for (let i = 0; i < 10; i++) {
        await time.pause();
        await step(LIMITS.executionYieldMs / 2);
      }
    });
    assert.equal(turns, 4);
  });

  test('does not change errors of a step', async () => {
    const error = new Error('no state');
    await assert.rejects(
      time.during(BLOCK, () => time.step(executor, () => Promise.reject(error))),
      (thrown) => thrown === error,
    );
    assert.equal(counts.blocksAborted, 0);
  });
});
