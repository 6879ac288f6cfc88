// Applies a block as a state diff: what happens if node, state and diff disagree.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeReceipt } from '../../../src/chain/block/encode-block.js';
import { encodeHeader } from '../../../src/chain/block/header.js';
import { listTrieRoot } from '../../../src/chain/list-trie-root.js';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { TransactionExecutor } from '../../../src/execution/block/transaction-executor.js';
import {
  changesFromBlockDiff,
  type ApplyBlockDiffResult,
  type BlockDiffToApply,
} from '../../../src/feed/diffs/apply-block-diff.js';
import { UpstreamDiffReader } from '../../../src/feed/diffs/diff-reader.js';
import { OPERATOR_FEE_VAULT_ADDRESS } from '../../../src/chain/op/predeploys.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { newLiveFeedCounters } from '../../../src/feed/live-feed-counters.js';
import type { MissingKeys } from '../../../src/state/views/miss-recording-view.js';
import { StateMiss } from '../../../src/state/views/state-miss.js';
import { UpstreamError, type FetchedState } from '../../../src/upstream/upstream.js';
import { EXECUTOR } from '../../support/engine.js';
import { headerForEnv } from '../../support/header-for-env.js';
import { bytes, MemoryView } from '../../support/memory-view.js';
import { BLOCKLESS } from './blockless.js';

const FROM = bytes('01', 20);
const TO = bytes('02', 20);
const PAID = bytes('03', 20);
const HASH = bytes('a1', 32);
const BLOCK_HASH = bytes('b1', 32);

const RECEIPT = {
  type: 2,
  status: 1,
  gasUsed: 21_000n,
  cumulativeGasUsed: 21_000n,
  effectiveGasPrice: 1n,
  contractAddress: null,
  logs: [],
} as const;
const RECEIPT_JSON = {
  transactionHash: toHex(HASH),
  from: toHex(FROM),
  to: toHex(TO),
  type: '0x2',
  status: '0x1',
  gasUsed: '0x5208',
  cumulativeGasUsed: '0x5208',
  effectiveGasPrice: '0x1',
  contractAddress: null,
  logs: [],
};
const DIFF = {
  pre: { [toHex(FROM)]: { balance: '0x64', nonce: 4 }, [toHex(TO)]: { balance: '0x7' } },
  post: { [toHex(FROM)]: { balance: '0x5a', nonce: 5 }, [toHex(TO)]: { balance: '0x11' } },
};

const ENV = {
  number: 7,
  timestamp: 100n,
  gasLimit: 30_000_000n,
  baseFeePerGas: 1n,
  coinbase: bytes('04', 20),
  prevRandao: bytes('0', 32),
  difficulty: 0n,
  excessBlobGas: 0n,
  parentBeaconBlockRoot: bytes('0', 32),
};
const HEADER = {
  ...headerForEnv(ENV, bytes('b0', 32)),
  receiptsRoot: listTrieRoot([encodeReceipt(RECEIPT)]),
  requestsHash: bytes('0', 32),
};

const TASK: BlockDiffToApply = {
  source: 'prestate',
  block: {
    number: 7,
    hash: BLOCK_HASH,
    header: encodeHeader(HEADER),
    transactions: [{ hash: HASH, raw: Uint8Array.of(2), from: FROM }],
    withdrawals: null,
    sizeBytes: 1,
    unknownType: null,
  },
  plan: {
    env: ENV,
    parentHash: bytes('b0', 32),
    extraData: new Uint8Array(0),
    withdrawals: [{ index: 1n, validatorIndex: 1n, address: PAID, amount: 2n }],
    work: null,
  },
  queues: [],
  showsNodeReceipts: false,
};

const RULES = createChainRules({
  chainId: 1n,
  forks: [{ name: 'prague', block: 0, timestamp: null }],
  blobSchedule: {},
  depositContract: null,
  transactionGasCap: true,
  op: null,
});

/** States after the parent and after the block. */
const before = (): MemoryView => new MemoryView().put(FROM, { balance: 100n, nonce: 4n }).put(TO, { balance: 7n });
const after = (): MemoryView => {
  const paid = { balance: 2_000_000_000n };
  return new MemoryView().put(FROM, { balance: 90n, nonce: 5n }).put(TO, { balance: 17n }).put(PAID, paid);
};

