// Threads that force their first collection at the same moment, although V8's flags are process-wide. Runs on the main
// thread and on threads of its own.
import { once } from 'node:events';
import test from 'node:test';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { collectYoungGarbage } from '../../../src/lib/memory/garbage-collection.js';

const THREADS = 6;
const ROUNDS = 8;

if (isMainThread) {
  void test('each thread gets hold of the collector, whatever the others do', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const gate = new Int32Array(new SharedArrayBuffer(4));
      const workers = Array.from({ length: THREADS }, () => new Worker(new URL(import.meta.url), { workerData: gate }));
      await Promise.all(workers.map((worker) => once(worker, 'message')));
      Atomics.store(gate, 0, 1);
      Atomics.notify(gate, 0);
      // Rejects if a thread has thrown.
      await Promise.all(workers.map((worker) => once(worker, 'exit')));
    }
  });
} else {
  parentPort!.postMessage('ready');
  Atomics.wait(workerData as Int32Array, 0, 0);
  collectYoungGarbage();
}
