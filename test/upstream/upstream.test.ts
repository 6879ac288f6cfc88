// The upstream client with a test node: plain reads, every kind of fault, and a node that dies and returns.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { test, type TestContext } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { fromHex, toHex } from '../../src/lib/bytes/hex.js';
import { keccak256 } from '../../src/lib/bytes/keccak-wasm.js';
import { parseBlock } from '../../src/upstream/reads/verify-block-json.js';
import { createUpstream, type UpstreamDeps } from '../../src/upstream/create-upstream.js';
import { UpstreamError, type Upstream, type UpstreamErrorKind } from '../../src/upstream/upstream.js';
import { PATIENCE_MS, until } from '../support/patience.js';
import { MemoryView } from '../support/memory-view.js';
import { transactionJson } from '../support/node-json.js';
import { withoutData } from '../support/shared-data.js';
import { NodeError, UpstreamNode, type NodeBlock, type NodeFault } from '../support/upstream-node.js';
import { WRITER, genesis, makeBlock as makeChainBlock } from '../feed/live/chain-maker.js';
import { OP_BLOCKS, OP_FOLDER, emptyBlocks, hashOf, makeBlock, opBlock } from './blocks.js';

const ZERO = new Uint8Array(32);
const ADDRESS = new Uint8Array(20).fill(7);

async function stand(
  t: TestContext,
  deps: UpstreamDeps['tuning'] = {},
): Promise<{ node: UpstreamNode; upstream: Upstream; blocks: NodeBlock[] }> {
  const blocks = emptyBlocks(0, 5, ZERO, 1);
  const node = await UpstreamNode.start({ chainId: 4242n, blocks });
  const tuning = { retryMs: 2, timeoutMs: PATIENCE_MS, ...deps };
  const upstream = createUpstream({ url: node.url, wsUrl: null, pollMs: 20 }, { tuning });
  t.after(async () => {
    await upstream.close();
    await node.close();
  });
  return { node, upstream, blocks };
}

test('an upstream answers chain id, blocks by number and by hash', async (t) => {
  const { upstream, blocks } = await stand(t);
  assert.equal(await upstream.chainId(), 4242n);
  const byNumber = await upstream.block(3);
  assert.deepEqual(byNumber?.header, blocks[3]!.header);
  assert.deepEqual(await upstream.block(hashOf(blocks[3]!)), byNumber);
  assert.equal(await upstream.block(99), null);
  assert.equal(await upstream.block(ZERO), null);
});

test('nodes that answer unknown blocks with an error are understood', async (t) => {
  const { node, upstream } = await stand(t);
  node.methods.set('eth_getBlockByNumber', () => {
    throw new NodeError(-32000, 'header not found');
  });
  assert.equal(await upstream.block(1), null);
});

test('short reads of one tick are sent in one batch, all other requests alone', async (t) => {
  const { node, upstream } = await stand(t, { requestBatchMax: 16 });
  node.methods.set('eth_sendRawTransaction', () => toHex(ZERO));
  node.faults.refused.add('eth_createAccessList');
  const sizes: number[] = [];
  node.onBody = (body) => {
    const parsed = JSON.parse(body) as unknown;
    sizes.push(Array.isArray(parsed) ? parsed.length : 1);
  };
  const blocks = Array.from({ length: 38 }, (_, i) =>
    upstream.request('eth_getBlockByNumber', [`0x${(i % 5).toString()}`, false]),
  );
  const refused = upstream.request('eth_createAccessList', [{}, 'latest']);
  const alone = [
    upstream.request('eth_getBlockByNumber', ['0x1', true]),
    upstream.request('eth_sendRawTransaction', ['0x']),
    upstream.request('eth_sendRawTransaction', ['0x']),
  ];
  await assert.rejects(refused, { kind: 'refused' });
  for (const [i, block] of (await Promise.all(blocks)).entries())
    assert.equal((block as { number: string }).number, `0x${i % 5}`);
  await Promise.all(alone);
  assert.deepEqual(
    sizes.sort((a, b) => a - b),
    [1, 1, 1, 7, 16, 16],
  );
});

