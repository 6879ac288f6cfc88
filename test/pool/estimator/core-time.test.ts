// Whether runs have had a core, by clocks of the test's. Runs on main.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '../../../src/limits.js';
import { CoreTime } from '../../../src/pool/estimator/core-time.js';

const RUN_MS = LIMITS.trialMs;

/** Runs that begin one after the other, each with a core for the first of these times and without for the second. */
function wasLost(runs: readonly (readonly [withMs: number, withoutMs: number])[]): boolean[] {
  let nowMs = 0;
  let threadMs = 0;
  const core = new CoreTime(() => threadMs);
  return runs.map(([withMs, withoutMs]) => {
    const beganMs = nowMs;
    core.begin(beganMs);
    threadMs += withMs;
    nowMs += withMs + withoutMs;
    return core.wasLost(beganMs, nowMs - beganMs);
  });
}

void test('a run is lost that had a core for less than half of its time', () => {
  assert.deepEqual(
    wasLost([
      [RUN_MS, 0],
      [4, RUN_MS - 4],
      [RUN_MS - 4, 4],
      [0, RUN_MS],
    ]),
    [false, true, false, true],
  );
});

void test('a run behind short ones, whose time was not looked at, is not taken for longer on a core than it was', () => {
  const short = [0.5, 0] as const;
  assert.deepEqual(wasLost([short, short, short, [RUN_MS, 0]]).at(-1), false);
  assert.deepEqual(wasLost([short, short, short, [1, RUN_MS - 1]]).at(-1), true);
});

void test('a trial with a core for all of its time is not lost, however long its thread slept before', () => {
  for (let sleptMs = 0; sleptMs < RUN_MS; sleptMs += 0.25) {
    let threadMs = 0;
    const core = new CoreTime(() => threadMs);
    core.begin(0);
    core.begin(sleptMs);
    threadMs += RUN_MS;
    assert.equal(core.wasLost(sleptMs, RUN_MS), false, `after ${sleptMs} ms`);
  }
});

void test('where nobody counts the time of threads no run is lost', () => {
  const core = new CoreTime(() => Number.NaN);
  core.begin(0);
  assert.equal(core.wasLost(0, RUN_MS), false);
});
