// Slices of threads: short ones go to the threads that a thread starts, and can be taken back. Runs on workers, so that the
// threads of other tests keep theirs.
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

void test('a thread shortens its slices and gets the usual ones back', { skip: !slicesExist }, async () => {
  const [own, short, again, reset] = await posted(
    '[slice.resetThreadSlice(), slice.shortenThreadSlice(), slice.shortenThreadSlice(), slice.resetThreadSlice()]',
  );
  assert.ok(own! > SHORT_MS);
  assert.deepEqual([short, again, reset], [SHORT_MS, SHORT_MS, own]);
});

void test('elsewhere there are none', { skip: slicesExist }, async () => {
  assert.deepEqual(await posted('[slice.shortenThreadSlice(), slice.resetThreadSlice()]'), [0, 0]);
});
