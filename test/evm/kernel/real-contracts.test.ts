// Widely used contracts, and hostile ones: both engines do the same, transaction by transaction. HEAVY=1 also runs
// those that take seconds.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { toBigInt } from '../../../src/lib/bytes/big-endian.js';
import { concat, getCreateAddress, Wallet, ZeroAddress } from 'ethers';
import { assemble } from '../../support/assembler.js';
import { candidateEngine, fallbacks, referenceEngine } from '../../support/programs/engines.js';
import { compileOwn, packaged, type Artifact } from './real-contracts-artifacts.js';
import { Stage, type Deployed } from './real-contracts-stage.js';

const ENGINES = [referenceEngine, candidateEngine];
/** Why cases on which the reference spends minutes are skipped, or false if they run. */
const LIGHT = process.env['HEAVY'] === undefined ? 'takes minutes; HEAVY=1 runs it' : false;
const SIGNER = new Wallet(`0x${'11'.repeat(32)}`);
const ALICE = SIGNER.address;
const BOB = `0x${'b0'.repeat(20)}`;
const CAROL = `0x${'ca'.repeat(20)}`;
const ETHER = 10n ** 18n;
const RICH = { balance: 1000n * ETHER, nonce: 1n };
const LATER = 2_000_000_000n;
const MOST = 2n ** 256n - 1n;

function stage(): Stage {
  return new Stage('osaka', ENGINES, { [ALICE]: RICH, [BOB]: RICH, [CAROL]: RICH });
}

let own: Readonly<Record<string, Artifact>>;
before(() => {
  own = compileOwn();
});

void describe('tokens', () => {
  void test('ERC-20: mint, approve, transfer and permit work, and invalid ones revert', async () => {
    const chain = stage();
    const coin = await chain.deploy(ALICE, own['Coin']!, ['Coin']);
    await chain.call(ALICE, coin, 'mint', [ALICE, 1000n]);
    await chain.call(ALICE, coin, 'transfer', [BOB, 100n]);
    await chain.call(ALICE, coin, 'transfer', [ALICE, 0n]);
    await chain.call(ALICE, coin, 'approve', [BOB, 60n]);
    await chain.call(BOB, coin, 'transferFrom', [ALICE, CAROL, 50n]);
    await chain.fails(BOB, coin, 'transferFrom', [ALICE, CAROL, 50n]);
    await chain.fails(CAROL, coin, 'transfer', [BOB, 51n]);
    await chain.fails(CAROL, coin, 'transfer', [ZeroAddress, 1n]);
    await chain.fails(ALICE, coin, 'mint', [ALICE, 1n], 1n);
    await chain.call(CAROL, coin, 'transfer', [BOB, 50n]);
    await permit(chain, coin);
    assert.equal(await chain.call(CAROL, coin, 'balanceOf', [BOB]), 150n);
  });

  void test('ERC-4626: deposit and redeem work', async () => {
    const chain = stage();
    const coin = await chain.deploy(ALICE, own['Coin']!, ['Coin']);
    const vault = await chain.deploy(ALICE, own['Vault']!, [coin.address]);
    await chain.call(ALICE, coin, 'mint', [ALICE, 10n ** 20n]);
    await chain.call(ALICE, coin, 'approve', [vault.address, MOST]);
    await chain.call(ALICE, vault, 'deposit', [10n ** 19n, BOB]);
    await chain.call(ALICE, coin, 'transfer', [vault.address, 333n]);
    await chain.call(BOB, vault, 'redeem', [10n ** 18n, CAROL, BOB]);
    await chain.fails(BOB, vault, 'withdraw', [10n ** 20n, CAROL, BOB]);
  });

  void test('ERC-721: safe transfers to receivers succeed, to other contracts fail', async () => {
    const chain = stage();
    const item = await chain.deploy(ALICE, own['Item']!);
    const holder = await chain.deploy(ALICE, own['Holder']!);
    for (let id = 1; id <= 4; id++) await chain.call(ALICE, item, 'mint', [ALICE, id]);
    await chain.fails(ALICE, item, 'mint', [BOB, 1]);
    await chain.call(ALICE, item, 'safeTransferFrom(address,address,uint256)', [ALICE, holder.address, 1]);
    await chain.fails(ALICE, item, 'safeTransferFrom(address,address,uint256)', [ALICE, item.address, 2]);
    await chain.call(ALICE, item, 'approve', [BOB, 3]);
    await chain.call(BOB, item, 'transferFrom', [ALICE, CAROL, 3]);
    await chain.fails(BOB, item, 'transferFrom', [ALICE, CAROL, 4]);
  });

  void test('ERC-1155: batches are minted and transferred', async () => {
    const chain = stage();
    const items = await chain.deploy(ALICE, own['Items']!);
    const holder = await chain.deploy(ALICE, own['Holder']!);
    const ids = Array.from({ length: 20 }, (_, i) => i);
    await chain.call(ALICE, items, 'mint', [ALICE, ids, ids.map(() => 10)]);
    const batch = ids.slice(0, 8);
    const send = 'safeBatchTransferFrom';
    await chain.call(ALICE, items, send, [ALICE, holder.address, batch, batch.map(() => 3), '0x1234']);
    await chain.fails(ALICE, items, send, [ALICE, BOB, batch, batch.map(() => 8), '0x']);
    await chain.fails(BOB, items, send, [ALICE, BOB, batch, batch.map(() => 1), '0x']);
    await chain.call(BOB, items, 'balanceOfBatch', [ids.map(() => holder.address), ids]);
  });
});

