// A decoder per thread: threads decode in parallel, one is terminated in the middle of its work, and unreferenced
// decoders are collected with their native memory.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

import { createBodyDecoder } from '../../../src/rpc/decode/body-decoder.js';
import { PortableBodyDecoder } from '../../../src/rpc/decode/portable-body-decoder.js';
import { Random, randomBody } from './request-bodies.js';
import { type BodyDecoder, ROW_WORDS } from '../../../src/rpc/decode/decoded-call-row.js';

const THREADS = 4;
const BODIES = 10_000;
const DECODERS = 2000;

/** Decodes `bodies` random bodies with both decoders; returns the number of differing words. */
function differences(addon: BodyDecoder, seed: number, bodies: number): number {
  const random = new Random(seed);
  const bytes = new PortableBodyDecoder('');
  let different = 0;
  for (let number = 0; number < bodies; number++) {
    const body = randomBody(random);
    if (addon.decode(body) !== bytes.decode(body) || addon.count !== bytes.count) different++;
    for (let word = 0; word < bytes.count * ROW_WORDS; word++) if (addon.rows[word] !== bytes.rows[word]) different++;
  }
  return different;
}

function thread(seed: number, bodies: number): Worker {
  return new Worker(new URL(import.meta.url), { workerData: { seed, bodies } });
}

function outcome(worker: Worker): Promise<unknown> {
  return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
}

if (isMainThread) {
  const skip = createBodyDecoder().name === 'simdjson' ? false : 'the simdjson addon is not built';
  void describe('decoders and threads', { skip }, () => {
    void it('decoders of several threads decode side by side', async () => {
      const workers = Array.from({ length: THREADS }, (_, index) => thread(index * 2 + 1, BODIES));
      const answers = workers.map(outcome);
      assert.equal(differences(createBodyDecoder(), 99, BODIES), 0);
      assert.deepEqual(await Promise.all(answers), Array<number>(THREADS).fill(0));
    });

    void it('decoders survive the end of another thread', async () => {
      const worker = thread(5, Number.MAX_SAFE_INTEGER);
      await new Promise((resolve) => worker.once('online', resolve));
      assert.equal(differences(createBodyDecoder(), 7, BODIES), 0);
      await worker.terminate();
      assert.equal(differences(createBodyDecoder(), 7, BODIES), 0);
    });

    void it('decoders without a reference are garbage collected', async () => {
      setFlagsFromString('--expose-gc');
      const collect: () => void = runInNewContext('gc');
      // Uses 400 KB of a decoder's index; with the decoded calls, 1 GB in total if nothing were collected.
      const body = Buffer.from(`{"id":[${'1,'.repeat(50_000)}1]}`);
      const before = process.memoryUsage().rss;
      for (let round = 0; round < DECODERS / 100; round++) {
        for (let number = 0; number < 100; number++) createBodyDecoder().decode(body);
        collect();
        await new Promise((resolve) => setImmediate(resolve));
      }
      const grown = process.memoryUsage().rss - before;
      assert.ok(grown < 300_000_000, `${grown} bytes are still held`);
    });
  });
} else {
  const { seed, bodies }: { seed: number; bodies: number } = workerData;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(differences(createBodyDecoder(), seed, bodies));
}
