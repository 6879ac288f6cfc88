// Store order on processors that do not guarantee it: words that readers may be reading are never written with plain
// stores.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import test from 'node:test';
import { Worker } from 'node:worker_threads';
import type { StoreOrder } from './store-order-thread.js';

test('on a processor with weak store order, entries and older records are written with ordered stores', async () => {
  const thread = new Worker(new URL('./store-order-thread.js', import.meta.url));
  const [report] = (await once(thread, 'message')) as [StoreOrder];
  await thread.terminate();
  assert.equal(report.isOrdered, false);
  assert.ok(report.ordered > 10_000 && report.reclaimed > 10, JSON.stringify(report));
  assert.deepEqual(report.plain, []);
});
