// Room and worker time of clients, by a clock of the test's. Runs on main.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '../../../src/limits.js';
import { type Client, ClientShares } from '../../../src/pool/estimator/client-shares.js';

const MUCH_MS = LIMITS.clientWorkerMsMax + 1;

void test('a client gets half of the bytes that the others leave, our own work all that there is', () => {
  const shares = new ClientShares({ jobsMax: 100, bytesMax: 1000 });
  const [first, second, nobody] = [shares.of('first'), shares.of('second'), shares.of(undefined)];
  assert.ok(shares.isWithin(first, 500));
  assert.ok(!shares.isWithin(first, 501));
  shares.admit(first, 400, 0);
  assert.ok(shares.isWithin(second, 300));
  assert.ok(!shares.isWithin(second, 301));
  assert.ok(shares.isWithin(nobody, 600));
  assert.ok(shares.hasRoom(600));
  assert.ok(!shares.hasRoom(601));
  shares.release(first, 400);
  assert.equal(shares.jobs, 0);
  assert.ok(shares.isWithin(second, 500));
});

void test('a client that has used its time is over its budget while others have jobs, until the time fades', () => {
  const shares = new ClientShares({ jobsMax: 100, bytesMax: 1000 });
  const [busy, other] = [shares.of('busy'), shares.of('other')];
  shares.admit(busy, 1, 0);
  shares.use(busy, MUCH_MS, 1000);
  assert.ok(!shares.isOverBudget(busy, 1000), 'alone it may have all');
  shares.admit(other, 1, 0);
  assert.ok(shares.isOverBudget(busy, 1000));
  assert.ok(!shares.isOverBudget(other, 1000));
  assert.ok(!shares.isOverBudget(busy, 1000 + LIMITS.clientWorkerWindowMs));
});

/** A client of which this many milliseconds were used by jobs of so long each, at the time 0. */
function usedBy(shares: ClientShares, name: string, sumMs: number, eachMs: number): Client {
  const client = shares.of(name);
  for (let ms = 0; ms < sumMs; ms += eachMs) shares.use(client, eachMs, 0);
  return client;
}

void test('a client is slow by what its long jobs took, not by the number of short ones, until that fades', () => {
  const shares = new ClientShares({ jobsMax: 100, bytesMax: 1000 });
  const slow = usedBy(shares, 'slow', LIMITS.clientLongMsMax + 1, LIMITS.longJobMs + 1);
  const quick = usedBy(shares, 'quick', MUCH_MS, LIMITS.longJobMs);
  shares.admit(slow, 1, 0);
  shares.admit(quick, 1, 0);
  assert.ok(shares.isSlow(slow, 0));
  assert.ok(!shares.isSlow(quick, 0));
  assert.ok(!shares.isSlow(slow, LIMITS.clientWorkerWindowMs));
});

void test('a client that has been alone for a while is in the way of nobody, however long its jobs are', () => {
  const shares = new ClientShares({ jobsMax: 100, bytesMax: 1000 });
  const slow = usedBy(shares, 'slow', MUCH_MS, LIMITS.longJobMs + 1);
  shares.admit(shares.of('other'), 1, 0);
  shares.admit(slow, 1, 1);
  assert.ok(shares.isSlow(slow, LIMITS.clientAloneMs));
  assert.ok(!shares.isSlow(slow, LIMITS.clientAloneMs + 2));
  shares.admit(shares.of('other'), 1, LIMITS.clientAloneMs + 2);
  assert.ok(shares.isSlow(slow, LIMITS.clientAloneMs + 2));
});

void test('clients that cannot be told apart are never one alone', () => {
  const shares = new ClientShares({ jobsMax: 100, bytesMax: 1000 });
  shares.admit(shares.of('one'), 1, 0);
  assert.ok(!shares.isOneAlone(LIMITS.clientAloneMs));
  assert.ok(shares.isOneAlone(LIMITS.clientAloneMs + 1));
  shares.admit(shares.of(undefined), 1, LIMITS.clientAloneMs + 1);
  assert.ok(!shares.isOneAlone(3 * LIMITS.clientAloneMs));
});

void test('work without a client has no budget', () => {
  const shares = new ClientShares({ jobsMax: 100, bytesMax: 1000 });
  const nobody = shares.of(undefined);
  shares.use(nobody, MUCH_MS, 0);
  shares.admit(shares.of('other'), 1, 0);
  assert.ok(!shares.isOverBudget(nobody, 0));
});

void test('at most so many clients are remembered; those with jobs are not forgotten', () => {
  const shares = new ClientShares({ jobsMax: 100, bytesMax: 1000 });
  const [first, second] = [shares.of('0'), shares.of('1')];
  shares.admit(first, 1, 0);
  for (let name = 2; name <= LIMITS.clientsKeptMax; name++) shares.of(`${name}`);
  assert.equal(shares.of('0'), first);
  assert.notEqual(shares.of('1'), second, 'it was forgotten');
});