interface Node {
  readonly state?: MemoryView;
  readonly diff?: typeof DIFF | { readonly pre: object; readonly post: object };
  readonly receipts?: unknown;
  readonly refusesReads?: boolean;
}

function fillOf(state: MemoryView, { accounts, slots }: MissingKeys): FetchedState {
  return {
    accounts: accounts.map((address) => ({ address, account: state.account(address) })),
    slots: slots.map(({ address, slot }) => ({ address, slot, value: state.storage(address, slot) })),
    codes: [],
    refused: [],
  };
}

/** A state that does not cache the vault. */
class Hole extends MemoryView {
  override account(address: Uint8Array): ReturnType<MemoryView['account']> {
    if (toHex(address) === toHex(OPERATOR_FEE_VAULT_ADDRESS)) throw new StateMiss(address, null);
    return super.account(address);
  }
}

/** All accounts are cached, and one slot of each. */
const RESIDENT = {
  know: (): void => undefined,
  fetch: (): Promise<void> => Promise.resolve(),
  residentSlots: (addresses: readonly Uint8Array[]): MissingKeys['slots'] =>
    addresses.map((address) => ({ address, slot: bytes('5', 32) })),
};

async function run(node: Node, task: BlockDiffToApply = TASK, view = before()): Promise<ApplyBlockDiffResult> {
  const { state = after(), diff = DIFF, receipts = [RECEIPT_JSON], refusesReads = false } = node;
  const request = (method: string): Promise<unknown> => {
    if (method === 'eth_getBlockReceipts') return Promise.resolve(receipts);
    if (method === 'debug_traceBlockByHash') return Promise.resolve([{ result: diff }]);
    return Promise.reject(new UpstreamError('refused', `${method} is not offered`));
  };
  const read = (_: Uint8Array, wants: MissingKeys): Promise<FetchedState> => {
    const error = new UpstreamError('notFound', 'the state is gone');
    const refused = refusesReads ? wants.accounts.map((address) => ({ address, slot: null, error })) : [];
    return Promise.resolve({ ...fillOf(state, wants), refused });
  };
  const executor = new TransactionExecutor(RULES, view, EXECUTOR);
  const upstream = { ...BLOCKLESS, request, read };
  return changesFromBlockDiff(task, view, {
    reader: new UpstreamDiffReader(upstream),
    upstream,
    ...RESIDENT,
    executor,
    share: 1,
    counts: newLiveFeedCounters(),
  });
}

function balances(outcome: ApplyBlockDiffResult): [string, bigint | null][] {
  assert.ok(outcome.kind === 'fits', outcome.kind === 'fits' ? '' : outcome.reason);
  return outcome.changes.accounts.map(({ address, account }) => [toHex(address), account?.balance ?? null]);
}

void test('a matching block yields its changes, withdrawals included, and its receipts', async () => {
  const outcome = await run({});
  assert.deepEqual(balances(outcome), [
    [toHex(FROM), 90n],
    [toHex(TO), 17n],
    [toHex(PAID), 2_000_000_000n],
  ]);
  assert.ok(outcome.kind === 'fits');
  assert.deepEqual(outcome.transactions, [{ hash: HASH, raw: Uint8Array.of(2), from: FROM, receipt: RECEIPT }]);
});

void test('a doubtful account is read from the node after the block, with its cached slots', async () => {
  const gone = { pre: DIFF.pre, post: { [toHex(FROM)]: DIFF.post[toHex(FROM)] } };
  const state = after().put(TO, { balance: 99n, storage: { '5': 6n } });
  // A deleted account may have created anything, so the transaction's calls are requested, which the node refuses.
  assert.deepEqual(await run({ diff: gone, state }), {
    kind: 'refused',
    reason: 'debug_traceTransaction is not offered',
  });
  const begins = { pre: DIFF.pre, post: { ...DIFF.post, [toHex(TO)]: { codeHash: toHex(bytes('c1', 32)) } } };
  const outcome = await run({ diff: begins, state });
  assert.deepEqual(new Map(balances(outcome)).get(toHex(TO)), 99n);
  assert.ok(outcome.kind === 'fits');
  assert.deepEqual(outcome.changes.slots, [{ address: TO, slot: bytes('5', 32), value: bytes('6', 32) }]);
});