async function permit(chain: Stage, coin: Deployed): Promise<void> {
  const domain = { name: 'Coin', version: '1', chainId: 1337, verifyingContract: coin.address };
  const fields = ['owner address', 'spender address', 'value uint256', 'nonce uint256', 'deadline uint256'];
  const types = { Permit: fields.map((field) => ({ name: field.split(' ')[0]!, type: field.split(' ')[1]! })) };
  const values = { owner: ALICE, spender: CAROL, value: 5n, nonce: 0n, deadline: LATER };
  const signature = await SIGNER.signTypedData(domain, types, values);
  const [r, s, v] = [signature.slice(0, 66), `0x${signature.slice(66, 130)}`, `0x${signature.slice(130)}`];
  await chain.fails(BOB, coin, 'permit', [ALICE, CAROL, 6n, LATER, v, r, s]);
  await chain.call(BOB, coin, 'permit', [ALICE, CAROL, 5n, LATER, v, r, s]);
  await chain.fails(BOB, coin, 'permit', [ALICE, CAROL, 5n, LATER, v, r, s]);
}

const proxy = (name: string): Artifact => packaged(`@openzeppelin/contracts/build/contracts/${name}.json`);
const named = (box: Deployed): string => box.abi.encodeFunctionData('initialize', ['a box']);
const bothBoxes = async (chain: Stage): Promise<[Deployed, Deployed]> => [
  await chain.deploy(ALICE, own['Box']!),
  await chain.deploy(ALICE, own['Box2']!),
];

async function use(chain: Stage, box: Deployed): Promise<void> {
  await chain.call(BOB, box, 'store', [7], 5n);
  await chain.call(BOB, box, 'store', [0]);
  await chain.fails(BOB, box, 'store', [1001]);
  assert.equal(await chain.call(BOB, box, 'name', []), 'a box');
}

async function useUpgraded(chain: Stage, box: Deployed): Promise<void> {
  await chain.call(BOB, box, 'store', [1001]);
  await chain.fails(BOB, box, 'divide', [0]);
  assert.equal(await chain.call(BOB, box, 'divide', [10]), 100n);
}

