// A kept copy is a copy, and a large one is given back to the system when it is released.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepBytes } from '../../src/lib/kept-bytes.js';

void test('kept bytes are a copy, also of a part of a Buffer', () => {
  for (const length of [0, 10, 5_000_000]) {
    const source = Buffer.alloc(length + 2, 'abc');
    const kept = keepBytes(source.subarray(1, length + 1));
    source.fill(0);
    assert.ok(
      Buffer.alloc(length + 1, 'abc')
        .subarray(1)
        .equals(kept.bytes),
    );
    kept.release();
  }
});

void test('released copies take no memory, collected or not', () => {
  const before = process.memoryUsage.rss();
  const source = new Uint8Array(25_000_000).fill(1);
  const copies = Array.from({ length: 20 }, () => keepBytes(source));
  const most = process.memoryUsage.rss();
  for (const { release } of copies) release();
  const after = process.memoryUsage.rss();
  assert.ok(most - before > 400_000_000, `${most - before}`);
  assert.ok(after - before < 100_000_000, `${after - before}`);
  assert.ok(copies.every(({ bytes }) => bytes.length === 0));
});
