// Following a node's head by WebSocket and by polling, through every kind of connection loss.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { LIMITS } from '../../../src/limits/index.js';
import { createUpstream } from '../../../src/upstream/create-upstream.js';
import type { UpstreamClientLimits } from '../../../src/upstream/transport/upstream-client-limits.js';
import type { HeadOrTagsEvent, Upstream } from '../../../src/upstream/upstream.js';
import { PATIENCE_MS, until } from '../../support/patience.js';
import { UpstreamNode, type NodeBlock } from '../../support/upstream-node.js';
import { emptyBlocks, hashOf } from '../blocks.js';

const ZERO = new Uint8Array(32);
/** An interval so long that no poll happens during a test. */
const NEVER_MS = 3_600_000;
const QUICK: Partial<UpstreamClientLimits> = {
  retryMs: 2,
  triesMax: 1,
  timeoutMs: PATIENCE_MS,
  pingMs: PATIENCE_MS,
  handshakeMs: PATIENCE_MS,
  reconnectMs: 4,
  reconnectMsMax: 20,
  livedMs: 1,
  tagsMs: NEVER_MS,
};

interface Setup {
  readonly node: UpstreamNode;
  readonly upstream: Upstream;
  readonly blocks: readonly NodeBlock[];
  /** Hashes of the reported heads, and the reported tags, oldest first. */
  readonly heads: string[];
  readonly tags: Extract<HeadOrTagsEvent, { kind: 'tags' }>[];
  readonly lower: Extract<HeadOrTagsEvent, { kind: 'lower' }>[];
  readonly stop: () => void;
}

interface Mode {
  readonly socket: boolean;
  readonly pollMs: number;
  readonly tuning?: Partial<UpstreamClientLimits>;
  readonly before?: (node: UpstreamNode) => void;
}

async function setUp(t: TestContext, { socket, pollMs, tuning, before }: Mode): Promise<Setup> {
  const blocks = emptyBlocks(0, 30, ZERO, 1);
  const node = await UpstreamNode.start({ blocks: blocks.slice(0, 3) });
  before?.(node);
  const options = { url: node.url, wsUrl: socket ? node.wsUrl : null, pollMs };
  const upstream = createUpstream(options, { tuning: { ...QUICK, ...tuning } });
  const heads: string[] = [];
  const tags: Setup['tags'] = [];
  const lower: Setup['lower'] = [];
  const stop = upstream.watchHeads((event) => {
    if (event.kind === 'head') heads.push(toHex(event.head.hash));
    else if (event.kind === 'tags') tags.push(event);
    else lower.push(event);
  });
  t.after(async () => {
    await upstream.close();
    await node.close();
  });
  return { node, upstream, blocks, heads, tags, lower, stop };
}

const hex = (block: NodeBlock): string => toHex(hashOf(block));
const SOCKET: Mode = { socket: true, pollMs: NEVER_MS };
const POLLING: Mode = { socket: false, pollMs: 5 };

/** Adds a block and waits until its head is reported, by the subscription or once that is restored. */
async function addBlock({ node, heads, blocks }: Setup, number: number): Promise<void> {
  node.push(blocks[number]!);
  await until(() => heads.includes(hex(blocks[number]!)));
}

for (const [name, mode] of [
  ['WebSocket', SOCKET],
  ['polling', POLLING],
] as const) {
  test(`${name}: the head at the start is reported, then every new one`, async (t) => {
    const { node, blocks, heads, upstream } = await setUp(t, mode);
    await until(() => heads.length === 1 && (!mode.socket || node.subscribers === 1));
    for (const [i, block] of blocks.slice(3, 8).entries()) {
      node.push(block);
      await until(() => heads.length === i + 2);
    }
    assert.deepEqual(heads, blocks.slice(2, 8).map(hex));
    const { headsPushed, headsPolled } = upstream.stats;
    assert.ok(mode.socket ? headsPushed >= 5 : headsPushed === 0 && headsPolled === 6);
  });

  test(`${name}: a reorg of two blocks to the same height is followed`, async (t) => {
    const { node, blocks, heads } = await setUp(t, mode);
    await until(() => heads.length === 1 && (!mode.socket || node.subscribers === 1));
    const branch = emptyBlocks(1, 2, hashOf(blocks[0]!), 2);
    node.reorg(2, branch);
    await until(() => heads.at(-1) === hex(branch[1]!));
  });

  test(`${name}: safe and finalized are reported when they change, and only then`, async (t) => {
    const { node, blocks, tags } = await setUp(t, { ...mode, tuning: { tagsMs: 5 } });
    await until(() => tags.length === 1);
    assert.deepEqual(tags[0], { kind: 'tags', safe: null, finalized: null });
    node.setTags(1, 0);
    await until(() => tags.length >= 2 && tags.at(-1)!.finalized !== null);
    const [safe, finalized] = [
      { number: 1, hash: hashOf(blocks[1]!) },
      { number: 0, hash: hashOf(blocks[0]!) },
    ];
    assert.deepEqual(tags.at(-1), { kind: 'tags', safe, finalized });
    const reported = tags.length;
    const polls = node.counts.byMethod['eth_getBlockByNumber']!;
    await until(() => node.counts.byMethod['eth_getBlockByNumber']! > polls + 9);
    assert.equal(tags.length, reported);
  });

  test(`${name}: heads are followed again after the node was killed and restarted on the same port`, async (t) => {
    // Polled in the meantime, so that heads of the outage are found.
    const all = await setUp(t, { ...mode, pollMs: 10 });
    const { node, upstream, blocks, heads } = all;
    await until(() => heads.length === 1 && (!mode.socket || node.subscribers === 1));
    await node.kill();
    if (mode.socket) await until(() => upstream.stats.reconnects > 0);
    node.push(blocks[3]!);
    await node.restart();
    await until(() => heads.includes(hex(blocks[3]!)));
    if (mode.socket) await until(() => node.subscribers === 1);
    node.push(blocks[4]!);
    await until(() => heads.at(-1) === hex(blocks[4]!));
  });
}

