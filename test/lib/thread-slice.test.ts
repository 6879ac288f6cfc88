// Slices of threads: short ones and long ones. Runs on workers, so that the threads of other tests keep theirs.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { slicesExist } from '../support/slices.js';

const MODULE = new URL('../../src/lib/thread-slice.js', import.meta.url).href;
const SHORT_MS = 0.1;
const LONG_MS = 10;

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

void test('a thread shortens its slices and lengthens them', { skip: !slicesExist }, async () => {
  const slices = await posted(
    '[slice.shortenThreadSlice(), slice.shortenThreadSlice(), slice.lengthenThreadSlice(), slice.shortenThreadSlice()]',
  );
  assert.deepEqual(slices, [SHORT_MS, SHORT_MS, LONG_MS, SHORT_MS]);
});

void test('elsewhere there are none', { skip: slicesExist }, async () => {
  assert.deepEqual(await posted('[slice.shortenThreadSlice(), slice.lengthenThreadSlice()]'), [0, 0]);
});
