// The cache of codes across jobs is bounded by number and bytes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodeStore } from '../../../src/evm/journal/code-store.js';
import { keccak256 } from '../../../src/lib/bytes/keccak-wasm.js';
import { LIMITS } from '../../../src/limits/index.js';
import type { StateView } from '../../../src/state/views/state-view.js';
import { MemoryView } from '../../support/memory-view.js';

const MIB = 2 ** 20;
const CACHED = new Uint8Array(MIB);
const HASH = keccak256(CACHED);

/** A view with one code that counts reads of it. */
function viewOfOne(): { view: StateView; reads: () => number } {
  let reads = 0;
  const view = Object.assign(new MemoryView(), {
    code: () => {
      reads += 1;
      return CACHED;
    },
  });
  return { view, reads: () => reads };
}

void test('a code is read once while the cache is within its bytes, and never dropped in mid-job', () => {
  const { view, reads } = viewOfOne();
  const store = new CodeStore();
  for (let used = MIB; used <= LIMITS.codeBytesKeptMax; used += MIB) {
    store.get(HASH, view);
    store.reset();
    if (used < LIMITS.codeBytesKeptMax) store.add(new Uint8Array(MIB).fill(used / MIB));
  }
  store.get(HASH, view);
  assert.equal(reads(), 1);
  store.add(new Uint8Array(MIB).fill(0xff));
  assert.equal(store.get(HASH, view), store.get(HASH, view), 'in mid-job they stay');
  assert.equal(reads(), 1);
  store.reset();
  store.get(HASH, view);
  assert.equal(reads(), 2);
});
