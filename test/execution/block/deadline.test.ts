// A deadline breaks off transactions and system calls of a block, on every engine; what they have done is undone, and the
// block goes on as if they had not been tried.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { engines, type KernelMode } from '../../../src/evm/kernel/engines.js';
import { KernelCounters } from '../../../src/evm/kernel/shared-counters.js';
import { createRules } from '../../../src/evm/ethereumjs/fork-rules.js';
import { BlockExecutor, type BlockPlan } from '../../../src/execution/block/executor.js';
import { BrokenOff } from '../../../src/execution/broken-off.js';
import { TransactionExecutor } from '../../../src/execution/block/transaction-executor.js';
import { Signer } from '../../../src/transaction/library.js';
import { assemble } from '../../support/assembler.js';
import { blockEnv, chainAt } from '../../support/jobs.js';
import { bytes, MemoryView } from '../../support/memory-view.js';

const RULES = createRules(chainAt('prague'));
const SIGNER = new Signer(new Uint8Array(32).fill(9));
const LOOPING = bytes('c0', 20);
const HASHING = bytes('c1', 20);
const BEACON_ROOTS = bytes('000F3df6D732807Ef1319fB7B8bB8522d0Beac02', 20);
const ENV = blockEnv({ gasLimit: 30_000_000n, baseFeePerGas: 7n });
const PLAN: BlockPlan = {
  env: ENV,
  parentHash: new Uint8Array(32),
  extraData: new Uint8Array(0),
  withdrawals: [],
  work: null,
};

/** Writes to the slot of its sender's call data, then jumps more often than a look at the clock takes. */
const LOOP = assemble(
  'PUSH 1; PUSH 0; CALLDATALOAD; SSTORE; PUSH 17000; LABEL again; PUSH 1; SWAP1; SUB; DUP1; REF again; JUMPI; STOP',
);
/** Writes likewise, then calls RIPEMD160, and writes its success. */
const HASH = assemble(
  'PUSH 1; PUSH 0; CALLDATALOAD; SSTORE; PUSH 32; PUSH 0; PUSH 64; PUSH 0; PUSH 3; GAS; STATICCALL; PUSH 9; SSTORE; STOP',
);

function world(): MemoryView {
  return new MemoryView()
    .put(signed(0n, LOOPING).getSenderAddress().bytes, { balance: 10n ** 20n })
    .put(LOOPING, { nonce: 1n, code: LOOP })
    .put(HASHING, { nonce: 1n, code: HASH })
    .put(BEACON_ROOTS, { nonce: 1n, code: LOOP });
}

function signed(nonce: bigint, to: Uint8Array): ReturnType<Signer['sign']> {
  const data = new Uint8Array(32).fill(Number(nonce) + 1, 31);
  const fees = { tipCap: 0n, feeCap: 7n, gasLimit: 700_000n, value: 0n };
  return SIGNER.sign({ nonce, to, data, ...fees }, RULES.at(ENV.number, ENV.timestamp));
}

function differ(mismatch: unknown): void {
  assert.fail(JSON.stringify(mismatch));
}

/** A transaction executor on these engines, which must not differ. */
function executorOn(view: MemoryView, mode: KernelMode): TransactionExecutor {
  const createEngine = engines({ mode, counters: new KernelCounters().buffer }, differ);
  return new TransactionExecutor(RULES, view, { createEngine });
}

const TRANSACTIONS = [LOOPING, HASHING, LOOPING].map((to, nonce) => signed(BigInt(nonce), to).serialize());

/** Everything that a block comes to; each step is first tried with a deadline that has passed where `isTried`. */
async function run(mode: KernelMode, isTried: boolean): Promise<unknown> {
  const view = world();
  const executor = executorOn(view, mode);
  const tried = async <T>(step: () => Promise<T>): Promise<T> => {
    executor.deadline = 0;
    if (isTried) await assert.rejects(step, BrokenOff);
    executor.deadline = Infinity;
    return step();
  };
  const block = await tried(() => BlockExecutor.open(PLAN, { executor, view, trie: null }));
  for (const transaction of TRANSACTIONS)
    assert.equal((await tried(async () => block.apply(transaction))).kind, 'applied');
  const { header, changes, block: complete } = await block.seal();
  return { header, changes, receipts: complete.transactions.map(({ receipt }) => receipt) };
}

describe('what a deadline breaks off', () => {
  for (const mode of ['on', 'off', 'shadow'] as const) {
    test(`leaves nothing behind, kernel ${mode}`, async () => {
      assert.deepEqual(await run(mode, true), await run('off', false));
    });
  }
});
