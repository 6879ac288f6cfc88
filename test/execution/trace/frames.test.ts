// Call frames as reported to tracers: why inner ones fail, in go-ethereum's order, and all of it again if a message is
// executed again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TraceHooks } from '../../../src/evm/trace-hooks.js';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { JobRunner } from '../../../src/execution/call/job-runner.js';
import { ResponseSizeBudget } from '../../../src/execution/call/response-size-budget.js';
import { createTracer } from '../../../src/execution/trace/create-tracer.js';
import { LIMITS } from '../../../src/limits/index.js';
import type { TracerSpec } from '../../../src/transaction/trace-request-types.js';
import { assemble } from '../../support/assembler.js';
import { blockEnv, chainAt, job, runOn } from '../../support/jobs.js';
import { MemoryView } from '../../support/memory-view.js';

const SENDER = '0x1000000000000000000000000000000000000001';
const CALLER = '0xc000000000000000000000000000000000000001';
const WRITER = '0xc000000000000000000000000000000000000002';
const CALLS: TracerSpec = { name: 'callTracer', onlyTopCall: false, withLog: true };
const BOTH: TracerSpec = { name: 'muxTracer', tracers: [CALLS, { name: '4byteTracer' }] };

interface Frame {
  readonly error?: string;
  readonly calls?: readonly Frame[];
}

/** Code that calls `to` statically with so much gas. */
const staticCall = (to: string, gas: number): string =>
  `PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH ${to}; PUSH ${gas}; STATICCALL`;

/** The errors of the inner frames, which kernel and reference agree on. `inner` is WRITER's code. */
async function innerErrors(code: string, inner: string): Promise<(string | undefined)[]> {
  const view = new MemoryView()
    .put(SENDER, { balance: 10n ** 18n })
    .put(CALLER, { nonce: 1n, code: assemble(code) })
    .put(WRITER, { nonce: 1n, code: assemble(inner) });
  const call = { from: SENDER, to: CALLER, gas: 1_000_000n };
  const traced = job(call, { kind: 'trace', trace: { of: 'call', tracer: CALLS } });
  const outcome = await runOn('osaka', traced, view);
  const reference = new JobRunner({ rules: createChainRules(chainAt('osaka')) });
  assert.deepEqual(await reference.runJob(traced, view, blockEnv()), outcome, inner);
  assert.ok(outcome.kind === 'json', JSON.stringify(outcome));
  return (JSON.parse(String(outcome.text)) as Frame).calls!.map(({ error }) => error);
}

/** The error of a static frame with so much gas. */
async function staticError(code: string, gas: number): Promise<string | undefined> {
  return (await innerErrors(staticCall(WRITER, gas), code))[0];
}

void test('a precompile that runs out of gas does not show why an earlier frame failed', async () => {
  const errors = await innerErrors(`${staticCall(WRITER, 1000)}; ${staticCall('0x02', 10)}`, 'ADD');
  assert.deepEqual(errors, ['stack underflow (0 <=> 2)', 'out of gas']);
});

void test('a frame that may not write pays for an instruction itself before it fails for writing', async () => {
  const gas: readonly (readonly [code: string, own: number])[] = [
    ['PUSH 0xee; SELFDESTRUCT', 5003],
    ['PUSH 0; PUSH 0; PUSH 0; CREATE', 32_009],
    ['PUSH 0; PUSH 0; LOG0', 381],
    ['PUSH 0; PUSH 0; TSTORE', 106],
    ['PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH 1; PUSH 0xee; PUSH 0; CALL', 121],
  ];
  for (const [code, own] of gas) {
    assert.equal(await staticError(code, own), 'write protection', code);
    assert.equal(await staticError(code, own - 1), 'out of gas', code);
  }
  assert.equal(await staticError('PUSH 0; PUSH 0; SSTORE', 6), 'write protection');
});

void test('a static frame fails for its stack first, and for writing before its initcode', async () => {
  for (const code of ['PUSH 0xc001; PUSH 0; PUSH 0; CREATE', 'PUSH 0; PUSH 0xc001; PUSH 0; PUSH 0; CREATE2'])
    assert.equal(await staticError(code, 200_000), 'write protection', code);
  assert.equal(await staticError('PUSH 0; PUSH 0; CREATE', 200_000), 'stack underflow (2 <=> 3)');
  for (const [code, items] of [
    ['SSTORE', 2],
    ['TSTORE', 2],
    ['LOG1', 3],
    ['SELFDESTRUCT', 1],
    ['CREATE2', 4],
  ] as const)
    assert.equal(await staticError(code, 200_000), `stack underflow (0 <=> ${items})`, code);
});

void test('steps of a message that is executed again are dropped from the trace and from the size budget', () => {
  const half = LIMITS.returnBytesMax / 2;
  const [once, again] = [createTracer(BOTH, new ResponseSizeBudget()), createTracer(BOTH, new ResponseSizeBudget())];
  const input = new Uint8Array(half * 0.4);
  report(again, input);
  again.restarted();
  for (const tracer of [once, again]) {
    report(tracer, input);
    finish(tracer);
    tracer.end(9n);
  }
  assert.equal(again.text(), once.text());
  const full = createTracer(BOTH, new ResponseSizeBudget());
  report(full, input);
  assert.throws(() => {
    report(full, input);
    report(full, input);
  });
});

const FROM = new Uint8Array(20).fill(1);
const TO = new Uint8Array(20).fill(2);
const NOTHING = new Uint8Array(0);

function report(hooks: TraceHooks, input: Uint8Array): void {
  hooks.entered({ kind: 'CALL', from: FROM, to: TO, input, gas: 5n, value: 0n });
  hooks.logged({ address: TO, topics: [], data: NOTHING });
}

function finish(hooks: TraceHooks): void {
  hooks.left({ output: NOTHING, gasUsed: 1n, error: null });
}
