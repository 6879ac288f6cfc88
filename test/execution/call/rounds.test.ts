// Jobs that run code several times: their timeout also ends them between two runs, and their results are counted as
// they arrive. Code without jumps never makes an engine check the clock.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { JobRunner } from '../../../src/execution/call/job-runner.js';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import type { StateView } from '../../../src/state/views/state-view.js';
import type { CallsInBlock, CallRequest, Job, JobOutcome } from '../../../src/transaction/evm-job.js';
import { assemble } from '../../support/assembler.js';
import { blockEnv, callRequest, chainAt, job, runOn, type CallText } from '../../support/jobs.js';
import { bytes, MemoryView } from '../../support/memory-view.js';
import { encodeHeader } from '../../../src/chain/block/header.js';
import { candidateEngine } from '../../support/programs/engines.js';
import { simulatedParent } from '../../support/simulated-parent.js';

const SENDER = '0x1000000000000000000000000000000000000001';
const MAIN = '0xc000000000000000000000000000000000000001';
const LAST = '0x2000000000000000000000000000000000000002';
const RULES = createChainRules(chainAt('osaka'));
const TIMEOUT_MS = 5;
const TIMED_OUT = { kind: 'failure', error: 'timeout', message: `execution aborted (timeout = ${TIMEOUT_MS}ms)` };
const TOO_LARGE = { kind: 'failure', error: 'responseTooLarge', message: 'response too large' };
/** Reads the slot and the account whose numbers are the remaining gas: different ones at another gas limit. */
const READS_BY_GAS = 'GAS; DUP1; SLOAD; POP; BALANCE; POP; STOP';
/** Reads the slot given in the call data. */
const READS_BY_DATA = 'PUSH 0; CALLDATALOAD; SLOAD; POP; STOP';
/** Reads the slot whose number is the remaining gas, and fails with less than a million gas. */
const NEEDS_GAS =
  'GAS; DUP1; SLOAD; POP; PUSH 1000000; LT; REF enough; JUMPI; PUSH 0; PUSH 0; REVERT; LABEL enough; STOP';
const MIB = 2 ** 20;

function state(code: string): MemoryView {
  return new MemoryView().put(SENDER, { balance: 10n ** 18n }).put(MAIN, { code: assemble(code) });
}

/** A view that records which accounts and how many slots were read; `onSlot` is called for each slot. */
function watched(view: MemoryView, onSlot: () => void = () => undefined) {
  const seen = { accounts: new Set<string>(), slots: 0 };
  const noting: StateView = {
    account: (address) => {
      seen.accounts.add(toHex(address));
      return view.account(address);
    },
    storage: (address, slot) => {
      seen.slots += 1;
      onSlot();
      return view.storage(address, slot);
    },
    code: (hash) => view.code(hash),
    blockHash: (number) => view.blockHash(number),
  };
  return { noting, seen };
}

function many(calls: readonly CallRequest[], changes: Partial<Job> = {}): Job {
  const bundle: CallsInBlock = { stateOverride: [], blockOverride: null, calls };
  return { ...job({}, { kind: 'callMany', ...changes }), call: calls[0]!, blocks: [bundle] };
}

function simulated(calls: readonly CallRequest[]): Job {
  const options = { traceTransfers: false, validation: false, returnFullTransactions: false, isPreConfirmed: false };
  const simulation = { parentHeader: encodeHeader(simulatedParent(new Uint8Array(32))), ...options };
  return { ...many(calls), kind: 'simulate', simulation };
}

function callTo(to: string, text: CallText = {}): CallRequest {
  return callRequest({ from: SENDER, to, ...text });
}

/** The outcome, and whether LAST was reached. */
async function run(requested: Job, code: string): Promise<{ outcome: JobOutcome; reached: boolean }> {
  const { noting, seen } = watched(state(code));
  return { outcome: await runOn('osaka', requested, noting), reached: seen.accounts.has(LAST) };
}

