// A second program follows the first one, its upstream: both give the same responses for the same position, whether the
// follower gets only blocks or every increment.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { DEV_GOLD_TOKEN, DEV_SWAP_POOL, TRAFFIC_ACCOUNTS } from '../../src/feed/dev/genesis.js';
import { toHex, toQuantity } from '../../src/lib/bytes/hex.js';
import { freePort } from '../support/free-port.js';
import { eventually, until } from '../support/patience.js';
import { Server, metric, type RpcAnswer } from '../support/server.js';
import { batch, type Call } from './batch.js';

const RECEIVER = `0x${'5a'.repeat(20)}`;
const COMPARED = 8;

/** Nonces, balances, storage and estimates, all at one block. */
function questions(block: string): Call[] {
  const accounts = TRAFFIC_ACCOUNTS.slice(0, 6).map(toHex);
  const transfer = `0xa9059cbb${'0'.repeat(24)}${RECEIVER.slice(2)}${'1'.padStart(64, '0')}`;
  return [
    ...accounts.map((address): Call => ['eth_getTransactionCount', address, block]),
    ...accounts.map((address): Call => ['eth_getBalance', address, block]),
    ['eth_getStorageAt', toHex(DEV_SWAP_POOL), '0x0', block],
    ['eth_getStorageAt', toHex(DEV_SWAP_POOL), '0x1', block],
    ['eth_getCode', toHex(DEV_GOLD_TOKEN), block],
    ['eth_estimateGas', { from: accounts[0], to: toHex(DEV_GOLD_TOKEN), data: transfer }, block],
    ['eth_estimateGas', { from: accounts[1], to: RECEIVER, value: '0x1' }, block],
    [
      'eth_call',
      { from: accounts[0], to: toHex(DEV_GOLD_TOKEN), data: `0x70a08231${'0'.repeat(24)}${accounts[0]!.slice(2)}` },
      block,
    ],
  ];
}

/** Responses at `pending` by position. */
type Seen = Map<number, string>;

async function look(server: Server, seen: Seen): Promise<void> {
  const { results, position } = await batch(server, ...questions('pending'));
  const text = JSON.stringify(results);
  // A complete block has the position of its last increment, but also the changes made at its end.
  const known = seen.get(position);
  if (known === undefined) seen.set(position, text);
  else if (known !== text) seen.set(position + 0.5, text);
}

/** Positions at which both were queried. */
function commonOf(first: Seen, second: Seen): number[] {
  return [...second.keys()].filter((position) => Number.isInteger(position) && first.has(position));
}

/** Both give the same responses at `pending` for every increment that both were queried at, and blocks are promoted. */
async function assertSameIncrements(first: Server, follower: Server): Promise<void> {
  await until(async () => (await metric(follower, 'increments_total')) > 3);
  const [expected, got]: [Seen, Seen] = [new Map(), new Map()];
  await until(async () => {
    await Promise.all([look(first, expected), look(follower, got)]);
    return commonOf(expected, got).length >= COMPARED;
  }, 'positions that both have been asked at');
  for (const position of commonOf(expected, got)) {
    const candidates = [expected.get(position), expected.get(position + 0.5)];
    const [ours, oursAtEnd] = [got.get(position), got.get(position + 0.5)];
    assert.ok(candidates.includes(ours), `position ${position}: ${ours} is none of ${candidates.join(' and ')}`);
    if (oursAtEnd !== undefined) assert.ok(candidates.includes(oursAtEnd), `position ${position}, block complete`);
  }
  await until(async () => (await metric(follower, 'blocks_promoted_total')) > 0);
  assert.equal(await metric(follower, 'mismatches_total'), 0);
  assert.equal(await metric(follower, 'state_restarts_total'), 0);
}

