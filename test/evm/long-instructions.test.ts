// Straight-line code of slow instructions is aborted at its deadline on every engine: the clock is checked by gas
// spent.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { EvmEngine, Execution } from '../../src/evm/evm-engine.js';
import { KernelEngine } from '../../src/evm/kernel/kernel-engine.js';
import { createChainRules } from '../../src/evm/reference/fork-rules.js';
import { ReferenceEngine, type ReferenceEngineDeps } from '../../src/evm/reference/reference-engine.js';
import { JournaledState } from '../../src/evm/journal/journaled-state.js';
import { assemble } from '../support/assembler.js';
import { chainAt } from '../support/jobs.js';
import { bytes, MemoryView } from '../support/memory-view.js';
import { plainContext, plainMessage } from '../support/message.js';
import { EAGER } from '../support/programs/engines.js';

const CALLER = bytes('aa', 20);
const TARGET = bytes('bb', 20);
const PLENTY = 10n ** 9n;
const KIB_64 = 0x1_0000;
/** Readings of the clock until the deadline has passed. */
const READINGS = 30;

type MakeEngine = (deps: ReferenceEngineDeps) => EvmEngine;

const ENGINES: Readonly<Record<string, MakeEngine>> = {
  reference: (parts) => new ReferenceEngine(parts),
  interpreted: (parts) => new KernelEngine({ ...parts, compile: null }),
  compiled: (parts) => new KernelEngine({ ...parts, compile: EAGER }),
};

function precompile(number: number): string {
  return `PUSH 0; PUSH 0; PUSH ${KIB_64}; PUSH 0; PUSH ${number}; GAS; STATICCALL; POP`;
}

/** Slow instructions, and how often each runs. */
const LONG: Readonly<Record<string, readonly [body: string, count: number]>> = {
  KECCAK256: [`PUSH ${KIB_64}; PUSH 0; KECCAK256; POP`, 300],
  MCOPY: [`PUSH ${KIB_64}; PUSH 1; PUSH 0; MCOPY`, 600],
  CODECOPY: [`PUSH ${KIB_64}; PUSH 0; PUSH 0; CODECOPY`, 600],
  CALLDATACOPY: [`PUSH ${KIB_64}; PUSH 0; PUSH 0; CALLDATACOPY`, 600],
  EXTCODECOPY: [`PUSH ${KIB_64}; PUSH 0; PUSH 0; ADDRESS; EXTCODECOPY`, 600],
  LOG0: ['PUSH 0x2000; PUSH 0; LOG0', 120],
  EXP: ['PUSH 0; NOT; PUSH 3; EXP; POP', 3000],
  CREATE: ['PUSH 0xc000; PUSH 0; PUSH 0; CREATE; POP', 100],
  'SHA-256': [precompile(2), 200],
  identity: [precompile(4), 600],
};

/** Makes time the number of clock readings. */
function countedTime(t: TestContext): void {
  let readings = 0;
  t.mock.method(performance, 'now', () => (readings += 1));
}

function run(make: MakeEngine, code: string, deadline: number): Promise<Execution> | Execution {
  const view = new MemoryView().put(CALLER, { balance: 1n }).put(TARGET, { nonce: 1n, code });
  const engine = make({ rules: createChainRules(chainAt('osaka')).at(1, 1), state: new JournaledState(view) });
  return engine.execute(plainMessage({ caller: CALLER, to: TARGET }), plainContext({ deadline }), PLENTY);
}

for (const [engine, make] of Object.entries(ENGINES)) {
  describe(`${engine}: a deadline aborts`, () => {
    for (const [name, [body, count]] of Object.entries(LONG)) {
      test(`a sequence of ${name}`, async (t) => {
        countedTime(t);
        assert.equal((await run(make, assemble(`${body}; `.repeat(count)), READINGS)).status, 'aborted');
      });
    }

    test('a loop of long hashes', async (t) => {
      countedTime(t);
      const hashes = `${LONG['KECCAK256']![0]}; `.repeat(20);
      const { status } = await run(make, assemble(`LABEL again; ${hashes} REF again; JUMP`), READINGS);
      assert.equal(status, 'aborted');
    });
  });
}
