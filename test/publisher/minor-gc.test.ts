// When a minor garbage collection runs: after a publication, once there is enough garbage.
import assert from 'node:assert/strict';
import test from 'node:test';
import { LIMITS } from '../../src/limits/index.js';
import { MinorGc } from '../../src/publisher/minor-gc.js';

/** A heap whose collections leave `leftBytes`. */
function heapOf(leftBytes: number): { used: number; collections: number; turn: () => void; garbage: MinorGc } {
  const planned: (() => void)[] = [];
  const heap = {
    used: leftBytes,
    collections: 0,
    turn: (): void => planned.splice(0).forEach((callback) => callback()),
  };
  const garbage = new MinorGc({
    usedBytes: () => heap.used,
    collectYoung: () => {
      heap.collections++;
      heap.used = leftBytes;
    },
    later: (callback) => planned.push(callback),
  });
  return Object.assign(heap, { garbage });
}

const MUCH = LIMITS.youngGarbageBytesMax;

test('a minor collection runs in the tick after a publication, once for several publications', () => {
  const heap = heapOf(1000);
  heap.used += MUCH;
  heap.garbage.published();
  heap.garbage.published();
  assert.equal(heap.collections, 0);
  heap.turn();
  assert.equal(heap.collections, 1);
});

test('a little garbage is left until there is more', () => {
  const heap = heapOf(1000);
  for (let publications = 1; publications <= 4; publications++) {
    heap.used += MUCH / 4;
    heap.garbage.published();
    heap.turn();
    assert.equal(heap.collections, publications < 4 ? 0 : 1);
  }
});

test('a collection that V8 ran by itself counts', () => {
  const heap = heapOf(MUCH);
  heap.used = 0;
  heap.garbage.published();
  heap.turn();
  heap.used = MUCH;
  heap.garbage.published();
  heap.turn();
  assert.equal(heap.collections, 1);
});
