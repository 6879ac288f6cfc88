// Descriptions of OP Stack chains: known ones, and those from genesis and rollup files; base fees by fork.
import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { chainName, forkDataFreshnessOf, knownOpChainDescription } from '../../../src/chain/known-chains.js';
import { BlockExecutor } from '../../../src/execution/block/block-executor.js';
import { parseGenesis } from '../../../src/execution/block/genesis.js';
import { TransactionExecutor } from '../../../src/execution/block/transaction-executor.js';
import { nextBaseFeeOnChain, canComputeNextBaseFee } from '../../../src/chain/base-fee.js';
import { OP_FORK_NAMES, checkOpForkOrder, opRulesAt, type OpFork } from '../../../src/chain/op/forks.js';
import { parseRollupConfig } from '../../../src/chain/op/rollup-config.js';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { StateTrie } from '../../../src/chain/state-root.js';
import { StartError } from '../../../src/lib/start-error.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { assemble } from '../../support/assembler.js';
import { MemorySink } from '../../support/memory-sink.js';
import { MemoryView, bytes } from '../../support/memory-view.js';
import { sharedData, withoutData } from '../../support/shared-data.js';
import { depositBytes, isOn, opChainAt } from '../../execution/op/blocks.js';
import type { Header } from '../../../src/chain/block/header.js';
import { EXECUTOR } from '../../support/engine.js';

const JOVIAN_GENESIS = 'op-stack-genesis/op-rbuilder-test-genesis.json';
const REGISTRY = 'op-stack-chains.json';
/** A chain of the registry. */
interface Registered {
  readonly chainId: number;
  readonly forks: Readonly<Record<string, number | null>>;
  readonly eip1559: { readonly elasticity: number; readonly denominatorCanyon: number };
}
const FJORD_GENESIS = 'op-stack-genesis/rollup-boost-test-genesis.json';
const skip = withoutData('op-stack-genesis');
const L1_BLOCK = '0x4200000000000000000000000000000000000015';
const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';

test('known chains have the right fork on a given day, and the right Ethereum fork under it', () => {
  const cases: readonly (readonly [chainId: bigint, timestamp: number, op: OpFork | null, fork: string])[] = [
    [10n, 1_704_992_401, null, 'shanghai'],
    [10n, 1_710_374_400, null, 'shanghai'],
    [10n, 1_710_374_401, 'ecotone', 'cancun'],
    [10n, 1_736_445_601, 'holocene', 'cancun'],
    [10n, 1_746_806_401, 'isthmus', 'prague'],
    [10n, 1_764_691_201, 'jovian', 'prague'],
    [10n, 1_783_526_401, 'karst', 'osaka'],
    [8453n, 1_720_627_201, 'fjord', 'cancun'],
    [8453n, 1_779_991_199, 'jovian', 'prague'],
    [8453n, 1_779_991_200, 'azul', 'osaka'],
    [8453n, 1_782_410_399, 'azul', 'osaka'],
    [8453n, 1_782_410_400, 'beryl', 'osaka'],
    [8453n, 1_790_791_200, 'cobalt', 'osaka'],
    [8453n, 1_793_901_600, 'denim', 'osaka'],
    [11_155_420n, 1_744_232_800, 'holocene', 'cancun'],
    [84_532n, 1_776_708_000, 'azul', 'osaka'],
    [84_532n, 1_792_605_600, 'denim', 'osaka'],
    [196n, 1_764_691_200, 'isthmus', 'prague'],
    [196n, 1_764_691_201, 'jovian', 'prague'],
    [480n, 1_764_691_201, 'isthmus', 'prague'],
    [4153n, 1_767_605_760, 'jovian', 'prague'],
    [11_155_931n, 1_750_845_599, 'granite', 'cancun'],
    [11_155_931n, 1_765_857_599, 'isthmus', 'prague'],
    [11_155_931n, 1_765_857_600, 'jovian', 'prague'],
    [480n, 1_793_901_600, 'jovian', 'prague'],
    [7_777_777n, 1_783_526_401, 'karst', 'osaka'],
    [130n, 1_730_748_359, 'granite', 'cancun'],
    [1301n, 1_734_559_200, 'holocene', 'cancun'],
    [57_073n, 1_742_396_399, 'granite', 'cancun'],
  ];
  for (const [chainId, timestamp, op, fork] of cases) {
    const rules = createChainRules(knownOpChainDescription(chainId)!).at(1, timestamp);
    assert.deepEqual([rules.op?.fork ?? null, rules.fork], [op, fork], `${chainId} at ${timestamp}`);
  }
  assert.equal(knownOpChainDescription(1n), null);
});

