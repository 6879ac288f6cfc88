// Blocks executed step by step: their changes equal the library's for the same block, and invalid transactions change
// nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTx, type TypedTransaction } from '@ethereumjs/tx';
import { createAddressFromPrivateKey, generateAddress, generateAddress2 } from '@ethereumjs/util';
import { keccak256 } from '../../../src/lib/bytes/keccak-wasm.js';
import {
  BlockExecutor,
  InvalidBlockError,
  type ApplyTransactionResult,
  type BlockPlan,
  type SealedBlock,
} from '../../../src/execution/block/block-executor.js';
import type { InvalidTransactionReason } from '../../../src/transaction/validation.js';
import { EMPTY_UNCLES_HASH, decodeHeader, type Header } from '../../../src/chain/block/header.js';
import {
  TransactionExecutor,
  type TransactionExecutorDeps,
} from '../../../src/execution/block/transaction-executor.js';
import { createChainRules, type ChainRules } from '../../../src/evm/reference/fork-rules.js';
import { StateTrie } from '../../../src/chain/state-root.js';
import { decodeSignedTransaction } from '../../../src/transaction/signed-transaction.js';
import { EMPTY_TRIE_ROOT } from '../../../src/chain/trie.js';
import { SYSTEM_CONTRACTS } from '../../../src/feed/dev/system-contract-code.js';
import { fromHex, toHex } from '../../../src/lib/bytes/hex.js';
import { toBytes } from '../../../src/lib/bytes/big-endian.js';
import type { BlockEnv, SlotChange, StateChanges } from '../../../src/state/state-diff.js';
import { EMPTY_CODE_HASH } from '../../../src/state/views/state-view.js';
import { assemble as assembleHex } from '../../support/assembler.js';
import { MemoryView } from '../../support/memory-view.js';
import { libraryAccepts, type StartState } from './library-block.js';
import { EXECUTOR } from '../../support/engine.js';

const KEY = keccak256(Uint8Array.of(1));
const POOR_KEY = keccak256(Uint8Array.of(2));
const SENDER = createAddressFromPrivateKey(KEY).bytes;
const ETHER = 10n ** 18n;
const GWEI = 10n ** 9n;
const assemble = (...code: string[]): Uint8Array => fromHex(assembleHex(...code));
const at = (n: number): Uint8Array => toBytes(BigInt(n), 20);
const word = (n: number | bigint): Uint8Array => toBytes(BigInt(n), 32);

/** Emits the deposit contract's event, with the call data as its data. */
const DEPOSIT_CONTRACT = fromHex('00000000219ab540356cBB839Cbe05303d7705Fa');
const DEPOSIT_TOPIC = '0x649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5';
const DEPOSIT_CODE = assemble(
  'CALLDATASIZE',
  'PUSH 0',
  'PUSH 0',
  'CALLDATACOPY',
  `PUSH ${DEPOSIT_TOPIC}`,
  'CALLDATASIZE',
  'PUSH 0',
  'LOG1',
);
/** Stores its call data's first word in the slot given by the second one. */
const STORE = at(0x5000);
const STORE_CODE = assemble('PUSH 0', 'CALLDATALOAD', 'PUSH 32', 'CALLDATALOAD', 'SSTORE');
/** Has three slots; writes one of them and destroys itself in favour of 0x1234. */
const MORTAL = at(0x6000);
const MORTAL_CODE = assemble('PUSH 7', 'PUSH 9', 'SSTORE', 'PUSH 0x1234', 'SELFDESTRUCT');
/** Stores the hash of the parent block. */
const HASHER = at(0x7000);
const HASHER_CODE = assemble('PUSH 1', 'NUMBER', 'SUB', 'BLOCKHASH', 'PUSH 1', 'SSTORE');

interface Contract {
  readonly address: Uint8Array;
  readonly code: Uint8Array;
}

const CONTRACTS: readonly Contract[] = [
  { address: DEPOSIT_CONTRACT, code: DEPOSIT_CODE },
  { address: STORE, code: STORE_CODE },
  { address: MORTAL, code: MORTAL_CODE },
  { address: HASHER, code: HASHER_CODE },
  ...SYSTEM_CONTRACTS.map(({ address, code }) => ({ address: fromHex(address), code: fromHex(code) })),
];

