// Returned buffers are reused, within a limit of retained bytes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BufferPool } from '../../../src/lib/memory/buffer-pool.js';

const KIB = 1024;

/** A pool, and the sizes of the buffers that it has allocated. */
function poolOf(keptBytesMax: number) {
  const made: number[] = [];
  const create = (bytes: number): ArrayBuffer => {
    made.push(bytes);
    return new ArrayBuffer(bytes);
  };
  return { pool: new BufferPool(create, keptBytesMax), made };
}

void test('a buffer has the requested size, and a returned one is the next of its size', () => {
  const { pool, made } = poolOf(1024 * KIB);
  const first = pool.take(100 * KIB);
  const second = pool.take(1);
  assert.deepEqual(made, [128 * KIB, 64 * KIB]);
  pool.give(first);
  pool.give(second);
  assert.equal(pool.take(128 * KIB), first);
  assert.equal(pool.take(64 * KIB), second);
  assert.notEqual(pool.take(128 * KIB), first, 'it is in use');
});

void test('the pool retains no more bytes than its bound', () => {
  const { pool, made } = poolOf(200 * KIB);
  const [first, second] = [pool.take(128 * KIB), pool.take(128 * KIB)];
  pool.give(first);
  pool.give(second);
  assert.equal(pool.keptBytes, 128 * KIB);
  assert.equal(pool.take(128 * KIB), first);
  assert.equal(pool.keptBytes, 0);
  pool.take(128 * KIB);
  assert.equal(made.length, 3);
});
