// The diff of a call: the kernel reports what slots become, and its changes to storage are not written to the state.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { JobRunner } from '../../../src/execution/call/job-runner.js';
import type { TracerSpec } from '../../../src/transaction/trace-request-types.js';
import { assemble } from '../../support/assembler.js';
import { blockEnv, chainAt, job, runOn } from '../../support/jobs.js';
import { MemoryView } from '../../support/memory-view.js';

const SENDER = '0x1000000000000000000000000000000000000001';
const CALLED = '0xc000000000000000000000000000000000000001';
/** The fee recipient of the blocks. It exists here, because a missing one has a changed code hash. */
const COINBASE = `0x${'cb'.repeat(20)}`;
const DIFF: TracerSpec = {
  name: 'prestateTracer',
  diffMode: true,
  disableCode: false,
  disableStorage: false,
  includeEmpty: false,
};

interface Shown {
  readonly nonce?: number;
  readonly storage?: Readonly<Record<string, string>>;
}

interface Diff {
  readonly pre: Readonly<Record<string, Shown>>;
  readonly post: Readonly<Record<string, Shown>>;
}

const word = (value: number): string => `0x${value.toString(16).padStart(64, '0')}`;

/** The diff of a call of this code, on which kernel and reference agree. Slot 7 of the contract is 1. */
async function diffOf(code: string): Promise<Diff> {
  const view = new MemoryView()
    .put(SENDER, { balance: 10n ** 18n })
    .put(COINBASE, { balance: 1n })
    .put(CALLED, { nonce: 1n, balance: 9n, code: assemble(code), storage: { '7': 1n } });
  const call = { from: SENDER, to: CALLED, gas: 1_000_000n };
  const traced = job(call, { kind: 'trace', trace: { of: 'call', tracer: DIFF } });
  const outcome = await runOn('osaka', traced, view);
  const reference = new JobRunner({ rules: createChainRules(chainAt('osaka')) });
  assert.deepEqual(await reference.runJob(traced, view, blockEnv()), outcome);
  assert.ok(outcome.kind === 'json', JSON.stringify(outcome));
  return JSON.parse(String(outcome.text)) as Diff;
}

/** Code that creates a contract at the same address for each of these values, in wei. */
function creations(init: string, values: readonly number[]): string {
  const code = assemble(init);
  const bytes = code.length / 2 - 1;
  const create = (value: number): string => `PUSH 0; PUSH ${bytes}; PUSH ${32 - bytes}; PUSH ${value}; CREATE2; POP`;
  return [`PUSH ${code}; PUSH 0; MSTORE`, ...values.map(create), 'STOP'].join('; ');
}

void test('a slot that is written and written back is in no diff', async () => {
  const { pre, post } = await diffOf('PUSH 2; PUSH 7; SSTORE; PUSH 3; PUSH 8; SSTORE; PUSH 1; PUSH 7; SSTORE');
  assert.deepEqual([pre[CALLED]!.storage, post[CALLED]!.storage], [undefined, { [word(8)]: word(3) }]);
});

void test('a call that reverts changes the nonce of its sender alone', async () => {
  const { pre, post } = await diffOf('PUSH 2; PUSH 7; SSTORE; PUSH 0; PUSH 0; REVERT');
  assert.deepEqual([pre[CALLED], post[CALLED], post[SENDER]], [undefined, undefined, { nonce: 1 }]);
});

void test('a contract whose creation reverts and then succeeds has the slots of the second', async () => {
  const init = 'PUSH 5; PUSH 1; SSTORE; CALLVALUE; REF fine; JUMPI; PUSH 0; PUSH 0; REVERT; LABEL fine; STOP';
  const { post } = await diffOf(creations(init, [0, 1]));
  const created = Object.entries(post).find(([address]) => address !== SENDER && address !== CALLED);
  assert.deepEqual(created![1].storage, { [word(1)]: word(5) });
});

void test('a contract that is created and destroyed is in no diff', async () => {
  const { pre, post } = await diffOf(creations('PUSH 5; PUSH 1; SSTORE; PUSH 0; SELFDESTRUCT', [1]));
  assert.deepEqual(Object.keys(post).toSorted(), ['0x0000000000000000000000000000000000000000', SENDER, CALLED]);
  assert.deepEqual(Object.keys(pre).toSorted(), [SENDER, CALLED]);
});