describe('a follower', () => {
  let first: Server;
  let byBlocks: Server;
  let byIncrements: Server;
  before(async () => {
    const port = await freePort();
    first = await Server.start('--dev-traffic', '20', '--dev-feed-port', port);
    [byBlocks, byIncrements] = await Promise.all([
      Server.start('--upstream', first.url),
      Server.start('--upstream', first.url, '--feed', `ws://127.0.0.1:${port}`, '--passthrough'),
    ]);
  });
  after(() => Promise.all([byBlocks.stop(), byIncrements.stop()]).then(() => first.stop()));

  test('a follower answers as its upstream does at every block, past blocks included', async () => {
    const start = Number(await byBlocks.result('eth_blockNumber'));
    const head = await eventually(async () => {
      const number = Number(await byBlocks.result('eth_blockNumber'));
      return number >= start + 2 ? number : undefined;
    });
    for (let number = Math.max(0, start - 2); number <= head; number++) {
      const requested = questions(toQuantity(number));
      const [expected, got] = await Promise.all([batch(first, ...requested), batch(byBlocks, ...requested)]);
      assert.deepEqual(got.results, expected.results, `block ${number}`);
    }
  });

  test('a follower shows the same blocks, and forwards requests for older ones', async () => {
    const head = Number(await byBlocks.result('eth_blockNumber'));
    for (const number of [0, 1, head - 1, head]) {
      for (const full of [false, true]) {
        const requested = ['eth_getBlockByNumber', toQuantity(number), full] as const;
        assert.deepEqual(await byBlocks.result(...requested), await first.result(...requested), `block ${number}`);
      }
    }
    const { hash } = await first.result<{ hash: string }>('eth_getBlockByNumber', '0x1', false);
    const requested = ['eth_getTransactionCount', toHex(TRAFFIC_ACCOUNTS[0]!), { blockHash: hash }] as const;
    assert.equal(await byBlocks.result(...requested), await first.result(...requested));
    const unknown = await byBlocks.query('eth_getBalance', [RECEIVER, { blockHash: `0x${'77'.repeat(32)}` }]);
    assert.match(unknown.error!.message, /block not found/);
  });

  test('a follower has the logs, receipts and transactions of its upstream, across its oldest block', async () => {
    const head = Number(await byBlocks.result('eth_blockNumber'));
    const range = { fromBlock: '0x0', toBlock: toQuantity(head) };
    type Logs = readonly { readonly blockNumber: string; readonly transactionHash: string }[];
    const expected = await first.result<Logs>('eth_getLogs', range);
    assert.ok(new Set(expected.map(({ blockNumber }) => blockNumber)).size > 1, 'logs of several blocks');
    for (const follower of [byBlocks, byIncrements])
      assert.deepEqual(await follower.result('eth_getLogs', range), expected);
    const filter = { ...range, address: toHex(DEV_GOLD_TOKEN), topics: [[], null] };
    assert.deepEqual(await byBlocks.result('eth_getLogs', filter), await first.result('eth_getLogs', filter));
    for (const { transactionHash: hash } of [expected[0]!, expected.at(-1)!]) {
      for (const method of ['eth_getTransactionReceipt', 'eth_getTransactionByHash'])
        assert.deepEqual(await byBlocks.result(method, hash), await first.result(method, hash));
    }
    for (const number of ['0x0', '0x1', toQuantity(head)]) {
      for (const method of ['eth_getBlockReceipts', 'eth_getBlockTransactionCountByNumber'])
        assert.deepEqual(await byBlocks.result(method, number), await first.result(method, number), `block ${number}`);
    }
  });

  test('a follower answers as its upstream does at every increment', () => assertSameIncrements(first, byIncrements));

  test('a follower behind x-least-block refuses, and forwards methods that it does not serve', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'eth_getBalance', params: [RECEIVER, 'pending'] });
    const query = (least: string) => byIncrements.post(body, { 'x-least-block': least });
    const reached = await query(String(Number(await byIncrements.result('eth_blockNumber'))));
    assert.equal((JSON.parse(reached.text) as RpcAnswer).result, '0x0');
    const { id, error } = JSON.parse((await query('1000000')).text) as RpcAnswer;
    assert.deepEqual([id, error?.code], [7, -32001]);
    assert.match(error!.message, /behind block 1000000 index 0/);
    assert.equal((await query('soon')).status, 400);
    const hash = `0x${'66'.repeat(32)}`;
    for (const follower of [byIncrements, byBlocks])
      assert.equal(await follower.result('eth_getTransactionReceipt', hash), null);
    assert.equal((await byBlocks.query('eth_getProof', [RECEIVER, [], 'latest'])).error!.code, -32601);
  });

  test('a follower without its upstream serves cached state, gets errors for the rest, and is not ready', async () => {
    const account = toHex(TRAFFIC_ACCOUNTS[0]!);
    await byBlocks.result('eth_getBalance', account, 'latest');
    first.process.kill('SIGKILL');
    await once(first.process, 'exit');
    assert.match(await byBlocks.result('eth_getBalance', account, 'latest'), /^0x/);
    const unknown = await byBlocks.query('eth_getBalance', [`0x${'12'.repeat(20)}`, 'latest']);
    assert.equal(unknown.error!.code, -32603);
    assert.match(unknown.error!.message, /upstream/);
    const ready = await eventually(async () => {
      const now = await byIncrements.readiness();
      return now.ready ? undefined : now;
    });
    assert.match(ready.reason, /feed/);
  });
});

describe('a follower with a feed of shreds', () => {
  let first: Server;
  let follower: Server;
  before(async () => {
    const port = await freePort();
    first = await Server.startWithShreds(port, '--dev-traffic', '20');
    const feed = ['--feed', `ws://127.0.0.1:${port}`, '--feed-format', 'shreds'];
    follower = await Server.start('--upstream', first.url, ...feed);
  });
  after(() => follower.stop().then(() => first.stop()));

  test('answers as its upstream does at every shred', () => assertSameIncrements(first, follower));

  test('has the receipts and logs of a block as its upstream does, before and after it is confirmed', async () => {
    type Receipts = readonly { readonly transactionHash: string; readonly logs: readonly object[] }[];
    const receipts = await eventually(async () => {
      const found = await follower.result<Receipts>('eth_getBlockReceipts', 'pending');
      return found.some(({ logs }) => logs.length > 0) ? found : undefined;
    });
    const hashes = receipts.map(({ transactionHash }) => transactionHash);
    await until(async () => {
      const last = await first.result<{ blockHash: string } | null>('eth_getTransactionReceipt', hashes.at(-1)!);
      return last !== null && !/^0x0+$/.test(last.blockHash);
    }, 'the block is confirmed');
    for (const [at, hash] of hashes.entries()) {
      const expected = await first.result<object>('eth_getTransactionReceipt', hash);
      assert.deepEqual(unsealed(receipts[at]!), unsealed(expected), 'as it was pre-confirmed');
      const now = await eventually(async () => {
        const found = await follower.result<{ blockHash: string }>('eth_getTransactionReceipt', hash);
        return /^0x0+$/.test(found.blockHash) ? undefined : found;
      });
      assert.deepEqual(now, expected, 'as it is confirmed');
    }
  });
});

function unsealed(receipt: object): object {
  return JSON.parse(JSON.stringify(receipt, withoutBlock)) as object;
}

/** Removes the member that a pre-confirmed receipt lacks. */
function withoutBlock(name: string, value: unknown): unknown {
  return name === 'blockHash' ? undefined : value;
}
