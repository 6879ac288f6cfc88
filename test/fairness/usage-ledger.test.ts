// Queue memory and worker time of clients, on a clock that the test advances.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageLedger } from '../../src/fairness/usage-ledger.js';
import { TotalAndClientLimit } from '../../src/fairness/total-and-client-limit.js';
import { LIMITS } from '../../src/limits/index.js';

const BOUNDS = { queuedJobsMax: 100, queuedJobBytesMax: 1000 };

const JOB = { bytes: 1, ms: 5 };

void test('a client gets half of the bytes that the others leave; our own work may use all that are free', () => {
  const all = new UsageLedger();
  const [first, second, nobody] = [all.of('first'), all.of('second'), all.of(undefined)];
  assert.ok(all.isWithin(first, 500, BOUNDS));
  assert.ok(!all.isWithin(first, 501, BOUNDS));
  all.admit(first, { bytes: 400, ms: 1 }, 0);
  assert.ok(all.isWithin(second, 300, BOUNDS));
  assert.ok(!all.isWithin(second, 301, BOUNDS));
  assert.ok(all.isWithin(nobody, 600, BOUNDS));
  assert.ok(all.hasCapacity(600, BOUNDS));
  assert.ok(!all.hasCapacity(601, BOUNDS));
  all.release(first, { bytes: 400, ms: 1 });
  assert.equal(all.jobs, 0);
  assert.ok(all.isWithin(second, 500, BOUNDS));
});

void test('a client is delayed by the expected time of its jobs, and by past usage until that fades', () => {
  const all = new UsageLedger();
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

void test('the next new kind of job is expected to take as long as recent ones, a little less each time', () => {
  const all = new UsageLedger();
  const client = all.of('one');
  assert.equal(client.triedMs, LIMITS.shortJobMs);
  all.tried(client, 8);
  assert.equal(client.triedMs, 8);
  all.tried(client, 1);
  assert.equal(client.triedMs, 6);
  all.tried(client, 1000);
  assert.equal(client.triedMs, LIMITS.longerJobMs);
});

void test('after two long new kinds in a row a client gets no trial until it has sent short ones', () => {
  const all = new UsageLedger();
  const client = all.of('one');
  const hasTrial = (): boolean => client.triedMs <= LIMITS.longerJobMs;
  all.tried(client, 1000);
  assert.ok(hasTrial());
  all.tried(client, 1000);
  assert.ok(!hasTrial());
  for (let kind = 0; kind < 3; kind++) all.tried(client, 1);
  assert.ok(hasTrial());
  const nobody = all.of(undefined);
  for (let kind = 0; kind < 3; kind++) all.tried(nobody, 1000);
  assert.equal(nobody.triedMs, LIMITS.longerJobMs, 'they may be many');
});

void test('a client is alone if no other has sent anything recently; unidentified clients are never alone', () => {
  const all = new UsageLedger();
  all.admit(all.of('one'), JOB, 0);
  assert.ok(!all.isOneAlone(LIMITS.clientAloneMs));
  assert.ok(all.isOneAlone(LIMITS.clientAloneMs + 1));
  all.admit(all.of('other'), JOB, LIMITS.clientAloneMs + 1);
  assert.ok(!all.isOneAlone(LIMITS.clientAloneMs + 2));
  all.admit(all.of(undefined), JOB, LIMITS.clientAloneMs + 2);
  assert.ok(!all.isOneAlone(3 * LIMITS.clientAloneMs));
  all.heard(all.of('one'), 3 * LIMITS.clientAloneMs);
  assert.ok(!all.isOneAlone(4 * LIMITS.clientAloneMs));
  all.heard(all.of('one'), 4 * LIMITS.clientAloneMs);
  assert.ok(all.isOneAlone(4 * LIMITS.clientAloneMs + 1));
});

void test('a bounded number of clients is remembered; those with jobs are not forgotten', () => {
  const all = new UsageLedger();
  const [first, second] = [all.of('0'), all.of('1')];
  all.admit(first, JOB, 0);
  for (let name = 2; name <= LIMITS.clientsKeptMax; name++) all.of(`${name}`);
  assert.equal(all.of('0'), first);
  assert.notEqual(all.of('1'), second, 'it was forgotten');
});

void test('a client with a reservation is not forgotten, and a surplus is dropped once reservations are released', () => {
  const all = new UsageLedger();
  const sockets = new TotalAndClientLimit(all, 'sockets', Infinity, 1);
  const surplus = LIMITS.clientsKeptMax + 100;
  for (let name = 0; name < surplus; name++) assert.ok(sockets.take(`${name}`, 1));
  for (let name = 0; name < surplus; name++) assert.ok(!sockets.allows(`${name}`, 1), 'what it holds is remembered');
  const first = all.of('0');
  for (let name = 0; name < surplus; name++) sockets.release(`${name}`, 1);
  assert.equal(sockets.all, 0);
  for (let name = 0; name < LIMITS.clientsKeptMax; name++) all.of(`another ${name}`);
  assert.notEqual(all.of('0'), first, 'it was forgotten');
});
