// Plain reads from a table that another thread writes at full speed, while it grows from buffer to buffer.
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import test from 'node:test';
import { Worker } from 'node:worker_threads';
import { toHex, toQuantity } from '../../../src/lib/bytes/hex.js';
import { loadPlainReads, type PlainReads } from '../../../src/rpc/reads/native-plain-reads.js';
import type { Pin } from '../../../src/state/table/layout/reader-pins.js';
import { TableReader } from '../../../src/state/table/read/table-reader-and-snapshot.js';
import { addressOf, wordOf } from '../../state/diffs.js';
import { expected, TRIPLES } from '../../state/table/race-schedule.js';
import { headsOf } from './find-difference.js';
import type { FromThread, Role } from '../../state/table/race-thread.js';

const VERSIONS = 3000;
const BODIES_PER_TURN = 200;
const { open: openPlainReads, reason } = loadPlainReads(1000);

/** Requests a nonce, a balance and two slots of every triple. */
const BODY = Buffer.from(
  JSON.stringify(
    Array.from({ length: TRIPLES }, (_, index) => [
      { method: 'eth_getTransactionCount', params: [toHex(addressOf(index)), 'pending'] },
      { method: 'eth_getBalance', params: [toHex(addressOf(index)), 'pending'] },
      { method: 'eth_getStorageAt', params: [toHex(addressOf(index)), '0x0', 'pending'] },
      { method: 'eth_getStorageAt', params: [toHex(addressOf(index)), '0x1', 'pending'] },
    ])
      .flat()
      .map((call, id) => ({ jsonrpc: '2.0', id, ...call })),
  ),
);

function answerAt(version: number): string {
  const results = Array.from({ length: TRIPLES }, (_, index) => {
    const value = expected(index, version);
    return [toQuantity(value), toQuantity(BigInt(value) << 100n), toHex(wordOf(value)), toHex(wordOf(value))];
  });
  return JSON.stringify(results.flat().map((result, id) => ({ jsonrpc: '2.0', id, result })));
}

interface Reading {
  readonly table: TableReader;
  readonly pin: Pin;
  readonly plain: PlainReads;
}

function open(buffer: SharedArrayBuffer): Reading {
  const table = new TableReader(buffer);
  return { table, pin: table.acquirePin(), plain: openPlainReads(buffer)! };
}

/** Verifies responses at the newest version and at one that is being superseded; true if they were answered. */
function check({ pin, plain }: Reading, back: number): boolean {
  const newest = pin.pinNewest();
  const version = newest - back;
  if (version < 1 || (back > 0 && !pin.pin(version))) return false;
  const bytes = plain.answer(BODY, 0, headsOf(version, 0));
  if (bytes !== null) assert.equal(Buffer.from(bytes).toString(), answerAt(version));
  pin.unpin();
  return bytes !== null;
}

/** Number of answered bodies in one round. */
function checkMany(reading: Reading): number {
  return Array.from({ length: BODIES_PER_TURN }, (_, i) => check(reading, i % 4)).filter(Boolean).length;
}

void test('every response is from one version', { skip: reason === 'addon' ? false : reason }, async () => {
  const options = { accounts: 64, slots: 128, olderBytes: 64 * 256, codeBytes: 64, versionsKept: 20 };
  const workerData: Role = { kind: 'write', options, versions: VERSIONS, isGrowing: true, dieAt: 0 };
  const writer = new Worker(new URL('../../state/table/race-thread.js', import.meta.url), { workerData });
  const now: { reading: Reading | null; isWritten: boolean } = { reading: null, isWritten: false };
  writer.on('message', (message: FromThread) => {
    if (message.kind === 'table') now.reading = open(message.buffer);
    if (message.kind === 'written') now.isWritten = true;
  });
  let answered = 0;
  while (!now.isWritten) {
    if (now.reading !== null) answered += checkMany(now.reading);
    await setImmediate();
  }
  await writer.terminate();
  assert.ok(answered > 0, 'something was answered while the table was written');
});
