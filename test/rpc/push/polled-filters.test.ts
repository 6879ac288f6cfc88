// Filters of polling clients: how they are counted, and when they expire.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEV_CHAIN } from '../../../src/feed/dev/genesis.js';
import { toQuantity } from '../../../src/lib/bytes/hex.js';
import { LIMITS } from '../../../src/limits/index.js';
import { ExecutedBlockLookup } from '../../../src/rpc/view/executed-block-lookup.js';
import { LogFilter } from '../../../src/rpc/render/log-filter.js';
import { PreConfirmedBlocks } from '../../../src/rpc/view/pre-confirmed-blocks.js';
import { ChainEvents } from '../../../src/rpc/push/chain-events.js';
import { PushCounts } from '../../../src/rpc/push/push-counts.js';
import { PolledFilters } from '../../../src/rpc/push/polled-filters.js';
import { newSubscriptionId } from '../../../src/rpc/push/topic-delivery.js';
import {
  createLogsTopic,
  newBlockHashesTopic,
  newPendingTransactionsTopic,
} from '../../../src/rpc/push/subscription-topic-messages.js';

test('filters are counted by topic until they are removed or not polled for five minutes', () => {
  let nowMs = 0;
  const counts = new PushCounts();
  const filters = new PolledFilters(new ChainEvents(), counts, () => nowMs);
  const open = (): readonly number[] =>
    ['newBlockHashes', 'newPendingTransactions'].map((topic) => counts.of(topic).filters);
  const blocks = filters.add(newBlockHashesTopic(), null)!;
  const pending = [false, true].map((full) => filters.add(newPendingTransactionsTopic(full), null)!);
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

test('a filter that may have missed an event expires, others continue', () => {
  const [counts, events] = [new PushCounts(), new ChainEvents()];
  const filters = new PolledFilters(events, counts, () => 0);
  const executed = new ExecutedBlockLookup(DEV_CHAIN, new PreConfirmedBlocks());
  const ends = [
    createLogsTopic({ filter: new LogFilter([], []), kind: 'complete' }, executed),
    newBlockHashesTopic(),
  ].map((topic) => filters.add(topic, null)!);
  const pending = filters.add(newPendingTransactionsTopic(false), null)!;
  for (const id of ends) assert.deepEqual(filters.changes(id), []);
  events.begin(null);
  for (const id of ends) {
    assert.equal(filters.changes(id), null);
    assert.equal(filters.remove(id), false);
  }
  assert.deepEqual(filters.changes(pending), []);
  assert.deepEqual([counts.of('logs').filters, counts.of('newPendingTransactions').filters], [0, 1]);
});

test('a filter id is a quantity: clients parse it as a number and poll by that', () => {
  for (let i = 0; i < 500; i++) assert.match(newSubscriptionId(), /^0x[1-9a-f][0-9a-f]*$/);
  const filters = new PolledFilters(new ChainEvents(), new PushCounts(), () => 0);
  for (let i = 0; i < 500; i++)
    assert.ok(filters.remove(toQuantity(BigInt(filters.add(newBlockHashesTopic(), null)!))));
});
