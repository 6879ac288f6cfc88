// Blocks retained by time: those of the last minutes by the chain's clock, however many they are, within limits.
import assert from 'node:assert/strict';
import test from 'node:test';
import { LIMITS } from '../../../../src/limits/index.js';
import { TableReader } from '../../../../src/state/table/read/table-reader-and-snapshot.js';
import { RetainedBlockWindow } from '../../../../src/state/table/write/retained-block-window.js';
import { TableWriter } from '../../../../src/state/table/writer.js';
import { diffOf, hashOf, slot } from '../../diffs.js';

const WINDOW_MS = 300_000;

/** Blocks from 1 on, five per second. */
const secondOf = (number: number): bigint => 1000n + BigInt(Math.floor(number / 5));

test('blocks of 200 ms are kept for five minutes, up to the maximum count', () => {
  const window = new RetainedBlockWindow(WINDOW_MS);
  assert.equal(window.first, Infinity);
  for (let number = 1; number <= 4000; number++) window.note(number, secondOf(number));
  assert.equal(window.first, 4000 - 1500);
  for (let number = 4001; number <= 8000; number++) window.note(number, secondOf(4000));
  assert.equal(window.first, 8000 - LIMITS.blocksInWindowMax + 1);
});

test('a block replaces those of its number and above; after a long pause none of the earlier blocks is kept', () => {
  const window = new RetainedBlockWindow(WINDOW_MS);
  for (let number = 1; number <= 10; number++) window.note(number, secondOf(number));
  window.note(4, 1400n);
  assert.equal(window.first, 4);
  window.note(5, 1500n);
  assert.equal(window.first, 4);
  window.note(6, 1701n);
  assert.equal(window.first, 5);
});

test('without a time window no block is kept because of its time', () => {
  const window = new RetainedBlockWindow(0);
  window.note(1, 1000n);
  assert.equal(window.first, Infinity);
});

test('a table serves blocks within the time window beyond those kept by count, and no older ones', () => {
  const writer = TableWriter.create({ blocksKept: 8, keptWindowMs: 10_000 });
  for (let block = 1; block <= 200; block++) {
    const diff = diffOf({ block, hash: hashOf(block), parentHash: hashOf(block - 1), slots: [slot(1, 0, block)] });
    writer.publish({ ...diff, env: { ...diff.env, timestamp: secondOf(block) } });
  }
  const reader = new TableReader(writer.buffer);
  const newest = reader.newest();
  // 10 s with five blocks each, and those of the current second.
  for (const block of [200, 193, 192, 150]) assert.ok(reader.versionOfBlock(block, newest) > 0, `block ${block}`);
  assert.equal(reader.versionOfBlock(149, newest), 0);
  assert.equal(reader.blockOfHash(hashOf(149), newest), 149);
});