test('a block other than the requested one is refused', async (t) => {
  const { node, upstream, blocks } = await stand(t);
  const other = await upstream.request('eth_getBlockByNumber', ['0x1', true]);
  node.methods.set('eth_getBlockByHash', () => other as never);
  node.methods.set('eth_getBlockByNumber', () => other as never);
  await assert.rejects(upstream.block(hashOf(blocks[2]!)), { kind: 'malformed' });
  await assert.rejects(upstream.block(2), { kind: 'malformed' });
  assert.equal((await upstream.block(1))?.number, 1);
});

test('a block whose transactions are all known is requested without them, any other with them', async (t) => {
  const root = genesis();
  const words = [1n, 1n];
  const block = await makeChainBlock(
    root,
    [0, 1, 2].map((from) => ({ from, to: WRITER, words })),
  );
  const { node, upstream } = await stand(t);
  node.push(block);
  const announced = block.transactions.map(({ raw }) => ({ raw, hash: keccak256(raw), from: ADDRESS }));
  const probes: boolean[] = [];
  node.onBody = (body) => probes.push(body.includes(',true]'));
  const known = await upstream.block(block.hash, announced);
  assert.deepEqual(probes.splice(0), [false]);
  assert.deepEqual(known!.transactions, announced);
  const whole = await upstream.block(block.hash);
  assert.deepEqual({ ...known, transactions: [] }, { ...whole, transactions: [] });
  probes.length = 0;
  for (const others of [announced.slice(1), announced.toReversed(), [...announced, announced[0]!]]) {
    assert.deepEqual(await upstream.block(block.hash, others), whole);
    assert.deepEqual(probes.splice(0), [false, true]);
  }
  const unknown = { ...announced[0]!, raw: announced[1]!.raw };
  await assert.rejects(upstream.block(block.hash, [unknown, ...announced.slice(1)]), { kind: 'malformed' });
  assert.equal(await upstream.block(ZERO, announced), null);
});

test('real blocks with deposits are read over HTTP', { skip: withoutData(OP_FOLDER) }, async (t) => {
  const { node, upstream } = await stand(t);
  for (const number of OP_BLOCKS) {
    const { header, hash, transactions } = opBlock(number);
    const json = { ...header, hash, transactions: transactions.map((raw) => transactionJson(raw)), withdrawals: [] };
    const block = parseBlock(json);
    node.push({ ...block, state: new MemoryView() });
    assert.deepEqual(await upstream.block(fromHex(hash)), block);
    assert.deepEqual(
      (await upstream.block(number))!.transactions.map(({ raw }) => toHex(raw)),
      transactions.map(toHex),
    );
  }
});

test('any method can be forwarded, and the error of the node is returned unchanged', async (t) => {
  const { node, upstream } = await stand(t);
  node.methods.set('eth_foo', (params) => ({ params: params as never, deep: [null, 1.5, 'x'] }));
  assert.deepEqual(await upstream.request('eth_foo', [1, { a: [] }]), {
    params: [1, { a: [] }],
    deep: [null, 1.5, 'x'],
  });
  node.methods.set('eth_null', () => null);
  assert.equal(await upstream.request('eth_null', []), null);
  node.methods.set('eth_bar', () => {
    throw new NodeError(3, 'execution reverted: no', '0x08c379a0');
  });
  await assert.rejects(upstream.request('eth_bar', []), (error: unknown) => {
    assert.ok(error instanceof UpstreamError);
    assert.deepEqual(
      [error.kind, error.rpc],
      ['rpc', { code: 3, message: 'execution reverted: no', data: '0x08c379a0' }],
    );
    return true;
  });
  await assert.rejects(upstream.request('eth_unheardOf', []), {
    kind: 'refused',
    rpc: { code: -32601, message: 'the method eth_unheardOf does not exist/is not available' },
  });
});

