// Every case of reconciling, as a table.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  reconcile,
  type PendingBlock,
  type Reconciliation,
} from '../../../../src/feed/live/pre-confirmed/reconcile.js';
import type { CanonicalBlock } from '../../../../src/feed/stream.js';
import { blockHash } from '../../streams/flashblocks/frames.js';

const hash = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);

/** Blocks from 10 on, each with two transactions. */
function pending(count: number): PendingBlock[] {
  return Array.from({ length: count }, (_, at) => ({
    number: 10 + at,
    parentHash: blockHash(9 + at),
    transactionHashes: [hash(at), hash(at + 100)],
    postExecHash: null,
  }));
}

function canonical(number: number, change: Partial<CanonicalBlock> = {}): CanonicalBlock {
  const at = number - 10;
  return {
    number,
    hash: blockHash(number),
    parentHash: blockHash(number - 1),
    transactionHashes: [hash(at), hash(at + 100)],
    ...change,
  };
}

function outcome(ours: readonly PendingBlock[], block: CanonicalBlock, depth = 3): Reconciliation {
  return reconcile(ours, block, depth);
}

void describe('reconcile', () => {
  const table: readonly (readonly [
    what: string,
    ours: readonly PendingBlock[],
    block: CanonicalBlock,
    expected: Reconciliation,
  ])[] = [
    ['nothing is pre-confirmed', [], canonical(10), { kind: 'nothing' }],
    ['the block that ours are built on', pending(2), canonical(9), { kind: 'nothing' }],
    [
      'another block than the one that ours are built on',
      pending(2),
      canonical(9, { hash: hash(7) }),
      { kind: 'reorg', block: 10, reason: 'anchor' },
    ],
    ['the chain went back below it', pending(2), canonical(8), { kind: 'reorg', block: 10, reason: 'anchor' }],
    ['the same list', pending(1), canonical(10), { kind: 'promote', block: 10 }],
    ['the same list, more above', pending(4), canonical(10), { kind: 'promote', block: 10 }],
    [
      'the same list under another hash of its own',
      pending(1),
      canonical(10, { hash: hash(7) }),
      { kind: 'promote', block: 10 },
    ],
    [
      'another parent',
      pending(2),
      canonical(10, { parentHash: hash(7) }),
      { kind: 'reorg', block: 10, reason: 'parent' },
    ],
    [
      'other transactions',
      pending(2),
      canonical(10, { transactionHashes: [hash(0), hash(1)] }),
      { kind: 'reorg', block: 10, reason: 'transactions' },
    ],
    [
      'the same in another order',
      pending(2),
      canonical(10, { transactionHashes: [hash(100), hash(0)] }),
      { kind: 'reorg', block: 10, reason: 'transactions' },
    ],
    [
      'fewer',
      pending(2),
      canonical(10, { transactionHashes: [hash(0)] }),
      { kind: 'reorg', block: 10, reason: 'transactions' },
    ],
    [
      'none',
      pending(1),
      canonical(10, { transactionHashes: [] }),
      { kind: 'reorg', block: 10, reason: 'transactions' },
    ],
    [
      'more',
      pending(2),
      canonical(10, { transactionHashes: [hash(0), hash(100), hash(5)] }),
      { kind: 'reorg', block: 10, reason: 'incomplete' },
    ],
    [
      'one above that was never compared below',
      pending(3),
      canonical(11),
      { kind: 'reorg', block: 10, reason: 'skipped' },
    ],
    ['beyond ours', pending(2), canonical(12), { kind: 'ahead' }],
    ['too far behind ours', pending(4), canonical(9), { kind: 'drop', aheadBlocks: 4 }],
    ['as far behind as allowed', pending(3), canonical(9), { kind: 'nothing' }],
  ];
  for (const [what, ours, block, expected] of table) {
    void it(`${what}: ${expected.kind}`, () => assert.deepEqual(outcome(ours, block), expected));
  }

  void it('a block without transactions on both sides', () => {
    const [first] = pending(1);
    const ours = [{ ...first!, transactionHashes: [] }];
    assert.deepEqual(outcome(ours, canonical(10, { transactionHashes: [] })), { kind: 'promote', block: 10 });
  });

  void it('a transaction at the end that is not executed may be listed or not, and no other', () => {
    const [first] = pending(1);
    const ours = [{ ...first!, postExecHash: hash(7) }];
    const listed = canonical(10, { transactionHashes: [hash(0), hash(100), hash(7)] });
    assert.deepEqual(outcome(ours, listed), { kind: 'promote', block: 10 });
    assert.deepEqual(outcome(ours, canonical(10)), { kind: 'promote', block: 10 });
    const another = canonical(10, { transactionHashes: [hash(0), hash(100), hash(8)] });
    assert.deepEqual(outcome(ours, another), { kind: 'reorg', block: 10, reason: 'incomplete' });
    assert.deepEqual(outcome(pending(1), listed), { kind: 'reorg', block: 10, reason: 'incomplete' });
  });
});
