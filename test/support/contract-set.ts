// A state with real contracts - OpenZeppelin tokens, Uniswap V2 with a funded pair, loops - and calls of every kind,
// for measuring and comparing engines and servers.
import { AbiCoder, Interface } from 'ethers';
import type { StateChanges } from '../../src/state/state-diff.js';
import { toHex } from '../../src/lib/bytes/hex.js';
import { compileWork, uniswapCode } from './artifacts.js';
import { Deployment } from './deployment.js';
import type { CallText } from './jobs.js';

/** Holds ether and both tokens, and has approved the router. */
export const SENDER = '0x1000000000000000000000000000000000000001';
/** Already owns both tokens and ether, so no transfer writes to an empty slot. */
export const RECEIVER = '0x2000000000000000000000000000000000000002';

/** A call template: `%d` in `value` and `data` is replaced by eight hex digits that differ from call to call. */
export interface CallTemplate {
  readonly name: CallName;
  readonly to: string;
  readonly value?: string;
  readonly data?: string;
}

export type CallName = 'plain transfer' | 'ERC-20 transfer' | 'V2 router swap' | 'compute' | 'arithmetic' | '50 slots';

/** Addresses of accounts and contracts, as `0x` hex. */
export interface ContractSet {
  readonly state: StateChanges;
  readonly gold: string;
  readonly silver: string;
  readonly pair: string;
  readonly router: string;
  readonly work: string;
  /** Routers that differ only in bytes that never run, each approved like the first: code that no cache has seen. */
  readonly routerCopies: readonly string[];
  readonly calls: readonly CallTemplate[];
}

const UNIT = 10n ** 18n;
const ENDLESS = 2n ** 256n - 1n;
const SUPPLY = 100_000_000n * UNIT;
const POOLED = 5_000_000n * UNIT;
const COUNTER = '%d';
/** A small number that ends in the counter, and an amount of about 20 tokens that contains it. */
const SMALL = `${'0'.repeat(56)}${COUNTER}`;
const LARGE = `${'0'.repeat(47)}1${COUNTER}${'0'.repeat(8)}`;

const TOKEN = new Interface([
  'function transfer(address to, uint256 amount) returns (bool)',
  'function approve(address spender, uint256 amount) returns (bool)',
]);
const FACTORY = new Interface(['function createPair(address, address) returns (address pair)']);
const ROUTER = new Interface([
  'function addLiquidity(address, address, uint256, uint256, uint256, uint256, address, uint256)',
  'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline) returns (uint256[] amounts)',
]);
const WORK = new Interface(['function compute(uint256)', 'function arithmetic(uint256)', 'function touch(uint256)']);

/** Deploys everything; takes a few seconds, most of them for compiling. */
export async function deployContractSet(routerCopies = 0): Promise<ContractSet> {
  const chain = new Deployment();
  for (const address of [SENDER, RECEIVER]) chain.account(address, 10_000n * UNIT);
  const compiled = compileWork();
  const gold = await deployToken(chain, compiled.token, 'Gold');
  const silver = await deployToken(chain, compiled.token, 'Silver');
  const work = await chain.create(SENDER, compiled.work);
  const { pair, router } = await deployPair(chain, gold, silver);
  const copies = await copyRouter(chain, router, gold, routerCopies);
  const places = { gold, silver, pair, router, work };
  return { state: chain.contents(), ...places, routerCopies: copies, calls: callsOf(places) };
}

/** A call with `number` in place of the counter. */
export function callAt({ to, value, data }: CallTemplate, number: number): CallText {
  const at = (text: string): string => text.replace(COUNTER, number.toString(16).padStart(8, '0'));
  return {
    from: SENDER,
    to,
    ...(value === undefined ? {} : { value: BigInt(at(value)) }),
    ...(data === undefined ? {} : { data: at(data) }),
  };
}

/** Call data of a swap of gold for silver, for any of the routers. */
function swapData(gold: string, silver: string): string {
  return withWord(ROUTER, 'swapExactTokensForTokens', LARGE, [0, [gold, silver], RECEIVER, ENDLESS]);
}

