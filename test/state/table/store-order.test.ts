// Order of stores, kept by the writer where a processor does not: no word that readers may be looking at is stored plainly.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import test from 'node:test';
import { Worker } from 'node:worker_threads';
import type { StoreOrder } from './store-order-thread.js';

test('entries and older records are stored in order where the processor does not see to it', async () => {
  const thread = new Worker(new URL('./store-order-thread.js', import.meta.url));
  const [report] = (await once(thread, 'message')) as [StoreOrder];
  await thread.terminate();
  assert.equal(report.isOrdered, false);
  assert.ok(report.ordered > 10_000 && report.reclaimed > 10, JSON.stringify(report));
  assert.deepEqual(report.plain, []);
});
