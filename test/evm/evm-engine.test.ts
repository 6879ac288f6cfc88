// The state after an engine's `apply`, and what it leaves to be done at the end of the transaction.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AppliedMessage, EvmEngine, EvmMessage } from '../../src/evm/evm-engine.js';
import { ReferenceEngine, type ReferenceEngineDeps } from '../../src/evm/reference/reference-engine.js';
import { KernelEngine } from '../../src/evm/kernel/kernel-engine.js';
import { createChainRules } from '../../src/evm/reference/fork-rules.js';
import { JournaledState } from '../../src/evm/journal/journaled-state.js';
import { toHex } from '../../src/lib/bytes/hex.js';
import { assemble } from '../support/assembler.js';
import { chainAt } from '../support/jobs.js';
import { bytes, MemoryView } from '../support/memory-view.js';
import { plainContext, plainMessage } from '../support/message.js';

const CALLER = bytes('aa', 20);
const TARGET = bytes('bb', 20);
const HEIR = bytes('cc', 20);
const EMPTY_ACCOUNT = bytes('dd', 20);
/** Stores 7 in slot 1 and logs one topic with four bytes of memory. */
const WRITE = ['PUSH 7', 'PUSH 1', 'SSTORE', 'PUSH 9', 'PUSH 4', 'PUSH 0', 'LOG1'];
const DIE = [`PUSH ${toHex(HEIR)}`, 'SELFDESTRUCT'];

/** Twice creates, at the same address, a contract that reads its slot 0 and reverts. */
const CREATE = 'PUSH 0; PUSH 5; PUSH 27; PUSH 0; CREATE2; POP';
const CREATE_TWICE = `PUSH 0x5f545f5ffd; PUSH 0; MSTORE; ${CREATE}; ${CREATE}`;

interface Run {
  readonly applied: AppliedMessage;
  readonly state: JournaledState;
  readonly engine: EvmEngine;
}

type MakeEngine = (deps: ReferenceEngineDeps) => EvmEngine;

const ENGINES: readonly (readonly [name: string, make: MakeEngine])[] = [
  ['reference', (parts) => new ReferenceEngine(parts)],
  ['kernel', (parts) => new KernelEngine(parts)],
];

async function runOn(
  make: MakeEngine,
  fork: string,
  code: string | null,
  changes: Partial<EvmMessage> = {},
): Promise<Run> {
  const view = new MemoryView().put(CALLER, { nonce: 1n, balance: 1000n });
  view.put(EMPTY_ACCOUNT, {});
  if (code !== null) view.put(TARGET, { nonce: 1n, code, balance: 3n });
  const state = new JournaledState(view);
  const engine = make({ rules: createChainRules(chainAt(fork)).at(1, 1), state });
  const message = plainMessage({ caller: CALLER, to: TARGET, value: 5n, ...changes });
  return { applied: await engine.apply(message, plainContext(), 200_000n), state, engine };
}

const texts = (list: readonly Uint8Array[]): string[] => list.map((address) => toHex(address)).toSorted();

for (const [name, make] of ENGINES) {
  const run = (...args: [string, string | null, Partial<EvmMessage>?]): Promise<Run> => runOn(make, ...args);

  void test(`${name}: a successful message leaves its changes and returns its logs`, async () => {
    const { applied, state } = await run('prague', assemble(...WRITE));
    assert.equal(applied.status, 'success');
    assert.deepEqual(applied.logs, [{ address: TARGET, topics: [bytes('09', 32)], data: new Uint8Array(4) }]);
    assert.deepEqual([...state.storageOf(TARGET, bytes('01', 32))], [7]);
    assert.equal(state.accountOf(TARGET)!.balance, 8n);
    assert.equal(state.accountOf(CALLER)!.balance, 995n);
    assert.deepEqual(applied.destroyed, []);
  });

  void test(`${name}: an address without code receives value`, async () => {
    const { applied, state } = await run('prague', null);
    assert.equal(applied.gasUsed, 0n);
    assert.equal(state.accountOf(TARGET)!.balance, 5n);
    assert.ok(texts(applied.touched).includes(toHex(TARGET)));
  });

  void test(`${name}: an empty account that is called is reported as touched and not removed`, async () => {
    const { applied, state } = await run('prague', null, { to: EMPTY_ACCOUNT, value: 0n });
    assert.ok(texts(applied.touched).includes(toHex(EMPTY_ACCOUNT)));
    assert.deepEqual(
      state.changes().accounts.filter(({ account }) => account === null),
      [],
    );
  });

  for (const [status, end] of [
    ['revert', ['PUSH 0', 'PUSH 0', 'REVERT']],
    ['halt', ['INVALID']],
  ] as const) {
    void test(`${name}: a message that ends in ${status} leaves no changes and no logs`, async () => {
      const { applied, state } = await run('prague', assemble(...WRITE, ...end));
      assert.equal(applied.status, status);
      assert.deepEqual([applied.logs, applied.destroyed, applied.touched], [[], [], []]);
      assert.deepEqual(state.changes(), { accounts: [], slots: [], codes: [] });
    });
  }

  void test(`${name}: a LOG with too few topics on the stack fails`, async () => {
    const { applied } = await run('prague', assemble('PUSH 1', 'PUSH 0', 'LOG4', 'STOP'));
    assert.deepEqual([applied.status, applied.error?.text], ['halt', 'stack underflow (2 <=> 6)']);
  });

  void test(`${name}: a slot of a contract created twice at one address counts as read once`, async () => {
    const { applied, engine } = await run('prague', assemble(CREATE_TWICE), { isTraced: true });
    assert.equal(applied.status, 'success');
    assert.equal(engine.readSet().slots.length, 1);
  });

  void test(`${name}: a destroyed contract is reported and not removed yet`, async () => {
    const { applied, state } = await run('shanghai', assemble(...DIE));
    assert.deepEqual(texts(applied.destroyed), [toHex(TARGET)]);
    assert.ok(state.accountOf(TARGET) !== null);
    assert.equal(state.accountOf(HEIR)!.balance, 8n);
  });

  void test(`${name}: from Cancun on a destroyed contract is reported only if the transaction created it (EIP-6780)`, async () => {
    const old = await run('cancun', assemble(...DIE));
    assert.deepEqual(old.applied.destroyed, []);
    const created = await run('cancun', null, { to: null, data: bytes(assemble(...DIE), 0) });
    assert.equal(created.applied.destroyed.length, 1);
    assert.equal(created.state.accountOf(HEIR)!.balance, 5n);
  });
}