test('a poll of head and tags is one round trip', async (t) => {
  const { node, heads, tags } = await setUp(t, { socket: false, pollMs: NEVER_MS });
  await until(() => heads.length === 1 && tags.length === 1);
  assert.deepEqual([node.counts.roundTrips, node.counts.requests], [1, 3]);
});

test('safe and finalized are polled at their own interval, not with every head', async (t) => {
  const polled = await setUp(t, POLLING);
  await until(() => polled.node.counts.roundTrips >= 10);
  const { roundTrips, requests } = polled.node.counts;
  assert.equal(requests, roundTrips + 2);
  const pushed = await setUp(t, SOCKET);
  await until(() => pushed.node.subscribers === 1 && pushed.heads.length === 1);
  for (const number of [3, 4, 5]) await addBlock(pushed, number);
  // One poll at the start, and one when the subscription is established.
  assert.equal(pushed.node.counts.requests, 2 * 3);
});

const LOSSES: readonly (readonly [name: string, lose: (node: UpstreamNode) => void])[] = [
  ['the connection is cut', (node) => node.dropSockets()],
  ['the connection is closed', (node) => node.dropSockets(1000)],
  ['the node is overloaded (1013)', (node) => node.dropSockets(1013)],
  ['the node goes away (1001)', (node) => node.dropSockets(1001)],
  ['a message that is no JSON', (node) => node.sendAll('{"jsonrpc"')],
  ['a head without hash', (node) => node.sendAll('{"method":"eth_subscription","params":{"result":{"number":"0x1"}}}')],
  ['a message that is too long', (node) => node.sendAll('x'.repeat(2 ** 21))],
];

for (const [name, lose] of LOSSES) {
  test(`WebSocket: after ${name} it reconnects`, async (t) => {
    const all = await setUp(t, SOCKET);
    const { node, upstream } = all;
    await until(() => node.subscribers === 1);
    await addBlock(all, 3);
    lose(node);
    await until(() => upstream.stats.reconnects === 1);
    await until(() => node.counts.handshakes === 2 && node.subscribers === 1);
    await addBlock(all, 4);
  });
}

test('WebSocket: unknown responses and notifications are ignored', async (t) => {
  const all = await setUp(t, SOCKET);
  await until(() => all.node.subscribers === 1);
  all.node.sendAll('{"jsonrpc":"2.0","id":99,"result":true}');
  all.node.sendAll('{"jsonrpc":"2.0","method":"other","params":[]}');
  await addBlock(all, 3);
  assert.equal(all.upstream.stats.reconnects, 0);
});

test('WebSocket: a connection without pongs is closed and opened again', async (t) => {
  const all = await setUp(t, { ...SOCKET, tuning: { pingMs: 20 } });
  const { node, upstream } = all;
  await until(() => node.subscribers === 1);
  node.faults.deaf = true;
  await until(() => upstream.stats.reconnects >= 2);
  node.faults.deaf = false;
  await addBlock(all, 3);
});

test('WebSocket: after a refused handshake the Retry-After of the node is obeyed', async (t) => {
  const all = await setUp(t, {
    ...SOCKET,
    before: (node) => (node.faults.socketStatus = { status: 429, retryAfter: '0' }),
  });
  const { node, upstream } = all;
  await until(() => upstream.stats.reconnects >= 3);
  node.faults.socketStatus = null;
  await until(() => node.subscribers === 1);
  await addBlock(all, 3);
});

test('WebSocket: a node without subscriptions is polled instead', async (t) => {
  const { node, upstream, blocks, heads } = await setUp(t, {
    socket: true,
    pollMs: 5,
    before: (plain) => plain.faults.refused.add('eth_subscribe'),
  });
  await until(() => upstream.stats.reconnects >= 2);
  node.push(blocks[3]!);
  await until(() => heads.at(-1) === hex(blocks[3]!));
  assert.equal(upstream.stats.headsPushed, 0);
});

