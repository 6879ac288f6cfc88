// Slices of threads, and what is left of them. Runs on workers, so that the threads of other tests keep theirs.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { slicesExist } from '../support/slices.js';

const MODULE = new URL('../../src/lib/thread-slice.js', import.meta.url).href;
const SHORT_MS = 0.1;

/** What the script posts in a worker, where `slice` is the module. */
async function posted(script: string): Promise<readonly number[]> {
  const worker = new Worker(
    `const { parentPort, Worker } = require('node:worker_threads');
     import(${JSON.stringify(MODULE)}).then(async (slice) => parentPort.postMessage(${script}));`,
    { eval: true },
  );
  const [message]: readonly number[][] = await once(worker, 'message');
  await worker.terminate();
  return message!;
}

void test('a thread shortens its slices, and has them still when it has yielded', { skip: !slicesExist }, async () => {
  const slices = await posted(
    '[slice.shortenThreadSlice(), (slice.yieldCore(performance.now()), slice.shortenThreadSlice())]',
  );
  assert.deepEqual(slices, [SHORT_MS, SHORT_MS]);
});

void test('elsewhere there are none, and a thread that yields goes on', { skip: slicesExist }, async () => {
  assert.deepEqual(
    await posted('[slice.shortenThreadSlice(), (slice.yieldCore(performance.now()), slice.shortenThreadSlice())]'),
    [0, 0],
  );
});