/** `bare`: accounts with a slot, but neither nonce nor code. */
function startState(contracts: readonly Contract[] = CONTRACTS, bare: readonly Uint8Array[] = []): StartState {
  const codes = contracts.map(({ code }) => ({ hash: keccak256(code), bytes: code }));
  return {
    accounts: [
      { address: SENDER, account: { nonce: 3n, balance: 100n * ETHER, codeHash: EMPTY_CODE_HASH } },
      ...contracts.map(({ address }, i) => ({
        address,
        account: { nonce: 1n, balance: 5n, codeHash: codes[i]!.hash },
      })),
      ...bare.map((address) => ({ address, account: { nonce: 0n, balance: 5n, codeHash: EMPTY_CODE_HASH } })),
    ],
    slots: [
      ...[1, 2, 3].map((slot): SlotChange => ({ address: MORTAL, slot: word(slot), value: word(slot * 11) })),
      ...bare.map((address) => ({ address, slot: word(1), value: word(7) })),
    ],
    codes,
  };
}

/** A chain on one fork from genesis, and one block to build. */
interface Setting {
  readonly fork: string;
  readonly start: StartState;
  readonly view: MemoryView;
  readonly trie: StateTrie;
  readonly rules: ChainRules;
  readonly executor: TransactionExecutor;
  readonly plan: BlockPlan;
}

function setting(
  fork: string,
  plan: Partial<BlockPlan> = {},
  contracts?: readonly Contract[],
  bare?: readonly Uint8Array[],
  executor: TransactionExecutorDeps = EXECUTOR,
): Setting {
  const start = startState(contracts, bare);
  const view = new MemoryView();
  applyTo(view, start);
  view.setBlockHash(99, word(0xbeef));
  const trie = new StateTrie();
  trie.apply(start);
  const chain = {
    chainId: 7n,
    forks: [{ name: fork, block: 0, timestamp: null }],
    blobSchedule: {},
    depositContract: null,
    transactionGasCap: true,
    op: null,
  };
  const rules = createChainRules(chain);
  return {
    fork,
    start,
    view,
    trie,
    rules,
    executor: new TransactionExecutor(rules, view, executor),
    plan: { ...planAt(rules), ...plan },
  };
}

function planAt(rules: ChainRules): BlockPlan {
  const { common } = rules.at(100, 1000);
  const merged = common.gteHardfork('paris');
  const env: BlockEnv = {
    number: 100,
    timestamp: 1000n,
    gasLimit: 30_000_000n,
    baseFeePerGas: common.isActivatedEIP(1559) ? GWEI : 0n,
    coinbase: at(0xc0),
    prevRandao: merged ? word(77) : word(0),
    difficulty: merged ? 0n : 1000n,
    excessBlobGas: 0n,
    parentBeaconBlockRoot: common.isActivatedEIP(4788) ? word(88) : word(0),
  };
  const work = merged ? null : { mixHash: word(5), nonce: new Uint8Array(8).fill(6), uncles: [] };
  const withdrawals = common.isActivatedEIP(4895) ? [] : null;
  return { env, parentHash: word(0xbeef), extraData: Uint8Array.of(1, 2, 3), withdrawals, work };
}

function applyTo(view: MemoryView, changes: Omit<StateChanges, 'never'> | StartState): void {
  for (const { address, account } of changes.accounts) view.set(address, account);
  for (const { address, slot, value } of changes.slots) view.setSlot(address, slot, value);
  for (const { hash, bytes } of changes.codes) view.setCode(hash, bytes);
}

interface Fields {
  readonly key?: Uint8Array;
  readonly [field: string]: unknown;
}

/** A signed transaction with sensible fields. */
function transaction({ rules, plan }: Setting, { key = KEY, ...fields }: Fields): Uint8Array {
  const { common } = rules.at(plan.env.number, plan.env.timestamp);
  const fees = common.isActivatedEIP(1559)
    ? { type: 2, chainId: 7n, maxFeePerGas: 3n * GWEI, maxPriorityFeePerGas: GWEI }
    : { type: 0, gasPrice: 3n * GWEI };
  const tx: TypedTransaction = createTx(
    { ...fees, nonce: 3n, gasLimit: 100_000n, to: at(0x77), ...fields },
    { common },
  );
  return tx.sign(key).serialize();
}

