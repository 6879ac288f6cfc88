// Traces that do not end, or exceed the size of a response, are aborted at their limits; the runner then traces the
// next one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '../../../src/limits/index.js';
import { isTimeoutOutcome, type JobOutcome } from '../../../src/transaction/evm-job.js';
import type { TracerSpec } from '../../../src/transaction/trace-request-types.js';
import { assemble } from '../../support/assembler.js';
import { job, runOn } from '../../support/jobs.js';
import { MemoryView } from '../../support/memory-view.js';

const SENDER = '0x1000000000000000000000000000000000000001';
const LOOP = '0xc000000000000000000000000000000000000001';
const CALLER = '0xc000000000000000000000000000000000000002';
const READER = '0xc000000000000000000000000000000000000003';
const WIDE = '0xc000000000000000000000000000000000000004';
const SOME = '0xc000000000000000000000000000000000000005';
const CALLS: TracerSpec = { name: 'callTracer', onlyTopCall: false, withLog: true };
const STEPS: TracerSpec = {
  name: 'structLogger',
  enableMemory: false,
  disableStack: false,
  disableStorage: false,
  enableReturnData: false,
  limit: 0,
};
const STATE: TracerSpec = {
  name: 'prestateTracer',
  diffMode: false,
  disableCode: false,
  disableStorage: false,
  includeEmpty: false,
};

const view = new MemoryView()
  .put(SENDER, { balance: 10n ** 18n })
  .put(LOOP, { nonce: 1n, code: assemble('LABEL loop; REF loop; JUMP') })
  // Calls an empty account with 64 KB, repeatedly.
  .put(CALLER, {
    nonce: 1n,
    code: assemble('LABEL loop; PUSH 0; PUSH 0; PUSH 65536; PUSH 0; PUSH 0; PUSH 0xee; GAS; CALL; POP; REF loop; JUMP'),
  })
  // Four megabytes of memory.
  .put(WIDE, { nonce: 1n, code: assemble('PUSH 0x400000; MLOAD; POP; STOP') })
  // A hundred steps with 16 KB of memory.
  .put(SOME, { nonce: 1n, code: assemble(`PUSH 0x3fe0; MLOAD; POP; ${'PUSH 1; POP; '.repeat(50)}`) })
  // Reads one slot after the other.
  .put(READER, {
    nonce: 1n,
    code: assemble('PUSH 0; LABEL loop; DUP1; SLOAD; POP; PUSH 1; ADD; REF loop; JUMP'),
  });

async function traced(to: string, tracer: TracerSpec, gas: bigint, timeoutMs?: number): Promise<JobOutcome> {
  const requested = job({ from: SENDER, to, gas }, { kind: 'trace', trace: { of: 'call', tracer }, gasCap: gas });
  return runOn('osaka', timeoutMs === undefined ? requested : { ...requested, timeoutMs }, view);
}

const TOO_LARGE = { kind: 'failure', error: 'responseTooLarge', message: 'response too large' };

void test('a trace whose steps do not fit the response is an error', async () => {
  assert.deepEqual(await traced(LOOP, STEPS, 50_000_000n), TOO_LARGE);
});

void test('a step whose memory does not fit is never converted to JSON', async (t) => {
  const stringify = t.mock.method(JSON, 'stringify');
  assert.deepEqual(await traced(WIDE, { ...STEPS, enableMemory: true }, 50_000_000n), TOO_LARGE);
  const { result: longest } = stringify.mock.calls.at(-1)!;
  assert.ok(longest!.length < 1000);
});

void test('the clock is checked by the memory that steps copy', async (t) => {
  let readings = 0;
  t.mock.method(performance, 'now', () => (readings += 1));
  const copying = await traced(SOME, { ...STEPS, enableMemory: true }, 1_000_000n, 40);
  assert.ok(isTimeoutOutcome(copying), JSON.stringify(copying).slice(0, 100));
});

void test('steps beyond the limit of the tracer use no memory', async () => {
  const outcome = await traced(LOOP, { ...STEPS, limit: 1000 }, 1_000_000n);
  assert.ok(outcome.kind === 'json' && outcome.text.length < 2000);
});

void test('a trace whose call frames do not fit the response is an error', async () => {
  assert.deepEqual(await traced(CALLER, CALLS, 50_000_000n), TOO_LARGE);
  const mux: TracerSpec = { name: 'muxTracer', tracers: [{ name: 'noopTracer' }, CALLS] };
  assert.deepEqual(await traced(CALLER, mux, 50_000_000n), TOO_LARGE);
});

void test('traces of consecutive calls that do not fit the response together are an error', async () => {
  const tracer: TracerSpec = { name: 'parityTracer', trace: true, stateDiff: false };
  const requested = job({ from: SENDER, to: CALLER, gas: 20_000_000n }, { kind: 'callMany' });
  const blocks = [{ stateOverride: [], blockOverride: null, calls: [requested.call, requested.call, requested.call] }];
  assert.deepEqual(await runOn('osaka', { ...requested, blocks, trace: { of: 'calls', tracer } }, view), TOO_LARGE);
});

void test('a trace with all the slots that the gas pays for fits the response', async () => {
  const outcome = await traced(READER, STATE, 50_000_000n);
  assert.ok(outcome.kind === 'json' && outcome.text.length > 2_000_000 && outcome.text.length < LIMITS.returnBytesMax);
});

void test('a trace of code that exceeds its timeout is an error, and the next one is made', async () => {
  const outcome = await traced(LOOP, CALLS, 10n ** 13n, 20);
  assert.deepEqual(outcome, { kind: 'failure', error: 'timeout', message: 'execution aborted (timeout = 20ms)' });
  const next = await traced(SENDER, CALLS, 50_000n);
  assert.ok(next.kind === 'json' && String(next.text).includes('"gasUsed":"0x5208"'));
});
