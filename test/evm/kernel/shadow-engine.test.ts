// Both engines on one state: the reference's answers are given, and every wrong answer of the kernel is seen.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Applied, Engine, Execution, ExecutionContext, Message } from '../../../src/evm/engine.js';
import { KernelCounters } from '../../../src/evm/kernel/shared-counters.js';
import { KernelEngine } from '../../../src/evm/kernel/kernel-engine.js';
import type { KernelMismatch } from '../../../src/evm/kernel/mismatch.js';
import { ShadowEngine } from '../../../src/evm/kernel/shadow-engine.js';
import { ReferenceEngine } from '../../../src/evm/ethereumjs/reference-engine.js';
import type { ForkRules } from '../../../src/evm/ethereumjs/fork-rules.js';
import { createRules } from '../../../src/evm/ethereumjs/fork-rules.js';
import { JournaledState } from '../../../src/evm/journaled-state.js';
import { LIMITS } from '../../../src/limits.js';
import { StateMiss } from '../../../src/state/state-miss.js';
import { assemble } from '../../support/assembler.js';
import { chainAt } from '../../support/jobs.js';
import { bytes, MemoryView } from '../../support/memory-view.js';
import { plainContext, plainMessage } from '../../support/message.js';
import { applyMessage, changesText, compareEngines, EnginePair } from '../../support/programs/compare.js';
import { referenceEngine } from '../../support/programs/engines.js';

const WORLDS = 250;
const GAS = 1_000_000n;
const CALLER = bytes('aa', 20);
const TARGET = bytes('bb', 20);
const OTHER = bytes('cc', 20);
const SLOT = new Uint8Array(32).fill(1, 31);
/** Stores 7 in slot 1, logs, returns four bytes. */
const CODE = assemble('PUSH 7; PUSH 1; SSTORE; PUSH 9; PUSH 4; PUSH 0; LOG1; PUSH 4; PUSH 0; RETURN');
const MESSAGE = plainMessage({ caller: CALLER, to: TARGET, value: 5n });
const CONTEXT = plainContext();

/** What a bug does to an answer of the kernel's, and to the state. */
interface Bug {
  readonly execution?: Partial<Execution>;
  readonly applied?: Partial<Applied>;
  readonly change?: (state: JournaledState) => void;
  readonly thrown?: Error;
  readonly reads?: Partial<ReturnType<Engine['readSet']>>;
}

class BuggyEngine implements Engine {
  private readonly engine: Engine;
  private readonly state: JournaledState;
  private readonly bug: Bug;

  constructor(engine: Engine, state: JournaledState, bug: Bug) {
    this.engine = engine;
    this.state = state;
    this.bug = bug;
  }

  async execute(...question: [Message, ExecutionContext, bigint]): Promise<Execution> {
    return { ...(await this.engine.execute(...question)), ...this.bug.execution };
  }

  async apply(...question: [Message, ExecutionContext, bigint]): Promise<Applied> {
    const applied = await this.engine.apply(...question);
    if (this.bug.thrown !== undefined) {
      // Change sets are left open, as the interface allows.
      this.state.mark();
      this.state.mark();
      throw this.bug.thrown;
    }
    this.bug.change?.(this.state);
    return { ...applied, ...this.bug.execution, ...this.bug.applied };
  }

  readSet(): ReturnType<Engine['readSet']> {
    return { ...this.engine.readSet(), ...this.bug.reads };
  }

  isPrecompile(): boolean {
    return false;
  }
}

interface Shadowed {
  readonly engine: Engine;
  readonly state: JournaledState;
  readonly counters: KernelCounters;
  readonly told: KernelMismatch[];
}

function shadowed(rules: ForkRules, state: JournaledState, bug: Bug): Shadowed {
  const counters = new KernelCounters();
  const told: KernelMismatch[] = [];
  const report = (mismatch: KernelMismatch): number => told.push(mismatch);
  const reference = new ReferenceEngine({ rules, state });
  const kernel = new BuggyEngine(new KernelEngine({ rules, state }), state, bug);
  return { engine: new ShadowEngine({ kernel, reference, state, counters, report }), state, counters, told };
}

function buggy(bug: Bug): Shadowed {
  const view = new MemoryView().put(CALLER, { nonce: 1n, balance: 1000n });
  view.put(TARGET, { nonce: 1n, code: CODE });
  return shadowed(createRules(chainAt('osaka')).at(1, 1), new JournaledState(view), bug);
}

const apply = ({ engine, state }: Shadowed): Promise<Applied> => applyMessage(engine, state, MESSAGE, CONTEXT, GAS);

function executed({ engine, state }: Shadowed): Promise<Execution> {
  state.mark();
  return Promise.resolve(engine.execute(MESSAGE, CONTEXT, GAS)).finally(() => state.undoAll());
}

