// Blocks that a live chain can return to: retained by number, and for a time as long as memory permits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LiveBlockTree, type RetainedCanonicalBlock } from '../../../../src/feed/live/tree/block-tree.js';
import { toBytes } from '../../../../src/lib/bytes/big-endian.js';
import { LIMITS } from '../../../../src/limits/index.js';
import type { SlotChange } from '../../../../src/state/state-diff.js';
import { blockEnv } from '../../../support/jobs.js';
import { bytes, MemoryView } from '../../../support/memory-view.js';

const ADDRESS = bytes('aa', 20);
const HEADER_TIME = 1_793_901_600;

function block(number: number, blockMs: number): RetainedCanonicalBlock {
  const timestamp = BigInt(HEADER_TIME + Math.floor((number * blockMs) / 1000));
  const env = blockEnv({ number, timestamp });
  const hash = toBytes(BigInt(number), 32);
  return { number, index: 0, hash, parentHash: new Uint8Array(32), env, version: number, header: null };
}

/** A chain in which each block changed slots of its own. */
function chainOf(count: number, blockMs: number, slots = 1): LiveBlockTree {
  const tree = new LiveBlockTree();
  tree.begin(block(0, blockMs));
  for (let number = 1; number <= count; number++) {
    const changes = Array.from({ length: slots }, (_, at): SlotChange => {
      return { address: ADDRESS, slot: toBytes(BigInt(number * slots + at), 32), value: toBytes(1n, 32) };
    });
    tree.record(number, { accounts: [], slots: changes, codes: [] });
    tree.add(block(number, blockMs));
  }
  return tree;
}

void test('blocks of 12 s are kept by their number', () => {
  const tree = chainOf(1000, 12_000);
  assert.equal(tree.tip!.number - tree.firstNumber + 1, LIMITS.blocksKeptMax);
  assert.equal(tree.blockMs, 12_000);
});

void test('blocks of 200 ms are kept for five minutes, and what each has changed', () => {
  const tree = chainOf(4000, 200);
  const count = tree.tip!.number - tree.firstNumber;
  assert.ok(count * 200 >= LIMITS.keptWindowMs && count * 200 < LIMITS.keptWindowMs + 1000, `${count} blocks`);
  assert.equal(tree.blockMs, 200);
  const found = tree.find(toBytes(3000n, 32))!;
  assert.equal(found.number, 3000);
  assert.equal(tree.undo(found.version, new MemoryView()).slots.length, 1000);
  assert.equal(tree.find(toBytes(2000n, 32)), null);
});

void test('a memory bound shortens the time window, and never the minimum count', () => {
  const slots = Math.ceil(LIMITS.windowKeysBytesMax / 52 / 200);
  const tree = chainOf(400, 200, slots);
  const count = tree.tip!.number - tree.firstNumber + 1;
  assert.ok(count >= LIMITS.blocksKeptMax && count <= 201, `${count} blocks`);
  const heavy = chainOf(140, 200, 2 * slots);
  assert.equal(heavy.tip!.number - heavy.firstNumber + 1, LIMITS.blocksKeptMax);
});
