// A market maker's day: five accounts send through a live chain in front of a dev chain, without waiting for receipts,
// with refusals, replacements, transactions sent elsewhere, transactions that never arrive, and a node that is killed
// and forgets what it had accepted. The reported nonce is never behind the accepted transactions, and equals the
// chain's three blocks after the last one. The test is bounded by its number of transactions and decided by events.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Wallet } from 'ethers';
import { toHex, toQuantity } from '../../src/lib/bytes/hex.js';
import { LIMITS } from '../../src/limits/index.js';
import { devWallet, signed } from '../feed/keys.js';
import { freePort } from '../support/free-port.js';
import { eventually, until } from '../support/patience.js';
import { Server } from '../support/server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { batch } from './batch.js';

const ACCOUNTS = 5;
const IS_SHORT = process.env['HEAVY'] === undefined;
/** Transactions of each account before and after the node is killed. */
const COUNT = IS_SHORT ? 30 : 80;
const COUNT_AFTER = IS_SHORT ? 10 : 20;
const FEE = 10n ** 10n;

/** An account and its accepted transactions: the nonce, and the newest block when it was submitted. */
class Maker {
  readonly wallet: Wallet;
  accepted: { readonly nonce: number; readonly head: number }[] = [];
  refused = 0;

  constructor(index: number) {
    this.wallet = devWallet(index);
  }

  get address(): string {
    return this.wallet.address;
  }
}

