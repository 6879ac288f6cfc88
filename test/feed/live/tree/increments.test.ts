// All cases of an increment compared with the announced payloads, as a table of resulting actions.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  LiveBlockTree,
  type PayloadContinuity,
  type AnnouncedPayload,
} from '../../../../src/feed/live/tree/block-tree.js';
import { decideTreeActions } from '../../../../src/feed/live/tree/decide-tree-actions.js';
import { attempt, canonical, frame, payloadId, type FrameFields } from '../../streams/flashblocks/frames.js';
import { rigAt } from './tree-rig.js';

/** A block of the feed in a given state. */
function payloadOf(
  block: number,
  count: number,
  continuity: PayloadContinuity = 'open',
  payload = 1,
): AnnouncedPayload {
  const frames = attempt(block, count, payload);
  const [first] = frames;
  assert.ok(first?.kind === 'open');
  const increments = frames.map(({ increment }) => increment);
  const nothing = { buffered: new Map(), bytes: 0, state: 'announced', execution: null } as const;
  return { block, payloadId: payloadId(payload), base: first.base, increments, continuity, ...nothing };
}

/** Kinds of the actions at canonical block 9; without `isBegun`, no canonical block is known. */
function actionsOf(announced: readonly AnnouncedPayload[], fields: FrameFields, isBegun = true): string {
  const tree = isBegun ? rigAt(canonical(9, [])).tree : new LiveBlockTree();
  for (const payload of announced) tree.announce(payload);
  const actions = decideTreeActions(tree, { kind: 'increment', increment: frame({ payload: 1, ...fields }) });
  return actions.map((action) => (action.kind === 'mark' ? action.continuity : action.kind)).join(' ');
}

void describe('an opening', () => {
  void it('an opening on the canonical head opens its block', () => {
    assert.equal(actionsOf([], { block: 10, index: 0 }), 'announce serve');
  });

  void it('an opening on a pre-confirmed block opens its block before that one is canonical', () => {
    assert.equal(actionsOf([payloadOf(10, 3)], { block: 11, index: 0 }), 'announce serve');
  });

  void it('an opening on a head of another hash waits', () => {
    assert.equal(actionsOf([], { block: 10, index: 0, branch: 5 }), 'announce serve');
  });

  void it('an opening waits while nothing canonical is known', () => {
    assert.equal(actionsOf([], { block: 10, index: 0 }, false), 'announce serve');
  });

  void it('an opening with a block missing below it waits', () => {
    assert.equal(actionsOf([payloadOf(10, 3)], { block: 12, index: 0 }), 'announce serve');
  });

  for (const state of ['interrupted', 'broken', 'rejected'] as const) {
    void it(`an opening on a block that is ${state} waits`, () => {
      assert.equal(actionsOf([payloadOf(10, 3, state)], { block: 11, index: 0 }), 'announce serve');
    });
  }

  void it('an opening of another attempt replaces the one before', () => {
    assert.equal(actionsOf([payloadOf(10, 3)], { block: 10, index: 0, payload: 2 }), 'announce serve');
  });

  void it('an opening of another attempt replaces a block below the newest, too', () => {
    const payloads = [payloadOf(10, 3), payloadOf(11, 2)];
    assert.equal(actionsOf(payloads, { block: 10, index: 0, payload: 2 }), 'announce serve');
  });

  void it('an opening of the same attempt with other content or another parent replaces it', () => {
    const other = { block: 10, index: 0, transactions: [Uint8Array.of(1)] };
    assert.equal(actionsOf([payloadOf(10, 3)], other), 'announce serve');
    assert.equal(actionsOf([payloadOf(10, 3)], { block: 10, index: 0, branch: 5 }), 'announce serve');
  });

  void it('an opening received twice is a duplicate', () => {
    assert.equal(actionsOf([payloadOf(10, 1)], { block: 10, index: 0 }), '');
    assert.equal(actionsOf([payloadOf(10, 3)], { block: 10, index: 0 }), '');
    assert.equal(actionsOf([payloadOf(10, 3, 'interrupted')], { block: 10, index: 0 }), '');
    assert.equal(actionsOf([payloadOf(10, 3, 'broken')], { block: 10, index: 0 }), '');
  });

  void it('an opening received again after its attempt was rejected restarts it', () => {
    assert.equal(actionsOf([payloadOf(10, 3, 'rejected')], { block: 10, index: 0 }), 'announce serve');
  });

  void it('an opening of a canonical block is stale', () => {
    assert.equal(actionsOf([], { block: 9, index: 0 }), '');
    assert.equal(actionsOf([], { block: 3, index: 0 }), '');
  });
});

void describe('a follower', () => {
  void it('the next increment continues its block', () => {
    assert.equal(actionsOf([payloadOf(10, 3)], { block: 10, index: 3 }), 'extend serve');
    assert.equal(actionsOf([payloadOf(10, 3, 'interrupted')], { block: 10, index: 3 }), 'extend serve');
  });

  void it('an increment received twice is a duplicate', () => {
    assert.equal(actionsOf([payloadOf(10, 3)], { block: 10, index: 2 }), '');
    assert.equal(actionsOf([payloadOf(10, 3)], { block: 10, index: 1 }), '');
  });

  void it('an increment received twice with different content is a conflict', () => {
    assert.equal(actionsOf([payloadOf(10, 3)], { block: 10, index: 2, transactions: [] }), 'rejected serve');
  });

  void it('an increment behind a gap names the index that is missing', () => {
    assert.equal(actionsOf([payloadOf(10, 3)], { block: 10, index: 5 }), 'buffer broken gap');
  });

  void it('an increment of an attempt that is broken is the missing one, or waits for it', () => {
    const found = [1, 3, 4].map((index) => actionsOf([payloadOf(10, 3, 'broken')], { block: 10, index }));
    assert.deepEqual(found, ['', 'extend filled serve', 'buffer']);
  });

  void it('an increment of an attempt that was rejected is useless', () => {
    for (const index of [1, 3, 4]) assert.equal(actionsOf([payloadOf(10, 3, 'rejected')], { block: 10, index }), '');
  });

  void it('an increment of another attempt is of another one, whatever its index', () => {
    for (const index of [1, 3, 7])
      assert.equal(actionsOf([payloadOf(10, 3)], { block: 10, index, payload: 2 }), 'orphans buffer');
  });

  void it('an increment with the payload id of another block has no opening', () => {
    assert.equal(actionsOf([payloadOf(10, 3)], { block: 11, index: 3 }), 'orphans buffer gap');
  });

  void it('an increment without an opening is unopened', () => {
    assert.equal(actionsOf([], { block: 10, index: 1 }), 'orphans buffer gap');
    assert.equal(actionsOf([payloadOf(10, 3)], { block: 11, index: 1 }), 'orphans buffer gap');
  });

  void it('an increment of a block that a later one was built on continues it', () => {
    assert.equal(actionsOf([payloadOf(10, 3), payloadOf(11, 1, 'open', 2)], { block: 10, index: 3 }), 'extend serve');
  });

  void it('an increment of a canonical block is stale', () => {
    assert.equal(actionsOf([payloadOf(10, 1)], { block: 9, index: 3 }), '');
  });
});
