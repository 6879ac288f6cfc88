// Memory is returned to the system once after each load that has increased it much, and never under load.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { LIMITS } from '../../../src/limits/index.js';
import { IdleMemoryRelease } from '../../../src/lib/memory/idle-memory-release.js';

const MUCH = LIMITS.idleMemoryBytesMin;
const START = 200 * 1024 * 1024;

let memory: IdleMemoryRelease;
let released = 0;
const now = { bytes: START, isIdle: true };

/** Number of releases after a measurement of so many bytes. */
function lookAt(bytes: number, isIdle = true): number {
  Object.assign(now, { bytes, isIdle });
  memory.check();
  return released;
}

beforeEach(() => {
  released = 0;
  memory = new IdleMemoryRelease({
    residentBytes: () => now.bytes,
    isIdle: () => now.isIdle,
    release: () => (released += 1),
  });
});

test('memory grown under load is released once when the load is over', () => {
  assert.equal(lookAt(START), 0);
  assert.equal(lookAt(START + 2 * MUCH, false), 0);
  assert.equal(lookAt(START + 2 * MUCH), 1);
  // Some of it remains: this is the new baseline.
  assert.equal(lookAt(START + MUCH), 1);
  assert.equal(lookAt(START + MUCH), 1);
  assert.equal(lookAt(START + 2 * MUCH), 2);
});

test('little growth is no reason to release memory', () => {
  lookAt(START);
  assert.equal(lookAt(START + MUCH - 1), 0);
  assert.equal(lookAt(START + MUCH), 1);
});

test('growth counts from the lowest value seen, also under load', () => {
  lookAt(START + MUCH);
  lookAt(START, false);
  assert.equal(lookAt(START + MUCH), 1);
});