void describe('proxies', () => {
  void test('an ERC-1967 proxy runs its implementation', async () => {
    const chain = stage();
    const [box] = await bothBoxes(chain);
    const { address } = await chain.deploy(ALICE, proxy('ERC1967Proxy'), [box.address, named(box)]);
    await use(chain, { ...box, address });
  });

  void test('a transparent proxy is upgraded by its administrator', async () => {
    const chain = stage();
    const [box, box2] = await bothBoxes(chain);
    const transparent = proxy('TransparentUpgradeableProxy');
    const { address } = await chain.deploy(ALICE, transparent, [box.address, ALICE, named(box)]);
    await use(chain, { ...box, address });
    const admin = { address: getCreateAddress({ from: address, nonce: 1 }), abi: proxy('ProxyAdmin').abi };
    await chain.fails(BOB, admin, 'upgradeAndCall', [address, box2.address, '0x']);
    await chain.call(ALICE, admin, 'upgradeAndCall', [address, box2.address, '0x']);
    await useUpgraded(chain, { ...box2, address });
  });

  void test('two beacon proxies are upgraded at once, and clones run their template', async () => {
    const chain = stage();
    const [box, box2] = await bothBoxes(chain);
    const beacon = await chain.deploy(ALICE, proxy('UpgradeableBeacon'), [box.address, ALICE]);
    const first = await chain.deploy(ALICE, proxy('BeaconProxy'), [beacon.address, named(box)]);
    const second = await chain.deploy(ALICE, proxy('BeaconProxy'), [beacon.address, named(box)]);
    await use(chain, { ...box, address: first.address });
    await chain.call(ALICE, beacon, 'upgradeTo', [box2.address]);
    await useUpgraded(chain, { ...box2, address: first.address });
    await useUpgraded(chain, { ...box2, address: second.address });
    const maker = await chain.deploy(ALICE, own['CloneMaker']!);
    const salt = `0x${'5a'.repeat(32)}`;
    await chain.call(BOB, maker, 'make', [box.address, salt]);
    await chain.fails(BOB, maker, 'make', [box.address, salt]);
  });
});

interface Market {
  readonly chain: Stage;
  readonly weth: Deployed;
  readonly router: Deployed;
  readonly factory: Deployed;
  readonly coins: readonly [Deployed, Deployed, Deployed];
}

let made: Promise<Market> | undefined;
/** Shared by all tests, because deployment takes longer than the tests do. */
function market(): Promise<Market> {
  return (made ??= makeMarket());
}

/** Three tokens, pairs between the first one and the others, and a pair with ether. */
async function makeMarket(): Promise<Market> {
  const chain = stage();
  const weth = await chain.deploy(ALICE, packaged('@uniswap/v2-periphery/build/WETH9.json'));
  const factory = await chain.deploy(ALICE, packaged('@uniswap/v2-core/build/UniswapV2Factory.json'), [ALICE]);
  const routerCode = packaged('@uniswap/v2-periphery/build/UniswapV2Router02.json');
  const router = await chain.deploy(ALICE, routerCode, [factory.address, weth.address]);
  const coins: Deployed[] = [];
  for (const name of ['A', 'B', 'C']) {
    const coin = await chain.deploy(ALICE, own['Coin']!, [name]);
    await chain.call(ALICE, coin, 'mint', [ALICE, 10n ** 24n]);
    await chain.call(ALICE, coin, 'approve', [router.address, MOST]);
    coins.push(coin);
  }
  const [a, b, c] = coins as [Deployed, Deployed, Deployed];
  const amounts = [10n ** 21n, 3n * 10n ** 21n, 0n, 0n, ALICE, LATER];
  for (const other of [b, c]) await chain.call(ALICE, router, 'addLiquidity', [a.address, other.address, ...amounts]);
  await chain.call(ALICE, router, 'addLiquidityETH', [a.address, 10n ** 21n, 0n, 0n, ALICE, LATER], 50n * ETHER);
  return { chain, weth, router, factory, coins: [a, b, c] };
}

