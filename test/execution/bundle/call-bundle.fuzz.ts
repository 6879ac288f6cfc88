// Bundles compared with a block of the same transactions, built one by one on the reference: gas, status, the fee
// recipient's gain and every change are equal, also on state that has to be fetched first; and compared with
// eth_simulateV1 of the same calls.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createTx } from '@ethereumjs/tx';
import { createAddressFromPrivateKey } from '@ethereumjs/util';
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import * as fc from 'fast-check';
import { encodeHeader } from '../../../src/chain/block/header.js';
import { headerForEnv } from '../../support/header-for-env.js';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { BlockExecutor } from '../../../src/execution/block/block-executor.js';
import { TransactionExecutor } from '../../../src/execution/block/transaction-executor.js';
import type { StateDiffJson } from '../../../src/execution/bundle/state-diff-renderer.js';
import { JobRunner } from '../../../src/execution/call/job-runner.js';
import { runWithMissingState } from '../../../src/execution/call/find-missing-keys.js';
import { fromHex, toHex } from '../../../src/lib/bytes/hex.js';
import { toBytes } from '../../../src/lib/bytes/big-endian.js';
import type { ExecutedTransaction } from '../../../src/state/complete-block.js';
import type { StateChanges } from '../../../src/state/state-diff.js';
import type { CallRequest, Job, JobOutcome } from '../../../src/transaction/evm-job.js';
import type { JobTrace } from '../../../src/transaction/trace-request-types.js';
import { assemble } from '../../support/assembler.js';
import { blockEnv, callRequest, chainAt, job } from '../../support/jobs.js';
import { bytes, MemoryView } from '../../support/memory-view.js';
import { candidateEngine } from '../../support/programs/engines.js';
import { coldView } from '../cold-view.js';
import { rounds } from '../../support/rounds.js';

const RULES = createChainRules(chainAt('prague'));
const KEYS = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte));
const SENDERS = KEYS.map((key) => createAddressFromPrivateKey(key).bytes);
const ENV = blockEnv({ coinbase: bytes('c0', 20) });
const PARENT_HASH = new Uint8Array(32).fill(0xaa);
const ADDER = bytes('ad', 20);
const PAYER = bytes('ba', 20);
const CLEARER = bytes('ce', 20);
const GAS_LIMIT = 200_000n;

/** Adds the first word of the call data to slot 0 and returns the sum; reverts with everything if it exceeds 9. */
const ADD = assemble(
  'PUSH 0; SLOAD; PUSH 0; CALLDATALOAD; ADD; DUP1; PUSH 0; SSTORE; DUP1; PUSH 0; MSTORE; PUSH 9; LT; REF high; JUMPI',
  'PUSH 32; PUSH 0; RETURN; LABEL high; PUSH 32; PUSH 0; REVERT',
);
/** Forwards its value to the fee recipient. */
const PAY = assemble('PUSH 0; PUSH 0; PUSH 0; PUSH 0; CALLVALUE; COINBASE; GAS; CALL; STOP');
/** Moves the word in slot 1 to slot 2, which changes both. */
const CLEAR = assemble('PUSH 1; SLOAD; PUSH 2; SSTORE; PUSH 0; PUSH 1; SSTORE; STOP');
/** Creation code of a contract whose code is its own address. */
const OWN_ADDRESS = bytes(assemble('ADDRESS; PUSH 0; MSTORE; PUSH 32; PUSH 0; RETURN'), 0);
/** Creation code that halts. */
const HALTS = bytes('fe', 1);
/** Creation code that destroys itself and sends its value to the fee recipient. */
const GOES = bytes(assemble('COINBASE; SELFDESTRUCT'), 0);

function world(changes: readonly StateChanges[] = []): MemoryView {
  const view = new MemoryView()
    .put(ADDER, { nonce: 1n, code: ADD, storage: { '0': 1n } })
    .put(PAYER, { nonce: 1n, code: PAY })
    .put(CLEARER, { nonce: 1n, code: CLEAR, balance: 5n, storage: { '1': 7n } });
  for (const sender of SENDERS) view.put(sender, { balance: 10n ** 18n });
  for (const { accounts, slots, codes } of changes) {
    for (const { address, account } of accounts) view.set(address, account);
    for (const { address, slot, value } of slots) view.setSlot(address, slot, value);
    for (const { hash, bytes: code } of codes) view.setCode(hash, code);
  }
  return view;
}