void describe('a job of several runs ends between two of them at its timeout', () => {
  const kernel = new JobRunner({ rules: RULES, createEngine: candidateEngine });
  const reference = new JobRunner({ rules: RULES });

  /**
   * Runs on a clock that starts after any pause of the compiler and only advances, by a millisecond, with every slot
   * read.
   */
  async function ends(context: TestContext, requested: Job, code: string, runner = kernel): Promise<void> {
    let nowMs = 10 * performance.now();
    context.mock.method(performance, 'now', () => nowMs);
    const { noting, seen } = watched(state(code), () => (nowMs += 1));
    const outcome = await runner.runJob(requested, noting, blockEnv());
    context.mock.restoreAll();
    assert.deepEqual(outcome, TIMED_OUT);
    assert.equal(seen.slots, TIMEOUT_MS + 1);
  }

  void test('an access list that grows with each run', (context) => {
    const requested = job({ from: SENDER, to: MAIN, gas: 200_000n }, { kind: 'accessList', timeoutMs: TIMEOUT_MS });
    return ends(context, requested, READS_BY_GAS);
  });

  void test('an access list that grows with each run, on the reference', (context) => {
    const requested = job({ from: SENDER, to: MAIN, gas: 200_000n }, { kind: 'accessList', timeoutMs: TIMEOUT_MS });
    return ends(context, requested, READS_BY_GAS, reference);
  });

  void test('an estimate by binary search', (context) => {
    return ends(context, job({ from: SENDER, to: MAIN }, { timeoutMs: TIMEOUT_MS }), NEEDS_GAS);
  });

  void test('a sequence of calls', (context) => {
    const calls = Array.from({ length: 20 }, (_, i) => callTo(MAIN, { data: bytes(i.toString(16), 32) }));
    return ends(context, many(calls, { timeoutMs: TIMEOUT_MS }), READS_BY_DATA);
  });
});

void describe('a job whose results no longer fit ends without running the rest', () => {
  /** Each result is two MiB of hex digits; eight MiB fit. */
  const LONG = `PUSH ${MIB}; PUSH 0; RETURN`;

  const five = Array.from({ length: 5 }, () => callTo(MAIN));

  void test('eth_callMany', async () => {
    const fitting = await run(many([...five.slice(2), callTo(LAST)]), LONG);
    assert.equal(fitting.outcome.kind, 'json');
    assert.equal(fitting.reached, true);
    assert.deepEqual(await run(many([...five, callTo(LAST)]), LONG), { outcome: TOO_LARGE, reached: false });
  });

  void test('eth_callMany with calls that revert with long reasons', async () => {
    const text = `PUSH 0x08c379a0; PUSH 224; SHL; PUSH 0; MSTORE; PUSH 32; PUSH 4; MSTORE; PUSH ${2 * MIB}; PUSH 36; MSTORE`;
    const reverts = `${text}; PUSH ${2 * MIB + 68}; PUSH 0; REVERT`;
    const requested = { ...many([...five, callTo(LAST)]), gasCap: 10n ** 9n };
    assert.deepEqual(await run(requested, reverts), { outcome: TOO_LARGE, reached: false });
  });

  void test('one simulated block', async () => {
    const fitting = await run(simulated([...five.slice(2), callTo(LAST)]), LONG);
    assert.equal(fitting.outcome.kind, 'json');
    assert.deepEqual(await run(simulated([...five, callTo(LAST)]), LONG), { outcome: TOO_LARGE, reached: false });
  });

  void test('one simulated block with many logs', async () => {
    const logs = 'PUSH 0; LABEL again; PUSH 0; PUSH 0; LOG0; PUSH 1; ADD; DUP1; PUSH 6000; GT; REF again; JUMPI; STOP';
    assert.equal((await run(simulated(five.slice(3)), logs)).outcome.kind, 'json');
    assert.deepEqual(await run(simulated([...five, callTo(LAST)]), logs), { outcome: TOO_LARGE, reached: false });
  });
});

void describe('a sequence of calls shares one gas cap', () => {
  const CAP = { gasCap: 200_000n };
  /** Uses some 110,000 gas. */
  const SPENDS = 'PUSH 0; LABEL again; PUSH 1; ADD; DUP1; PUSH 3500; GT; REF again; JUMPI; STOP';
  const USED_UP = {
    kind: 'failure',
    error: 'execution',
    message: 'gas cap exceeded: the calls together need more than 200000',
  };

  void test('gas used by one call is not available to the next', async () => {
    const one = callTo(MAIN);
    assert.equal((await runOn('osaka', many([one], CAP), state(SPENDS))).kind, 'json');
    assert.deepEqual(await runOn('osaka', many([one, one], CAP), state(SPENDS)), USED_UP);
    const transfers = Array.from({ length: 10 }, () => callTo(LAST));
    assert.equal((await runOn('osaka', many(transfers.slice(1), CAP), state(SPENDS))).kind, 'json');
    assert.deepEqual(await runOn('osaka', many(transfers, CAP), state(SPENDS)), USED_UP);
  });

  void test('a call that runs out of its own gas limit has an error of its own', async () => {
    const calls = [callTo(LAST), callTo(MAIN, { gas: 50_000n }), callTo(LAST)];
    const outcome = await runOn('osaka', many(calls, CAP), state(SPENDS));
    assert.deepEqual(outcome, {
      kind: 'json',
      text: JSON.stringify([[{ value: '0x' }, { error: 'out of gas' }, { value: '0x' }]]),
    });
  });
});
