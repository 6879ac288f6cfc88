// State misses thrown by the kernel are the view's own errors, and their account and slot do not change afterwards.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KernelEngine } from '../../../src/evm/kernel/kernel-engine.js';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { JournaledState } from '../../../src/evm/journal/journaled-state.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { StateMiss } from '../../../src/state/table/read/table-reader-and-snapshot.js';
import { assemble } from '../../support/assembler.js';
import { blockEnv, chainAt } from '../../support/jobs.js';
import { bytes, MemoryView } from '../../support/memory-view.js';
import { plainContext, plainMessage } from '../../support/message.js';

const CALLER = bytes('aa', 20);
const TARGET = bytes('bb', 20);
const SLOT = bytes('07', 32);

/** A view without storage and with the given accounts only; its misses hold copies of the requested keys. */
class SparseView extends MemoryView {
  override account(address: Uint8Array): ReturnType<MemoryView['account']> {
    const account = super.account(address);
    if (account === null) throw new StateMiss(address.slice(), null);
    return account;
  }

  override storage(address: Uint8Array, slot: Uint8Array): Uint8Array {
    throw new StateMiss(address.slice(), slot.slice());
  }
}

async function missOf(engine: KernelEngine, to: Uint8Array): Promise<StateMiss> {
  try {
    await engine.execute(plainMessage({ caller: CALLER, to }), plainContext(), 100_000n);
  } catch (error) {
    if (error instanceof StateMiss) return error;
    throw error;
  }
  throw new Error('nothing was missed');
}

test('a thrown state miss keeps its account and slot while the kernel goes on', async () => {
  const view = new SparseView().put(CALLER, { balance: 1n }).put(blockEnv().coinbase, { balance: 1n });
  view.put(TARGET, { nonce: 1n, code: assemble('PUSH 7', 'SLOAD', 'PUSH 0', 'SSTORE') });
  const engine = new KernelEngine({
    rules: createChainRules(chainAt('osaka')).at(1, 1),
    state: new JournaledState(view),
  });
  const missed = await missOf(engine, TARGET);
  const others = [bytes('c1', 20), bytes('c2', 20)];
  for (const other of others) assert.equal(toHex((await missOf(engine, other)).address), toHex(other));
  assert.equal(toHex(missed.address), toHex(TARGET));
  assert.equal(toHex(missed.slot!), toHex(SLOT));
  const account = await missOf(engine, others[0]!);
  await missOf(engine, others[1]!);
  assert.equal(toHex(account.address), toHex(others[0]!));
});