test('WebSocket: heads are polled while it is down, and once more as soon as it is up', async (t) => {
  const { node, blocks, heads } = await setUp(t, { socket: true, pollMs: 5 });
  await until(() => node.subscribers === 1);
  node.faults.socketStatus = { status: 502 };
  node.dropSockets();
  node.push(blocks[3]!);
  await until(() => heads.at(-1) === hex(blocks[3]!));
  node.faults.socketStatus = null;
  await until(() => node.subscribers === 1);
});

test('WebSocket: a head that came while it was down is found once it is up again', async (t) => {
  const { node, blocks, heads, upstream } = await setUp(t, SOCKET);
  await until(() => node.subscribers === 1 && heads.length === 1);
  node.dropSockets();
  node.faults.mute = true;
  const branch = emptyBlocks(1, 2, hashOf(blocks[0]!), 2);
  node.reorg(2, branch);
  await until(() => heads.at(-1) === hex(branch[1]!));
  assert.ok(upstream.stats.headsPolled >= 1);
});

test('WebSocket: polling finds heads that a live connection does not announce', async (t) => {
  const { node, blocks, heads } = await setUp(t, { ...SOCKET, tuning: { tagsMs: 5 } });
  await until(() => node.subscribers === 1);
  node.faults.mute = true;
  node.push(blocks[3]!);
  await until(() => heads.at(-1) === hex(blocks[3]!));
});

test('WebSocket: a polled head older than the announced one is ignored', async (t) => {
  const { node, blocks, heads } = await setUp(t, { ...SOCKET, tuning: { tagsMs: 5 } });
  await until(() => node.subscribers === 1 && heads.length === 1);
  const old = await lookUp(node, 2);
  node.push(blocks[3]!);
  await until(() => heads.length === 2);
  node.methods.set('eth_getBlockByNumber', () => old);
  const polls = node.counts.roundTrips;
  await until(() => node.counts.roundTrips > polls + 3);
  assert.equal(heads.length, 2);
});

for (const [name, mode] of [
  ['WebSocket', { ...SOCKET, tuning: { tagsMs: 5 } }],
  ['polling', POLLING],
] as const) {
  test(`${name}: a node whose head went back is reported as uncertain after some polls, as certain after more`, async (t) => {
    const { node, blocks, heads, lower } = await setUp(t, mode);
    await until(() => heads.length === 1 && (!mode.socket || node.subscribers === 1));
    node.rewind(1);
    await until(() => lower.length === 2);
    const reported = lower.map(({ head, isCertain }) => [head?.number, toHex(head!.hash), isCertain]);
    assert.deepEqual(reported, [
      [1, hex(blocks[1]!), false],
      [1, hex(blocks[1]!), true],
    ]);
    node.push(blocks[2]!);
    await until(() => heads.at(-1) === hex(blocks[2]!));
    assert.equal(lower.length, 2);
  });

  test(`${name}: an older head seen only now and then is reported as uncertain, and so is its end`, async (t) => {
    const { node, heads, lower } = await setUp(t, mode);
    await until(() => heads.length === 1 && (!mode.socket || node.subscribers === 1));
    const [old, newest] = [await lookUp(node, 1), await lookUp(node, 2)];
    let polls = 0;
    node.methods.set('eth_getBlockByNumber', ([tag]) => {
      if (tag !== 'latest') return null;
      return ++polls % LIMITS.lowerPollsMax === 0 ? newest : old;
    });
    await until(() => lower.length >= 4);
    for (const [i, { head, isCertain }] of lower.entries())
      assert.deepEqual([head?.number, isCertain], [i % 2 === 0 ? 1 : undefined, false]);
  });
}

async function lookUp(node: UpstreamNode, number: number): Promise<never> {
  const other = createUpstream({ url: node.url, wsUrl: null, pollMs: NEVER_MS });
  const block = await other.request('eth_getBlockByNumber', [`0x${number.toString(16)}`, false]);
  await other.close();
  return block as never;
}

test('a new listener gets the known head at once; a removed listener gets nothing', async (t) => {
  const { node, upstream, blocks, heads, stop } = await setUp(t, POLLING);
  await until(() => heads.length === 1);
  const late: HeadOrTagsEvent[] = [];
  upstream.watchHeads((event) => late.push(event));
  await until(() => late.length === 2);
  assert.deepEqual(
    late.map(({ kind }) => kind),
    ['head', 'tags'],
  );
  stop();
  node.push(blocks[3]!);
  await until(() => late.length === 3);
  assert.equal(heads.length, 1);
});

test('after close no head is announced, and no timer or socket is left', async (t) => {
  const { node, upstream, blocks, heads } = await setUp(t, { socket: true, pollMs: 5 });
  await until(() => heads.length === 1 && node.subscribers === 1);
  await upstream.close();
  await until(() => node.subscribers === 0);
  await turns(SETTLING_TURNS);
  const { handshakes, roundTrips } = node.counts;
  node.push(blocks[3]!);
  await turns(SETTLING_TURNS);
  assert.deepEqual([node.counts.handshakes, node.counts.roundTrips], [handshakes, roundTrips]);
  assert.equal(heads.length, 1);
});

/** After this many poll intervals, everything in flight has arrived, and polls would have happened. */
const SETTLING_TURNS = 10;

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await sleep(6);
}
