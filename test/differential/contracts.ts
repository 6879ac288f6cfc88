// The life of real contracts as transactions: OpenZeppelin's tokens, Uniswap V2 and loops are deployed, used and
// misused.
import { Interface, ZeroAddress, concat, getCreate2Address, getCreateAddress, keccak256 } from 'ethers';
import { compileWork, uniswapCode } from '../support/artifacts.js';
import { ABSENT, MODEST } from './genesis.js';

/** A call or a creation; all by the same account, in this order. */
export interface Step {
  readonly name: string;
  readonly to: string | null;
  readonly data: string;
  readonly value: bigint;
  readonly gasLimit: bigint;
}

const UNIT = 10n ** 18n;
const ENDLESS = 2n ** 256n - 1n;
const GAS = 6_000_000n;
/** Enough for a router, too little for its pair. */
const LITTLE_GAS = 75_000n;
const TOKEN = new Interface([
  'constructor(string, string, uint256)',
  'function transfer(address, uint256)',
  'function transferFrom(address, address, uint256)',
  'function approve(address, uint256)',
]);
const FACTORY = new Interface(['constructor(address)', 'function createPair(address, address)']);
const ROUTER = new Interface([
  'constructor(address, address)',
  'function addLiquidity(address, address, uint256, uint256, uint256, uint256, address, uint256)',
  'function addLiquidityETH(address, uint256, uint256, uint256, address, uint256) payable',
  'function removeLiquidityETH(address, uint256, uint256, uint256, address, uint256)',
  'function swapExactTokensForTokens(uint256, uint256, address[], address, uint256)',
  'function swapTokensForExactETH(uint256, uint256, address[], address, uint256)',
  'function swapExactETHForTokens(uint256, address[], address, uint256) payable',
]);
const WORK = new Interface(['function arithmetic(uint256)', 'function touch(uint256)']);
const WRAPPED = new Interface(['function deposit() payable', 'function withdraw(uint256)']);

/** Creations by `sender`, starting with its first transaction. Compiling takes a few seconds. */
export function contractsOf(sender: string): { readonly creations: readonly Step[]; readonly made: Contracts } {
  const { token, work } = compileWork();
  const at = (nonce: number): string => getCreateAddress({ from: sender, nonce }).toLowerCase();
  const made = { sender, gold: at(0), silver: at(1), work: at(2), factory: at(3), wrapped: at(4), router: at(5) };
  const tokenCode = (name: string): string =>
    concat([token, TOKEN.encodeDeploy([name, name.slice(0, 3), 1_000_000n * UNIT])]);
  const routerCode = uniswapCode('v2-periphery', 'UniswapV2Router02');
  const codes = {
    gold: tokenCode('Gold'),
    silver: tokenCode('Silver'),
    work,
    factory: concat([uniswapCode('v2-core', 'UniswapV2Factory'), FACTORY.encodeDeploy([ZeroAddress])]),
    wrapped: uniswapCode('v2-periphery', 'WETH9'),
    router: concat([routerCode, ROUTER.encodeDeploy([made.factory, made.wrapped])]),
  };
  const creations = Object.entries(codes).map(([name, code]) => step(`creates ${name}`, null, code));
  return { creations, made };
}

/** Addresses. */
export interface Contracts {
  readonly sender: string;
  readonly gold: string;
  readonly silver: string;
  readonly work: string;
  readonly factory: string;
  readonly wrapped: string;
  readonly router: string;
}

/** Calls after the creations; the first ones create the pairs. */
export function usesOf(made: Contracts): Step[] {
  const { sender, gold, silver, work, factory, wrapped, router } = made;
  const token = (name: string, at: string, ...args: unknown[]): Step =>
    step(name, at, TOKEN.encodeFunctionData(name, args));
  const routed = (method: string, args: readonly unknown[], value = 0n): Step =>
    step(method, router, ROUTER.encodeFunctionData(method, [...args]), value);
  const swap = (least: bigint, until = ENDLESS): Step =>
    routed('swapExactTokensForTokens', [20n * UNIT, least, [gold, silver], MODEST, until]);
  const worked = (method: string): Step => step(method, work, WORK.encodeFunctionData(method, [7]));
  const wrap = (method: string, args: readonly unknown[], value = 0n): Step =>
    step(method, wrapped, WRAPPED.encodeFunctionData(method, [...args]), value);
  return [
    step('createPair', factory, FACTORY.encodeFunctionData('createPair', [gold, silver])),
    step('createPair again', factory, FACTORY.encodeFunctionData('createPair', [silver, gold])),
    token('approve', gold, router, ENDLESS),
    token('approve', silver, router, ENDLESS),
    routed('addLiquidity', [gold, silver, 500n * UNIT, 900n * UNIT, 0, 0, sender, ENDLESS]),
    routed('addLiquidityETH', [gold, 300n * UNIT, 0, 0, sender, ENDLESS], 3n * UNIT),
    swap(0n),
    swap(1n),
    swap(ENDLESS),
    swap(0n, 1n),
    { ...swap(0n), name: 'swap with little gas', gasLimit: LITTLE_GAS },
    routed('swapExactTokensForTokens', [UNIT, 0, [silver, gold, wrapped], sender, ENDLESS]),
    routed('swapExactETHForTokens', [0, [wrapped, gold, silver], ABSENT, ENDLESS], UNIT / 7n),
    routed('swapTokensForExactETH', [UNIT / 9n, ENDLESS, [gold, wrapped], sender, ENDLESS]),
    token('approve', pairOf(factory, gold, wrapped), router, ENDLESS),
    routed('removeLiquidityETH', [gold, UNIT, 0, 0, ABSENT, ENDLESS]),
    token('transfer', gold, MODEST, 1n),
    token('transfer', gold, MODEST, 1n),
    token('transfer', gold, ABSENT, ENDLESS),
    token('transfer', gold, ZeroAddress, 1n),
    token('transferFrom', silver, sender, MODEST, 1n),
    token('approve', gold, router, 0n),
    swap(0n),
    worked('arithmetic'),
    worked('touch'),
    wrap('deposit', [], UNIT),
    wrap('withdraw', [UNIT / 3n]),
    wrap('withdraw', [ENDLESS]),
    step('sends ether to a contract', wrapped, '0x', 5n),
    step('sends ether to a contract that takes none', gold, '0x', 5n),
    step("sends ether to the router, which takes the wrapper's alone", router, '0x', 5n),
    step('sends ether', MODEST, '0x', 5n),
    step('sends ether to a new account', '0x5eed000000000000000000000000000000000001', '0x', 5n),
  ];
}

/** The address that the factory gives to the pair of two tokens. */
function pairOf(factory: string, one: string, other: string): string {
  const tokens = [one, other].toSorted();
  return getCreate2Address(factory, keccak256(concat(tokens)), keccak256(uniswapCode('v2-core', 'UniswapV2Pair')));
}

function step(name: string, to: string | null, data: string, value = 0n): Step {
  return { name, to, data, value, gasLimit: GAS };
}
