// Shared memory that a thread has left behind: it is collected without being waited for.
import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { leftShared } from '../../src/lib/garbage.js';
import { LIMITS } from '../../src/limits.js';

/** Turns of the event loop, each with some garbage. */
const TURNS_MAX = 20_000;
/** Turns after which what is still referred to has become old for V8. */
const TURNS_AGED = 2000;

async function turn(): Promise<void> {
  Array.from({ length: 1000 }, (_, index) => ({ index }));
  await setImmediate();
}

/** Whether memory that has become old and was left goes; `note`: called when it was left. */
async function goes(note: () => void): Promise<boolean> {
  const seen = { isGone: false };
  const registry = new FinalizationRegistry<null>(() => (seen.isGone = true));
  const held = { memory: new SharedArrayBuffer(1024) as SharedArrayBuffer | null };
  registry.register(held.memory!, null);
  for (let turns = 0; turns < TURNS_AGED; turns++) await turn();
  held.memory = null;
  note();
  for (let turns = 0; turns < TURNS_MAX && !seen.isGone; turns++) await turn();
  return seen.isGone;
}

test('shared memory that was left goes by itself, where there is much of it', async () => {
  assert.ok(await goes(() => leftShared(LIMITS.sharedGarbageBytesMax)));
});
