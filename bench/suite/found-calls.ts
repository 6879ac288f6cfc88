// Derives calls from the newest blocks of a chain: its accounts, its calls, and which of them succeed again. Runs in
// the bench.
import { type Endpoint, resultOf } from '../load/ask.js';
import type { CallTemplate, World } from './world.js';

const BLOCKS = 16;
const TRANSACTIONS_MAX = 400;
const CALLS_MAX = 60;
const SLOTS_MAX = 100;
const CALLS_AT_ONCE = 16;
const ADDRESSES_MAX = 300;
/** Names of calls of the newest blocks, as in the estimates scenario, and of the most expensive ones. */
const RECENT = 'recent transactions';
const EXPENSIVE = 'most expensive recent transactions';
const EXPENSIVE_COUNT = 5;
/** A call below this gas is not expensive. */
const EXPENSIVE_GAS_MIN = 100_000;

/** `transfer(address,uint256)` of ERC-20. */
const TRANSFER = '0xa9059cbb';
/** Swaps of Uniswap's V2, V3 and universal routers, and of the dev chain's pool. */
const SWAPS: ReadonlySet<string> = new Set([
  '0x38ed1739',
  '0x8803dbee',
  '0x7ff36ab5',
  '0x18cbafe5',
  '0x5c11d795',
  '0xb6f9de95',
  '0x791ac947',
  '0x414bf389',
  '0x04e45aaf',
  '0xc04b8d59',
  '0xb858183f',
  '0x3593564c',
  '0x24856bc3',
  '0xf3e6ea8a',
]);

export interface Transaction {
  readonly from: string;
  readonly to: string | null;
  readonly value: string;
  readonly input: string;
}

/** Transactions of the newest blocks, newest first. */
export async function transactionsBefore(target: Endpoint, head: number): Promise<Transaction[]> {
  const all: Transaction[] = [];
  for (let at = head; at > Math.max(-1, head - BLOCKS) && all.length < TRANSACTIONS_MAX; at--) {
    const block = await resultOf(target, 'eth_getBlockByNumber', `0x${at.toString(16)}`, true).catch(() => null);
    all.push(...((block as { readonly transactions: readonly Transaction[] } | null)?.transactions ?? []));
  }
  return all.slice(0, TRANSACTIONS_MAX);
}

/** Addresses without and with code. */
export async function accountsIn(
  target: Endpoint,
  transactions: readonly Transaction[],
): Promise<{ readonly eoas: readonly string[]; readonly contracts: readonly string[] }> {
  const all = [...new Set(transactions.flatMap(({ from, to }) => [from, to ?? []].flat()))].slice(0, ADDRESSES_MAX);
  const codes = await inBatches(all, (address) => resultOf(target, 'eth_getCode', address, 'latest').catch(() => null));
  const those = (hasCode: boolean): string[] =>
    all.filter((_, i) => codes[i] !== null && (codes[i] !== '0x') === hasCode);
  return { eoas: those(false), contracts: those(true) };
}

/** The first slots of contracts. */
export function slotsOf(contracts: readonly string[]): World['slots'] {
  return contracts.flatMap((one) => [0, 1, 2, 3].map((slot) => [one, `0x${slot}`] as const)).slice(0, SLOTS_MAX);
}

/**
 * Calls that succeed at the newest block, accounts of `hot` that can send ether, and the name of the most expensive
 * calls.
 */
export async function callsOf(
  target: Endpoint,
  transactions: readonly Transaction[],
  hot: readonly string[],
  deployed: readonly CallTemplate[],
): Promise<Pick<World, 'calls' | 'senders' | 'expensive'>> {
  const gasOf = (call: CallTemplate): Promise<number> => estimated(target, call, hot);
  const senders = await filterAsync(hot.slice(0, CALLS_MAX), async (from) => (await gasOf(plain(from))) > 0);
  const recent = transactions.flatMap(callIn).slice(0, CALLS_MAX);
  const gas = await inBatches(recent, gasOf);
  const good = recent.map((call, i) => ({ call, gas: gas[i]! })).filter((one) => one.gas > 0);
  const transfers = await filterAsync(unique(recent.flatMap(transferIn)), async (call) => (await gasOf(call)) > 0);
  const mostExpensive = good.toSorted((a, b) => b.gas - a.gas).filter((one) => one.gas >= EXPENSIVE_GAS_MIN);
  const found = good.map(({ call }) => call);
  const calls = [
    ...(senders.length === 0 ? [] : [plain('0x%f')]),
    ...deployed,
    ...named('ERC-20 transfer', transfers),
    ...named('swap', found.filter(isSwap)),
    ...named(RECENT, found),
    ...named(
      EXPENSIVE,
      mostExpensive.slice(0, EXPENSIVE_COUNT).map(({ call }) => call),
    ),
  ];
  return { calls, senders, expensive: deployed.some(({ name }) => name === 'compute') ? 'compute' : EXPENSIVE };
}

function named(name: string, calls: readonly CallTemplate[]): CallTemplate[] {
  return calls.map((call) => ({ ...call, name }));
}

function isSwap({ data = '' }: CallTemplate): boolean {
  return SWAPS.has(data.slice(0, 10));
}

function plain(from: string): CallTemplate {
  return { name: 'plain transfer', from, to: '0x%r', value: '0x1' };
}

function callIn({ from, to, value, input }: Transaction): CallTemplate[] {
  return to === null ? [] : [{ name: RECENT, from, to, value, ...(input === '0x' ? {} : { data: input }) }];
}

/** A transfer of one unit of the same token by the same holder, to any recipient. */
function transferIn({ from, to, data = '' }: CallTemplate): CallTemplate[] {
  if (!data.startsWith(TRANSFER)) return [];
  return [{ name: 'ERC-20 transfer', from, to, data: `${TRANSFER}${'0'.repeat(24)}%r${'1'.padStart(64, '0')}` }];
}

function unique(calls: readonly CallTemplate[]): CallTemplate[] {
  return [...new Map(calls.map((call) => [`${call.from} ${call.to}`, call])).values()];
}

/** Estimated gas; 0 if it fails. */
async function estimated(
  target: Endpoint,
  { from, to, value, data }: CallTemplate,
  hot: readonly string[],
): Promise<number> {
  const call = JSON.stringify({ from, to, value, data })
    .replaceAll('%r', hot[0]!.slice(2))
    .replaceAll('%d', '00000001');
  return Number(await resultOf(target, 'eth_estimateGas', JSON.parse(call), 'latest').catch(() => 0));
}

async function filterAsync<T>(values: readonly T[], does: (value: T) => Promise<boolean>): Promise<T[]> {
  const yes = await inBatches(values, does);
  return values.filter((_, i) => yes[i]);
}

/** Limits concurrency, so that a node gets no more than an ordinary client's load. */
async function inBatches<T, R>(values: readonly T[], query: (value: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < values.length; at += CALLS_AT_ONCE)
    results.push(...(await Promise.all(values.slice(at, at + CALLS_AT_ONCE).map(query))));
  return results;
}