void describe('an exchange', () => {
  void test('liquidity is added, and swaps go through one pair and two', async () => {
    const { chain, weth, router, factory, coins } = await market();
    const [a, b, c] = coins.map(({ address }) => address) as [string, string, string];
    const swap = 'swapExactTokensForTokens';
    await chain.call(ALICE, router, swap, [10n ** 18n, 0n, [a, b], BOB, LATER]);
    await chain.call(ALICE, router, swap, [10n ** 18n, 0n, [b, a, c], BOB, LATER]);
    await chain.fails(ALICE, router, swap, [10n ** 18n, 10n ** 19n, [a, b], BOB, LATER]);
    await chain.fails(ALICE, router, swap, [10n ** 18n, 0n, [a, b], BOB, 1n]);
    await chain.fails(ALICE, router, swap, [10n ** 18n, 0n, [b, c], BOB, LATER]);
    await chain.fails(BOB, router, swap, [10n ** 17n, 0n, [b, a], BOB, LATER]);
    await chain.call(BOB, router, 'swapExactETHForTokens', [0n, [weth.address, a, c], BOB, LATER], ETHER);
    await chain.call(ALICE, router, 'swapTokensForExactETH', [ETHER, MOST, [a, weth.address], CAROL, LATER]);
    const pair = await pairOf(chain, factory, a, b);
    await chain.call(ALICE, pair, 'approve', [router.address, MOST]);
    await chain.call(ALICE, router, 'removeLiquidity', [a, b, 10n ** 20n, 0n, 0n, CAROL, LATER]);
    await chain.call(CAROL, pair, 'sync', []);
  });

  void test('a flash swap that pays succeeds, one that does not fails', async () => {
    const { chain, factory, coins } = await market();
    const pair = await pairOf(chain, factory, coins[0].address, coins[1].address);
    const token0 = await chain.call(BOB, pair, 'token0', []);
    const borrower = await chain.deploy(BOB, own['FlashBorrower']!);
    const coin = coins.find(({ address }) => address === token0)!;
    await chain.call(ALICE, coin, 'mint', [borrower.address, 10n ** 18n]);
    await chain.call(BOB, borrower, 'borrow', [pair.address, 10n ** 18n, 10n ** 18n + 10n ** 16n]);
    const said = await chain.fails(BOB, borrower, 'borrow', [pair.address, 10n ** 18n, 10n ** 18n]);
    assert.match(said, /UniswapV2: K/);
  });

  void test('a multicall runs every call, and one that fails midway reverts all', async () => {
    const { chain, weth, router, coins } = await market();
    const multicall = await chain.deploy(BOB, own['Multicall']!);
    const [a, b] = coins;
    const path = [a.address, b.address];
    const calls = [
      call(router, 'swapExactETHForTokens', [0n, [weth.address, a.address], multicall.address, LATER], ETHER),
      call(a, 'approve', [router.address, MOST]),
      call(router, 'swapExactTokensForTokens', [10n ** 18n, 0n, path, BOB, LATER]),
      call(router, 'swapExactTokensForTokens', [10n ** 22n, 0n, path, BOB, LATER], 0n, true),
      call(weth, 'deposit', [], ETHER),
      call(weth, 'withdraw', [ETHER], 0n, true),
      call(b, 'balanceOf', [BOB]),
    ];
    await chain.call(BOB, multicall, 'aggregate', [calls], 2n * ETHER);
    const wrong = call(b, 'transfer', [BOB, 10n ** 30n]);
    await chain.fails(BOB, multicall, 'aggregate', [[...calls, wrong]], 2n * ETHER);
  });
});

/** Comparing the reference engine with itself would prove nothing. */
after(() => assert.deepEqual([...fallbacks.keys()], []));

/** One call of a multicall. */
const call = (to: Deployed, name: string, args: unknown[], value = 0n, mayFail = false): unknown[] => [
  to.address,
  mayFail,
  value,
  to.abi.encodeFunctionData(name, args),
];