test('a known chain records its last known fork, with source and date', () => {
  assert.deepEqual(forkDataFreshnessOf(8453n), {
    last: 'denim',
    on: '2026-11-25',
    from: "Base's documentation and the settings of its node",
  });
  assert.equal(forkDataFreshnessOf(480n)?.last, 'jovian');
  assert.equal(forkDataFreshnessOf(10n)?.last, 'karst');
  assert.equal(forkDataFreshnessOf(1n), null);
  assert.equal(chainName(1n), 'Ethereum');
  assert.equal(chainName(4801n), 'World Chain Sepolia');
  assert.equal(chainName(31_337n), null);
});

test('chains that follow the superchain have the fork times of its registry', { skip: withoutData(REGISTRY) }, () => {
  const { chains } = JSON.parse(readFileSync(sharedData(REGISTRY), 'utf8')) as { chains: readonly Registered[] };
  assert.ok(chains.length >= 20);
  for (const { chainId, forks, eip1559 } of chains) {
    const { op, forks: activations } = knownOpChainDescription(BigInt(chainId))!;
    const { canyon, ...times } = forks;
    const shanghai = activations.find(({ name }) => name === 'shanghai');
    assert.equal(shanghai?.timestamp, canyon, `${chainId}`);
    const own = Object.fromEntries(Object.keys(times).map((fork) => [fork, op![fork as OpFork]]));
    assert.deepEqual(own, times, `${chainId}`);
    assert.deepEqual([op!.elasticity, op!.denominator], [eip1559.elasticity, eip1559.denominatorCanyon]);
  }
});

test('rules of one fork are one object, whatever Ethereum fork they share', () => {
  const rules = createChainRules(knownOpChainDescription(10n)!);
  assert.equal(rules.at(1, 1_720_627_201), rules.at(2, 1_720_627_299));
  assert.notEqual(rules.at(1, 1_720_627_201), rules.at(1, 1_726_070_401));
});

test('each fork includes all earlier ones; those of Base include none of the superchain from Karst on', () => {
  for (const fork of OP_FORK_NAMES) {
    const rules = opRulesAt(opChainAt(fork).op!, 0)!;
    const expected = OP_FORK_NAMES.filter((name) => OP_FORK_NAMES.indexOf(name) <= OP_FORK_NAMES.indexOf(fork));
    assert.deepEqual(
      OP_FORK_NAMES.filter((name) => rules.has(name)),
      expected.filter((name) => !(isOn('base', fork) && isOn('superchain', name))),
    );
  }
});

test('forks out of order are refused', () => {
  const { op } = opChainAt('jovian');
  assert.doesNotThrow(() => checkOpForkOrder(op!));
  assert.throws(() => checkOpForkOrder({ ...op!, granite: 5 }), /holocene comes before granite/);
  assert.throws(() => checkOpForkOrder({ ...op!, jovian: 5, karst: 4 }), /karst comes before jovian/);
  assert.throws(() => checkOpForkOrder({ ...op!, jovian: 5, azul: 4 }), /azul comes before jovian/);
  assert.throws(() => checkOpForkOrder({ ...op!, karst: 4, azul: 4 }), /exclude/);
  assert.throws(() => checkOpForkOrder({ ...op!, karst: 4, denim: 4 }), /exclude/);
  assert.doesNotThrow(() => checkOpForkOrder({ ...op!, jovian: 5, azul: 5 }));
});

test('a fork that is left out is activated with the next one', () => {
  const { op } = opChainAt('granite');
  const chain = { ...op!, isthmus: 10 };
  assert.doesNotThrow(() => checkOpForkOrder(chain));
  assert.deepEqual([opRulesAt(chain, 9)!.has('holocene'), opRulesAt(chain, 10)!.has('holocene')], [false, true]);
});

