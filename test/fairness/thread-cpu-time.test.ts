// CPU time of a thread: it grows with work, and not during sleep where the system reports it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { threadCpuMs } from '../../src/fairness/time-slicer.js';
import { loadNativeModule } from '../../src/native/load-addon.js';

const SLEEP_MS = 50;

void test('work takes CPU time', () => {
  const startedMs = threadCpuMs();
  while (threadCpuMs() < startedMs + 1);
  assert.ok(threadCpuMs() >= startedMs + 1);
});

void test('sleep takes no CPU time', { skip: loadNativeModule('wake').part === null && 'the clock serves' }, () => {
  const startedMs = threadCpuMs();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SLEEP_MS);
  assert.ok(threadCpuMs() - startedMs < SLEEP_MS);
});