function open({ plan, executor, view, trie }: Setting): Promise<BlockExecutor> {
  return BlockExecutor.open(plan, { executor, view, trie });
}

function applied(result: ApplyTransactionResult): void {
  assert.equal(result.kind, 'applied', result.kind === 'refused' ? result.message : '');
}

/** Builds a block of transactions and has the library verify it. */
async function block(one: Setting, transactions: readonly Uint8Array[]): Promise<SealedBlock> {
  const blockExecutor = await open(one);
  for (const raw of transactions) applied(await blockExecutor.apply(raw));
  const sealed = await blockExecutor.seal();
  await libraryAccepts(one.fork, one.start, one.plan, sealed.block);
  return sealed;
}

const FORKS = [
  'chainstart',
  'homestead',
  'spuriousDragon',
  'byzantium',
  'istanbul',
  'berlin',
  'london',
  'paris',
  'shanghai',
  'cancun',
  'prague',
  'osaka',
];

for (const fork of FORKS) {
  void test(`a block of ${fork} has the hash, receipts and state of the library`, async () => {
    const one = setting(fork);
    const store = Buffer.concat([word(42), word(1)]);
    const sealed = await block(one, [
      transaction(one, { value: ETHER }),
      transaction(one, { nonce: 4n, to: STORE, data: store }),
      transaction(one, { nonce: 5n, to: null, data: assemble('PUSH 1', 'PUSH 0', 'SSTORE') }),
      transaction(one, { nonce: 6n, to: MORTAL, value: 3n }),
      // Runs out of gas.
      transaction(one, { nonce: 7n, to: STORE, data: Buffer.concat([word(42), word(2)]), gasLimit: 30_000n }),
    ]);
    assert.deepEqual(
      sealed.block.transactions.map(({ receipt }) => receipt.status),
      [1, 1, 1, 1, 0],
    );
    assert.equal(toHex(keccak256(sealed.block.header)), toHex(sealed.block.hash));
    assert.deepEqual(decodeHeader(sealed.block.header), sealed.header);
    assert.equal(sealed.header.gasUsed, sealed.block.transactions.at(-1)!.receipt.cumulativeGasUsed);
  });
}

void test('a destroyed account loses slots that the block never touched', async () => {
  const one = setting('shanghai');
  const { changes } = await block(one, [transaction(one, { to: MORTAL })]);
  const cleared = changes.slots.filter(({ address }) => toHex(address) === toHex(MORTAL));
  assert.deepEqual(
    new Set(cleared.map(({ slot, value }) => toHex(slot) + toHex(value))),
    new Set([1, 2, 3].map((slot) => toHex(word(slot)) + toHex(word(0)))),
  );
  assert.ok(changes.accounts.some(({ address, account }) => toHex(address) === toHex(MORTAL) && account === null));
});

void test('system calls write beacon root and parent hash before the first transaction', async () => {
  const one = setting('prague');
  const blockExecutor = await open(one);
  const { slots, accounts } = blockExecutor.cut();
  const values = slots.map(({ value }) => BigInt(toHex(value))).toSorted((a, b) => Number(a - b));
  assert.deepEqual(values, [88n, 1000n, 0xbeefn]);
  assert.deepEqual(accounts, []);
});

void test('BLOCKHASH reads from the view', async () => {
  const one = setting('paris');
  const blockExecutor = await open(one);
  applied(await blockExecutor.apply(transaction(one, { to: HASHER })));
  const { slots } = blockExecutor.cut();
  assert.deepEqual(
    slots.map(({ value }) => toHex(value)),
    [toHex(word(0xbeef))],
  );
});

void test('withdrawals are credited, and an empty one creates no account', async () => {
  const withdrawals = [
    { index: 1n, validatorIndex: 2n, address: at(0x71), amount: 3n },
    { index: 2n, validatorIndex: 2n, address: at(0x72), amount: 0n },
    { index: 3n, validatorIndex: 300n, address: at(0x71), amount: 4n },
  ];
  const one = setting('cancun', { withdrawals });
  const { changes } = await block(one, []);
  const credited = changes.accounts.filter(({ account }) => account !== null);
  assert.deepEqual(
    credited.map(({ address, account }) => [toHex(address), account!.balance]),
    [[toHex(at(0x71)), 7n * GWEI]],
  );
  assert.ok(!changes.accounts.some(({ address, account }) => toHex(address) === toHex(at(0x72)) && account !== null));
});

