// A chunked buffer contains the appended bytes in order; its memory is reused or returned to the system.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  ChunkPool,
  copyIntoChunksIfLong,
  ChunkedBuffer,
  releaseChunks,
  flattenIfShort,
} from '../../../src/lib/bytes/chunked-buffer.js';
import { rounds } from '../../support/rounds.js';

const MIB = 1024 * 1024;

void test('bytes are read in the order in which they were appended', () => {
  const piece = fc.record({ length: fc.integer({ min: 0, max: 300_000 }), first: fc.nat(255) });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const [long, want] = [new ChunkedBuffer(new ChunkPool(0)), [] as Buffer[]];
      for (const { length, first } of pieces) {
        const bytes = Uint8Array.from({ length }, (_, i) => first + i);
        long.append(bytes);
        want.push(Buffer.from(bytes));
      }
      const all = Buffer.concat(want);
      assert.equal(long.length, all.length);
      assert.ok(all.equals(long.toBytes()));
      assert.ok(all.equals(Buffer.concat(long.chunks)));
      const target = Buffer.alloc(long.length);
      for (let at = 0; at < target.length;) at += long.moveFirst(target, at);
      assert.ok(all.equals(target));
    }),
    { seed: 1, numRuns: rounds(25) },
  );
});

void test('a copy, long or short, does not change with its source', () => {
  for (const length of [0, 10, 5_000_000]) {
    const source = Buffer.alloc(length, 'abc');
    const copy = copyIntoChunksIfLong(source);
    source.fill(0);
    const bytes = copy instanceof ChunkedBuffer ? copy.toBytes() : copy;
    assert.ok(Buffer.alloc(length, 'abc').equals(bytes));
    releaseChunks(copy);
  }
});

void test('the first chunks can be released early, and the rest with the buffer', () => {
  const pool = new ChunkPool(MIB);
  const long = new ChunkedBuffer(pool);
  long.append(Buffer.alloc(300_000, 'abc'));
  const [first, second] = long.chunks;
  const rest = long.toBytes().subarray(first!.length);
  long.releaseFirst();
  assert.deepEqual(Buffer.from(long.toBytes()), Buffer.from(rest));
  assert.equal(pool.take().buffer, first!.buffer);
  assert.equal(long.chunks[0]!.buffer, second!.buffer);
  long.release();
  assert.equal(long.length, 0);
  assert.equal(new Set(Array.from({ length: 2 }, () => pool.take().buffer)).has(second!.buffer), true);
});

void test('a buffer that turns out short becomes one chunk', () => {
  const [short, long] = [new ChunkedBuffer(), new ChunkedBuffer()];
  short.append(Buffer.from('short'));
  long.append(new Uint8Array(MIB));
  assert.equal(Buffer.from(flattenIfShort(short) as Uint8Array).toString(), 'short');
  assert.equal(flattenIfShort(long), long);
  long.release();
});

void test('released chunks are reused while their memory is needed', () => {
  const pool = new ChunkPool(MIB);
  const taken = Array.from({ length: 20 }, () => pool.take());
  const [{ length }] = taken as [Uint8Array];
  const withMemory = (): number => taken.filter((chunk) => chunk.length === length).length;
  for (let round = 0; round < 3; round++) {
    for (const chunk of taken) pool.release(chunk);
    pool.trim();
    assert.equal(withMemory(), 20);
    const again = taken.map(() => pool.take());
    assert.ok(again.every((chunk) => taken.includes(chunk)));
  }
  for (const chunk of taken) pool.release(chunk);
  pool.trim();
  const most = Array.from({ length: 16 }, () => pool.take());
  for (const chunk of most) pool.release(chunk);
  pool.trim();
  assert.equal(withMemory(), 16);
  pool.trim();
  assert.equal(withMemory(), MIB / length);
  const all = Array.from({ length: 21 }, () => pool.take());
  assert.ok(all.every((chunk) => chunk.length === length));
  assert.equal(all.filter((chunk) => taken.includes(chunk)).length, 20);
});

void test('released chunks beyond the bound free their memory without waiting for a collection', () => {
  const pool = new ChunkPool(MIB);
  const before = process.memoryUsage.rss();
  const source = new Uint8Array(25_000_000).fill(1);
  const all = Array.from({ length: 20 }, () => new ChunkedBuffer(pool));
  for (const long of all) long.append(source);
  const most = process.memoryUsage.rss();
  for (const long of all) long.release();
  for (let looks = 0; looks < 200; looks++) pool.trim();
  const after = process.memoryUsage.rss();
  assert.ok(most - before > 400_000_000, `${most - before}`);
  assert.ok(after - before < 100_000_000, `${after - before}`);
});