type Kind = 'pay' | 'add' | 'tip' | 'clear' | 'create' | 'halt' | 'go';
interface Step {
  readonly who: number;
  readonly kind: Kind;
  readonly amount: number;
}

const anyPlan: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    who: fc.nat(KEYS.length - 1),
    kind: fc.constantFrom<Kind>('pay', 'add', 'tip', 'clear', 'create', 'halt', 'go'),
    amount: fc.nat(6),
  }),
  { minLength: 1, maxLength: 8 },
);

interface Made {
  readonly to?: string;
  readonly data?: Uint8Array;
  readonly value?: bigint;
}

function messageOf({ kind, amount }: Step): Made {
  const value = BigInt(amount);
  switch (kind) {
    case 'pay':
      return { to: toHex(SENDERS[amount % SENDERS.length]!), value };
    case 'add':
      return { to: toHex(ADDER), data: toBytes(value, 32) };
    case 'tip':
      return { to: toHex(PAYER), value };
    case 'clear':
      return { to: toHex(CLEARER) };
    case 'create':
      return { data: OWN_ADDRESS, value };
    case 'halt':
      return { data: HALTS };
    case 'go':
      return { data: GOES, value };
  }
}

const FEES = { maxPriorityFeePerGas: 2n, maxFeePerGas: 100n };

function signedOnes(plan: readonly Step[]): Uint8Array[] {
  const nonces = KEYS.map(() => 0n);
  const { common } = RULES.at(ENV.number, ENV.timestamp);
  return plan.map((step) => {
    const nonce = nonces[step.who]!++;
    const fields = { type: 2, chainId: 1337n, nonce, gasLimit: GAS_LIMIT, ...FEES, ...messageOf(step) };
    return createTx(fields as Parameters<typeof createTx>[0], { common })
      .sign(KEYS[step.who]!)
      .serialize();
  });
}

/** The block of the transactions, and the changes of each. */
interface Built {
  readonly transactions: readonly ExecutedTransaction[];
  readonly changes: readonly StateChanges[];
}

async function built(raws: readonly Uint8Array[]): Promise<Built> {
  const view = world();
  const executor = new TransactionExecutor(RULES, view);
  const plan = { env: ENV, parentHash: PARENT_HASH, extraData: new Uint8Array(0), withdrawals: null, work: null };
  const block = await BlockExecutor.open(plan, { executor, view, trie: null });
  const transactions: ExecutedTransaction[] = [];
  const changes: StateChanges[] = [];
  for (const raw of raws) {
    const applied = await block.apply(raw);
    assert.ok(applied.kind === 'applied');
    transactions.push(applied.transaction);
    changes.push(block.cut());
  }
  return { transactions, changes };
}

interface Result {
  readonly coinbaseDiff: string;
  readonly ethSentToCoinbase: string;
  readonly gasFees: string;
  readonly gasPrice: string;
  readonly gasUsed: number;
  readonly fromAddress: string;
  readonly toAddress: string | null;
  readonly txHash: string;
  readonly value?: string;
  readonly error?: string;
  readonly revert?: string;
  readonly stateDiff?: StateDiffJson;
}

interface BundleJson {
  readonly bundleHash: string;
  readonly bundleGasPrice: string;
  readonly coinbaseDiff: string;
  readonly ethSentToCoinbase: string;
  readonly gasFees: string;
  readonly totalGasUsed: number;
  readonly stateBlockNumber: number;
  readonly results: readonly Result[];
}

const PARENT_HEADER = encodeHeader(headerForEnv(ENV, PARENT_HASH));

function jobOf(transactions: readonly Uint8Array[], changes: Partial<Job> = {}): Job {
  const kind = { isPreConfirmed: true, withStateDiff: true, isMetered: false };
  const bundle = { parentHeader: PARENT_HEADER, transactions, ...kind };
  return job({}, { kind: 'bundle', blockOverride: { number: BigInt(ENV.number) }, bundle, ...changes });
}

const runner = new JobRunner({ rules: RULES, createEngine: candidateEngine });

function toldOf(outcome: JobOutcome): BundleJson {
  assert.ok(outcome.kind === 'json', outcome.kind === 'failure' ? outcome.message : outcome.kind);
  return JSON.parse(outcome.text as string) as BundleJson;
}