async function pairOf(chain: Stage, factory: Deployed, a: string, b: string): Promise<Deployed> {
  const address = String(await chain.call(BOB, factory, 'getPair', [a, b]));
  return { address, abi: packaged('@uniswap/v2-core/build/UniswapV2Pair.json').abi };
}

void describe('computation', () => {
  void test('loops over memory, hashes, storage and strings run alike', async () => {
    const chain = stage();
    const worker = await chain.deploy(ALICE, own['Worker']!);
    await chain.call(BOB, worker, 'sort', [40, 1]);
    await chain.call(BOB, worker, 'fill', [0, 60, 1]);
    await chain.call(BOB, worker, 'fill', [0, 60, 0]);
    await chain.call(BOB, worker, 'words', ['the quick brown fox jumps over the lazy dog']);
  });
});

const HOSTILE = `0x${'bad0'.repeat(10)}`;
const CALLEE = `0x${'bad1'.repeat(10)}`;

interface Hostile {
  readonly code: string;
  readonly callee?: string;
  readonly status: 'success' | 'revert' | 'halt';
  readonly gas?: bigint;
  /** The returned number. */
  readonly returns?: bigint;
  /** The reference engine takes seconds. */
  readonly heavy?: true;
}

/** Enough for 1024 frames, each of which retains a 64th. */
const DEEP = 10n ** 13n;
const CODE_BYTES_MAX = 24_576;
/** The outermost frame and 1024 nested ones. */
const FRAMES = 1025n;
const memory = (length: number): string =>
  assemble(`PUSH 1; PUSH ${length}; MSTORE; MSIZE; PUSH 0; KECCAK256; PUSH 0; SSTORE`);
const loop = (times: number): string =>
  assemble(`PUSH ${times}; LABEL loop; PUSH 1; SWAP1; SUB; DUP1; REF loop; JUMPI`);
const returning = (length: number): string => assemble(`PUSH ${length}; PUSH 0; RETURN`);
const flood = (byte: string): string => byte.repeat(CODE_BYTES_MAX);
const recursion = (kind: string, first = ''): string => {
  const value = kind === 'CALL' || kind === 'CALLCODE' ? 'PUSH 0;' : '';
  const answer = 'PUSH 1; PUSH 0; MLOAD; ADD; PUSH 0; MSTORE; PUSH 32; PUSH 0; RETURN';
  return assemble(`${first} PUSH 32; PUSH 0; PUSH 0; PUSH 0; ${value} ADDRESS; GAS; ${kind}; POP; ${answer}`);
};

