// Calls inside a block: after its first k transactions they see the state that the block had at that point when it was
// built. The block is built on the reference; the calls run on the kernel, also on state that has to be fetched first.
// A block that executes differently yields no result.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTx } from '@ethereumjs/tx';
import { createAddressFromPrivateKey } from '@ethereumjs/util';
import * as fc from 'fast-check';
import { encodeHeader } from '../../../src/chain/block/header.js';
import { headerForEnv } from '../../support/header-for-env.js';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { BlockExecutor } from '../../../src/execution/block/block-executor.js';
import { TransactionExecutor } from '../../../src/execution/block/transaction-executor.js';
import { JobRunner } from '../../../src/execution/call/job-runner.js';
import { runWithMissingState } from '../../../src/execution/call/find-missing-keys.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { toBytes } from '../../../src/lib/bytes/big-endian.js';
import type { ExecutedTransaction } from '../../../src/state/complete-block.js';
import type { StateChanges } from '../../../src/state/state-diff.js';
import type { Job, JobOutcome, BlockReplay } from '../../../src/transaction/evm-job.js';
import { assemble } from '../../support/assembler.js';
import { blockEnv, callRequest, chainAt, job } from '../../support/jobs.js';
import { bytes, MemoryView } from '../../support/memory-view.js';
import { candidateEngine } from '../../support/programs/engines.js';
import { coldView } from '../cold-view.js';

const RULES = createChainRules(chainAt('prague'));
const KEYS = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte));
const ACCOUNTS = KEYS.map((key) => createAddressFromPrivateKey(key).bytes);
const ADDER = bytes('ad', 20);
const INSPECTOR = bytes('10', 20);
const HISTORY = bytes('0000F90827F1C53a10cb7A02335B175320002935', 20);
const PARENT_HASH = new Uint8Array(32).fill(0xaa);
const PARENT = blockEnv({ number: 99 });
const ENV = blockEnv({ number: 100, timestamp: PARENT.timestamp + 12n });

/** Adds the first word of the call data to slot 0 and returns the sum; reverts if it exceeds 9. */
const ADD = assemble(
  'PUSH 0; SLOAD; PUSH 0; CALLDATALOAD; ADD; DUP1; PUSH 0; SSTORE; DUP1; PUSH 0; MSTORE; PUSH 9; LT; REF high; JUMPI',
  'PUSH 32; PUSH 0; RETURN; LABEL high; PUSH 32; PUSH 0; REVERT',
);
/** Returns the balance of the address in the call data, the block's number and time, and its parent's hash. */
const INSPECT = assemble(
  'PUSH 0; CALLDATALOAD; BALANCE; PUSH 0; MSTORE; NUMBER; PUSH 32; MSTORE; TIMESTAMP; PUSH 64; MSTORE',
  'PUSH 99; BLOCKHASH; PUSH 96; MSTORE; PUSH 128; PUSH 0; RETURN',
);
/** Stores the word of its call data in slot 0 at the start of the block. */
const KEEP = assemble('PUSH 0; CALLDATALOAD; PUSH 0; SSTORE; STOP');
/** Creation code of a contract whose code is its own address. */
const OWN_ADDRESS = bytes(assemble('ADDRESS; PUSH 0; MSTORE; PUSH 32; PUSH 0; RETURN'), 0);

const word = (value: bigint): Uint8Array => toBytes(value, 32);

interface Made {
  readonly key: Uint8Array;
  readonly nonce: bigint;
  /** Absent: the transaction creates a contract. */
  readonly to?: Uint8Array;
  readonly data?: Uint8Array;
  readonly value?: bigint;
}

function signed({ key, to, data = new Uint8Array(0), ...fields }: Made): Uint8Array {
  const { common } = RULES.at(ENV.number, ENV.timestamp);
  const receiver = to === undefined ? {} : { to: toHex(to) };
  const fees = { maxPriorityFeePerGas: 1n, maxFeePerGas: 100n, gasLimit: 200_000n };
  const made = { type: 2, chainId: 1337n, ...fields, ...fees, ...receiver, data };
  return createTx(made as Parameters<typeof createTx>[0], { common })
    .sign(key)
    .serialize();
}

function world(changes: readonly StateChanges[] = []): MemoryView {
  const view = new MemoryView()
    .put(ADDER, { nonce: 1n, code: ADD, storage: { '0': 1n } })
    .put(INSPECTOR, { nonce: 1n, code: INSPECT })
    .put(HISTORY, { nonce: 1n, code: KEEP });
  for (const account of ACCOUNTS) view.put(account, { balance: 10n ** 18n });
  view.setBlockHash(99, PARENT_HASH);
  for (const { accounts, slots, codes } of changes) {
    for (const { address, account } of accounts) view.set(address, account);
    for (const { address, slot, value } of slots) view.setSlot(address, slot, value);
    for (const { hash, bytes: code } of codes) view.setCode(hash, code);
  }
  return view;
}

type Kind = 'pay' | 'add' | 'create';
interface Step {
  readonly who: number;
  readonly kind: Kind;
  readonly amount: number;
}
type Plan = readonly Step[];

const anyPlan: fc.Arbitrary<Plan> = fc.array(
  fc.record({
    who: fc.nat(KEYS.length - 1),
    kind: fc.constantFrom<Kind>('pay', 'add', 'create'),
    amount: fc.nat(6),
  }),
  { maxLength: 6 },
);

