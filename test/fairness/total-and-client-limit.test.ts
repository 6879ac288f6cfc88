// Quotas of clients for one resource.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageLedger } from '../../src/fairness/usage-ledger.js';
import { TotalAndClientLimit } from '../../src/fairness/total-and-client-limit.js';

void test('a client is refused beyond its quota, and everybody beyond the total bound', () => {
  const shares = new TotalAndClientLimit(new UsageLedger(), 'bodyBytes', 10, 6);
  assert.ok(shares.take('a', 6));
  assert.ok(!shares.take('a', 1));
  assert.ok(!shares.take('b', 5));
  assert.ok(shares.take('b', 4));
  shares.release('a', 6);
  assert.ok(shares.take('a', 6));
  assert.equal(shares.all, 10);
});

void test('different resources are counted separately, quotas of one resource together', () => {
  const ledger = new UsageLedger();
  const [bodies, more] = [
    new TotalAndClientLimit(ledger, 'bodies', 4, 2),
    new TotalAndClientLimit(ledger, 'bodies', 4, 3),
  ];
  assert.ok(bodies.take('a', 2));
  assert.ok(new TotalAndClientLimit(ledger, 'sockets', 4, 2).take('a', 2));
  assert.ok(more.take('a', 1));
  assert.ok(bodies.isClientOver('a') && !more.isClientOver('a'));
  assert.ok(!bodies.isOver);
  bodies.count('b', 2);
  assert.ok(bodies.isOver && more.isOver);
});
