// Subscription messages of the running program, compared with its responses to requests.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { DEV_GOLD_TOKEN, DEV_SWAP_POOL } from '../../src/feed/dev/genesis.js';
import { toHex } from '../../src/lib/bytes/hex.js';
import { LIMITS } from '../../src/limits/index.js';
import { eventually, until } from '../support/patience.js';
import { Server } from '../support/server.js';
import { Listener, type Json } from './listener.js';

/** Selector of the pool's swap function. */
const SWAP = '0xf3e6ea8a';

describe('subscriptions', () => {
  let server: Server;
  let listener: Listener;
  before(async () => {
    server = await Server.start('--dev-traffic', '20');
    listener = await Listener.open(server);
  });
  after(async () => {
    listener.close();
    await server.stop();
  });

  test('a page on this machine may connect to the dev chain, any other one may not', async () => {
    const page = await Listener.open(server, 'http://localhost:3000');
    await page.subscribe('newHeads');
    page.close();
    await assert.rejects(Listener.open(server, 'https://evil.example'), /403/);
  });

  test('announced heads are those of the blocks that can be read', async () => {
    const id = await listener.subscribe('newHeads');
    for (const { number, hash, parentHash, receiptsRoot } of await listener.until(id, 2)) {
      const block = await server.result<Json>('eth_getBlockByNumber', number, false);
      assert.deepEqual([hash, parentHash, receiptsRoot], [block['hash'], block['parentHash'], block['receiptsRoot']]);
    }
  });

  test('a pre-confirmed transaction is announced, can be read at once, and keeps its index in the complete block', async () => {
    const id = await listener.subscribe('newFlashblockTransactions', true);
    const [reported] = await listener.until(id, 1);
    const { hash, blockNumber, transactionIndex, gasUsed, logs } = reported!;
    const receipt = await server.result<Json>('eth_getTransactionReceipt', hash);
    assert.deepEqual([receipt['blockNumber'], receipt['transactionIndex']], [blockNumber, transactionIndex]);
    assert.equal(Number(receipt['gasUsed']), gasUsed);
    const confirmed = await eventually(async () => {
      const now = await server.result<Json>('eth_getTransactionReceipt', hash);
      return /^0x0+$/.test(now['blockHash'] as string) ? undefined : now;
    });
    const { blockHash, ...rest } = confirmed;
    const placed = (list: unknown): unknown => (list as Json[]).map((log) => ({ ...log, blockHash }));
    assert.deepEqual(placed(rest['logs']), placed(logs));
    assert.deepEqual([rest['blockNumber'], rest['transactionIndex']], [blockNumber, transactionIndex]);
  });

  test('announced logs equal eth_getLogs; pre-confirmed ones come earlier', async () => {
    const filter = { address: toHex(DEV_GOLD_TOKEN) };
    const [complete, pending] = [
      await listener.subscribe('logs', filter),
      await listener.subscribe('pendingLogs', filter),
    ];
    const number = (await listener.until(complete, 1))[0]!['blockNumber'];
    const requested = await server.result<Json[]>('eth_getLogs', { ...filter, fromBlock: number, toBlock: number });
    const reported = await listener.until(complete, requested.length);
    assert.deepEqual(reported.slice(0, requested.length), requested);
    const places = new Set(
      listener
        .reported(pending)
        .map(({ transactionHash, logIndex }) => `${transactionHash as string} ${logIndex as string}`),
    );
    assert.ok(places.size > 0);
  });

  test('state changes report the slots and accounts of the filter, and can be resumed', async () => {
    const pool = toHex(DEV_SWAP_POOL);
    const id = await listener.subscribe('stateChanges', [pool]);
    const reported = await listener.until(id, 3);
    for (const { address, storage, position } of reported) {
      assert.equal(address, pool);
      assert.ok(Object.keys(storage ?? {}).length > 0);
      assert.ok(Number((position as Json)['version']) > 0);
    }
    const some = await listener.subscribe('stateChanges', { [pool]: ['0x2', '0x03'] });
    const [change] = await listener.until(some, 1);
    const slots = new Set([2, 3].map((slot) => `0x${slot.toString(16).padStart(64, '0')}`));
    assert.ok(Object.keys(change!['storage'] as Json).every((slot) => slots.has(slot)));
    const refused = await listener.query('eth_subscribe', 'stateChanges', { [pool]: [`0x${'1'.repeat(66)}`] });
    assert.match(refused.error?.message ?? '', /^storage key too long/);
    const version = (reported[0]!['position'] as Json)['version'];
    const again = await Listener.open(server);
    const resumed = await again.subscribe('stateChanges', [pool], { fromVersion: version });
    const [next] = await again.until(resumed, 1);
    assert.deepEqual(next, reported[1]);
    again.close();
  });

  test('whole blocks and receipts are announced', async () => {
    const [blocks, receipts] = [
      await listener.subscribe('newFlashblocks'),
      await listener.subscribe('transactionReceipts', {}),
    ];
    const [block] = await listener.until(blocks, 1);
    assert.ok(Array.isArray(block!['transactions']));
    const [first] = (await listener.until(receipts, 1)) as unknown as Json[][];
    assert.deepEqual(first, await server.result('eth_getBlockReceipts', first![0]!['blockNumber']));
  });

  test('traces of pre-confirmed transactions are those of their complete block, all or those that call what is named', async () => {
    const tracing = { tracer: 'callTracer', tracerConfig: { withLog: true } };
    const calls = { address: [toHex(DEV_SWAP_POOL)], selector: SWAP };
    const diffs = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } };
    const ids = {
      all: await listener.subscribe('traces', tracing),
      some: await listener.subscribe('traces', { ...tracing, ...calls }),
      none: await listener.subscribe('traces', { ...tracing, selector: ['0x12345678'] }),
      diffs: await listener.subscribe('traces', { ...diffs, address: toHex(DEV_SWAP_POOL) }),
    };
    const traced = (id: string): readonly Json[] => listener.reported(id).filter(({ result }) => result !== undefined);
    for (const id of [ids.all, ids.some, ids.diffs]) await until(() => traced(id).length >= 3, 'three messages');
    assert.deepEqual(listener.reported(ids.none), []);
    const next = Number((traced(ids.some).at(-1)!['position'] as Json)['block']) + 1;
    await eventually(async () => (Number(await server.result('eth_blockNumber')) >= next ? true : undefined));
    const config = { all: tracing, some: tracing, diffs };
    for (const name of ['all', 'some', 'diffs'] as const) {
      let count = 0;
      for (const { result, position } of traced(ids[name]).slice(0, 3)) {
        const traces = await server.result<Json[]>(
          'debug_traceBlockByNumber',
          (position as Json)['block'],
          config[name],
        );
        const byHash = new Map(traces.map((trace) => [trace['txHash'], trace]));
        for (const trace of result as Json[]) assert.deepEqual(trace, byHash.get(trace['txHash']), name);
        count += (result as Json[]).length;
      }
      assert.ok(count >= 3);
    }
    const shown = traced(ids.some).flatMap(({ result }) => result as Json[]);
    for (const { result } of shown)
      assert.match(JSON.stringify(result), new RegExp(`"to":"${toHex(DEV_SWAP_POOL)}","input":"${SWAP}`));
    for (const id of Object.values(ids)) assert.equal((await listener.query('eth_unsubscribe', id)).result, true);
  });

  test('traces that cannot be made are refused', async () => {
    const texts = [
      [null, 'missing value for required argument 1'],
      [{}, 'invalid argument 1: no tracer'],
      [{ tracer: 'callTracer', addresses: [] }, 'invalid argument 1: a member is not known'],
      [{ tracer: 'callTracer', selector: '0x1234' }, /^invalid argument 1: .*traces.Selector/],
      [{ tracer: 'callTracer', address: ['0x12'] }, /^invalid argument 1: .*common.Address/],
      [{ tracer: 'myTracer' }, /^invalid argument 1: no tracer is called "myTracer"/],
    ] as const;
    for (const [parameter, text] of texts) {
      const { code, message } = (await listener.query('eth_subscribe', 'traces', parameter)).error!;
      assert.equal(code, -32_602);
      if (typeof text === 'string') assert.equal(message, text);
      else assert.match(message, text);
    }
    const client = await Listener.open(server);
    for (let at = 0; at < LIMITS.traceTopicsPerClientMax; at++)
      await client.subscribe('traces', { tracer: 'noopTracer', selector: `0x0000000${at}` });
    const { error } = await client.query('eth_subscribe', 'traces', { tracer: 'noopTracer' });
    assert.deepEqual(error, { code: -32_005, message: 'too many different traces (max 8)' });
    client.close();
  });

  test('eth_unsubscribe ends the messages; unknown topics and too many subscriptions are refused', async () => {
    const client = await Listener.open(server);
    const id = await client.subscribe('newPendingTransactions');
    await client.until(id, 1);
    assert.equal((await client.query('eth_unsubscribe', id)).result, true);
    const count = client.reported(id).length;
    assert.deepEqual((await client.query('eth_unsubscribe', id)).error, {
      code: -32_000,
      message: 'subscription not found',
    });
    const unknown = await client.query('eth_subscribe', 'newUncles');
    assert.deepEqual(unknown.error, { code: -32_601, message: 'no "newUncles" subscription in eth namespace' });
    const old = await client.query('eth_subscribe', 'newHeads', { fromVersion: 10 ** 9 });
    const misspelt = await client.query('eth_subscribe', 'newHeads', { fromVersion: 1, fromblok: '0x1' });
    assert.deepEqual(misspelt.error, {
      code: -32_602,
      message: 'invalid argument 1: json: unknown field "fromblok"',
    });
    assert.deepEqual(old.error, { code: -32_001, message: 'what has happened since then is not kept' });
    const ids = new Set<string>();
    for (let i = 0; i < LIMITS.subscriptionsPerSocketMax; i++) ids.add(await client.subscribe('newHeads'));
    assert.equal(ids.size, LIMITS.subscriptionsPerSocketMax);
    assert.equal((await client.query('eth_subscribe', 'newHeads')).error?.code, -32_005);
    assert.equal(client.reported(id).length, count);
    client.close();
  });

  test('every call of the page for searchers is answered', async () => {
    const page = readFileSync(new URL('../../../deploy/SEARCHERS.md', import.meta.url), 'utf8');
    const calls = page.split('\n').filter((line) => line.startsWith('{'));
    const client = await Listener.open(server);
    for (const line of calls) {
      const { method, params } = JSON.parse(line) as { method: string; params: unknown[] };
      const { result, error } = await client.query(method, ...params);
      assert.ok(result !== undefined && error === undefined, `${line}: ${JSON.stringify(error)}`);
    }
    assert.ok(calls.length >= 6);
    client.close();
  });

  test('filters give a polling client the same', async () => {
    const [blocks, logs] = [
      await server.result('eth_newBlockFilter'),
      await server.result('eth_newFilter', { address: toHex(DEV_GOLD_TOKEN) }),
    ];
    const hashes = await eventually(async () => {
      const changes = await server.result<string[]>('eth_getFilterChanges', blocks);
      return changes.length > 0 ? changes : undefined;
    });
    const { number } = await server.result<{ number: string }>('eth_getBlockByHash', hashes[0], false);
    const changes = await server.result<Json[]>('eth_getFilterChanges', logs);
    const requested = await server.result('eth_getLogs', {
      address: toHex(DEV_GOLD_TOKEN),
      fromBlock: number,
      toBlock: number,
    });
    assert.deepEqual(
      changes.filter(({ blockNumber }) => blockNumber === number),
      requested,
    );
    assert.equal(await server.result('eth_uninstallFilter', blocks), true);
    assert.equal((await server.query('eth_getFilterChanges', [blocks])).error?.message, 'filter not found');
  });
});
