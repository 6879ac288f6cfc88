// Endpoints that somebody else runs: on the suite's own genesis, or on a chain of theirs, where what can be asked about is
// found in its newest blocks. Runs in the bench.
import { deployContractSet } from '../../test/support/contract-set.js';
import { ownWorld } from './own-state.js';
import type { Stage } from './stage.js';
import type { NamedUrl } from './still-stage.js';
import { resultOf, targetAt } from './target.js';
import { accountAt, accountNonce, type CallTemplate, type World } from './world.js';

/** Blocks behind the newest one that is asked about: all endpoints have that one, and its state is still there. */
const BEHIND = 2;
const BLOCKS = 4;
const ADDRESSES_MAX = 200;
const SLOTS_MAX = 100;
const CALLS_MAX = 50;
/** Calls of the newest blocks, as the scenario of estimates names them. */
const RECENT = 'recent transactions';

interface Transaction {
  readonly from: string;
  readonly to: string | null;
  readonly value: string;
  readonly input: string;
}

/** `accounts`: how many the suite's own genesis has, if that is what they serve. */
export async function openGivenStage(endpoints: readonly NamedUrl[], accounts: number): Promise<Stage> {
  const targets = [];
  for (const { name, url } of endpoints) targets.push(await targetAt(name, url));
  const { url } = targets[0]!;
  const world = (await isOwnState(url)) ? ownWorld(await deployContractSet(), accounts) : await foreignWorld(url);
  return { world, targets, feed: null, stop: () => Promise.resolve() };
}

/** Known by an account that nobody else has. */
async function isOwnState(url: string): Promise<boolean> {
  const address = accountAt(0);
  const nonce = await resultOf(url, 'eth_getTransactionCount', address, 'latest');
  return Number(nonce) === accountNonce(address);
}

async function foreignWorld(url: string): Promise<World> {
  const head = Number(await resultOf(url, 'eth_blockNumber'));
  const number = Math.max(0, head - BEHIND);
  const block = `0x${number.toString(16)}`;
  const transactions = await transactionsBefore(url, number);
  const addresses = [...new Set(transactions.flatMap(({ from, to }) => [from, to ?? []].flat()))];
  const called = [...new Set(transactions.flatMap(({ to, input }) => (to === null || input === '0x' ? [] : [to])))];
  const slots = called.flatMap((address) => [0, 1, 2, 3].map((slot) => [address, `0x${slot}`] as const));
  return {
    name: `block ${number} of the targets' own chain`,
    block,
    isStill: true,
    hot: addresses.length === 0 ? [accountAt(0)] : addresses.slice(0, ADDRESSES_MAX),
    slots: slots.slice(0, SLOTS_MAX),
    accounts: 0,
    senders: [],
    calls: await callsThatSucceed(url, block, transactions),
  };
}

async function transactionsBefore(url: string, number: number): Promise<Transaction[]> {
  const all: Transaction[] = [];
  for (let at = number; at > Math.max(-1, number - BLOCKS); at--) {
    const block = (await resultOf(url, 'eth_getBlockByNumber', `0x${at.toString(16)}`, true)) as {
      readonly transactions: readonly Transaction[];
    } | null;
    all.push(...(block?.transactions ?? []));
  }
  return all;
}

/** Calls of recent transactions that can be estimated on the state as it is now. */
async function callsThatSucceed(
  url: string,
  block: string,
  transactions: readonly Transaction[],
): Promise<CallTemplate[]> {
  const calls: CallTemplate[] = [];
  for (const { from, to, value, input } of transactions) {
    if (to === null || calls.length === CALLS_MAX) continue;
    const call = { from, to, value, ...(input === '0x' ? {} : { data: input }) };
    const isGood = await resultOf(url, 'eth_estimateGas', call, block).then(yes, no);
    if (isGood) calls.push({ name: RECENT, ...call });
  }
  return calls;
}

const yes = (): boolean => true;
const no = (): boolean => false;