function coinbaseWei(view: MemoryView): bigint {
  return view.account(ENV.coinbase)?.balance ?? 0n;
}

/** An account in the form of a diff, read directly from the state. */
function shown(view: MemoryView, address: string, slots: readonly string[]): Record<string, unknown> | undefined {
  const account = view.account(fromHex(address));
  if (account === null) return undefined;
  const code = toHex(view.code(account.codeHash));
  const words = slots.map((slot) => [slot, toHex(view.storage(fromHex(address), fromHex(slot)))] as const);
  const storage = Object.fromEntries(words.filter(([, word]) => BigInt(word) !== 0n));
  return {
    balance: `0x${account.balance.toString(16)}`,
    ...(code !== '0x' && { code, codeHash: toHex(account.codeHash) }),
    ...(account.nonce > 0n && { nonce: Number(account.nonce) }),
    ...(Object.keys(storage).length > 0 && { storage }),
  };
}

/** The diff between two states at the changed keys, by its definition. */
function expectedDiff(before: MemoryView, after: MemoryView, { accounts, slots }: StateChanges): StateDiffJson {
  const addresses = new Set([...accounts, ...slots].map(({ address }) => toHex(address)));
  const diff: { pre: Record<string, unknown>; post: Record<string, unknown> } = { pre: {}, post: {} };
  for (const address of addresses) {
    const own = slots.filter((slot) => toHex(slot.address) === address).map(({ slot }) => toHex(slot));
    const [was, is] = [shown(before, address, own), shown(after, address, own)];
    if (was !== undefined) diff.pre[address] = was;
    const old: Record<string, unknown> = was ?? { balance: '0x0' };
    const changed = Object.entries(is ?? {}).filter(
      ([name, value]) => name === 'storage' || JSON.stringify(old[name]) !== JSON.stringify(value),
    );
    if (is !== undefined) diff.post[address] = Object.fromEntries(changed);
  }
  return diff as StateDiffJson;
}

function assertResult(result: Result, index: number, { transactions, changes }: Built): void {
  const { receipt, from, hash } = transactions[index]!;
  const [before, after] = [world(changes.slice(0, index)), world(changes.slice(0, index + 1))];
  const gain = coinbaseWei(after) - coinbaseWei(before);
  const fees = receipt.gasUsed * (receipt.effectiveGasPrice - ENV.baseFeePerGas);
  assert.equal(result.gasUsed, Number(receipt.gasUsed));
  assert.equal(result.value !== undefined, receipt.status === 1);
  assert.equal(result.error === undefined, receipt.status === 1);
  assert.equal(result.fromAddress, toHex(from));
  assert.equal(result.txHash, toHex(hash));
  assert.equal(result.coinbaseDiff, `${gain}`);
  assert.equal(result.gasFees, `${fees}`);
  assert.equal(result.ethSentToCoinbase, `${gain - fees}`);
  assert.equal(result.gasPrice, `${gain / receipt.gasUsed}`);
  assert.deepEqual(result.stateDiff, expectedDiff(before, after, changes[index]!));
}

function assertTotals(reported: BundleJson, { transactions, changes }: Built): void {
  const gain = coinbaseWei(world(changes)) - coinbaseWei(world());
  const gas = transactions.at(-1)!.receipt.cumulativeGasUsed;
  const sum = (member: 'gasFees' | 'ethSentToCoinbase'): string =>
    `${reported.results.reduce((all, result) => all + BigInt(result[member]), 0n)}`;
  assert.equal(reported.bundleHash, toHex(keccak256(Buffer.concat(transactions.map(({ hash }) => hash)))));
  assert.equal(reported.totalGasUsed, Number(gas));
  assert.equal(reported.coinbaseDiff, `${gain}`);
  assert.equal(reported.bundleGasPrice, `${gain / gas}`);
  assert.equal(reported.gasFees, sum('gasFees'));
  assert.equal(reported.ethSentToCoinbase, sum('ethSentToCoinbase'));
  assert.equal(reported.stateBlockNumber, ENV.number);
}

const DIFFS: JobTrace = {
  of: 'block',
  tracer: { name: 'prestateTracer', diffMode: true, disableCode: false, disableStorage: false, includeEmpty: false },
};

