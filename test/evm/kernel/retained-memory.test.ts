// The memory that an engine reports as retained: pages of the kernel's memory count once written, as does compiled
// code. Above a limit the engine is replaced.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EvmEngine, EvmMessage } from '../../../src/evm/evm-engine.js';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { JournaledState } from '../../../src/evm/journal/journaled-state.js';
import { KernelEngine } from '../../../src/evm/kernel/kernel-engine.js';
import { JobRunner } from '../../../src/execution/call/job-runner.js';
import { ForkEngines } from '../../../src/execution/fork-engines.js';
import { toBytes } from '../../../src/lib/bytes/big-endian.js';
import { LIMITS } from '../../../src/limits/index.js';
import { assemble } from '../../support/assembler.js';
import { blockEnv, chainAt, job } from '../../support/jobs.js';
import { bytes, MemoryView } from '../../support/memory-view.js';
import { plainContext, plainMessage } from '../../support/message.js';
import { EAGER } from '../../support/programs/engines.js';

const ALL_RULES = createChainRules(chainAt('osaka'));
const RULES = ALL_RULES.at(1, 1);
const SENDER = bytes('5e', 20);
const TARGET = bytes('c0', 20);
const GAS = 1_000_000_000n;
const KIB = 1024;

function count(times: number, body: string): string {
  return `PUSH 0; LABEL again; ${body}; PUSH 1; ADD; DUP1; PUSH ${times}; GT; REF again; JUMPI`;
}

const REVERTS = '; PUSH 0; PUSH 0; REVERT';
/** Calls itself hundreds of times, until gas runs out, each time with so many items on the stack. */
const DEEP = `${'PUSH 7; '.repeat(500)} PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH 0; ADDRESS; GAS; CALL`;

interface Case {
  readonly code: string;
  readonly changes?: Partial<EvmMessage>;
  /** Minimum growth in bytes. */
  readonly takes: number;
}

const CASES: Readonly<Record<string, Case>> = {
  'memory of a frame': { code: assemble(`PUSH 1; PUSH ${4096 * KIB}; MSTORE`), takes: 4096 * KIB },
  'the journal, also of a frame that failed': {
    code: assemble(`${count(20_000, 'DUP1; PUSH 1; TSTORE')}${REVERTS}`),
    takes: 20_000 * 48,
  },
  'transient slots': { code: assemble(count(20_000, 'DUP1; DUP1; TSTORE')), takes: 20_000 * (96 + 48) },
  slots: { code: assemble(count(10_000, 'DUP1; SLOAD; POP')), takes: 10_000 * 128 },
  accounts: { code: assemble(count(10_000, 'DUP1; PUSH 1000; ADD; BALANCE; POP')), takes: 10_000 * 224 },
  'logs, also of a frame that failed': {
    code: assemble(`${count(1000, 'PUSH 1024; PUSH 0; LOG0')}${REVERTS}`),
    takes: 1000 * KIB,
  },
  'stacks of frames': { code: assemble(DEEP), takes: 500 * 500 * 32 },
  'data of a message': { code: '0x00', changes: { data: new Uint8Array(2048 * KIB) }, takes: 2048 * KIB },
  'return data': { code: assemble(`PUSH ${2048 * KIB}; PUSH 0; RETURN`), takes: 2 * 2048 * KIB },
  codes: { code: `0x00${'5b'.repeat(512 * KIB)}`, takes: 512 * KIB },
};

class EngineMemory {
  readonly #state = new JournaledState(new MemoryView());
  readonly engine: EvmEngine;

