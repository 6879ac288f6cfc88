// Every case of the sequence, as a table.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sequence, type Attempt, type SequenceCase } from '../../../../src/feed/live/pre-confirmed/sequence.js';
import { attempt, blockHash, frame, payloadId, type FrameFields } from '../../streams/flashblocks/frames.js';

function kept(block: number, count: number, state: Attempt['state'] = 'open', payload = 1): Attempt {
  const frames = attempt(block, count, payload);
  const [first] = frames;
  assert.ok(first?.kind === 'open');
  const increments = frames.map(({ increment }) => increment);
  return { block, name: payloadId(payload), base: first.base, increments, state };
}

const head = { number: 9, hash: blockHash(9) };

function caseOf(attempts: readonly Attempt[], fields: FrameFields, canonical: typeof head | null = head): SequenceCase {
  return sequence({ canonical, attempts }, frame({ payload: 1, ...fields }));
}

void describe('an opening', () => {
  void it('an opening on the canonical head opens its block', () => {
    assert.deepEqual(caseOf([], { block: 10, index: 0 }), { kind: 'opens' });
  });

  void it('an opening on a pre-confirmed block opens its block before that one is canonical', () => {
    assert.deepEqual(caseOf([kept(10, 3)], { block: 11, index: 0 }), { kind: 'opens' });
  });

  void it('an opening on a head of another hash waits', () => {
    assert.deepEqual(caseOf([], { block: 10, index: 0, branch: 5 }), { kind: 'ahead' });
  });

  void it('an opening waits while nothing canonical is known', () => {
    assert.deepEqual(caseOf([], { block: 10, index: 0 }, null), { kind: 'ahead' });
  });

  void it('an opening with a block missing below it waits', () => {
    assert.deepEqual(caseOf([kept(10, 3)], { block: 12, index: 0 }), { kind: 'ahead' });
  });

  for (const state of ['interrupted', 'broken', 'rejected'] as const) {
    void it(`an opening on a block that is ${state} waits`, () => {
      assert.deepEqual(caseOf([kept(10, 3, state)], { block: 11, index: 0 }), { kind: 'ahead' });
    });
  }

  void it('an opening of another attempt replaces the one before', () => {
    assert.deepEqual(caseOf([kept(10, 3)], { block: 10, index: 0, payload: 2 }), { kind: 'replaces' });
  });

  void it('an opening of another attempt replaces a block below the newest, too', () => {
    const attempts = [kept(10, 3), kept(11, 2)];
    assert.deepEqual(caseOf(attempts, { block: 10, index: 0, payload: 2 }), { kind: 'replaces' });
  });

  void it('an opening of the same attempt with other content or another parent replaces it', () => {
    const other = { block: 10, index: 0, transactions: [Uint8Array.of(1)] };
    assert.deepEqual(caseOf([kept(10, 3)], other), { kind: 'replaces' });
    assert.deepEqual(caseOf([kept(10, 3)], { block: 10, index: 0, branch: 5 }), { kind: 'replaces' });
  });

  void it('an opening told twice is a duplicate', () => {
    assert.deepEqual(caseOf([kept(10, 1)], { block: 10, index: 0 }), { kind: 'duplicate' });
    assert.deepEqual(caseOf([kept(10, 3)], { block: 10, index: 0 }), { kind: 'duplicate' });
    assert.deepEqual(caseOf([kept(10, 3, 'interrupted')], { block: 10, index: 0 }), { kind: 'duplicate' });
    assert.deepEqual(caseOf([kept(10, 3, 'broken')], { block: 10, index: 0 }), { kind: 'duplicate' });
  });

  void it('an opening that is told again after its attempt was rejected begins it anew', () => {
    assert.deepEqual(caseOf([kept(10, 3, 'rejected')], { block: 10, index: 0 }), { kind: 'replaces' });
  });

  void it('an opening of a canonical block is stale', () => {
    assert.deepEqual(caseOf([], { block: 9, index: 0 }), { kind: 'stale' });
    assert.deepEqual(caseOf([], { block: 3, index: 0 }), { kind: 'stale' });
  });
});

void describe('a follower', () => {
  void it('the next increment continues its block', () => {
    assert.deepEqual(caseOf([kept(10, 3)], { block: 10, index: 3 }), { kind: 'next' });
    assert.deepEqual(caseOf([kept(10, 3, 'interrupted')], { block: 10, index: 3 }), { kind: 'next' });
  });

  void it('an increment told twice is a duplicate', () => {
    assert.deepEqual(caseOf([kept(10, 3)], { block: 10, index: 2 }), { kind: 'duplicate' });
    assert.deepEqual(caseOf([kept(10, 3)], { block: 10, index: 1 }), { kind: 'duplicate' });
  });

  void it('an increment told twice with other content is a conflict', () => {
    assert.deepEqual(caseOf([kept(10, 3)], { block: 10, index: 2, transactions: [] }), { kind: 'conflict' });
  });

  void it('an increment behind a gap names the index that is missing', () => {
    assert.deepEqual(caseOf([kept(10, 3)], { block: 10, index: 5 }), { kind: 'gap', expected: 3 });
  });

  void it('an increment of an attempt that is broken is the missing one, or waits for it', () => {
    const found = [1, 3, 4].map((index) => caseOf([kept(10, 3, 'broken')], { block: 10, index }).kind);
    assert.deepEqual(found, ['duplicate', 'next', 'afterGap']);
  });

  void it('an increment of an attempt that was rejected is useless', () => {
    for (const index of [1, 3, 4])
      assert.deepEqual(caseOf([kept(10, 3, 'rejected')], { block: 10, index }), { kind: 'useless' });
  });

  void it('an increment of another attempt is of another one, whatever its index', () => {
    for (const index of [1, 3, 7])
      assert.deepEqual(caseOf([kept(10, 3)], { block: 10, index, payload: 2 }), { kind: 'otherAttempt' });
  });

  void it('an increment with the payload id of another block has no opening', () => {
    assert.deepEqual(caseOf([kept(10, 3)], { block: 11, index: 3 }), { kind: 'unopened' });
  });

  void it('an increment without an opening is unopened', () => {
    assert.deepEqual(caseOf([], { block: 10, index: 1 }), { kind: 'unopened' });
    assert.deepEqual(caseOf([kept(10, 3)], { block: 11, index: 1 }), { kind: 'unopened' });
  });

  void it('an increment of a block that a later one was built on continues it', () => {
    assert.deepEqual(caseOf([kept(10, 3), kept(11, 1, 'open', 2)], { block: 10, index: 3 }), { kind: 'next' });
  });

  void it('an increment of a canonical block is stale', () => {
    assert.deepEqual(caseOf([kept(10, 1)], { block: 9, index: 3 }), { kind: 'stale' });
  });
});
