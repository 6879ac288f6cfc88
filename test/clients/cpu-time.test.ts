// Processor time of a thread: it grows with work, and not while the thread sleeps where the system tells it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuMs } from '../../src/clients/cpu-time.js';
import { nativePart } from '../../src/native/load.js';

const SLEEP_MS = 50;

void test('work takes processor time', () => {
  const beganMs = cpuMs();
  while (cpuMs() < beganMs + 1);
  assert.ok(cpuMs() >= beganMs + 1);
});

void test('sleep takes none', { skip: nativePart('wake').part === null && 'the clock serves' }, () => {
  const beganMs = cpuMs();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SLEEP_MS);
  assert.ok(cpuMs() - beganMs < SLEEP_MS);
});