function signedOnes(plan: Plan): Uint8Array[] {
  const nonces = KEYS.map(() => 0n);
  return plan.map(({ who, kind, amount }) => {
    const from = { key: KEYS[who]!, nonce: nonces[who]!++ };
    if (kind === 'create') return signed({ ...from, data: OWN_ADDRESS });
    if (kind === 'add') return signed({ ...from, to: ADDER, data: word(BigInt(amount)) });
    return signed({ ...from, to: ACCOUNTS[amount % ACCOUNTS.length]!, value: BigInt(amount) });
  });
}

interface Built {
  readonly transactions: readonly ExecutedTransaction[];
  /** Changes before the first transaction, and of each transaction. */
  readonly changes: readonly StateChanges[];
}

async function built(plan: Plan): Promise<Built> {
  const view = world();
  const executor = new TransactionExecutor(RULES, view);
  const fixed = { env: ENV, parentHash: PARENT_HASH, extraData: new Uint8Array(0), withdrawals: null, work: null };
  const block = await BlockExecutor.open(fixed, { executor, view, trie: null });
  const changes = [block.cut()];
  const transactions: ExecutedTransaction[] = [];
  for (const raw of signedOnes(plan)) {
    const applied = await block.apply(raw);
    assert.ok(applied.kind === 'applied');
    transactions.push(applied.transaction);
    changes.push(block.cut());
  }
  return { transactions, changes };
}

function replayOf({ transactions }: Built, count: number): BlockReplay {
  return {
    header: encodeHeader(headerForEnv(ENV, PARENT_HASH)),
    cumulativeGasUsed: transactions[count - 1]?.receipt.cumulativeGasUsed ?? 0n,
    transactions: transactions.slice(0, count),
  };
}

const GAS = 1_000_000n;
/**
 * Inspect everything, and write while doing so. None has so much gas that a failing one would leave too little for the
 * others.
 */
const CALLS = [
  ...[...ACCOUNTS, ENV.coinbase].map((account) =>
    callRequest({ to: toHex(INSPECTOR), gas: GAS, data: Buffer.concat([new Uint8Array(12), account]) }),
  ),
  ...[0n, 1n].map((more) => callRequest({ to: toHex(ADDER), gas: GAS, data: word(more) })),
  ...ACCOUNTS.map((account) => callRequest({ from: toHex(account), gas: GAS, data: OWN_ADDRESS })),
];

function replayJob(replay?: BlockReplay): Job {
  const blocks = [{ stateOverride: [], blockOverride: null, calls: CALLS }];
  return job({}, { kind: 'callMany', blocks, ...(replay !== undefined && { replay }) });
}

function runner(): JobRunner {
  return new JobRunner({ rules: RULES, createEngine: candidateEngine });
}

const SEED = { seed: 20_721, numRuns: 40 };

test('calls after k transactions see the state in which the block was after k transactions', async () => {
  const one = runner();
  await fc.assert(
    fc.asyncProperty(anyPlan, async (plan) => {
      const block = await built(plan);
      for (let count = 0; count <= plan.length; count++) {
        const expected = await one.runJob(replayJob(), world(block.changes.slice(0, count + 1)), ENV);
        assert.equal(expected.kind, 'json');
        assert.deepEqual(await one.runJob(replayJob(replayOf(block, count)), world(), PARENT), expected, `${count}`);
      }
    }),
    SEED,
  );
});

test('missing state is reported, and the result is the same once it is fetched', async () => {
  const block = await built([
    { who: 0, kind: 'add', amount: 3 },
    { who: 1, kind: 'pay', amount: 2 },
    { who: 0, kind: 'create', amount: 0 },
  ]);
  const { view, learn } = coldView(world());
  const one = runner();
  const whole = replayJob(replayOf(block, 3));
  let outcome: JobOutcome = { kind: 'missing', missingKeys: { accounts: [], slots: [] } };
  while (outcome.kind === 'missing') {
    learn(outcome);
    outcome = await runWithMissingState(one, whole, { view, env: PARENT });
  }
  assert.deepEqual(outcome, await one.runJob(whole, world(), PARENT));
});

test('a block that executes differently or takes too long gives an error', async () => {
  const block = await built([{ who: 0, kind: 'add', amount: 3 }]);
  const replay = replayOf(block, 1);
  const one = runner();
  const textOf = async (of: Job, view = world()): Promise<string> => {
    const outcome = await one.runJob(of, view, PARENT);
    return outcome.kind === 'failure' ? `${outcome.error}: ${outcome.message}` : outcome.kind;
  };
  const { cumulativeGasUsed: gas } = replay;
  assert.equal(
    await textOf(replayJob({ ...replay, cumulativeGasUsed: gas + 1n })),
    `execution: block 100 differs when it is executed again: ${gas} gas is used instead of ${gas + 1n}`,
  );
  const poor = world().put(ACCOUNTS[0]!, {});
  assert.match(await textOf(replayJob(replay), poor), /^execution: block 100 differs .*: insufficient funds for gas/);
  assert.equal(await textOf({ ...replayJob(replay), timeoutMs: -1 }), 'timeout: execution aborted (timeout = -1ms)');
  assert.equal(await textOf(replayJob(replay)), 'json');
});
