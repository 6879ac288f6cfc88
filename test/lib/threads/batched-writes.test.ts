// Bytes written in batches, in order, one write at a time.
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { test } from 'node:test';
import { BatchedWrites } from '../../../src/lib/threads/batched-writes.js';

const HOUR_MS = 3_600_000;

void test('bytes that arrive during a write are written together after it', async () => {
  const written: string[] = [];
  const gate = new EventEmitter();
  const opened = once(gate, 'open');
  const writes = new BatchedWrites(async (bytes) => {
    await opened;
    written.push(bytes.toString());
  }, HOUR_MS);
  writes.add(Buffer.from('a'), Buffer.from('b'));
  writes.flush();
  writes.add(Buffer.from('c'));
  writes.add(Buffer.from('d'));
  assert.deepEqual([writes.pendingBytes, writes.waitingBytes], [2, 4]);
  gate.emit('open');
  await writes.drained();
  assert.deepEqual(written, ['ab', 'cd']);
  assert.deepEqual([writes.pendingBytes, writes.waitingBytes], [0, 0]);
});

void test('buffered bytes are written after a delay without further action', async () => {
  const text = await new Promise<string>((resolve) => {
    const writes = new BatchedWrites(async (bytes) => resolve(bytes.toString()), 1);
    writes.add(Buffer.from('x'));
  });
  assert.equal(text, 'x');
});
