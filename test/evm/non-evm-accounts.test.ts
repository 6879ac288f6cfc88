// Non-EVM accounts: calling one stops the execution with status `foreign`, on every engine and in every kind of call;
// reading one does not.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NonEvmAccounts, parseNonEvmAddressPattern } from '../../src/chain/non-evm-accounts.js';
import type { Execution, EvmMessage } from '../../src/evm/evm-engine.js';
import { createChainRules } from '../../src/evm/reference/fork-rules.js';
import { ReferenceEngine } from '../../src/evm/reference/reference-engine.js';
import { JournaledState } from '../../src/evm/journal/journaled-state.js';
import { KernelEngine } from '../../src/evm/kernel/kernel-engine.js';
import { fromHex, toHex } from '../../src/lib/bytes/hex.js';
import { assemble } from '../support/assembler.js';
import { chainAt } from '../support/jobs.js';
import { bytes, MemoryView } from '../support/memory-view.js';
import { plainContext, plainMessage } from '../support/message.js';
import type { MakeEngine } from '../support/programs/compare.js';
import { EAGER } from '../support/programs/engines.js';

const CALLER = bytes('aa', 20);
const ROUTER = bytes('bb', 20);
const DELEGATED = bytes('de', 20);
const LISTED = bytes('17', 20);
const REGISTRY = '0x8453000000000000000000000000000000000001';
const TOKEN = `0xb200000000000000000000${'17'.repeat(9)}`;
/** Looks like a token, but has ordinary code. */
const LOOKALIKE = `0xb200000000000000000001${'17'.repeat(9)}`;
/** The prefix is one zero byte too short. */
const NEIGHBOUR = `0xb200000000000000000100${'17'.repeat(9)}`;

const CHAIN = { ...chainAt('osaka', 8453n), foreign: [{ prefix: LISTED, kind: 'account' as const }] };

const ENGINES: readonly (readonly [name: string, make: MakeEngine])[] = [
  ['reference', (rules, state) => new ReferenceEngine({ rules, state })],
  ['interpreted', (rules, state) => new KernelEngine({ rules, state, compile: null })],
  ['compiled', (rules, state) => new KernelEngine({ rules, state, compile: EAGER })],
];

const NOTHING = 'PUSH 0; PUSH 0; PUSH 0; PUSH 0;';
const WAYS: Readonly<Record<string, (to: string) => string>> = {
  CALL: (to) => `${NOTHING} PUSH 0; PUSH ${to}; GAS; CALL`,
  'CALL with value': (to) => `${NOTHING} PUSH 1; PUSH ${to}; GAS; CALL`,
  CALLCODE: (to) => `${NOTHING} PUSH 0; PUSH ${to}; GAS; CALLCODE`,
  DELEGATECALL: (to) => `${NOTHING} PUSH ${to}; GAS; DELEGATECALL`,
  STATICCALL: (to) => `${NOTHING} PUSH ${to}; GAS; STATICCALL`,
};
const READS = ['BALANCE', 'EXTCODESIZE', 'EXTCODEHASH'];

async function run(
  make: MakeEngine,
  code: string,
  changes: Partial<EvmMessage> = {},
  gas = 500_000n,
): Promise<Execution> {
  const view = new MemoryView()
    .put(CALLER, { nonce: 1n, balance: 1000n })
    .put(ROUTER, { nonce: 1n, balance: 9n, code });
  for (const address of [TOKEN, NEIGHBOUR]) view.put(fromHex(address), { nonce: 1n, code: '0xef' });
  view.put(fromHex(LOOKALIKE), { nonce: 1n, code: '0x00' });
  view.put(DELEGATED, { nonce: 1n, code: `0xef0100${TOKEN.slice(2)}` });
  const state = new JournaledState(view);
  const engine = make(createChainRules(CHAIN).at(1, 1), state);
  const message = plainMessage({ caller: CALLER, to: ROUTER, value: 0n, ...changes });
  const executed = await engine.execute(message, plainContext(), gas);
  state.undoAll();
  const applied = await engine.apply(message, plainContext(), gas);
  assert.deepEqual([applied.status, applied.nonEvmAddress], [executed.status, executed.nonEvmAddress]);
  return executed;
}

const code = (text: string): string => assemble(...text.split(';').map((each) => each.trim()));