void test('before the merge miner and uncles are rewarded', async () => {
  const uncle: Header = {
    ...emptyHeader(),
    number: 98,
    coinbase: at(0xaa),
  };
  const work = { mixHash: word(5), nonce: new Uint8Array(8), uncles: [uncle] };
  const one = setting('byzantium', { work });
  const { changes } = await block(one, []);
  const paid = new Map(changes.accounts.map(({ address, account }) => [toHex(address), account?.balance]));
  assert.equal(paid.get(toHex(at(0xc0))), 3n * ETHER + (3n * ETHER) / 32n);
  assert.equal(paid.get(toHex(at(0xaa))), (3n * ETHER * 6n) / 8n);
});

void test('deposits, withdrawal and consolidation requests make up the requests hash', async () => {
  const one = setting('prague');
  const pubkey = new Uint8Array(48).fill(3);
  const withdrawal = fromHex('00000961Ef480Eb55e80D19ad83579A64c007002');
  const consolidation = fromHex('0000BBdDc7CE488642fb579F8B00f3a590007251');
  const empty = await block(setting('prague'), []);
  const sealed = await block(one, [
    transaction(one, { to: DEPOSIT_CONTRACT, data: depositEvent() }),
    transaction(one, {
      nonce: 4n,
      to: withdrawal,
      value: 1n,
      gasLimit: 300_000n,
      data: Buffer.concat([pubkey, toBytes(9n, 8)]),
    }),
    transaction(one, {
      nonce: 5n,
      to: consolidation,
      value: 1n,
      gasLimit: 300_000n,
      data: Buffer.concat([pubkey, pubkey]),
    }),
  ]);
  assert.notDeepEqual(sealed.header.requestsHash, empty.header.requestsHash);
  assert.equal(toHex(empty.header.requestsHash!), '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
});

void test('a malformed deposit event or a failing request contract makes the block invalid', async () => {
  const one = setting('prague');
  const blockExecutor = await open(one);
  applied(await blockExecutor.apply(transaction(one, { to: DEPOSIT_CONTRACT, data: depositEvent().subarray(1) })));
  await assert.rejects(
    blockExecutor.seal(),
    (error) => error instanceof InvalidBlockError && /deposit event/.test(error.message),
  );
  const other = await open(setting('prague', {}, contractsWith('7002', assemble('INVALID'))));
  await assert.rejects(
    other.seal(),
    (error) => error instanceof InvalidBlockError && /withdrawal requests failed/.test(error.message),
  );
});

/** The contracts, with other code (or none, for `null`) at the address with this ending. */
function contractsWith(tail: string, code: Uint8Array | null): Contract[] {
  return CONTRACTS.flatMap((contract) => {
    if (!toHex(contract.address).endsWith(tail)) return [contract];
    return code === null ? [] : [{ ...contract, code }];
  });
}

for (const [tail, name] of [
  ['7002', 'withdrawal requests'],
  ['7251', 'consolidation requests'],
] as const) {
  void test(`a block without a contract for ${name} is invalid`, async () => {
    const blockExecutor = await open(setting('prague', {}, contractsWith(tail, null)));
    await assert.rejects(
      blockExecutor.seal(),
      (error) => error instanceof InvalidBlockError && error.message === `there is no code to call for ${name}`,
    );
  });
}

void test('a block opens although the contracts of beacon roots and block hashes are missing or fail', async () => {
  for (const tail of ['beac02', '2935']) {
    for (const code of [null, assemble('INVALID')]) {
      const one = setting('prague', {}, contractsWith(tail, code));
      const sealed = await (await open(one)).seal();
      assert.ok(sealed.changes.slots.length > 0, `the other one was called beside ${tail}`);
    }
  }
});

/** Creates from its call data with CREATE2 and salt 0. */
const FACTORY = at(0x8000);
const FACTORY_CODE = assemble(
  'CALLDATASIZE',
  'PUSH 0',
  'PUSH 0',
  'CALLDATACOPY',
  'PUSH 0',
  'CALLDATASIZE',
  'PUSH 0',
  'PUSH 0',
  'CREATE2',
  'PUSH 5',
  'SSTORE',
);
const INIT_CODE = assemble('PUSH 9', 'PUSH 2', 'SSTORE');

for (const fork of ['berlin', 'london', 'cancun', 'osaka']) {
  for (const [engine, parts] of [
    ['kernel', EXECUTOR],
    ['reference', {}],
  ] as const) {
    void test(`no contract is created at an address with storage, in ${fork} on the ${engine}`, async () => {
      const bare = [generateAddress(SENDER, Uint8Array.of(3)), generateAddress2(FACTORY, word(0), INIT_CODE)];
      const contracts = [...CONTRACTS, { address: FACTORY, code: FACTORY_CODE }];
      const one = setting(fork, {}, contracts, bare, parts);
      const { block: made, changes } = await block(one, [
        transaction(one, { to: null, data: INIT_CODE }),
        transaction(one, { nonce: 4n, to: FACTORY, data: INIT_CODE, gasLimit: 1_000_000n }),
        // The address is empty.
        transaction(one, { nonce: 5n, to: null, data: INIT_CODE, gasLimit: 200_000n }),
      ]);
      assert.deepEqual(
        made.transactions.map(({ receipt }) => receipt.status),
        [0, 1, 1],
      );
      assert.equal(made.transactions[0]!.receipt.gasUsed, 100_000n, 'all gas is gone');
      for (const address of bare) assert.ok(!changes.slots.some((slot) => toHex(slot.address) === toHex(address)));
    });
  }
}

void test('the changes of all increments add up to those of the whole block', async () => {
  for (const fork of ['homestead', 'cancun']) {
    const whole = setting(fork);
    const inSteps = setting(fork);
    const raws = [5n, 1n, 2n, 0n].map((value, i) =>
      transaction(whole, { nonce: 3n + BigInt(i), to: STORE, data: Buffer.concat([word(value), word(1)]) }),
    );
    const sealed = await block(whole, raws);
    const blockExecutor = await open(inSteps);
    const steps: StateChanges[] = [];
    for (const raw of raws) {
      applied(await blockExecutor.apply(raw));
      steps.push(blockExecutor.cut());
    }
    const last = await blockExecutor.seal();
    assert.deepEqual(last.block.hash, sealed.block.hash);
    for (const step of [...steps, last.changes]) {
      assert.equal(new Set(step.accounts.map(({ address }) => toHex(address))).size, step.accounts.length);
      applyTo(inSteps.view, step);
    }
    applyTo(whole.view, sealed.changes);
    for (const { address } of sealed.changes.accounts)
      assert.deepEqual(inSteps.view.account(address), whole.view.account(address));
    assert.deepEqual(inSteps.view.storage(STORE, word(1)), word(0));
    assert.equal(
      steps.flatMap(({ slots }) => slots).filter(({ address }) => toHex(address) === toHex(STORE)).length,
      4,
    );
  }
});

void test('without tries the state root is zero, and transactions before Byzantium cannot be executed', async () => {
  const late = setting('prague');
  const blockExecutor = await BlockExecutor.open(late.plan, { executor: late.executor, view: late.view, trie: null });
  assert.deepEqual((await blockExecutor.seal()).header.stateRoot, word(0));
  const early = setting('homestead');
  const old = await BlockExecutor.open(early.plan, { executor: early.executor, view: early.view, trie: null });
  await assert.rejects(async () => old.apply(transaction(early, {})), /state roots/);
});

const BLOB_HASH = `0x01${'00'.repeat(31)}`;
const blobFields = { type: 3, maxFeePerBlobGas: 10n, blobVersionedHashes: [BLOB_HASH] };

const REFUSALS: readonly (readonly [
  what: string,
  fork: string,
  fields: Fields,
  reason: InvalidTransactionReason,
  text: RegExp,
])[] = [
  [
    'a nonce that was used',
    'osaka',
    { nonce: 2n },
    'nonceTooLow',
    /^nonce too low: address 0x[0-9a-f]{40}, tx: 2 state: 3$/,
  ],
  [
    'a nonce that is too high',
    'osaka',
    { nonce: 4n },
    'nonceTooHigh',
    /^nonce too high: address 0x[0-9a-f]{40}, tx: 4 state: 3$/,
  ],
  [
    'more gas than Osaka allows',
    'osaka',
    { gasLimit: 16_777_217n },
    'invalid',
    /^transaction gas limit too high \(cap: 16777216, tx: 16777217\)$/,
  ],
  [
    'a fee below the base fee',
    'osaka',
    { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n },
    'feeTooLow',
    /^max fee per gas less than block base fee: address 0x[0-9a-f]{40}, maxFeePerGas: 1, baseFee: 1000000000$/,
  ],
  [
    'a sender without funds',
    'osaka',
    { key: POOR_KEY, nonce: 0n },
    'insufficientFunds',
    /^insufficient funds for gas \* price \+ value: address 0x[0-9a-f]{40} have 0 want 300000000000000$/,
  ],
  [
    'more value than the balance',
    'osaka',
    { value: 100n * ETHER },
    'insufficientFunds',
    /^insufficient funds for gas \* price \+ value/,
  ],
  ['more gas than the block has', 'prague', { gasLimit: 30_000_001n }, 'blockFull', /^gas limit reached$/],
  [
    'more gas than the block has and than its sender can pay for',
    'prague',
    { gasLimit: 30_000_001n, value: 10n ** 30n },
    'blockFull',
    /^gas limit reached$/,
  ],
  [
    'less gas than its data costs',
    'osaka',
    { gasLimit: 21_000n, data: new Uint8Array(1).fill(1) },
    'intrinsicGas',
    /^intrinsic gas too low: have 21000, want 21016$/,
  ],
  [
    'less gas than the floor',
    'osaka',
    { gasLimit: 22_000n, data: new Uint8Array(60).fill(1) },
    'intrinsicGas',
    /^insufficient gas for floor data gas cost: have 22000, want 23400$/,
  ],
  [
    'a type of a later fork',
    'berlin',
    { type: 2, chainId: 7n, maxFeePerGas: GWEI, maxPriorityFeePerGas: 0n },
    'invalid',
    /1559|type not supported/,
  ],
  [
    'blobs without a blob fee',
    'osaka',
    { ...blobFields, maxFeePerBlobGas: 0n },
    'feeTooLow',
    /^max fee per blob gas less than block blob gas fee: address 0x[0-9a-f]{40} blobGasFeeCap: 0, blobBaseFee: 1$/,
  ],
  ['another chain', 'osaka', { chainId: 8n }, 'invalid', /chain/i],
];

for (const [what, fork, fields, reason, text] of REFUSALS) {
  void test(`a transaction with ${what} is refused without changes`, async () => {
    const one = setting(fork);
    const raw =
      what === 'another chain' || what.startsWith('a type') ? otherChainOrType(fields) : transaction(one, fields);
    const blockExecutor = await open(one);
    blockExecutor.cut();
    const result = await blockExecutor.apply(raw);
    assert.equal(result.kind, 'refused');
    assert.match(result.kind === 'refused' ? result.message : '', text);
    assert.equal(result.kind === 'refused' ? result.reason : '', reason);
    assert.deepEqual(blockExecutor.cut(), { accounts: [], slots: [], codes: [] });
    assert.equal(blockExecutor.gasUsed, 0n);
    applied(await blockExecutor.apply(transaction(one, {})));
    const sealed = await blockExecutor.seal();
    assert.deepEqual(sealed.block.hash, (await block(setting(fork), [transaction(one, {})])).block.hash);
  });
}

void test('a transaction with more blobs than the block has left is refused', async () => {
  const one = setting('cancun');
  const blobs = (nonce: bigint): Uint8Array =>
    transaction(one, { ...blobFields, nonce, blobVersionedHashes: [BLOB_HASH, BLOB_HASH, BLOB_HASH, BLOB_HASH] });
  const blockExecutor = await open(one);
  applied(await blockExecutor.apply(blobs(3n)));
  const second = await blockExecutor.apply(blobs(4n));
  assert.deepEqual(second, { kind: 'refused', reason: 'blockFull', message: 'blob gas limit reached' });
  const { header } = await blockExecutor.seal();
  assert.equal(header.blobGasUsed, 4n * 131_072n);
});

void test('a chain with EIP-7825 switched off executes transactions above its gas limit', async () => {
  const one = setting('osaka');
  const rules = createChainRules({ ...one.rules.chain, transactionGasCap: false });
  const free = { ...one, rules, executor: new TransactionExecutor(rules, one.view, EXECUTOR) };
  const blockExecutor = await open(free);
  applied(await blockExecutor.apply(transaction(free, { gasLimit: 20_000_000n })));
  assert.equal(blockExecutor.gasUsed, 21_000n);
});

void test('malformed bytes, a sender with code and an invalid signature are refused', async () => {
  const contracts = [...CONTRACTS, { address: createAddressFromPrivateKey(POOR_KEY).bytes, code: assemble('STOP') }];
  const one = setting('prague', {}, contracts);
  const blockExecutor = await open(one);
  const raw = transaction(one, { key: POOR_KEY, nonce: 1n });
  const results: ApplyTransactionResult[] = [];
  for (const bytes of [raw, new Uint8Array(0), Uint8Array.of(5, 1), raw.subarray(0, 40)])
    results.push(await blockExecutor.apply(bytes));
  for (const result of results) assert.equal(result.kind === 'refused' ? result.reason : '', 'invalid');
  const [first] = results;
  assert.match(
    first!.kind === 'refused' ? first!.message : '',
    /^sender not an eoa: address 0x[0-9a-f]{40}, len\(code\): 1$/,
  );
  const rules = one.rules.at(100, 1000);
  assert.equal(typeof decodeSignedTransaction(Uint8Array.of(0xc0), rules), 'string');
});

void test('the gas left is tracked, and a transaction decoded for another fork is decoded again', async () => {
  const one = setting('prague');
  const cancun = setting('cancun');
  const decoded = decodeSignedTransaction(
    transaction(one, { data: new Uint8Array(100).fill(1) }),
    cancun.rules.at(100, 1000),
  );
  assert.ok(typeof decoded !== 'string');
  const blockExecutor = await open(one);
  applied(await blockExecutor.apply(decoded));
  // EIP-7623, which does not apply in Cancun.
  assert.equal(blockExecutor.gasUsed, 21_000n + 4000n);
  assert.equal(blockExecutor.gasLeft, 30_000_000n - 25_000n);
});

function otherChainOrType(fields: Fields): Uint8Array {
  const chain = { chainId: fields['chainId'], defaultHardfork: 'osaka' };
  const { common } = createChainRules({
    chainId: BigInt(String(chain.chainId)),
    forks: [{ name: 'osaka', block: 0, timestamp: null }],
    blobSchedule: {},
    depositContract: null,
    transactionGasCap: true,
    op: null,
  }).at(0, 0);
  const fees = { type: 2, maxFeePerGas: 3n * GWEI, maxPriorityFeePerGas: GWEI };
  return createTx({ ...fees, nonce: 3n, gasLimit: 100_000n, to: at(0x77), ...fields }, { common })
    .sign(KEY)
    .serialize();
}

function emptyHeader(): Header {
  return {
    parentHash: word(1),
    unclesHash: EMPTY_UNCLES_HASH,
    coinbase: at(0),
    stateRoot: word(2),
    transactionsRoot: EMPTY_TRIE_ROOT,
    receiptsRoot: EMPTY_TRIE_ROOT,
    logsBloom: new Uint8Array(256),
    difficulty: 1000n,
    number: 0,
    gasLimit: 30_000_000n,
    gasUsed: 0n,
    timestamp: 900n,
    extraData: new Uint8Array(0),
    mixHash: word(3),
    nonce: new Uint8Array(8),
    baseFeePerGas: null,
    withdrawalsRoot: null,
    blobGasUsed: null,
    excessBlobGas: null,
    parentBeaconBlockRoot: null,
    requestsHash: null,
  };
}

/** ABI of `DepositEvent(bytes pubkey, bytes credentials, bytes amount, bytes signature, bytes index)`. */
function depositEvent(): Uint8Array {
  const fields = [48, 32, 8, 96, 8].map((length, i) => new Uint8Array(length).fill(i + 1));
  const offsets = [160, 256, 320, 384, 512].map(word);
  const bodies = fields.flatMap((field) => [
    word(field.length),
    Buffer.concat([field], Math.ceil(field.length / 32) * 32),
  ]);
  return Buffer.concat([...offsets, ...bodies]);
}
