// CPU time of a thread: it grows with work, and not during sleep where the system reports it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuMs } from '../../src/fairness/cpu-time.js';
import { nativePart } from '../../src/native/load.js';

const SLEEP_MS = 50;

void test('work takes CPU time', () => {
  const startedMs = cpuMs();
  while (cpuMs() < startedMs + 1);
  assert.ok(cpuMs() >= startedMs + 1);
});

void test('sleep takes no CPU time', { skip: nativePart('wake').part === null && 'the clock serves' }, () => {
  const startedMs = cpuMs();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SLEEP_MS);
  assert.ok(cpuMs() - startedMs < SLEEP_MS);
});