/** go-ethereum lists accounts that were read but do not exist, as if their code had changed to none. */
function withoutGone(post: StateDiffJson['post']): object {
  const gone = JSON.stringify({ codeHash: `0x${'00'.repeat(32)}` });
  return Object.fromEntries(Object.entries(post).filter(([, account]) => JSON.stringify(account) !== gone));
}

const SEED = { seed: 46_002, numRuns: rounds(25) };

void describe('a bundle', () => {
  void test('has the results of a block with its transactions', async () => {
    await fc.assert(
      fc.asyncProperty(anyPlan, async (plan) => {
        const raws = signedOnes(plan);
        const block = await built(raws);
        const reported = toldOf(await runner.runJob(jobOf(raws), world(), ENV));
        assert.equal(reported.results.length, plan.length);
        for (const [index, result] of reported.results.entries()) assertResult(result, index, block);
        assertTotals(reported, block);
      }),
      SEED,
    );
  });

  void test('reports missing state, and has the same results once it is fetched', async () => {
    await fc.assert(
      fc.asyncProperty(anyPlan, async (plan) => {
        const whole = jobOf(signedOnes(plan));
        const { view, learn } = coldView(world());
        let outcome = await runWithMissingState(runner, whole, { view, env: ENV });
        for (; outcome.kind === 'missing'; outcome = await runWithMissingState(runner, whole, { view, env: ENV }))
          learn(outcome);
        assert.deepEqual(outcome, await runner.runJob(whole, world(), ENV));
      }),
      { ...SEED, numRuns: rounds(10) },
    );
  });

  void test('has the state diff that the prestateTracer of go-ethereum has of the block', async () => {
    await fc.assert(
      fc.asyncProperty(anyPlan, async (plan) => {
        const raws = signedOnes(plan);
        const { transactions } = await built(raws);
        const { cumulativeGasUsed } = transactions.at(-1)!.receipt;
        const replay = { header: PARENT_HEADER, cumulativeGasUsed, transactions };
        const outcome = await runner.runJob(job({}, { kind: 'trace', trace: DIFFS, replay }), world(), ENV);
        assert.ok(outcome.kind === 'json', outcome.kind === 'failure' ? outcome.message : outcome.kind);
        const traced = JSON.parse(outcome.text as string) as { result: StateDiffJson }[];
        const bundle = toldOf(await runner.runJob(jobOf(raws), world(), ENV));
        assert.deepEqual(
          bundle.results.map(({ stateDiff }) => stateDiff),
          traced.map(({ result: { pre, post } }) => ({ pre, post: withoutGone(post) })),
        );
      }),
      { ...SEED, numRuns: rounds(12) },
    );
  });

  void test('has the results of eth_simulateV1 for the same calls with validation', async () => {
    await fc.assert(
      fc.asyncProperty(anyPlan, async (plan) => {
        const nonces = KEYS.map(() => 0n);
        const calls = plan.map((step): CallRequest => {
          const text = { from: toHex(SENDERS[step.who]!), gas: GAS_LIMIT, ...FEES, ...messageOf(step) };
          return { ...callRequest(text), nonce: nonces[step.who]!++ };
        });
        const next = { number: BigInt(ENV.number + 1), time: ENV.timestamp + 12n };
        const bundle = toldOf(await runner.runJob(jobOf(signedOnes(plan), { blockOverride: next }), world(), ENV));
        const options = { traceTransfers: false, validation: true, returnFullTransactions: false };
        const simulation = { parentHeader: PARENT_HEADER, isPreConfirmed: true, ...options };
        const blocks = [{ stateOverride: [], blockOverride: next, calls }];
        const outcome = await runner.runJob(job({}, { kind: 'simulate', simulation, blocks }), world(), ENV);
        assert.ok(outcome.kind === 'json', JSON.stringify(outcome));
        const [block] = JSON.parse(outcome.text as string) as [
          { calls: { gasUsed: string; status: string; returnData: string }[] },
        ];
        assert.deepEqual(
          bundle.results.map(({ gasUsed, value, revert }) => [gasUsed, value ?? revert ?? '0x', value !== undefined]),
          block.calls.map(({ gasUsed, status, returnData }) => [Number(gasUsed), returnData, status === '0x1']),
        );
      }),
      { ...SEED, numRuns: rounds(12) },
    );
  });
});
