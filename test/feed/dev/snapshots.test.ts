// Snapshots in isolation: which block one refers to, when they are dropped, and which are too deep.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DevSnapshots } from '../../../src/feed/dev/snapshots.js';
import { LIMITS } from '../../../src/limits/index.js';
import { createServedMethods, type MethodDeps } from '../../../src/rpc/methods/method-functions.js';

interface Block {
  readonly header: { readonly number: number };
}

const block = (number: number): Block => ({ header: { number } });

function rig(): { readonly snapshots: DevSnapshots<Block>; readonly rings: () => number } {
  let rings = 0;
  return { snapshots: new DevSnapshots<Block>(() => rings++), rings: () => rings };
}

test('a snapshot at an empty block is answered at once; one with transactions is sealed first and answered when the next is open', async () => {
  const { snapshots, rings } = rig();
  const first = snapshots.take();
  assert.deepEqual([rings(), snapshots.any], [1, true]);
  assert.equal(snapshots.next(block(5), true), null);
  assert.equal(await first, 1);
  let second = 0;
  void snapshots.take().then((id) => (second = id));
  const turn = snapshots.next(block(5), false);
  assert.ok(turn?.kind === 'seal');
  turn.sealed(block(6));
  await Promise.resolve();
  assert.equal(second, 0);
  snapshots.opened();
  await Promise.resolve();
  assert.equal(second, 2);
});

test('concurrent requests are served in order, one at a time where a block has to end', async () => {
  const { snapshots } = rig();
  const answers = [snapshots.take(), snapshots.goBack(1), snapshots.goBack(1), snapshots.take()];
  assert.deepEqual(snapshots.next(block(3), true), { kind: 'goBack', to: block(3) });
  snapshots.opened();
  assert.equal(snapshots.next(block(3), true), null);
  assert.deepEqual(await Promise.all(answers), [1, true, false, 2]);
});

test('a block is too deep once the chain was ever that far above it, and the oldest snapshots are dropped', async () => {
  const { snapshots } = rig();
  const ids = [10, 11].map((number) => {
    const id = snapshots.take();
    snapshots.next(block(number), true);
    return id;
  });
  snapshots.next(block(10 + LIMITS.blocksKeptMax), true);
  const deep = snapshots.goBack(await ids[0]!);
  assert.equal(snapshots.next(block(12), true), null);
  assert.equal(await deep, null);
  void snapshots.goBack(await ids[1]!);
  assert.equal(snapshots.next(block(12), true)?.kind, 'goBack');
  for (let taken = 0; taken < LIMITS.devSnapshotsMax; taken++) void snapshots.take();
  const forgotten = snapshots.goBack(1);
  assert.equal(snapshots.next(block(11), true), null);
  assert.equal(await forgotten, false);
});

/** Development methods that are served with these dependencies. */
function namesWith(snapshots: MethodDeps['snapshots']): string[] {
  const methods = createServedMethods({ snapshots } as MethodDeps);
  return methods.flatMap(({ name }) => (name.startsWith('evm_') ? [name] : []));
}

test('chains without snapshots do not have the evm_ methods', () => {
  assert.deepEqual(namesWith(null), []);
  assert.deepEqual(namesWith({ ask: () => Promise.resolve('null') }), ['evm_snapshot', 'evm_revert']);
});
