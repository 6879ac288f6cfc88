// State that a call misses is reported in as few rounds as possible, and assumed values never appear in results.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { JobRunner } from '../../../src/execution/call/job-runner.js';
import { runWithMissingState } from '../../../src/execution/call/find-missing-keys.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import type { Job, JobOutcome } from '../../../src/transaction/evm-job.js';
import { assemble } from '../../support/assembler.js';
import { blockEnv, chainAt, job } from '../../support/jobs.js';
import { bytes, MemoryView } from '../../support/memory-view.js';
import { candidateEngine } from '../../support/programs/engines.js';
import { coldView } from '../cold-view.js';

const SENDER = '01';
const TOKEN = '70';
const ENV = blockEnv();
const RULES = createChainRules(chainAt('prague'));
const BALANCES = ['aa', 'bb', 'cc'].map((byte) => bytes(byte.repeat(32), 32));
/** Reads balances one after the other, reverts at the first zero, and returns the last one. */
const READ_TWICE = assemble(
  ...BALANCES.map(
    (slot, at) => `PUSH ${toHex(slot)}; SLOAD; DUP1; REF rich${at}; JUMPI; PUSH 0; PUSH 0; REVERT; LABEL rich${at}`,
  ),
  'PUSH 0; MSTORE; PUSH 32; PUSH 0; RETURN',
);

const createRunner = (): JobRunner => new JobRunner({ rules: RULES, createEngine: candidateEngine });

/** Number of rounds until nothing is missing, and the call's result then. */
async function answered(
  requested: Job,
  state: MemoryView,
): Promise<{ readonly rounds: number; readonly outcome: JobOutcome }> {
  const runner = createRunner();
  const partial = coldView(state);
  for (let rounds = 0; ; rounds++) {
    const outcome = await runWithMissingState(runner, requested, { view: partial.view, env: ENV });
    if (outcome.kind !== 'missing') return { rounds, outcome };
    partial.learn(outcome);
  }
}

function stateOf(...values: readonly number[]): MemoryView {
  const state = new MemoryView();
  state.put(SENDER, { balance: 10n ** 18n });
  state.put(TOKEN, { nonce: 1n, code: READ_TWICE });
  for (const [at, value] of values.entries())
    state.setSlot(bytes(TOKEN, 20), BALANCES[at]!, bytes(toHex(Uint8Array.of(value)), 32));
  return state;
}

for (const values of [[1, 2, 3], [1, 2], []]) {
  test(`a call that reads ${values.length} nonzero balances needs one round of fetching after its accounts`, async () => {
    const requested = job({ from: SENDER, to: TOKEN }, { kind: 'call' });
    const state = stateOf(...values);
    const { rounds, outcome } = await answered(requested, state);
    assert.equal(rounds, 2);
    assert.deepEqual(outcome, await createRunner().runJob(requested, state, ENV));
  });
}