test('blocks before Ecotone are not executed', async () => {
  const chain = knownOpChainDescription(10n)!;
  const sink = new MemorySink();
  const executor = new TransactionExecutor(createChainRules(chain), sink.view(), EXECUTOR);
  const plan = planAt(1, 1_704_992_401);
  const opened = BlockExecutor.open(plan, { executor, view: sink.view(), trie: null });
  await assert.rejects(opened, /from Ecotone on/);
});

function planAt(number: number, timestamp: number): Parameters<typeof BlockExecutor.open>[0] {
  return {
    env: {
      number,
      timestamp: BigInt(timestamp),
      gasLimit: 30_000_000n,
      baseFeePerGas: 1n,
      coinbase: new Uint8Array(20),
      prevRandao: new Uint8Array(32),
      difficulty: 0n,
      excessBlobGas: 0n,
      parentBeaconBlockRoot: new Uint8Array(32),
    },
    parentHash: new Uint8Array(32),
    extraData: new Uint8Array(0),
    withdrawals: [],
    work: null,
  };
}

test('a genesis file of an OP-Stack chain with all forks up to Jovian is read', { skip }, () => {
  const { chain, header } = parseGenesis('genesis.json', readFileSync(sharedData(JOVIAN_GENESIS), 'utf8'));
  assert.equal(chain.chainId, 901n);
  assert.deepEqual(chain.op, { ...opChainAt('jovian').op });
  const rules = createChainRules(chain).at(0, 0);
  assert.deepEqual([rules.op?.fork, rules.fork], ['jovian', 'prague']);
  // Nothing has been withdrawn yet.
  assert.notEqual(header.withdrawalsRoot, null);
  assert.notEqual(header.requestsHash, null);
});

test('a genesis file whose later forks are far in the future is read', { skip }, () => {
  const { chain, header } = parseGenesis('genesis.json', readFileSync(sharedData(FJORD_GENESIS), 'utf8'));
  const rules = createChainRules(chain);
  assert.equal(chain.op?.isthmus, 100_000_000_000_000);
  assert.deepEqual([rules.at(1, 1).op?.fork, rules.at(1, 1).fork], ['granite', 'cancun']);
  assert.equal(toHex(header.withdrawalsRoot!), EMPTY_ROOT);
});

test('Ethereum forks missing in a genesis file follow from the OP-Stack forks', () => {
  const config = {
    ...Object.fromEntries(
      [
        'homestead',
        'eip150',
        'eip158',
        'byzantium',
        'constantinople',
        'petersburg',
        'istanbul',
        'berlin',
        'london',
      ].map((name) => [`${name}Block`, 0]),
    ),
    ...Object.fromEntries(OP_FORK_NAMES.slice(0, OP_FORK_NAMES.indexOf('azul')).map((fork, i) => [`${fork}Time`, i])),
    chainId: 5,
    canyonTime: 0,
    terminalTotalDifficulty: 0,
    optimism: { eip1559Elasticity: 10, eip1559Denominator: 50 },
  };
  const { chain } = parseGenesis('genesis.json', JSON.stringify({ config, alloc: {}, difficulty: '0x0' }));
  const rules = createChainRules(chain);
  assert.deepEqual(
    [0, 3, 4, 5, 6].map((time) => rules.at(1, time).fork),
    ['cancun', 'cancun', 'prague', 'prague', 'osaka'],
  );
  assert.deepEqual([chain.op?.elasticity, chain.op?.denominator], [10, 50]);
  const wrong = { ...config, graniteTime: 100 };
  const parse = (): unknown => parseGenesis('genesis.json', JSON.stringify({ config: wrong, alloc: {} }));
  assert.throws(parse, (error) => error instanceof StartError && /holocene comes before granite/.test(error.message));
});