async function deployToken(chain: Deployment, code: string, name: string): Promise<string> {
  const args = AbiCoder.defaultAbiCoder().encode(['string', 'string', 'uint256'], [name, name, SUPPLY]);
  const token = await chain.create(SENDER, code + args.slice(2));
  await chain.send(SENDER, token, TOKEN.encodeFunctionData('transfer', [RECEIVER, UNIT]));
  return token;
}

async function deployPair(chain: Deployment, gold: string, silver: string): Promise<{ pair: string; router: string }> {
  const zero = `0x${'00'.repeat(20)}`;
  const factory = await chain.create(SENDER, uniswapCode('v2-core', 'UniswapV2Factory') + addresses(zero));
  const weth = await chain.create(SENDER, uniswapCode('v2-periphery', 'WETH9'));
  const code = uniswapCode('v2-periphery', 'UniswapV2Router02');
  const router = await chain.create(SENDER, code + addresses(factory, weth));
  const pair = await chain.send(SENDER, factory, FACTORY.encodeFunctionData('createPair', [gold, silver]));
  for (const token of [gold, silver]) await approve(chain, token, router);
  const liquidity = [gold, silver, POOLED, 2n * POOLED, 0, 0, SENDER, ENDLESS];
  await chain.send(SENDER, router, ROUTER.encodeFunctionData('addLiquidity', liquidity));
  // Swap twice, so that later swaps do not initialize the pair's price accumulators.
  for (const amount of [1, 2]) await chain.send(SENDER, router, filled(swapData(gold, silver), amount));
  return { pair: toHex(pair.subarray(12)), router };
}

function approve(chain: Deployment, token: string, spender: string): Promise<Uint8Array> {
  return chain.send(SENDER, token, TOKEN.encodeFunctionData('approve', [spender, ENDLESS]));
}

async function copyRouter(chain: Deployment, router: string, gold: string, count: number): Promise<string[]> {
  const code = chain.codeOf(router);
  const copies: string[] = [];
  for (let copy = 0; copy < count; copy++) {
    const address = `0x3${copy.toString(16).padStart(39, '0')}`;
    chain.code(address, Buffer.concat([code, Uint8Array.of(0, copy >> 8, copy)]));
    await approve(chain, gold, address);
    copies.push(address);
  }
  return copies;
}

function callsOf({
  gold,
  silver,
  router,
  work,
}: Record<'gold' | 'silver' | 'router' | 'work', string>): CallTemplate[] {
  return [
    { name: 'plain transfer', to: RECEIVER, value: `0x1${COUNTER}` },
    { name: 'ERC-20 transfer', to: gold, data: afterWords(TOKEN, 'transfer', [RECEIVER], SMALL) },
    { name: 'V2 router swap', to: router, data: swapData(gold, silver) },
    { name: 'compute', to: work, data: afterWords(WORK, 'compute', [], SMALL) },
    { name: 'arithmetic', to: work, data: afterWords(WORK, 'arithmetic', [], SMALL) },
    { name: '50 slots', to: work, data: afterWords(WORK, 'touch', [], SMALL) },
  ];
}

/** Call data whose first argument is the given word (as template text). */
function withWord(abi: Interface, name: string, word: string, rest: readonly unknown[]): string {
  const data = abi.encodeFunctionData(name, [0, ...rest]);
  return data.slice(0, 10) + word + data.slice(74);
}

/** Call data whose last argument is the given word (as template text). */
function afterWords(abi: Interface, name: string, args: readonly unknown[], word: string): string {
  return abi.encodeFunctionData(name, [...args, 0]).slice(0, -64) + word;
}

function filled(data: string, number: number): string {
  return data.replace(COUNTER, number.toString(16).padStart(8, '0'));
}

function addresses(...list: string[]): string {
  return AbiCoder.defaultAbiCoder()
    .encode(
      list.map(() => 'address'),
      list,
    )
    .slice(2);
}
