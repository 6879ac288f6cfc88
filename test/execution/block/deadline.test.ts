// A deadline aborts transactions and system calls of a block, on every engine; their changes are reverted, and the
// block continues as if they had not been tried.
import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import { SigningKey, Transaction, computeAddress, getBytes } from 'ethers';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { engineFactory, type KernelMode } from '../../../src/evm/kernel/kernel-or-reference-engine.js';
import { KernelCounters } from '../../../src/evm/kernel/kernel-counters-and-code-denylist.js';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { BlockExecutor, type BlockPlan } from '../../../src/execution/block/block-executor.js';
import { DeadlineError } from '../../../src/execution/deadline-error.js';
import { TransactionExecutor } from '../../../src/execution/block/transaction-executor.js';
import { assemble } from '../../support/assembler.js';
import { blockEnv, chainAt } from '../../support/jobs.js';
import { bytes, MemoryView } from '../../support/memory-view.js';

const KEY = new SigningKey(new Uint8Array(32).fill(9));
const SENDER = getBytes(computeAddress(KEY));
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

/** Writes to the slot in its call data, then jumps often enough that the clock is checked. */
const LOOP = assemble(
  'PUSH 1; PUSH 0; CALLDATALOAD; SSTORE; PUSH 17000; LABEL again; PUSH 1; SWAP1; SUB; DUP1; REF again; JUMPI; STOP',
);
/** Writes likewise, then calls RIPEMD160 and stores its success. */
const HASH = assemble(
  'PUSH 1; PUSH 0; CALLDATALOAD; SSTORE; PUSH 32; PUSH 0; PUSH 64; PUSH 0; PUSH 3; GAS; STATICCALL; PUSH 9; SSTORE; STOP',
);

function world(): MemoryView {
  return new MemoryView()
    .put(SENDER, { balance: 10n ** 20n })
    .put(LOOPING, { nonce: 1n, code: LOOP })
    .put(HASHING, { nonce: 1n, code: HASH })
    .put(BEACON_ROOTS, { nonce: 1n, code: LOOP });
}

/** A transaction of the type that every fork accepts. */
function signed(nonce: number, to: Uint8Array): Uint8Array {
  const data = new Uint8Array(32).fill(nonce + 1, 31);
  const fields = { type: 0, nonce, to: toHex(to), data: toHex(data), gasPrice: 7n, gasLimit: 700_000n };
  const transaction = Transaction.from(fields);
  transaction.signature = KEY.sign(transaction.unsignedHash);
  return getBytes(transaction.serialized);
}

/** The fork, and the engine that executes the block. */
interface Setting {
  readonly fork: string;
  readonly mode: KernelMode;
}

/** A transaction executor on this engine. */
function executorOn(view: MemoryView, { fork, mode }: Setting): TransactionExecutor {
  const createEngine = engineFactory({ mode, counters: new KernelCounters().buffer });
  return new TransactionExecutor(createChainRules(chainAt(fork)), view, { createEngine });
}

const TRANSACTIONS = [LOOPING, HASHING, LOOPING].map((to, nonce) => signed(nonce, to));

/** Everything that results from a block; with `isTried`, each step is first attempted with an expired deadline. */
async function run(setting: Setting, isTried: boolean): Promise<unknown> {
  const view = world();
  const executor = executorOn(view, setting);
  const tried = async <T>(step: () => Promise<T>): Promise<T> => {
    executor.deadline = 0;
    if (isTried) await assert.rejects(step, DeadlineError);
    executor.deadline = Infinity;
    return step();
  };
  const open = (): Promise<BlockExecutor> => BlockExecutor.open(PLAN, { executor, view, trie: null });
  // From Cancun on, blocks start with a system call.
  const block = await (setting.fork === 'prague' ? tried(open) : open());
  for (const transaction of TRANSACTIONS)
    assert.equal((await tried(async () => block.apply(transaction))).kind, 'applied');
  const { header, changes, block: complete } = await block.seal();
  return { header, changes, receipts: complete.transactions.map(({ receipt }) => receipt) };
}

/** Before London the library runs transactions. Before Byzantium no block can be executed in attempts. */
const SETTINGS: readonly Setting[] = [
  { fork: 'prague', mode: 'on' },
  { fork: 'prague', mode: 'off' },
  { fork: 'byzantium', mode: 'on' },
];

describe('an aborted transaction or system call', () => {
  for (const setting of SETTINGS) {
    test(`leaves nothing behind, ${setting.fork}, kernel ${setting.mode}`, async () => {
      assert.deepEqual(await run(setting, true), await run({ ...setting, mode: 'off' }, false));
    });
  }
});

describe('before London', () => {
  for (const [what, to, looks] of [
    ['a loop', LOOPING, 1],
    ['a precompile', HASHING, 2],
  ] as const) {
    test(`${what} is aborted at the deadline`, async () => {
      const view = world();
      const executor = executorOn(view, { fork: 'berlin', mode: 'on' });
      const block = await BlockExecutor.open(PLAN, { executor, view, trie: null });
      executor.deadline = 1;
      let looked = 0;
      const clock = mock.method(performance, 'now', () => (looked++ < looks ? 0 : 2));
      await assert.rejects(async () => block.apply(signed(0, to)), DeadlineError);
      clock.mock.restore();
      assert.equal(looked, looks + 1);
    });
  }
});