/** One fault before a request: answered nevertheless, or the error. */
const FAULTS: readonly (readonly [
  name: string,
  faults: readonly NodeFault[],
  outcome: 'answered' | UpstreamErrorKind,
  sent: number,
])[] = [
  ['a request without faults', [], 'answered', 1],
  ['a dropped connection', [{ kind: 'drop' }], 'answered', 2],
  ['a truncated response', [{ kind: 'cut' }], 'answered', 2],
  ['status 500', [{ kind: 'status', status: 500 }], 'answered', 2],
  ['status 503 three times', repeated({ kind: 'status', status: 503 }, 3), 'answered', 4],
  ['status 429', [{ kind: 'status', status: 429, retryAfter: '0' }], 'answered', 2],
  ['-32005', [{ kind: 'error', code: -32005, message: 'limit exceeded' }], 'answered', 2],
  ['a connection that is dropped every time', repeated({ kind: 'drop' }, 4), 'unreachable', 4],
  ['status 502 every time', repeated({ kind: 'status', status: 502 }, 4), 'unreachable', 4],
  ['-32005 every time', repeated({ kind: 'error', code: -32005, message: 'limit' }, 4), 'unreachable', 4],
  ['status 401', [{ kind: 'status', status: 401 }], 'refused', 1],
  ['text instead of JSON', [{ kind: 'body', body: 'hello' }], 'malformed', 1],
  ['half of the JSON', [{ kind: 'body', body: '{"jsonrpc":"2.0","id":1,"resu' }], 'malformed', 1],
  ['an empty body', [{ kind: 'body', body: '' }], 'malformed', 1],
  ['another id', [{ kind: 'wrongIds' }], 'malformed', 1],
  ['neither result nor error', [{ kind: 'missing' }], 'malformed', 1],
  ['a result that is no quantity', [{ kind: 'body', body: '{"jsonrpc":"2.0","id":1,"result":{}}' }], 'malformed', 1],
];

function repeated(fault: NodeFault, times: number): NodeFault[] {
  return Array.from({ length: times }, () => fault);
}

for (const [name, faults, outcome, sent] of FAULTS) {
  test(`${name} ends as ${outcome}`, async (t) => {
    const { node, upstream } = await stand(t);
    node.faults.next = [...faults];
    if (outcome === 'answered') assert.equal(await upstream.chainId(), 4242n);
    else await assert.rejects(upstream.chainId(), { kind: outcome });
    assert.equal(node.counts.roundTrips, sent);
    assert.deepEqual([upstream.stats.roundTrips, upstream.stats.retries], [sent, sent - 1]);
    // And everything works afterwards.
    assert.equal(await upstream.chainId(), 4242n);
  });
}

test('a request that the node accepts and never answers times out', async (t) => {
  const { node, upstream } = await stand(t, { timeoutMs: 500, triesMax: 2 });
  node.faults.stalled = true;
  await assert.rejects(upstream.chainId(), { kind: 'unreachable', message: /in time/ });
  assert.equal(node.counts.roundTrips, 2);
  node.faults.stalled = false;
  assert.equal(await upstream.chainId(), 4242n);
});