test('a chain with a description from a genesis file can be extended', { skip }, async () => {
  const genesis = parseGenesis('genesis.json', readFileSync(sharedData(JOVIAN_GENESIS), 'utf8'));
  const sink = new MemorySink();
  await sink.complete(genesis.diff, genesis.block);
  const trie = new StateTrie();
  trie.apply(genesis.diff);
  const parts = {
    executor: new TransactionExecutor(createChainRules(genesis.chain), sink.view(), EXECUTOR),
    view: sink.view(),
    trie,
  };
  const blockExecutor = await BlockExecutor.open(planAt(1, 2), parts);
  // L1Block's proxy reverts for an unknown caller; that is a failure, but the transaction is in the block.
  const applied = await blockExecutor.apply(
    depositBytes({ from: `0x${'aa'.repeat(20)}`, to: L1_BLOCK, mint: 5n, value: 5n }),
  );
  assert.equal(applied.kind === 'applied' && applied.transaction.receipt.status, 0);
  const { header } = await blockExecutor.seal();
  assert.notEqual(toHex(header.stateRoot), toHex(genesis.header.stateRoot));
});

test('from Isthmus on headers have the storage root of the message passer', async () => {
  const passer = '0x4200000000000000000000000000000000000016';
  for (const [fork, isIn] of [
    ['holocene', false],
    ['isthmus', true],
  ] as const) {
    const view = new MemoryView().put(passer, { nonce: 1n, code: assemble('PUSH 1', 'PUSH 7', 'SSTORE') });
    const trie = new StateTrie();
    const parts = { executor: new TransactionExecutor(createChainRules(opChainAt(fork)), view, EXECUTOR), view, trie };
    const blockExecutor = await BlockExecutor.open(planAt(1, 2), parts);
    await blockExecutor.apply(depositBytes({ from: `0x${'aa'.repeat(20)}`, to: passer }));
    const { header } = await blockExecutor.seal();
    const expected = new StateTrie();
    const slot = bytes('07', 32);
    expected.apply({ accounts: [], slots: [{ address: bytes(passer, 20), slot, value: bytes('01', 32) }] });
    const root = toHex(expected.storageRootOf(bytes(passer, 20)));
    assert.notEqual(root, EMPTY_ROOT);
    assert.equal(toHex(header.withdrawalsRoot!), isIn ? root : EMPTY_ROOT);
  }
});

test('OP-Stack blocks make no requests, whatever code is at the addresses of the request contracts', async () => {
  const collect = assemble('PUSH 1', 'PUSH 0', 'SSTORE', 'PUSH 32', 'PUSH 0', 'RETURN');
  const view = new MemoryView()
    .put('0x00000961ef480eb55e80d19ad83579a64c007002', { nonce: 1n, code: collect })
    .put('0x0000bbddc7ce488642fb579f8b00f3a590007251', { nonce: 1n, code: collect });
  const executor = new TransactionExecutor(createChainRules(opChainAt('isthmus')), view, EXECUTOR);
  const blockExecutor = await BlockExecutor.open(planAt(1, 2), { executor, view, trie: null });
  const { header, changes } = await blockExecutor.seal();
  assert.equal(toHex(header.requestsHash!), `0x${createHash('sha256').digest('hex')}`);
  assert.deepEqual(changes.slots, []);
});

test('without tries the roots are those of the block attributes', async () => {
  const sink = new MemorySink();
  const executor = new TransactionExecutor(createChainRules(opChainAt('isthmus')), sink.view(), EXECUTOR);
  const roots = { stateRoot: new Uint8Array(32).fill(1), withdrawalsRoot: new Uint8Array(32).fill(2) };
  const parts = { executor, view: sink.view(), trie: null };
  const blockExecutor = await BlockExecutor.open({ ...planAt(1, 2), roots }, parts);
  const { header } = await blockExecutor.seal();
  assert.deepEqual([header.stateRoot, header.withdrawalsRoot], [roots.stateRoot, roots.withdrawalsRoot]);
});

