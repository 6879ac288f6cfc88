// A market maker's day: five accounts that send through a live chain in front of a dev chain, never waiting for a
// receipt, with refusals, replacements, transactions sent elsewhere, transactions that never arrive, and a node that is
// killed and forgets what it had accepted. The reported nonce is never behind the accepted ones, and is the chain's
// again three blocks after the last. Bounded by transactions, judged by events.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Wallet } from 'ethers';
import { toHex, toQuantity } from '../../src/lib/bytes/hex.js';
import { LIMITS } from '../../src/limits/index.js';
import { devWallet, signed } from '../feed/keys.js';
import { freePort } from '../support/free-port.js';
import { eventually, until } from '../support/patience.js';
import { Server } from '../support/server.js';
import { batch } from './batch.js';

const ACCOUNTS = 5;
const IS_SHORT = process.env['HEAVY'] === undefined;
/** Transactions of each account before the node is killed, and after. */
const COUNT = IS_SHORT ? 30 : 80;
const COUNT_AFTER = IS_SHORT ? 10 : 20;
const FEE = 10n ** 10n;

/** An account, and its transactions that were accepted: nonce, and the least block that was newest since then. */
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
  const folder = mkdtempSync(join(tmpdir(), 'prestate-maker-'));
  const makers = Array.from({ length: ACCOUNTS }, (_, at) => new Maker(at));
  let node: Server;
  let door: Server;
  let startNode: () => Promise<Server>;

  before(async () => {
    const [port, feedPort] = [await freePort(), await freePort()];
    const flags = ['--port', port, '--data-dir', folder, '--dev-traffic', '0', '--dev-feed-port', feedPort];
    startNode = () => Server.start(...flags);
    node = await startNode();
    const feed = `ws://127.0.0.1:${feedPort}`;
    door = await Server.start('--upstream', node.url, '--feed', feed, '--passthrough', '--count-own-sends');
  });
  after(async () => {
    await Promise.all([door.stop(), node.stop()]);
    rmSync(folder, { recursive: true });
  });

  /** The nonce told, which is behind nothing that was accepted less than three blocks before. */
  async function nonceOf({ address, accepted }: Maker): Promise<number> {
    const query = (block: string): [string, string, string] => ['eth_getTransactionCount', address, block];
    const earlier = [...accepted];
    const { results } = await batch(door, query('pending'), query('latest'), ['eth_blockNumber']);
    const [reported, latest, block] = (results as string[]).map(Number) as [number, number, number];
    const standing = earlier.filter((each) => block < each.head + LIMITS.ownSendBlocksMax);
    const nonces = new Set(standing.map(({ nonce }) => nonce));
    let bound = latest;
    while (nonces.has(bound)) bound++;
    assert.ok(reported >= bound, `${address} was told ${reported}, behind ${bound}`);
    return reported;
  }

  /** Hands in; true if it was accepted. */
  async function send(maker: Maker, nonce: number, feeCap = FEE, more: object = {}): Promise<boolean> {
    const fields = { nonce, maxFeePerGas: feeCap, maxPriorityFeePerGas: feeCap / 10n, ...more };
    const raw = toHex(signed(maker.wallet, fields));
    const newest = await head();
    const { result, error } = await door.query('eth_sendRawTransaction', [raw]);
    if (error !== undefined) maker.refused++;
    if (typeof result !== 'string') return false;
    maker.accepted.push({ nonce, head: newest });
    return true;
  }

  /** Sends `count` transactions, one behind the other, by the nonce that is told; some of them go other ways. */
  async function trade(maker: Maker, count: number): Promise<void> {
    for (let at = 0; at < count; at++) {
      const nonce = await nonceOf(maker);
      switch (at % 10) {
        case 3:
          // More than it has: refused.
          assert.equal(await send(maker, nonce, FEE, { value: 10n ** 30n }), false);
          break;
        case 5: {
          // Ahead of its time, then dearer, and then the one before it.
          await send(maker, nonce + 1);
          await send(maker, nonce + 1, 2n * FEE);
          await send(maker, nonce);
          break;
        }
        case 7:
          // One that never comes.
          await send(maker, nonce + 1000 + at);
          break;
        case 8:
          // Another door.
          await node.query('eth_sendRawTransaction', [toHex(signed(maker.wallet, { nonce, value: 1n }))]);
          break;
        default:
          await send(maker, nonce);
      }
    }
  }

  const head = async (): Promise<number> => Number(await door.result('eth_blockNumber'));

  /**
   * Three blocks and three seconds on nothing is on its way, and every nonce is the chain's. A door that was behind may
   * take the blocks in less time.
   */
  async function settles(): Promise<void> {
    const to = (await head()) + LIMITS.ownSendBlocksMax;
    await sleep(LIMITS.ownSendMsMin);
    await until(async () => (await head()) >= to, 'blocks');
    const last = await head();
    await until(async () => (await head()) > last, 'a block at which they are given up');
    for (const maker of makers) {
      // A door that hears of its blocks late gives them up late.
      const latest = await eventually(async () => {
        const { results } = await batch(
          door,
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
    const text = await (await fetch(`${door.url}/metrics`)).text();
    for (const status of ['accepted', 'included', 'expired'])
      assert.match(text, new RegExp(`^prestate_sends_total\\{status="${status}"\\} [1-9]`, 'm'));
  });

  test('transactions that a killed node has forgotten count for three blocks, and no longer', async () => {
    await Promise.all(makers.map((maker) => trade(maker, COUNT_AFTER)));
    // In the middle of a block.
    await eventually(async () => {
      const { results } = await batch(door, ...makers.flatMap(({ address }) => pair(address)));
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
      const block = await door.result<{ hash: string } | null>('eth_getBlockByNumber', toQuantity(from + 1), false);
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
