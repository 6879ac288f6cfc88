// What a replica at a given position does with a message.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideOnStreamMessage } from '../../../src/replicas/feed/stream-decision.js';
import type { VersionMessage } from '../../../src/replicas/messages/stream-message.js';
import { diffOf } from '../../state/diffs.js';

const HERE = { epoch: 3, version: 10 };

const version = (epoch: number, number: number): VersionMessage => ({
  kind: 'version',
  epoch,
  version: number,
  diff: diffOf({ block: 1 }),
  before: null,
  details: { kind: 'increment', announcement: null },
});

test('a version is applied only after its predecessor in the same epoch', () => {
  assert.deepEqual(decideOnStreamMessage(HERE, version(3, 11)), { kind: 'apply' });
  assert.deepEqual(decideOnStreamMessage(HERE, version(3, 10)), { kind: 'passed' });
  assert.deepEqual(decideOnStreamMessage(HERE, version(3, 4)), { kind: 'passed' });
  assert.deepEqual(decideOnStreamMessage(HERE, version(3, 12)), { kind: 'gap', expected: 11 });
  assert.deepEqual(decideOnStreamMessage(HERE, version(4, 11)), { kind: 'gap', expected: 11 });
  assert.deepEqual(decideOnStreamMessage(HERE, version(2, 11)), { kind: 'gap', expected: 11 });
});

test('an epoch continues where its leader was, or starts anew', () => {
  const epoch = { kind: 'epoch', epoch: 4 } as const;
  assert.deepEqual(decideOnStreamMessage(HERE, { ...epoch, version: 10, continues: true }), { kind: 'continue' });
  assert.deepEqual(decideOnStreamMessage(HERE, { ...epoch, version: 9, continues: true }), {
    kind: 'gap',
    expected: 10,
  });
  assert.deepEqual(decideOnStreamMessage(HERE, { ...epoch, version: 10, continues: false }), { kind: 'anew' });
});
