// Both engines report whether code has read its block environment: for every instruction that does, and only once it
// has run.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EvmEngine } from '../../src/evm/evm-engine.js';
import { createChainRules } from '../../src/evm/reference/fork-rules.js';
import { ReferenceEngine, type ReferenceEngineDeps } from '../../src/evm/reference/reference-engine.js';
import { JournaledState } from '../../src/evm/journal/journaled-state.js';
import { KernelEngine } from '../../src/evm/kernel/kernel-engine.js';
import { OPCODES } from '../../src/evm/opcodes.table.js';
import { assemble } from '../support/assembler.js';
import { chainAt } from '../support/jobs.js';
import { bytes, MemoryView } from '../support/memory-view.js';
import { plainContext, plainMessage } from '../support/message.js';

const CALLER = bytes('aa', 20);
const TARGET = bytes('bb', 20);
const BLOCK_OPCODES: ReadonlySet<string> = new Set([
  'BLOCKHASH',
  'COINBASE',
  'TIMESTAMP',
  'NUMBER',
  'PREVRANDAO',
  'GASLIMIT',
  'BASEFEE',
  'BLOBBASEFEE',
]);
/** Jumps and terminating instructions, which need more than stack items. */
const OTHERS = OPCODES.filter(({ code, ends }) => ends === null && code < 0x90).map(({ name }) => name);

type MakeEngine = (deps: ReferenceEngineDeps) => EvmEngine;

const ENGINES: readonly (readonly [name: string, make: MakeEngine])[] = [
  ['reference', (parts) => new ReferenceEngine(parts)],
  ['kernel', (parts) => new KernelEngine(parts)],
];

/** Runs code on a new engine; resolves to whether the code has read its block environment. */
function blockReaderOf(make: MakeEngine): (code: string) => Promise<boolean> {
  const state = new JournaledState(new MemoryView());
  const engine = make({ rules: createChainRules(chainAt('osaka')).at(1, 1), state });
  return async (code) => {
    state.reset(new MemoryView().put(CALLER, { balance: 1000n }).put(TARGET, { nonce: 1n, code }));
    let wasRead = false;
    const context = plainContext({
      onBlockRead: () => {
        wasRead = true;
      },
    });
    await engine.execute(plainMessage({ caller: CALLER, to: TARGET }), context, 200_000n);
    return wasRead;
  };
}

for (const [name, make] of ENGINES) {
  void test(`${name}: instructions that read the block environment report it, others do not`, async () => {
    const readsBlock = blockReaderOf(make);
    const operands = 'PUSH 0; '.repeat(7);
    for (const opcode of OTHERS) {
      if (opcode.startsWith('PUSH')) continue;
      assert.equal(await readsBlock(assemble(`${operands}${opcode}; STOP`)), BLOCK_OPCODES.has(opcode), opcode);
    }
  });

  void test(`${name}: code that is not run reports nothing, and a read counts even if the call fails later`, async () => {
    const readsBlock = blockReaderOf(make);
    assert.equal(await readsBlock(assemble('STOP; LABEL never; TIMESTAMP')), false);
    assert.equal(await readsBlock(assemble('NUMBER; PUSH 0; PUSH 0; REVERT')), true);
    assert.equal(await readsBlock(assemble('NUMBER; POP; GAS; POP; INVALID')), true);
  });
}
