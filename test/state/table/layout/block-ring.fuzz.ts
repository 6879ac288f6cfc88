// Blocks found through the ring of block records, compared with a walk over a tree that forgets nothing.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as fc from 'fast-check';
import {
  appendBlockRecord,
  versionOfBlockAt,
  findBlockRecordBelow,
  findBlockRecord,
  findBlockRecordsByHash,
  blockHashAtOrdinal,
} from '../../../../src/state/table/layout/block-ring.js';
import { randomHashKey } from '../../../../src/state/table/layout/key-hash.js';
import { BLOCK_RING_RECORDS } from '../../../../src/state/table/layout/table-layout.js';
import { createTable, type Table } from '../../../../src/state/table/layout/table.js';
import { wordOf } from '../../diffs.js';
import { rounds } from '../../../support/rounds.js';

const CAPACITIES = { accounts: 4, slots: 4, older: 4, codes: 1, codeWords: 1, halves: 1 };

interface Node {
  readonly ordinal: number;
  readonly number: number;
  readonly previous: Node | null;
}

/** Walks back to the node with this number, or to the first one below it. */
function walk(top: Node | null, isIt: (node: Node) => boolean): Node | null {
  let node = top;
  while (node !== null && !isIt(node)) node = node.previous;
  return node;
}

/** Each step: how many blocks to remove, how many numbers to skip, whether the parent is known. */
const steps = fc.array(
  fc.record({
    back: fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 6 }) }),
    skip: fc.oneof({ weight: 20, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }) }),
    isCut: fc.oneof({ weight: 400, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  }),
  { minLength: 1, maxLength: 1500, size: 'max' },
);

test('every block still in the ring is found from every head above it, and no other block is', () => {
  fc.assert(
    fc.property(steps, fc.array(fc.nat(), { minLength: 5, maxLength: 5 }), (moves, picks) => {
      const made = { capacities: CAPACITIES, generation: 1, isComplete: true, hashKey: randomHashKey() };
      const table = createTable(made);
      const nodes = grow(table, moves);
      for (const pick of picks) compare(table, nodes, nodes[nodes.length - 1 - (pick % Math.min(nodes.length, 400))]!);
    }),
    { numRuns: rounds(3), seed: 20261 },
  );
});

function grow(table: Table, moves: readonly { back: number; skip: number; isCut: boolean }[]): Node[] {
  const nodes: Node[] = [];
  for (const { back, skip, isCut } of moves) {
    const top = above(nodes.at(-1) ?? null, back);
    const previous = isCut ? null : top;
    const number = (top?.number ?? 2 ** 32 - 700) + 1 + skip;
    const version = nodes.length + 1;
    const block = { number, hash: wordOf(version), parentHash: wordOf(0), completedAt: version };
    nodes.push({ ordinal: appendBlockRecord(table, block, previous?.ordinal ?? 0), number, previous });
  }
  return nodes;
}

/** The node `back` steps before another one, if there is one. */
function above(node: Node | null, back: number): Node | null {
  return back === 0 || !node?.previous ? node : above(node.previous, back - 1);
}

function compare(table: Table, nodes: readonly Node[], top: Node): void {
  const isKept = (node: Node | null): node is Node => node !== null && node.ordinal > nodes.length - BLOCK_RING_RECORDS;
  if (!isKept(top)) return;
  for (let number = top.number + 2; number > top.number - 300; number--) {
    const node = walk(top, (candidate) => candidate.number <= number);
    const expected = node?.number === number && isKept(node) ? node.ordinal : 0;
    assert.equal(findBlockRecord(table, top.ordinal, number), expected, `block ${number} seen from ${top.number}`);
    if (expected !== 0) checkRecord(table, expected);
    const below = walk(top, (candidate) => candidate.number < number);
    assert.equal(findBlockRecordBelow(table, top.ordinal, number), isKept(below) ? below.ordinal : 0);
  }
}

function checkRecord(table: Table, ordinal: number): void {
  assert.equal(versionOfBlockAt(table, ordinal), ordinal);
  assert.deepEqual(blockHashAtOrdinal(table, ordinal), wordOf(ordinal));
  assert.deepEqual([...findBlockRecordsByHash(table, wordOf(ordinal))], [ordinal]);
}
