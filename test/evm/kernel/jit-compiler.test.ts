// Compiled blocks: programs that are run until they are compiled completely do what the reference engine does, at every
// gas limit.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Execution, ExecutionContext } from '../../../src/evm/evm-engine.js';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { JournaledState } from '../../../src/evm/journal/journaled-state.js';
import { KernelEngine } from '../../../src/evm/kernel/kernel-engine.js';
import { StateHost } from '../../../src/evm/kernel/state-host.js';
import { wasm } from '../../../src/lib/bytes/wasm-types.js';
import { LIMITS } from '../../../src/limits/index.js';
import { assemble } from '../../support/assembler.js';
import { chainAt } from '../../support/jobs.js';
import { bytes, MemoryView } from '../../support/memory-view.js';
import { plainContext, plainMessage } from '../../support/message.js';
import { text } from '../../support/programs/compare.js';
import { EAGER, referenceEngine } from '../../support/programs/engines.js';

const RULES = createChainRules(chainAt('osaka')).at(1, 1);
const SENDER = bytes('5e', 20);
const TARGET = bytes('c0', 20);
const MESSAGE = plainMessage({ caller: SENDER, to: TARGET, data: Uint8Array.of(0, 0, 0, 7) });
const GAS = 10_000_000n;

/** A kernel that compiles each block when it runs for the second time. */
class Eager {
  traces = 0;
  readonly #state = new JournaledState(new MemoryView());
  readonly #engine = new KernelEngine({
    rules: RULES,
    state: this.#state,
    compile: EAGER,
    onCompiled: (traces) => (this.traces += traces),
  });

  async run(code: string, gas: bigint, context: Partial<ExecutionContext> = {}): Promise<Execution> {
    this.#state.reset(viewOf(code));
    return this.#engine.execute(MESSAGE, plainContext(context), gas);
  }
}

function viewOf(code: string): MemoryView {
  return new MemoryView().put(SENDER, { nonce: 1n, balance: 1000n }).put(TARGET, { nonce: 1n, balance: 9n, code });
}

async function onReference(code: string, gas: bigint): Promise<Execution> {
  const state = new JournaledState(new MemoryView());
  state.reset(viewOf(code));
  return referenceEngine(RULES, state).execute(MESSAGE, plainContext(), gas);
}

/** A loop that counts down from 20 around `body`, which must leave the stack unchanged; returns the memory. */
function loop(body: string): string {
  return assemble(`PUSH 20; LABEL loop; ${body}; PUSH 1; SWAP1; SUB; DUP1; REF loop; JUMPI; MSIZE; PUSH 0; RETURN`);
}

/** A word whose bytes are all different. */
const DIFFERENT = `PUSH 0x${Array.from({ length: 32 }, (_, i) => (i + 1).toString(16).padStart(2, '0')).join('')}`;