const CASES: Readonly<Record<string, Hostile>> = {
  'CALL, 1024 deep': { code: recursion('CALL'), status: 'success', gas: DEEP, returns: FRAMES },
  'CALLCODE, 1024 deep': { code: recursion('CALLCODE'), status: 'success', gas: DEEP, returns: FRAMES, heavy: true },
  'DELEGATECALL, 1024 deep': { code: recursion('DELEGATECALL'), status: 'success', gas: DEEP, returns: FRAMES },
  'STATICCALL, 1024 deep': { code: recursion('STATICCALL'), status: 'success', gas: DEEP, returns: FRAMES },
  'deep until the gas ends': { code: recursion('CALL'), status: 'success', gas: 3_000_000n },
  '1024 deep, each with 20 KB of memory': {
    code: recursion('CALL', 'PUSH 1; PUSH 20000; MSTORE;'),
    status: 'success',
    gas: DEEP,
    returns: FRAMES,
  },
  '1024 deep, each with 200 KB of memory': {
    code: recursion('CALL', 'PUSH 1; PUSH 200000; MSTORE;'),
    status: 'success',
    gas: 100n * DEEP,
    returns: FRAMES,
    heavy: true,
  },
  '1024 deep, stacks nearly full': {
    code: recursion('CALL', 'PUSH 1;'.repeat(1000)),
    status: 'success',
    gas: DEEP,
    returns: FRAMES,
    heavy: true,
  },
  'deep, stacks nearly full': { code: recursion('CALL', 'PUSH 1;'.repeat(1000)), status: 'success', gas: 600_000n },
  '2 MB of memory': { code: memory(2_000_000), status: 'success' },
  '8 MB of memory': { code: memory(8_000_000), status: 'success', gas: 200_000_000n, heavy: true },
  'memory that 30 Mgas do not pay': { code: assemble('PUSH 1; PUSH 16000000; MSTORE'), status: 'halt' },
  'a megabyte to a precompile, and back': {
    code: assemble(
      'PUSH 0xf4240; PUSH 0; PUSH 0xf4240; PUSH 0; PUSH 0; PUSH 4; GAS; CALL; PUSH 0xf4240; PUSH 0; RETURN',
    ),
    status: 'success',
  },
  'a megabyte moved by one byte': {
    code: assemble('PUSH 0xf4240; PUSH 0; PUSH 1; MCOPY; PUSH 0xf4240; PUSH 1; PUSH 0; MCOPY'),
    status: 'success',
  },
  'a callee that returns a megabyte': {
    code: assemble(
      `PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH 0; PUSH ${CALLEE}; GAS; CALL; RETURNDATASIZE; PUSH 0; PUSH 0; RETURNDATACOPY`,
    ),
    callee: assemble('PUSH 0xf4240; PUSH 0; REVERT'),
    status: 'success',
  },
  'a loop': { code: loop(12_000), status: 'success' },
  'a loop of 10 Mgas': { code: loop(400_000), status: 'success', heavy: true },
  'an endless loop': { code: assemble('LABEL loop; REF loop; JUMP'), status: 'halt', gas: 300_000n },
  'JUMPDESTs only': { code: `0x${flood('5b')}`, status: 'success' },
  'an endless run over JUMPDESTs': {
    code: `0x${'5b'.repeat(CODE_BYTES_MAX - 2)}5f56`,
    status: 'halt',
    gas: 70_000n,
  },
  'PUSH32 only': { code: `0x${flood('7f')}`, status: 'success' },
  'PUSH1 and JUMPDEST by turns, jumped at in data': { code: `0x600456${'605b'.repeat(12_000)}`, status: 'halt' },
  'ends within PUSH32': { code: '0x7fffff', status: 'success' },
  'PUSH0 and POP by turns': { code: `0x${'5f50'.repeat(12_000)}`, status: 'success' },
  'stack overflow at the last instruction': { code: `0x${'5f'.repeat(1025)}`, status: 'halt' },
  'stack filled to its last place': { code: `0x${'5f'.repeat(1024)}`, status: 'success' },
};

void describe('both engines agree on hostile code', () => {
  for (const [name, { code, callee, status, gas, returns, heavy }] of Object.entries(CASES)) {
    void test(name, { skip: heavy === true ? LIGHT : false }, async () => {
      const accounts = { [BOB]: RICH, [HOSTILE]: { code }, [CALLEE]: { code: callee ?? '0x' } };
      const chain = new Stage('osaka', ENGINES, accounts);
      const sending = { from: BOB, to: HOSTILE, data: '0x', ...(gas === undefined ? {} : { gas }) };
      const { returnData } = await chain.apply(sending, status);
      if (returns !== undefined) assert.equal(toBigInt(returnData), returns);
    });
  }

  void test('both engines agree on init code and code of the largest size', async () => {
    const chain = stage();
    const sending = { from: ALICE, to: null, gas: 30_000_000n };
    await chain.apply({ ...sending, data: concat([returning(CODE_BYTES_MAX), `0x${'00'.repeat(40_000)}`]) }, 'success');
    await chain.apply({ ...sending, data: returning(CODE_BYTES_MAX + 1) }, 'halt');
    await chain.apply({ ...sending, data: `0x${'5b'.repeat(49_152)}` }, 'success');
  });
});