async function meets(make: MakeEngine, text: string, to: string, changes: Partial<EvmMessage> = {}): Promise<void> {
  const { status, nonEvmAddress: foreign } = await run(make, code(text), changes);
  assert.equal(status, 'foreign', text);
  assert.equal(toHex(foreign!), to);
}

for (const [name, make] of ENGINES) {
  void describe(name, () => {
    void test('every kind of call to a non-EVM token, registry or listed account ends with the non-EVM status, also through a delegation', async () => {
      for (const call of Object.values(WAYS)) {
        for (const address of [TOKEN, REGISTRY, toHex(LISTED)]) await meets(make, call(address), address);
        await meets(make, call(toHex(DELEGATED)), TOKEN);
      }
    });

    void test('a message to a non-EVM account ends with the non-EVM status, with and without value', async () => {
      for (const address of [TOKEN, REGISTRY, toHex(LISTED)]) {
        await meets(make, 'STOP', address, { to: fromHex(address) });
        await meets(make, 'STOP', address, { to: fromHex(address), value: 5n });
      }
      await meets(make, 'STOP', TOKEN, { to: DELEGATED });
    });

    void test('a loop followed by a call to a non-EVM account ends with the non-EVM status', async () => {
      const loop = `PUSH 40; JUMPDEST; PUSH 1; SWAP1; SUB; DUP1; PUSH 2; JUMPI`;
      await meets(make, `${loop}; ${WAYS['CALL']!(TOKEN)}`, TOKEN);
    });

    void test('an account that only looks like a token is called as usual', async () => {
      for (const call of Object.values(WAYS)) {
        assert.equal((await run(make, code(call(LOOKALIKE)))).status, 'success');
        assert.equal((await run(make, code(call(NEIGHBOUR)))).status, 'success');
      }
    });

    void test('reading a non-EVM account goes on; a precompile is warm from the start, a token is not', async () => {
      for (const read of READS) {
        const gasOf = async (address: string): Promise<bigint> => {
          const { status, gasUsed } = await run(make, code(`PUSH ${address}; ${read}`));
          assert.equal(status, 'success');
          return gasUsed;
        };
        assert.equal((await gasOf(TOKEN)) - (await gasOf(REGISTRY)), 2500n);
        assert.equal(await gasOf(TOKEN), await gasOf(toHex(LISTED)));
      }
      assert.equal((await run(make, code(`PUSH ${TOKEN}; SELFDESTRUCT`))).status, 'success');
    });

    void test('a call that fails before it reads its callee fails as usual', async () => {
      const tooFar = `PUSH 0; PUSH 0; PUSH 1; PUSH 0xffffffffff; PUSH 0; PUSH ${TOKEN}; GAS; CALL`;
      assert.equal((await run(make, code(tooFar))).status, 'halt');
      assert.equal((await run(make, code(`PUSH ${TOKEN}; GAS; CALL`))).status, 'halt');
    });

    void test('a call that cannot pay for itself ends with the non-EVM status, as its price is not known', async () => {
      const { status } = await run(make, code(WAYS['CALL']!(TOKEN)), {}, 60n);
      assert.equal(status, 'foreign');
    });
  });
}

void test('patterns of non-EVM accounts are parsed', () => {
  assert.deepEqual(parseNonEvmAddressPattern(TOKEN), { prefix: fromHex(TOKEN), kind: 'account' });
  assert.deepEqual(parseNonEvmAddressPattern('0xB2*'), { prefix: Uint8Array.of(0xb2), kind: 'account' });
  assert.deepEqual(parseNonEvmAddressPattern('0xb200*=0xef'), { prefix: Uint8Array.of(0xb2, 0), kind: 'token' });
  for (const text of ['', '0x', '*', '0x*', '0xb2', `${TOKEN}00`, `${TOKEN}*`, '0xb*', 'b200*', '0xb2*=0xfe', '0xzz*'])
    assert.equal(parseNonEvmAddressPattern(text), null, text);
});

void test('the first matching pattern counts', () => {
  const rows = ['0xb201*', '0xb2*=0xef'].map((text) => parseNonEvmAddressPattern(text)!);
  const accounts = new NonEvmAccounts(rows);
  assert.equal(accounts.kindOf(fromHex(`0xb201${'00'.repeat(18)}`)), 'account');
  assert.equal(accounts.kindOf(fromHex(`0xb202${'00'.repeat(18)}`)), 'token');
  assert.equal(accounts.kindOf(fromHex(`0xb1${'00'.repeat(19)}`)), null);
});
