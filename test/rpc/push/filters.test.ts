// Filters of clients that poll: what is counted of them, and that nobody's is kept.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '../../../src/limits.js';
import { ChainEvents } from '../../../src/rpc/push/chain-events.js';
import { PushCounts } from '../../../src/rpc/push/counts.js';
import { Filters } from '../../../src/rpc/push/filters.js';
import { newBlockHashes, newPendingTransactions } from '../../../src/rpc/push/topics.js';

test('filters are counted by topic until they are removed, or nobody has asked for five minutes', () => {
  let nowMs = 0;
  const counts = new PushCounts();
  const filters = new Filters(new ChainEvents(), counts, () => nowMs);
  const open = (): readonly number[] =>
    ['newBlockHashes', 'newPendingTransactions'].map((topic) => counts.of(topic).filters);
  const blocks = filters.add(newBlockHashes(), null)!;
  const pending = [false, true].map((full) => filters.add(newPendingTransactions(full), null)!);
  assert.deepEqual(open(), [1, 2]);
  assert.ok(filters.remove(pending[0]!));
  assert.ok(!filters.remove(pending[0]!));
  assert.deepEqual(open(), [1, 1]);
  nowMs = LIMITS.filterIdleMsMax;
  assert.deepEqual(filters.changes(blocks), []);
  nowMs++;
  assert.equal(filters.changes(pending[1]!), null);
  assert.deepEqual(open(), [1, 0]);
});
