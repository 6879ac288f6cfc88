// Every case of the sequence, as a table.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sequence, type Attempt, type SequenceCase } from '../../../src/feed/flashblocks/sequence.js';
import { attempt, blockHash, frame, type FrameFields } from './frames.js';

const PAYLOAD_1 = '0x0000000000000001';

function kept(block: number, count: number, state: Attempt['state'] = 'open', payload = 1): Attempt {
  const frames = attempt(block, count, payload);
  return { block, payloadId: frames[0]!.payloadId, frames, state };
}

const head = { number: 9, hash: blockHash(9) };

function caseOf(attempts: readonly Attempt[], fields: FrameFields, canonical: typeof head | null = head): SequenceCase {
  return sequence({ canonical, attempts }, frame({ payload: 1, ...fields }));
}

void describe('an opening', () => {
  void it('on the canonical head', () => {
    assert.deepEqual(caseOf([], { block: 10, index: 0 }), { kind: 'opens' });
  });

  void it('on the pre-confirmed block before it, before that is canonical', () => {
    assert.deepEqual(caseOf([kept(10, 3)], { block: 11, index: 0 }), { kind: 'opens' });
  });

  void it('on a canonical head of another hash', () => {
    assert.deepEqual(caseOf([], { block: 10, index: 0, branch: 5 }), { kind: 'ahead' });
  });

  void it('before anything canonical is known', () => {
    assert.deepEqual(caseOf([], { block: 10, index: 0 }, null), { kind: 'ahead' });
  });

  void it('with a block missing below it', () => {
    assert.deepEqual(caseOf([kept(10, 3)], { block: 12, index: 0 }), { kind: 'ahead' });
  });

  for (const state of ['interrupted', 'broken', 'rejected'] as const) {
    void it(`on a block that is ${state}`, () => {
      assert.deepEqual(caseOf([kept(10, 3, state)], { block: 11, index: 0 }), { kind: 'ahead' });
    });
  }

  void it('of another attempt', () => {
    assert.deepEqual(caseOf([kept(10, 3)], { block: 10, index: 0, payload: 2 }), {
      kind: 'replaces',
      payloadId: PAYLOAD_1,
    });
  });

  void it('of another attempt of a block below the newest', () => {
    const attempts = [kept(10, 3), kept(11, 2)];
    assert.deepEqual(caseOf(attempts, { block: 10, index: 0, payload: 2 }), { kind: 'replaces', payloadId: PAYLOAD_1 });
  });

  void it('of the same attempt with other content, or on another parent', () => {
    const other = { block: 10, index: 0, transactions: [Uint8Array.of(1)] };
    assert.deepEqual(caseOf([kept(10, 3)], other), { kind: 'replaces', payloadId: PAYLOAD_1 });
    assert.deepEqual(caseOf([kept(10, 3)], { block: 10, index: 0, branch: 5 }), {
      kind: 'replaces',
      payloadId: PAYLOAD_1,
    });
  });

  void it('told twice', () => {
    assert.deepEqual(caseOf([kept(10, 1)], { block: 10, index: 0 }), { kind: 'duplicate' });
    assert.deepEqual(caseOf([kept(10, 3)], { block: 10, index: 0 }), { kind: 'duplicate' });
    assert.deepEqual(caseOf([kept(10, 3, 'interrupted')], { block: 10, index: 0 }), { kind: 'duplicate' });
  });

  for (const state of ['broken', 'rejected'] as const) {
    void it(`told again after the attempt was ${state}: a new beginning`, () => {
      assert.deepEqual(caseOf([kept(10, 3, state)], { block: 10, index: 0 }), {
        kind: 'replaces',
        payloadId: PAYLOAD_1,
      });
    });
  }

  void it('of a block that is canonical', () => {
    assert.deepEqual(caseOf([], { block: 9, index: 0 }), { kind: 'stale' });
    assert.deepEqual(caseOf([], { block: 3, index: 0 }), { kind: 'stale' });
  });
});

void describe('a follower', () => {
  void it('next', () => {
    assert.deepEqual(caseOf([kept(10, 3)], { block: 10, index: 3 }), { kind: 'next' });
    assert.deepEqual(caseOf([kept(10, 3, 'interrupted')], { block: 10, index: 3 }), { kind: 'next' });
  });

  void it('told twice', () => {
    assert.deepEqual(caseOf([kept(10, 3)], { block: 10, index: 2 }), { kind: 'duplicate' });
    assert.deepEqual(caseOf([kept(10, 3)], { block: 10, index: 1 }), { kind: 'duplicate' });
  });

  void it('told twice with other content', () => {
    assert.deepEqual(caseOf([kept(10, 3)], { block: 10, index: 2, transactions: [] }), { kind: 'conflict' });
  });

  void it('behind a gap', () => {
    assert.deepEqual(caseOf([kept(10, 3)], { block: 10, index: 5 }), { kind: 'gap', expected: 3, actual: 5 });
  });

  for (const state of ['broken', 'rejected'] as const) {
    void it(`of an attempt that is ${state}`, () => {
      for (const index of [1, 3, 4])
        assert.deepEqual(caseOf([kept(10, 3, state)], { block: 10, index }), { kind: 'afterGap' });
    });
  }

  void it('of another attempt, whatever its index', () => {
    for (const index of [1, 3, 7])
      assert.deepEqual(caseOf([kept(10, 3)], { block: 10, index, payload: 2 }), {
        kind: 'otherPayload',
        expected: PAYLOAD_1,
      });
  });

  void it('with the payload id of another block', () => {
    assert.deepEqual(caseOf([kept(10, 3)], { block: 11, index: 3 }), { kind: 'unopened' });
  });

  void it('without an opening', () => {
    assert.deepEqual(caseOf([], { block: 10, index: 1 }), { kind: 'unopened' });
    assert.deepEqual(caseOf([kept(10, 3)], { block: 11, index: 1 }), { kind: 'unopened' });
  });

  void it('of a block that a later one was built on', () => {
    assert.deepEqual(caseOf([kept(10, 3), kept(11, 1, 'open', 2)], { block: 10, index: 3 }), { kind: 'stale' });
  });

  void it('of a block that is canonical', () => {
    assert.deepEqual(caseOf([kept(10, 1)], { block: 9, index: 3 }), { kind: 'stale' });
  });
});