/** Programs that compiled traces must handle; those that fail do so inside a trace. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'moves of the stack': loop('DUP1; DUP2; SWAP1; DUP3; SWAP2; SWAP1; POP; POP; POP'),
  'more items each time': loop('PUSH 7; DUP2; SWAP1; SWAP2'),
  'carries and borrows': loop(
    'DUP1; PUSH 0; NOT; ADD; PUSH 0xffffffffffffffffffffffffffffffff; ADD; DUP2; SUB; PUSH 0; SUB; DUP1; PUSH 64; SHL; SUB; PUSH 0; MSTORE',
  ),
  'comparisons, signed ones too': loop(
    'PUSH 5; DUP2; LT; PUSH 0; NOT; DUP3; SLT; ADD; DUP2; PUSH 9; SGT; ADD; DUP2; PUSH 7; EQ; ADD; ISZERO; PUSH 32; MSTORE',
  ),
  'shifts across limbs': loop('DUP1; PUSH 67; SHL; DUP1; PUSH 129; SHR; XOR; PUSH 256; SHL; NOT; PUSH 0; MSTORE'),
  'functions of the kernel among moved items': loop(
    'PUSH 3; DUP2; DUP2; MUL; SWAP1; DUP3; ADDMOD; PUSH 11; SWAP1; EXP; CALLDATASIZE; MUL; PUSH 0; MSTORE',
  ),
  'hashes and storage': loop(
    'PUSH 32; PUSH 0; KECCAK256; DUP1; SLOAD; ADD; PUSH 0; MSTORE; CALLER; BALANCE; PUSH 0; SLOAD; ADD; POP',
  ),
  'memory that grows': loop('DUP1; DUP1; PUSH 5; SHL; MSTORE; DUP1; PUSH 7; SHL; MLOAD; POP'),
  'memory that is read back': loop(
    `${DIFFERENT}; PUSH 7; MSTORE; PUSH 0; MLOAD; DUP2; MLOAD; ADD; PUSH 3; DUP1; MLOAD; ADD; ADD; PUSH 64; MSTORE`,
  ),
  'operands that come back to where they were': loop(
    `DUP1; ${DIFFERENT}; PUSH 1; PUSH 99; MSTORE8; LABEL here; SWAP1; CALLDATALOAD; SWAP1; PUSH 1; PUSH 98; MSTORE8; PUSH 0; MSTORE; PUSH 32; MSTORE`,
  ),
  'memory far out': loop('DUP1; PUSH 1; SWAP1; PUSH 20; SUB; PUSH 12; MUL; SHL; MLOAD; POP'),
  'a function that returns': assemble(
    `PUSH 20; LABEL loop; REF back; DUP2; REF square; JUMP; LABEL back; POP; PUSH 1; SWAP1; SUB; DUP1; REF loop; JUMPI; STOP; LABEL square; DUP1; MUL; SWAP1; JUMP`,
  ),
  'a jump to nowhere in the end': loop('DUP1; PUSH 3; EQ; PUSH 0x1234; JUMPI; DUP1; PUSH 4; SUB; REF loop; MUL; POP'),
  'a computed jump to nowhere': assemble(
    'PUSH 20; LABEL loop; PUSH 1; SWAP1; SUB; DUP1; PUSH 5; EQ; PUSH 0x99; MUL; REF loop; ADD; JUMP',
  ),
  'a stack that overflows': assemble('LABEL loop; PUSH 1; PUSH 2; REF loop; JUMP'),
  'a stack that underflows': assemble(`${'PUSH 1; '.repeat(24)} LABEL loop; POP; ADD; SWAP2; POP; REF loop; JUMP`),
};

void describe('compiled blocks do what the reference does', () => {
  for (const [name, code] of Object.entries(PROGRAMS)) {
    void test(name, async () => {
      const eager = new Eager();
      const expected = text(await onReference(code, GAS));
      for (let i = 0; i < 4; i++) assert.deepEqual(text(await eager.run(code, GAS)), expected);
      assert.ok(eager.traces > 0);
    });
  }
});

void test('the longest block and the deepest stack are compiled correctly', async () => {
  const deep = 'DUP1; '.repeat(1000) + 'PUSH 0; MLOAD; POP; '.repeat(2000) + 'POP; '.repeat(1000);
  const eager = new Eager();
  const code = loop(deep);
  const expected = text(await onReference(code, GAS));
  for (let i = 0; i < 3; i++) assert.deepEqual(text(await eager.run(code, GAS)), expected);
  assert.ok(eager.traces > 0);
});

void test('compiled code runs out of gas exactly where interpreted code does', async () => {
  const code = loop('DUP1; PUSH 5; SHL; DUP2; SWAP1; MSTORE; DUP1; DUP1; MUL; PUSH 0; SLOAD; ADD; POP');
  const eager = new Eager();
  const { gasUsed } = await eager.run(code, GAS);
  await eager.run(code, GAS);
  for (let gas = 0n; gas <= gasUsed + 1n; gas += 7n)
    assert.deepEqual(text(await eager.run(code, gas)), text(await onReference(code, gas)), `gas ${gas}`);
  assert.ok(eager.traces > 0);
});

void test('an endless loop is aborted at its deadline', async () => {
  const code = assemble('LABEL loop; REF loop; JUMP');
  const eager = new Eager();
  const { status } = await eager.run(code, 2n ** 62n, { deadline: performance.now() + 50 });
  assert.equal(status, 'aborted');
  assert.ok(eager.traces > 0);
});

void test('a long execution checks the clock regularly, interpreted or compiled', async (t) => {
  const code = assemble('LABEL loop; REF loop; JUMP');
  for (const compile of [null, EAGER]) {
    const state = new JournaledState(viewOf(code));
    const engine = new KernelEngine({ rules: RULES, state, compile });
    const { mock: now } = t.mock.method(StateHost.prototype, 'now');
    await engine.execute(MESSAGE, plainContext(), 10_000n);
    assert.ok(now.callCount() <= 1);
    await engine.execute(MESSAGE, plainContext(), 1_000_000n);
    const looks = now.callCount();
    now.restore();
    assert.ok(looks >= 10 && looks <= 40, `${looks} looks`);
  }
});

void test('a kernel with compilation off has the same results', async () => {
  const code = PROGRAMS['carries and borrows']!;
  const state = new JournaledState(viewOf(code));
  const engine = new KernelEngine({ rules: RULES, state, compile: null, onCompiled: () => assert.fail('compiled') });
  for (let i = 0; i < 2 * LIMITS.compiledRuns; i++) await engine.execute(MESSAGE, plainContext(), GAS);
  assert.deepEqual(text(await engine.execute(MESSAGE, plainContext(), GAS)), text(await onReference(code, GAS)));
});

void test('code is interpreted when there is no memory to compile it', async () => {
  const code = PROGRAMS['carries and borrows']!;
  const eager = new Eager();
  const { Module } = wasm;
  const withoutCompiler = new Proxy(Module, {
    construct: () => {
      throw new RangeError('no memory');
    },
  });
  Object.assign(wasm, { Module: withoutCompiler });
  try {
    assert.deepEqual(text(await eager.run(code, GAS)), text(await onReference(code, GAS)));
    assert.equal(eager.traces, 0);
  } finally {
    Object.assign(wasm, { Module });
  }
  await eager.run(code, GAS);
  assert.ok(eager.traces > 0);
});

void test('by default code is compiled once it has run often', async () => {
  const code = PROGRAMS['carries and borrows']!;
  let traces = 0;
  const engine = new KernelEngine({
    rules: RULES,
    state: new JournaledState(viewOf(code)),
    onCompiled: (count) => (traces += count),
  });
  const runs = Math.ceil(LIMITS.compiledRuns / 20);
  for (let i = 0; i < runs - 1; i++) await engine.execute(MESSAGE, plainContext(), GAS);
  assert.equal(traces, 0);
  await engine.execute(MESSAGE, plainContext(), GAS);
  assert.ok(traces > 0);
  assert.deepEqual(text(await engine.execute(MESSAGE, plainContext(), GAS)), text(await onReference(code, GAS)));
});