describe("a market maker's day", () => {
  const makers = Array.from({ length: ACCOUNTS }, (_, at) => new Maker(at));
  let node: Server;
  let front: Server;
  let startNode: () => Promise<Server>;

  before(async () => {
    const [port, feedPort] = [await freePort(), await freePort()];
    const flags = ['--port', port, '--data-dir', temporaryFolder(), '--dev-traffic', '0', '--dev-feed-port', feedPort];
    startNode = () => Server.start(...flags);
    node = await startNode();
    const feed = `ws://127.0.0.1:${feedPort}`;
    front = await Server.start('--upstream', node.url, '--feed', feed, '--passthrough', '--count-own-sends');
  });
  after(() => Promise.all([front.stop(), node.stop()]));

  /** The reported nonce, which must not be behind any transaction accepted within the last three blocks. */
  async function nonceOf({ address, accepted }: Maker): Promise<number> {
    const query = (block: string): [string, string, string] => ['eth_getTransactionCount', address, block];
    const earlier = [...accepted];
    const { results } = await batch(front, query('pending'), query('latest'), ['eth_blockNumber']);
    const [reported, latest, block] = (results as string[]).map(Number) as [number, number, number];
    const unexpired = earlier.filter((each) => block < each.head + LIMITS.ownSendBlocksMax);
    const nonces = new Set(unexpired.map(({ nonce }) => nonce));
    let bound = latest;
    while (nonces.has(bound)) bound++;
    assert.ok(reported >= bound, `${address} was told ${reported}, behind ${bound}`);
    return reported;
  }

  /** Submits a transaction; true if it was accepted. */
  async function send(maker: Maker, nonce: number, feeCap = FEE, more: object = {}): Promise<boolean> {
    const fields = { nonce, maxFeePerGas: feeCap, maxPriorityFeePerGas: feeCap / 10n, ...more };
    const raw = toHex(signed(maker.wallet, fields));
    const newest = await head();
    const { result, error } = await front.query('eth_sendRawTransaction', [raw]);
    if (error !== undefined) maker.refused++;
    if (typeof result !== 'string') return false;
    maker.accepted.push({ nonce, head: newest });
    return true;
  }

  /** Sends `count` transactions in sequence with the reported nonce; some of them deviate. */
  async function trade(maker: Maker, count: number): Promise<void> {
    for (let at = 0; at < count; at++) {
      const nonce = await nonceOf(maker);
      switch (at % 10) {
        case 3:
          // More than the balance: refused.
          assert.equal(await send(maker, nonce, FEE, { value: 10n ** 30n }), false);
          break;
        case 5: {
          // A future nonce, a replacement with a higher fee, and then the missing one.
          await send(maker, nonce + 1);
          await send(maker, nonce + 1, 2n * FEE);
          await send(maker, nonce);
          break;
        }
        case 7:
          // A nonce gap that is never filled.
          await send(maker, nonce + 1000 + at);
          break;
        case 8:
          // Sent directly to the node.
          await node.query('eth_sendRawTransaction', [toHex(signed(maker.wallet, { nonce, value: 1n }))]);
          break;
        default:
          await send(maker, nonce);
      }
    }
  }

  const head = async (): Promise<number> => Number(await front.result('eth_blockNumber'));

  /**
   * After three blocks and three seconds nothing is in flight, and every nonce equals the chain's. A front that lagged
   * may receive the blocks in less time.
   */
  async function settles(): Promise<void> {
    const to = (await head()) + LIMITS.ownSendBlocksMax;
    await sleep(LIMITS.ownSendMsMin);
    await until(async () => (await head()) >= to, 'blocks');
    const last = await head();
    await until(async () => (await head()) > last, 'a block at which they are given up');
    for (const maker of makers) {
      // A front that learns late of its blocks also expires its transactions late.
      const latest = await eventually(async () => {
        const { results } = await batch(
          front,
          ['eth_getTransactionCount', maker.address, 'pending'],
          ['eth_getTransactionCount', maker.address, 'latest'],
        );
        const [pending, complete] = results as [string, string];
        return pending === complete ? complete : undefined;
      });
      await until(
        async () => (await node.result('eth_getTransactionCount', maker.address, 'latest')) === latest,
        'the node',
      );
    }
  }

  test('the pending nonce is never behind, and equals that of the chain three blocks after the last submission', async () => {
    await Promise.all(makers.map((maker) => trade(maker, COUNT)));
    await settles();
    for (const { refused } of makers) assert.ok(refused >= COUNT / 10);
    const text = await front.metrics();
    for (const status of ['accepted', 'included', 'expired'])
      assert.match(text, new RegExp(`^prestate_sends_total\\{status="${status}"\\} [1-9]`, 'm'));
  });

  test('transactions that a killed node has forgotten count for three blocks, and no longer', async () => {
    await Promise.all(makers.map((maker) => trade(maker, COUNT_AFTER)));
    // In the middle of a block.
    await eventually(async () => {
      const { results } = await batch(front, ...makers.flatMap(({ address }) => pair(address)));
      return (results as string[]).some((nonce, at) => at % 2 === 0 && nonce !== results[at + 1]) ? true : undefined;
    });
    await node.stop('SIGKILL');
    node = await startNode();
    for (const maker of makers) {
      await nonceOf(maker);
      await until(async () => send(maker, await nonceOf(maker)), 'the node takes transactions again');
    }
    await settles();
    for (const maker of makers) await trade(maker, 3);
    await settles();
  });

  test('transactions of reorged-out blocks count for three blocks, and no longer', async () => {
    const snapshot = await node.result('evm_snapshot');
    const from = await head();
    await Promise.all(makers.map((maker) => trade(maker, COUNT_AFTER)));
    await until(async () => (await head()) > from + 1, 'blocks that will be gone');
    const blockAbove = async (): Promise<string | undefined> => {
      const block = await front.result<{ hash: string } | null>('eth_getBlockByNumber', toQuantity(from + 1), false);
      return block?.hash;
    };
    const gone = await blockAbove();
    assert.equal(await node.result('evm_revert', snapshot), true);
    await until(async () => (await blockAbove()) !== gone, 'blocks are removed');
    for (const maker of makers)
      maker.accepted = maker.accepted.map(({ nonce, head: since }) => ({ nonce, head: Math.min(since, from) }));
    for (const maker of makers) await nonceOf(maker);
    await settles();
    for (const maker of makers) await trade(maker, 3);
    await settles();
  });
});

const pair = (address: string): [string, string, string][] =>
  ['pending', 'latest'].map((block) => ['eth_getTransactionCount', address, block]);