const withVault = (): MemoryView => before().put(OPERATOR_FEE_VAULT_ADDRESS, { balance: 5n });

void test('the operator fee vault, which op-geth omits from diffs, is read if it is cached', async () => {
  const deposit = { hash: HASH, raw: Uint8Array.of(0x7e), from: FROM };
  const task: BlockDiffToApply = { ...TASK, block: { ...TASK.block, transactions: [deposit] } };
  const state = after().put(OPERATOR_FEE_VAULT_ADDRESS, { balance: 9n });
  const vaultAfter = async (view: MemoryView, node: Node = {}, of = task): Promise<bigint | null | undefined> => {
    const reported = await run({ state, ...node }, of, view);
    return new Map(balances(reported)).get(toHex(OPERATOR_FEE_VAULT_ADDRESS));
  };
  assert.equal(await vaultAfter(withVault()), 9n);
  assert.equal(await vaultAfter(withVault(), {}, TASK), undefined, 'a block without a deposit');
  const reported = { [toHex(OPERATOR_FEE_VAULT_ADDRESS)]: { balance: '0x8' } };
  const pre = { ...DIFF.pre, [toHex(OPERATOR_FEE_VAULT_ADDRESS)]: { balance: '0x5' } };
  const diff = { pre, post: { ...DIFF.post, ...reported } };
  assert.equal(await vaultAfter(withVault(), { diff }), 8n, 'as the tracer tells it');
  assert.equal(
    await vaultAfter(new Hole().put(FROM, { balance: 100n, nonce: 4n }).put(TO, { balance: 7n })),
    undefined,
  );
});

void test('a sampled value that differs at the node is reported', async () => {
  const outcome = await run({ state: after().put(PAID, { balance: 1n }) });
  assert.ok(outcome.kind === 'fits');
  const { difference } = await outcome.sampled;
  assert.equal(difference, `balance of ${toHex(PAID)} is 2000000000 by the diff, 1 at the node`);
});

void test('a state that differs from the values before the block is a mismatch', async () => {
  const outcome = await run({}, TASK, before().put(FROM, { balance: 101n, nonce: 4n }));
  assert.ok(outcome.kind === 'mismatch');
  assert.equal(outcome.reason, `balance of ${toHex(FROM)} is 101 here, 100 before the block`);
});

void test('a diff source that the node does not offer is refused', async () => {
  const header = encodeHeader({ ...HEADER, blockAccessListHash: bytes('ac', 32) });
  assert.deepEqual(await run({}, { ...TASK, source: 'accessList', block: { ...TASK.block, header } }), {
    kind: 'refused',
    reason: 'eth_getBlockAccessList is not offered',
  });
});

void test('receipts of other transactions and failed reads are errors', async () => {
  const receipts = [{ ...RECEIPT_JSON, transactionHash: toHex(bytes('a2', 32)) }];
  await assert.rejects(run({ receipts }), /receipts of other transactions for block 7/);
  const unread = await run({ refusesReads: true });
  assert.ok(unread.kind === 'fits');
  assert.deepEqual(await unread.sampled, { difference: null, unread: 'the state is gone' });
  const begins = { pre: DIFF.pre, post: { ...DIFF.post, [toHex(TO)]: { codeHash: toHex(bytes('c1', 32)) } } };
  await assert.rejects(run({ diff: begins, refusesReads: true }), /the state is gone/);
  // A transaction of an unknown type, whose raw bytes the node does not serve.
  const listed = [{ hash: HASH, raw: null, text: '{}' }];
  const unknown = { ...TASK, block: { ...TASK.block, transactions: [], unknownType: 9, listed } };
  const outcome = await run({}, unknown);
  assert.ok(outcome.kind === 'fits' && outcome.transactions === null);
  await assert.rejects(run({ receipts }, unknown), /receipts of other transactions for block 7/);
});
