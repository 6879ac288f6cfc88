// Room and worker time of clients, by a clock of the test's. Runs on main.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ledger } from '../../src/clients/ledger.js';
import { LIMITS } from '../../src/limits/index.js';

function ledger(): Ledger {
  return new Ledger({ jobsMax: 100, bytesMax: 1000 });
}

const JOB = { bytes: 1, ms: 5 };

void test('a client gets half of the bytes that the others leave, our own work all that there is', () => {
  const all = ledger();
  const [first, second, nobody] = [all.of('first'), all.of('second'), all.of(undefined)];
  assert.ok(all.isWithin(first, 500));
  assert.ok(!all.isWithin(first, 501));
  all.admit(first, { bytes: 400, ms: 1 }, 0);
  assert.ok(all.isWithin(second, 300));
  assert.ok(!all.isWithin(second, 301));
  assert.ok(all.isWithin(nobody, 600));
  assert.ok(all.hasRoom(600));
  assert.ok(!all.hasRoom(601));
  all.release(first, { bytes: 400, ms: 1 });
  assert.equal(all.jobs, 0);
  assert.ok(all.isWithin(second, 500));
});

void test('a client is put off by what its jobs are expected to take, and by what it has used until that fades', () => {
  const all = ledger();
  const client = all.of('busy');
  all.admit(client, JOB, 0);
  all.admit(client, JOB, 0);
  assert.equal(all.aheadMs(client, 0), 10);
  all.release(client, JOB);
  all.use(client, 7, 0);
  assert.equal(all.aheadMs(client, 0), 12);
  const later = all.aheadMs(client, LIMITS.clientWorkerWindowMs);
  assert.ok(later > 5 && later < 5 + 7 / 2);
  assert.equal(all.aheadMs(all.of('other'), 0), 0);
});

void test('the next new kind of job is expected to take what the last ones took, a little less each time', () => {
  const all = ledger();
  const client = all.of('one');
  assert.equal(client.triedMs, LIMITS.shortJobMs);
  all.tried(client, 8);
  assert.equal(client.triedMs, 8);
  all.tried(client, 1);
  assert.equal(client.triedMs, 6);
  all.tried(client, 1000);
  assert.equal(client.triedMs, LIMITS.longerJobMs);
});

void test('a client is alone while nobody else has asked; who cannot be told apart never is', () => {
  const all = ledger();
  all.admit(all.of('one'), JOB, 0);
  assert.ok(!all.isOneAlone(LIMITS.clientAloneMs));
  assert.ok(all.isOneAlone(LIMITS.clientAloneMs + 1));
  all.admit(all.of('other'), JOB, LIMITS.clientAloneMs + 1);
  assert.ok(!all.isOneAlone(LIMITS.clientAloneMs + 2));
  all.admit(all.of(undefined), JOB, LIMITS.clientAloneMs + 2);
  assert.ok(!all.isOneAlone(3 * LIMITS.clientAloneMs));
});

void test('at most so many clients are remembered; those with jobs are not forgotten', () => {
  const all = ledger();
  const [first, second] = [all.of('0'), all.of('1')];
  all.admit(first, JOB, 0);
  for (let name = 2; name <= LIMITS.clientsKeptMax; name++) all.of(`${name}`);
  assert.equal(all.of('0'), first);
  assert.notEqual(all.of('1'), second, 'it was forgotten');
});
