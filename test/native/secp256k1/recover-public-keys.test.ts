// Threads terminated in the middle of recoveries leave the process alive, and the addon refuses invalid arguments. Runs
// on the main thread and on threads of its own.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import test from 'node:test';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { loadNativeModule } from '../../../src/native/load-addon.js';
import { recoverPublicKeysNatively } from '../../../src/native/secp256k1/recover-public-keys.js';

const THREADS_ENDED = 30;
const skip = recoverPublicKeysNatively === null && 'the addon of libsecp256k1 is not built';

/**
 * Recovers forever, with numbers that are refused at once, so that most of the time is spent entering and leaving the
 * addon.
 */
function recoverForEver(): never {
  const [r, s, hash] = [new Uint8Array(32), new Uint8Array(32), new Uint8Array(32)];
  parentPort!.postMessage('ready');
  for (;;) assert.deepEqual(recoverPublicKeysNatively!([{ hash, parity: 0, r, s }]), [null]);
}

if (isMainThread) {
  void test('a thread can be ended in the middle of its recoveries', { skip }, async () => {
    for (let ended = 0; ended < THREADS_ENDED; ended++) {
      const worker = new Worker(new URL(import.meta.url));
      await once(worker, 'message');
      await worker.terminate();
    }
  });

  void test('the addon refuses arguments other than its arrays', { skip }, () => {
    const { recover } = loadNativeModule('secp256k1').part as { recover: (...parts: unknown[]) => unknown };
    const good: readonly unknown[] = [32, 1, 64, 65].map((length) => new Uint8Array(length));
    assert.equal(recover(...good), undefined);
    const many = [32, 1, 64, 65].map((length) => new Uint8Array(17 * length));
    assert.throws(() => recover(...many), TypeError);
    const bad = [
      new Uint8Array(31),
      [1, 2, 3],
      -1,
      2,
      null,
      undefined,
      new Uint16Array(32),
      new Uint8Array(66),
      new Uint8Array(2),
      'text',
    ];
    for (const at of good.keys())
      for (const part of bad) assert.throws(() => recover(...good.with(at, part)), TypeError, `${at}: ${String(part)}`);
    assert.throws(() => recover(...good.with(1, Uint8Array.of(2))), TypeError);
    assert.throws(() => recover(), TypeError);
  });
} else {
  recoverForEver();
}