test('in random worlds shadow mode answers as the reference alone does, without a mismatch', async () => {
  const all: KernelCounters[] = [];
  const told: KernelMismatch[] = [];
  const pair = new EnginePair(referenceEngine, (rules, state) => {
    const counters = new KernelCounters();
    all.push(counters);
    const [kernel, reference] = [new KernelEngine({ rules, state }), new ReferenceEngine({ rules, state })];
    return new ShadowEngine({ kernel, reference, state, counters, report: (mismatch) => told.push(mismatch) });
  });
  for (let seed = 0; seed < WORLDS; seed++) {
    // One after the other: the engines are the same.
    const { mismatch } = await compareEngines(seed, pair);
    assert.equal(mismatch, null, `world ${seed}`);
  }
  assert.deepEqual(told, []);
  const sum = (counter: 'checks' | 'mismatches'): number =>
    all.reduce((total, counters) => total + counters.count(counter), 0);
  assert.ok(sum('checks') > WORLDS);
  assert.equal(sum('mismatches'), 0);
});

const EXECUTION_BUGS: Readonly<Record<string, Partial<Execution>>> = {
  status: { status: 'revert' },
  gasUsed: { gasUsed: 1n },
  refund: { refund: 1n },
  need: { need: 1n },
  gasSensitive: { gasSensitive: true },
  returnData: { returnData: new Uint8Array(3) },
  error: { status: 'halt', error: { text: 'out of gas', outOfGas: true } },
};

for (const [name, execution] of Object.entries(EXECUTION_BUGS)) {
  test(`a kernel that answers a wrong ${name} is counted and reported, and the reference's answer is given`, async () => {
    const right = buggy({});
    const wrong = buggy({ execution });
    assert.deepEqual(await executed(wrong), await executed(right));
    assert.deepEqual(await apply(wrong), await apply(right));
    assert.equal(wrong.counters.count('checks'), 2);
    assert.equal(wrong.counters.count('mismatches'), 2);
    assert.equal(wrong.told.length, 2);
    const { kernel, reference } = wrong.told[0]! as {
      kernel: Record<string, string>;
      reference: Record<string, string>;
    };
    assert.notEqual(kernel[name], reference[name]);
    assert.deepEqual(right.told, []);
  });
}

const EFFECT_BUGS: Readonly<Record<string, Bug>> = {
  'a log too few': { applied: { logs: [] } },
  'a destroyed contract': { applied: { destroyed: [TARGET] } },
  'another slot': { change: (state) => state.setStorage(TARGET, new Uint8Array(32), SLOT) },
  'another value': { change: (state) => state.setStorage(TARGET, SLOT, SLOT) },
  'another balance': { change: (state) => state.setAccount(OTHER, { ...state.accountOf(TARGET)!, balance: 1n }) },
  'other code': { change: (state) => state.setCode(OTHER, SLOT) },
  'an account too few': { change: (state) => state.setAccount(TARGET, null) },
  'erased storage': { change: (state) => state.eraseStorage(CALLER) },
  'an exception': { thrown: new Error('no room') },
};

for (const [name, bug] of Object.entries(EFFECT_BUGS)) {
  test(`a kernel with ${name} is reported, and its changes are undone`, async () => {
    const right = buggy({});
    const wrong = buggy(bug);
    await apply(right);
    await apply(wrong);
    assert.equal(wrong.told.length, 1);
    const [left, expected] = [wrong, right].map(({ state }) => changesText(state.changes()));
    assert.deepEqual(left, expected);
  });
}

test('missing state counts as skipped, not as a mismatch', async () => {
  const missing = buggy({ thrown: new StateMiss(TARGET, SLOT) });
  await apply(missing);
  assert.equal(missing.counters.count('skipped'), 1);
  assert.equal(missing.counters.count('checks'), 0);
  assert.deepEqual(missing.told, []);
});

test('a report has message, environment, gas limit and code hash', async () => {
  const wrong = buggy({ execution: { gasUsed: 1n } });
  await executed(wrong);
  const { asked, codeHash } = wrong.told[0]! as { asked: Record<string, Record<string, unknown>>; codeHash: string };
  assert.equal(asked['gasLimit'], '1000000');
  assert.equal(asked['message']!['value'], '5');
  assert.equal(asked['message']!['to'], `0x${Buffer.from(TARGET).toString('hex')}`);
  assert.equal(asked['env']!['number'], 100);
  assert.match(codeHash, /^0x[0-9a-f]{64}$/);
  assert.deepEqual(structuredClone(wrong.told[0]), wrong.told[0]);
});

test('after the first reports mismatches are only counted', async () => {
  const wrong = buggy({ execution: { gasUsed: 1n } });
  const runs = LIMITS.kernelMismatchReportsMax + 5;
  for (let run = 0; run < runs; run++) await executed(wrong);
  assert.equal(wrong.told.length, LIMITS.kernelMismatchReportsMax);
  assert.equal(wrong.counters.count('mismatches'), runs);
});
