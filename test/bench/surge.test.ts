// A temporary overload: when its requests start, how they end, and when everything has recovered.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scheduleOf } from '../../bench/load/schedule.js';
import { type Course, Timeline, type Verdict } from '../../bench/load/timeline.js';
import type { Load, Run } from '../../bench/scenarios/scenario.js';
import { besidePace, loadText, paceOf } from '../../bench/suite/pace.js';
import { surgeOf } from '../../bench/suite/surge.js';

const load: Load = { kind: 'surge', connections: 10, share: 0.5, factor: 10, fromMs: 200, toMs: 400 };
const run: Run = { name: 'a surge', part: '', load };
const pace = paceOf(load, null, { first: 100, slowest: 1 });

test('a surge runs at ten times the capacity of the first target, with half of it before and after', () => {
  assert.deepEqual(pace, { kind: 'surge', perSecond: 50, surgePerSecond: 1000, fromMs: 200, toMs: 400 });
  const start = scheduleOf(pace);
  const starts = Array.from({ length: 230 }, (_, number) => start(number)!);
  assert.deepEqual(starts.slice(0, 12), [0, 20, 40, 60, 80, 100, 120, 140, 160, 180, 200, 201]);
  assert.deepEqual(starts.slice(209, 213), [399, 400, 420, 440]);
});

test('the surge rate is capped at what one generator can send, and the load description has it', () => {
  const fast = paceOf(load, null, { first: 20_000, slowest: 1 });
  assert.ok(fast.kind === 'surge' && fast.surgePerSecond === 40_000);
  assert.equal(
    loadText(run, fast, 1, null),
    '10,000 requests/s, from 200 to 400 ms 40,000, 10 connections, turns of 1 s',
  );
});

test('the load description names the background load and its URL if that is not the target', () => {
  const busy: Run = { ...run, beside: { part: 'dear', connections: 4, factor: 10 } };
  const text = (url: string | null): string => loadText(busy, { kind: 'closed' }, 1, url);
  assert.match(text(null), /, next to 4 connections with dear at up to 10 times the sustainable rate$/);
  assert.match(text('http://127.0.0.1:2'), /rate, sent to http:\/\/127\.0\.0\.1:2$/);
});

test('background load takes its rate from an earlier run', () => {
  const beside = { part: 'dear', connections: 4, factor: 10 };
  assert.deepEqual(besidePace({ ...run, beside }, 50), { kind: 'rate', perSecond: 500 });
  assert.deepEqual(besidePace({ ...run, beside: { part: 'dear', connections: 4 } }, null), { kind: 'closed' });
  assert.throws(() => besidePace({ ...run, beside }, null), /no earlier run/);
});

test('requests count in the window of their intended start', () => {
  const timeline = new Timeline(1000);
  for (const [ms, verdict] of [
    [0, 'result'],
    [99.9, 'refusal'],
    [350, 'failure'],
  ] as const)
    timeline.add(ms, verdict, 5);
  const none = { result: 0, refusal: 0, failure: 0 };
  assert.deepEqual(timeline.course.windows, [{ ...none, result: 1, refusal: 1 }, none, none, { ...none, failure: 1 }]);
});

/** A round with these outcomes of requests, window by window. */
function turn(...windows: readonly Verdict[][]): Course {
  const timeline = new Timeline(1000);
  windows.forEach((verdicts, i) => verdicts.forEach((verdict) => timeline.add(i * 100, verdict, 5)));
  return timeline.course;
}

test('shares cover the surge alone, and recovery ends after the last request without a result', () => {
  const [ok, no, lost] = ['result', 'refusal', 'failure'] as const;
  const quick = turn([ok], [ok], [ok, no], [no, no], [ok], [ok]);
  const slow = turn([ok], [ok], [ok, no], [no, lost], [no, ok], [ok]);
  const surge = surgeOf(pace, [quick, slow])!;
  assert.deepEqual([surge.answered, surge.refused, surge.neither], [2 / 8, 5 / 8, 1 / 8]);
  assert.deepEqual(surge.fullAfterMs, { median: 50, low: 0, high: 100 });
  assert.deepEqual(surge.windows[3], { result: 0, refusal: 15, failure: 5 });
  assert.equal(surgeOf({ kind: 'closed' }, [quick]), null);
});
