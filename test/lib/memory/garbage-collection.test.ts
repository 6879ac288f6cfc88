// Forced garbage collections: minor ones on demand, and major ones for shared memory and large responses that were
// dropped.
import assert from 'node:assert/strict';
import { PerformanceObserver, constants } from 'node:perf_hooks';
import test from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  collectYoungGarbage,
  recordDroppedSharedMemory,
  recordReceivedMemory,
} from '../../../src/lib/memory/garbage-collection.js';
import { LIMITS } from '../../../src/limits/index.js';
import { until } from '../../support/patience.js';

const {
  NODE_PERFORMANCE_GC_MAJOR: MAJOR,
  NODE_PERFORMANCE_GC_MINOR: MINOR,
  NODE_PERFORMANCE_GC_FLAGS_FORCED: FORCED,
} = constants;
/** Event-loop ticks, each of which produces some garbage. */
const TURNS_MAX = 20_000;
/** Ticks after which objects that are still referenced have been promoted to the old generation. */
const TURNS_AGED = 2000;

async function turn(): Promise<void> {
  Array.from({ length: 1000 }, (_, index) => ({ index }));
  await setImmediate();
}

/** True for a forced minor collection. */
function isForced(detail: unknown): boolean {
  return isDeepStrictEqual(detail, { kind: MINOR, flags: FORCED });
}

/** True if promoted memory is freed once it is unreferenced; `note` is called when the last reference is dropped. */
async function goes(note: () => void): Promise<boolean> {
  const seen = { isGone: false };
  const registry = new FinalizationRegistry<null>(() => (seen.isGone = true));
  const reference = { memory: new SharedArrayBuffer(1024) as SharedArrayBuffer | null };
  registry.register(reference.memory!, null);
  for (let turns = 0; turns < TURNS_AGED; turns++) await turn();
  reference.memory = null;
  note();
  for (let turns = 0; turns < TURNS_MAX && !seen.isGone; turns++) await turn();
  return seen.isGone;
}

/** True for a forced major collection. */
function isWhole(detail: unknown): boolean {
  return isDeepStrictEqual(detail, { kind: MAJOR, flags: FORCED });
}

/** Kinds and causes of the collections while `act` runs. */
async function collections(act: (seen: readonly unknown[]) => Promise<void>): Promise<readonly unknown[]> {
  const seen: unknown[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if ('detail' in entry) seen.push(entry.detail);
  });
  observer.observe({ entryTypes: ['gc'] });
  await act(seen);
  observer.disconnect();
  return seen;
}

test('a minor collection can be forced, and runs soon', async () => {
  const seen = await collections(async (sofar) => {
    collectYoungGarbage();
    for (let turns = 0; turns < TURNS_MAX && !sofar.some(isForced); turns++) await setImmediate();
  });
  assert.ok(seen.some(isForced), JSON.stringify(seen));
});

test('much dropped shared memory is freed without waiting for V8', async () => {
  assert.ok(await goes(() => recordDroppedSharedMemory(LIMITS.sharedGarbageBytesMax)));
});

test('much garbage of large responses from outside leads to one major collection', async () => {
  const { externalGarbageBytesMax, largeExternalBytesMin } = LIMITS;
  const seen = await collections(async (sofar) => {
    for (let bytes = 0; bytes < 2 * externalGarbageBytesMax; bytes += largeExternalBytesMin)
      recordReceivedMemory(largeExternalBytesMin);
    await until(() => sofar.some(isWhole));
  });
  assert.equal(seen.filter(isWhole).length, 1);
});
