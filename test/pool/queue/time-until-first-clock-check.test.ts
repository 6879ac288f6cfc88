// Worker time that can be predicted from the job itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PLACEHOLDER_CALL_REQUEST, type CallsInBlock, type Job } from '../../../src/transaction/evm-job.js';
import { minimumRunMs, isPredictedLong } from '../../../src/pool/queue/time-until-first-clock-check.js';
import { jobWith } from '../jobs.js';

const KIB = 1024;
const INITCODE_MAX = 48 * KIB;
const LOGGER = { disableStack: false, disableStorage: false, enableReturnData: false, limit: 0 } as const;

function isLong(job: Partial<Job>): boolean {
  return isPredictedLong(minimumRunMs(jobWith(new Uint8Array(4), job)));
}

function creating(bytes: number): Job['call'] {
  return { ...PLACEHOLDER_CALL_REQUEST, to: null, data: new Uint8Array(bytes) };
}

function overriding(bytes: number): Job['stateOverride'] {
  return [{ address: new Uint8Array(20), code: new Uint8Array(bytes) }];
}

function blocks(count: number, block: Partial<CallsInBlock> = {}): CallsInBlock[] {
  return Array.from({ length: count }, () => ({ stateOverride: [], blockOverride: null, calls: [], ...block }));
}

void test("a call with any length of data, or with code within the chain's size limit, is not foreseen to be long", () => {
  assert.equal(minimumRunMs(jobWith(new Uint8Array(2400 * KIB))), 0);
  assert.ok(!isLong({ call: creating(INITCODE_MAX) }));
  assert.ok(!isLong({ stateOverride: overriding(24 * KIB) }));
});

void test("code beyond the chain's size limit is foreseen to be long, in calls and overrides", () => {
  const long = 100 * KIB;
  assert.ok(isLong({ call: creating(long) }));
  assert.ok(isLong({ stateOverride: overriding(long) }));
  assert.ok(isLong({ stateOverride: Array.from({ length: 5 }, () => overriding(24 * KIB)).flat() }));
  assert.ok(isLong({ kind: 'callMany', blocks: blocks(1, { stateOverride: overriding(long) }) }));
  assert.ok(isLong({ kind: 'callMany', blocks: blocks(1, { calls: [creating(long)] }) }));
});

void test('many simulated blocks are foreseen to be long', () => {
  const simulation = {
    parentHeader: new Uint8Array(0),
    isPreConfirmed: false,
    traceTransfers: false,
    validation: false,
    returnFullTransactions: false,
  };
  assert.ok(!isLong({ kind: 'simulate', simulation, blocks: blocks(2) }));
  assert.ok(isLong({ kind: 'simulate', simulation, blocks: blocks(256) }));
});

function trace(enableMemory: boolean): NonNullable<Job['trace']> {
  return { of: 'call', tracer: { name: 'structLogger', enableMemory, ...LOGGER } };
}

void test('a trace with memory is foreseen to be long', () => {
  assert.ok(isLong({ kind: 'trace', trace: trace(true) }));
  assert.ok(!isLong({ kind: 'trace', trace: trace(false) }));
});