test('a rollup file gives chain id, forks and fee parameters', async (t) => {
  const times = { canyon_time: 1, ecotone_time: 2, fjord_time: 3, granite_time: 4, holocene_time: 5 };
  const text = (fields: object): string => JSON.stringify({ l2_chain_id: 42, ...times, ...fields });
  const { chain } = parseRollupConfig('rollup.json', text({}));
  assert.deepEqual([chain.chainId, chain.op?.holocene, chain.op?.isthmus, chain.op?.elasticity], [42n, 5, null, 6]);
  assert.deepEqual(
    chain.forks.map(({ name }) => name),
    ['paris', 'shanghai', 'cancun'],
  );
  const cases: readonly (readonly [what: string, text: string, message: RegExp])[] = [
    ['no JSON', '{', /rollup\.json is not a usable rollup configuration: it is not JSON/],
    ['no chain id', JSON.stringify(times), /l2_chain_id: missing/],
    ['forks out of order', text({ holocene_time: 3, granite_time: 4 }), /holocene comes before granite/],
    ['a fork that is no number', text({ fjord_time: 'soon' }), /fjord_time: not a number/],
  ];
  for (const [what, wrong, message] of cases)
    await t.test(what, () => assert.throws(() => parseRollupConfig('rollup.json', wrong), message));
  const unknown = (fields: object): unknown => parseRollupConfig('rollup.json', text(fields)).unknown;
  assert.deepEqual(unknown({ lagoon_time: 12, interop_time: 9 }), { key: 'interop_time', since: 9 });
  assert.equal(unknown({ interop_time: null, pectra_blob_schedule_time: 9 }), null);
});

function extra(version: number, denominator: number, elasticity: number, minimum?: bigint): Uint8Array {
  const data = Buffer.alloc(minimum === undefined ? 9 : 17);
  data.writeUInt8(version, 0);
  data.writeUInt32BE(denominator, 1);
  data.writeUInt32BE(elasticity, 5);
  if (minimum !== undefined) data.writeBigUInt64BE(minimum, 9);
  return new Uint8Array(data);
}

test('the base fee follows the parameters of the chain', async (t) => {
  const parent = { baseFeePerGas: 1_000_000n, gasLimit: 60_000_000n, gasUsed: 20_000_000n, timestamp: 10n };
  const cases: readonly (readonly [what: string, fork: OpFork, header: Partial<Header>, fee: bigint])[] = [
    // The target is 10M: twice as much raises the base fee by 1/250.
    ['by the chain before Holocene', 'granite', { extraData: extra(0, 1, 1) }, 1_004_000n],
    // The target is 30M: a third less lowers the base fee by a third of 1/8.
    ['by the parent from Holocene on', 'holocene', { extraData: extra(0, 8, 2) }, 958_334n],
    ['not less than the least from Jovian on', 'jovian', { extraData: extra(1, 8, 2, 990_000n) }, 990_000n],
    ['more than the least', 'jovian', { extraData: extra(1, 8, 2, 9n) }, 958_334n],
    [
      'by the footprint if that is more',
      'jovian',
      { extraData: extra(1, 8, 2, 9n), blobGasUsed: 60_000_000n },
      1_125_000n,
    ],
    ['by the gas if that is more', 'jovian', { extraData: extra(1, 8, 2, 9n), blobGasUsed: 5n }, 958_334n],
    ['blob gas means nothing before', 'isthmus', { extraData: extra(0, 8, 2), blobGasUsed: 60_000_000n }, 958_334n],
  ];
  for (const [what, fork, header, fee] of cases)
    await t.test(what, () =>
      assert.equal(nextBaseFeeOnChain(opChainAt(fork), { ...parent, ...header } as Header), fee),
    );
  await t.test('the base fee follows EIP-1559 on chains that are not OP Stack', () => {
    const chain = { ...opChainAt('jovian'), op: null };
    assert.equal(nextBaseFeeOnChain(chain, { ...parent, extraData: extra(1, 1, 1, 5n) } as Header), 958_334n);
  });
  await t.test('extra data without parameters gives no base fee', () => {
    const header = { ...parent, extraData: new Uint8Array(0) } as Header;
    const chain = opChainAt('holocene');
    const reported = { ...header, extraData: Uint8Array.of(0, 0, 0, 0, 250, 0, 0, 0, 6) };
    assert.deepEqual([canComputeNextBaseFee(chain, header), canComputeNextBaseFee(chain, reported)], [false, true]);
    assert.equal(nextBaseFeeOnChain(chain, header), nextBaseFeeOnChain(opChainAt('granite'), header));
  });
});
