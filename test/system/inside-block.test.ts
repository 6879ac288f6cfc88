// Calls inside a block, on a dev chain and on a live chain that follows it: what each transaction costs its sender
// equals its receipt, and the balances before the first and after the last transaction are those of the blocks.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TRAFFIC_ACCOUNTS } from '../../src/feed/dev/genesis.js';
import { toHex, toQuantity } from '../../src/lib/bytes/hex.js';
import { eventually } from '../support/patience.js';
import { Server } from '../support/server.js';
import { queryAll, batch, type Call } from './batch.js';
import { startFollowedChain, type FollowedChain } from './followed-chain.js';

/** At most this many transactions of a block are checked. */
const MOST = 6;
const ACCOUNTS = TRAFFIC_ACCOUNTS.map(toHex);
const BALANCE_READER = `0x${'10'.repeat(20)}`;
/** Code that returns the balance of the address in its call data. */
const BALANCE = '0x5f35315f5260205ff3';
const READS = ACCOUNTS.map((address) => ({ to: BALANCE_READER, data: `0x${address.slice(2).padStart(64, '0')}` }));

interface Transaction {
  readonly from: string;
  readonly to: string;
  readonly value: string;
}

interface Receipt {
  readonly gasUsed: string;
  readonly effectiveGasPrice: string;
}

/**
 * A block with at least this many transactions, and the balances before each and after the last one that is checked.
 */
interface Inside {
  readonly number: string;
  readonly transactions: readonly Transaction[];
  readonly receipts: readonly Receipt[];
  readonly balances: readonly (readonly bigint[])[];
}

/** A call that reads balances after `count` transactions of the block. */
function readAfter(block: string, count: number): Call {
  const override = { [BALANCE_READER]: { code: BALANCE } };
  return ['eth_callMany', [{ transactions: READS }], { blockNumber: block, transactionIndex: count }, override];
}

async function insideOf(server: Server, tag: string): Promise<Inside | undefined> {
  const counts = Array.from({ length: MOST + 1 }, (_, count) => count);
  const reads = counts.map((count) => readAfter(tag, count));
  const { answers } = await queryAll(server, [
    ['eth_getBlockByNumber', tag, true],
    ['eth_getBlockReceipts', tag],
    ...reads,
  ]);
  const [block, receipts, ...looked] = answers.map(({ result }) => result);
  const { number, transactions } = block as { number: string; transactions: Transaction[] };
  const most = Math.min(MOST, transactions.length);
  const reported = looked.slice(0, most + 1) as { value: string }[][][];
  const balances = reported.map((bundles) => bundles[0]!.map(({ value }) => BigInt(value)));
  for (const { error } of answers.slice(2 + most + 1))
    assert.match(error?.message ?? '', /^invalid argument 1: transactionIndex \d+ is beyond the \d+ transactions of/);
  return most < 2 ? undefined : { number, transactions, receipts: receipts as Receipt[], balances };
}

async function balancesAt(server: Server, block: string): Promise<bigint[]> {
  const { results } = await batch(server, ...ACCOUNTS.map((address): Call => ['eth_getBalance', address, block]));
  return results.map((balance) => BigInt(balance as string));
}

/** Every transaction debits its sender, who may also be its receiver, with value and fees. */
function assertSteps({ transactions, receipts, balances }: Inside): void {
  for (const [at, later] of balances.slice(1).entries()) {
    const { from, to, value } = transactions[at]!;
    const { gasUsed, effectiveGasPrice } = receipts[at]!;
    const place = ACCOUNTS.indexOf(from);
    const sent = from === to ? 0n : BigInt(value);
    assert.ok(place >= 0, from);
    assert.equal(balances[at]![place]! - later[place]!, BigInt(gasUsed) * BigInt(effectiveGasPrice) + sent);
  }
}

async function agrees(server: Server): Promise<void> {
  const open = await eventually(() => insideOf(server, 'pending'));
  assertSteps(open);
  const { number } = open;
  const whole = await eventually(async () => {
    const isComplete = Number(await server.result('eth_blockNumber')) >= Number(number);
    return isComplete ? insideOf(server, number) : undefined;
  });
  assert.deepEqual(whole.balances.slice(0, open.balances.length), open.balances);
  assertSteps(whole);
  assert.deepEqual(whole.balances[0], await balancesAt(server, toQuantity(Number(number) - 1)));
  const { answers } = await queryAll(server, [readAfter(number, whole.transactions.length)]);
  const [bundle] = answers[0]!.result as { value: string }[][];
  assert.deepEqual(
    bundle!.map(({ value }) => BigInt(value)),
    await balancesAt(server, number),
  );
}

describe('calls inside a block match its receipts and balances', () => {
  let chain: FollowedChain;
  before(async () => {
    chain = await startFollowedChain();
  });
  after(() => chain.stop());

  test('on a dev chain', () => agrees(chain.dev));

  test('on a live chain', () => agrees(chain.live));
});