  constructor(compile: typeof EAGER | null) {
    this.engine = new KernelEngine({ rules: RULES, state: this.#state, compile, onFallback: () => assert.fail() });
  }

  get bytes(): number {
    return this.engine.keptBytes!;
  }

  async run(code: string, changes: Partial<EvmMessage> = {}): Promise<string> {
    this.#state.reset(
      new MemoryView().put(SENDER, { nonce: 1n, balance: 1000n }).put(TARGET, { nonce: 1n, balance: 9n, code }),
    );
    this.#state.mark();
    const message = { ...plainMessage({ caller: SENDER, to: TARGET }), ...changes };
    const { status } = await this.engine.apply(message, plainContext(), GAS);
    this.#state.undoAll();
    return status;
  }
}

void describe('an engine counts as retained memory', () => {
  for (const [name, { code, changes, takes }] of Object.entries(CASES)) {
    void test(name, async () => {
      const memory = new EngineMemory(null);
      await memory.run('0x00');
      const before = memory.bytes;
      await memory.run(code, changes);
      const grown = memory.bytes - before;
      assert.ok(grown >= takes, `${grown} of ${takes}`);
      await memory.run('0x00');
      assert.ok(memory.bytes - before >= takes, 'a page that was written to stays');
      await memory.run(code, changes);
      assert.ok(memory.bytes - before < 1.5 * grown, 'and serves again');
    });
  }

  void test('decoded codes, which replace one another within a bound', async () => {
    const memory = new EngineMemory(null);
    let most = 0;
    let hasForgotten = false;
    // Each takes some 10 MiB once decoded, of the 96 MiB at which the code cache is cleared.
    for (let i = 0; i < 24; i++) {
      await memory.run(`${assemble(`PUSH ${i}; POP`)}${'5b'.repeat(256 * KIB)}`);
      hasForgotten ||= memory.bytes === most;
      assert.ok(memory.bytes >= most);
      most = memory.bytes;
    }
    assert.ok(hasForgotten, 'codes take the place of those before');
    // Stale bytes must not be taken for basic blocks that are jump targets.
    for (let to = 0x1000; to < 0x1000 + 64; to++)
      assert.equal(await memory.run(`${assemble(`PUSH ${to}; JUMP`)}${'00'.repeat(256 * KIB)}`), 'halt');
  });

  void test('code of many JUMPDESTs, decoded once although each is jumped to', async () => {
    const memory = new EngineMemory(null);
    const dispatch = assemble('PUSH 0; CALLDATALOAD; JUMP');
    const first = (dispatch.length - 2) / 2;
    const before = memory.bytes;
    const jumpTo = (to: number): Promise<string> =>
      memory.run(`${dispatch}${'5b'.repeat(2000)}`, { data: toBytes(BigInt(to), 32) });
    for (let i = 1999; i >= 0; i--) assert.equal(await jumpTo(first + i), 'success');
    assert.equal(await jumpTo(first + 2000), 'halt');
    assert.ok(memory.bytes - before < 256 * KIB, 'nothing is decoded twice');
  });

  void test('only the bytes of code that is not run', async () => {
    const memory = new EngineMemory(null);
    await memory.run('0x00');
    const before = memory.bytes;
    await memory.run(`0x00${'5b'.repeat(20 * KIB)}`);
    // The bytes of the code, and a bit more than four bytes for each.
    assert.ok(memory.bytes - before < 6 * 20 * KIB);
  });

  void test('compiled code, even after it is dropped', async () => {
    const memory = new EngineMemory({ ...EAGER, bytesMax: 1_000_000 });
    let before = memory.bytes;
    for (let i = 0; i < 40; i++) {
      const code = assemble(`PUSH ${1000 + i}; POP; ${count(100, 'DUP1; DUP1; MUL; POP')}`);
      await memory.run(code);
      await memory.run(code);
      assert.ok(memory.bytes > before + 64 * KIB, `${i}`);
      before = memory.bytes;
    }
  });
});

void describe('engines that retain too much memory are replaced', () => {
  const MIB = KIB * KIB;

  function engines(keptMiB: readonly number[]): { made: EvmEngine[]; engines: ForkEngines; state: JournaledState } {
    const made: EvmEngine[] = [];
    const state = new JournaledState(new MemoryView());
    const create = (): EvmEngine => {
      const engine = { keptBytes: (keptMiB[made.length] ?? 0) * MIB } as Partial<EvmEngine> as EvmEngine;
      made.push(engine);
      return engine;
    };
    return { made, state, engines: new ForkEngines(state, create) };
  }

  void test('by the sum over all forks, and only the newest is created at once', () => {
    const older = createChainRules(chainAt('cancun')).at(1, 1);
    const { made, engines: all } = engines([60, 40]);
    const first = all.at(older);
    const second = all.at(RULES);
    all.renew(100 * MIB);
    assert.equal(all.at(older), first, 'within the bound they stay');
    assert.equal(all.at(RULES), second);
    const more = engines([60, 41]);
    more.engines.at(older);
    more.engines.at(RULES);
    more.engines.renew(100 * MIB);
    assert.deepEqual([made.length, more.made.length], [2, 3]);
    assert.equal(more.engines.at(RULES), more.made[2]);
  });

  void test('and the old ones are collected at once', async () => {
    const all = new ForkEngines(
      new JournaledState(new MemoryView()),
      () => ({ keptBytes: 101 * MIB }) as Partial<EvmEngine> as EvmEngine,
    );
    const before = new WeakRef(all.at(RULES));
    await nextTurn();
    all.renew(100 * MIB);
    assert.equal(before.deref(), undefined);
  });

  void test('so that ever new code stays within the bound, with right results', async () => {
    const made: EvmEngine[] = [];
    const createEngine = (rules: typeof RULES, state: JournaledState): EvmEngine => {
      const engine = new KernelEngine({ rules, state });
      made.push(engine);
      return engine;
    };
    const runner = new JobRunner({ rules: ALL_RULES, createEngine });
    for (let i = 0; i < 24; i++) {
      const answers = assemble(`PUSH ${i}; PUSH 0; MSTORE; PUSH 32; PUSH 0; RETURN`);
      const code = `0x${'5b'.repeat(256 * KIB)}${answers.slice(2)}`;
      const requested = job({ to: '0x00000000000000000000000000000000000000c0' }, { kind: 'call' });
      const outcome = await runner.runJob(requested, new MemoryView().put(TARGET, { code }), blockEnv());
      assert.deepEqual(outcome, { kind: 'return', data: toBytes(BigInt(i), 32) });
      runner.renew();
      assert.ok(made.at(-1)!.keptBytes! <= LIMITS.engineBytesKeptMax);
    }
    assert.ok(made.length > 1);
  });
});