test('a response that trickles in times out', async () => {
  const server = createServer((_, response) => {
    const drip = setInterval(() => response.write(' '), 5);
    response.on('close', () => clearInterval(drip));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  const url = `http://127.0.0.1:${address.port}`;
  const upstream = createUpstream({ url, wsUrl: null, pollMs: 20 }, { tuning: { timeoutMs: 60, triesMax: 1 } });
  await assert.rejects(upstream.chainId(), { kind: 'unreachable', message: /in time/ });
  await upstream.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('a response longer than its bound is an error', async (t) => {
  const { node, upstream } = await stand(t, { answerBytesMax: 10_000 });
  node.methods.set('eth_long', () => 'x'.repeat(20_000));
  await assert.rejects(upstream.request('eth_long', []), { kind: 'rpc', message: /too long/ });
});

test('garbage of large responses, aborted ones too, is collected', async (t) => {
  const { node, upstream } = await stand(t, { answerBytesMax: 6_000_000 });
  node.methods.set('eth_long', ([bytes]) => 'x'.repeat(bytes as number));
  const causes: unknown[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if ('detail' in entry) causes.push(entry.detail);
  });
  observer.observe({ entryTypes: ['gc'] });
  t.after(() => observer.disconnect());
  for (const bytes of [5_900_000, 7_000_000, 5_900_000]) await upstream.request('eth_long', [bytes]).catch(() => null);
  const whole = { kind: constants.NODE_PERFORMANCE_GC_MAJOR, flags: constants.NODE_PERFORMANCE_GC_FLAGS_FORCED };
  await until(() => causes.some((cause) => isDeepStrictEqual(cause, whole)));
});

test('a dead node is unreachable, and reached again when it is back', async (t) => {
  const { node, upstream } = await stand(t);
  assert.equal(await upstream.chainId(), 4242n);
  await node.kill();
  await assert.rejects(upstream.chainId(), { kind: 'unreachable' });
  await node.restart();
  assert.equal(await upstream.chainId(), 4242n);
});

test('a node that comes back while a request is retried answers it', async (t) => {
  const { node, upstream } = await stand(t, { retryMs: 50, triesMax: 10 });
  await node.kill();
  const question = upstream.chainId();
  await until(() => upstream.stats.retries > 0);
  await node.restart();
  assert.equal(await question, 4242n);
});

test('close ends requests that wait for a retry or a response', async (t) => {
  const { node, upstream } = await stand(t, { retryMs: 60_000 });
  node.faults.next = [{ kind: 'drop' }];
  const paused = upstream.chainId();
  await until(() => node.faults.next.length === 0);
  node.faults.stalled = true;
  const stalled = upstream.read(ZERO, { accounts: [ADDRESS], slots: [] });
  await until(() => node.counts.roundTrips === 2);
  const ended = assert.rejects(paused, { kind: 'closed' });
  await upstream.close();
  await ended;
  assert.equal((await stalled).refused[0]?.error.kind, 'closed');
  await assert.rejects(upstream.chainId(), { kind: 'closed' });
  node.faults.stalled = false;
});

test('no error contains the URL, which may hold a key; credentials are sent in a header', async (t) => {
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization, request.url);
    response.statusCode = 403;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  const url = `http://user:secret%21@127.0.0.1:${address.port}/v2/key123?x=1`;
  const upstream = createUpstream({ url, wsUrl: null, pollMs: 20 }, { tuning: { retryMs: 1 } });
  t.after(() => upstream.close());
  await assert.rejects(upstream.chainId(), (error: Error) => !/key123|secret/.test(error.message));
  assert.deepEqual(seen, [`Basic ${Buffer.from('user:secret!').toString('base64')}`, '/v2/key123?x=1']);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await assert.rejects(upstream.chainId(), (error: Error) => !/key123|secret/.test(error.message));
});

test('after a reorg old blocks are found by hash, and numbers mean the new ones', async (t) => {
  const { node, upstream, blocks } = await stand(t);
  const branch = emptyBlocks(3, 2, hashOf(blocks[2]!), 2);
  node.reorg(2, branch);
  assert.deepEqual((await upstream.block(4))?.hash, hashOf(branch[1]!));
  assert.deepEqual((await upstream.block(hashOf(blocks[4]!)))?.hash, hashOf(blocks[4]!));
  const state = new MemoryView().put(ADDRESS, { balance: 5n });
  node.reorg(1, [makeBlock({ number: 4, parentHash: hashOf(branch[0]!) }, [], state)]);
  const fill = await upstream.read(fromHex(node.head), { accounts: [ADDRESS], slots: [] });
  assert.equal(fill.accounts[0]!.account?.balance, 5n);
  const before = await upstream.read(hashOf(branch[1]!), { accounts: [ADDRESS], slots: [] });
  assert.equal(before.accounts[0]!.account, null);
});
