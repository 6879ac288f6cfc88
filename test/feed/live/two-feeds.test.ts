// Two feeds of one chain, each of which loses frames, lags and is cut off: nothing is missing as long as one of them
// has it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { test, type TestContext } from 'node:test';
import { WebSocketServer, type WebSocket } from 'ws';
import { connectToFeed } from '../../../src/feed/streams/pre-confirmation-feed-connection.js';
import { FLASHBLOCKS_FORMAT } from '../../../src/feed/streams/flashblocks-decoder.js';
import { toBytes } from '../../../src/lib/bytes/big-endian.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { PATIENCE_MS, until } from '../../support/patience.js';
import { WRITER, framesOf, genesis, makeBlock, type Action, type MadeBlock } from './chain-maker.js';
import { LiveRig } from './live-rig.js';

const BLOCKS = 12;
const WRITES = 6;
const SLOT = toBytes(1n, 32);

const write = (value: bigint): Action => ({ from: 0, to: WRITER, words: [1n, value] });

async function blockOn(parent: MadeBlock): Promise<MadeBlock> {
  const first = BigInt(parent.number * WRITES + 1);
  return makeBlock(
    parent,
    Array.from({ length: WRITES }, (_, at) => write(first + BigInt(at))),
  );
}

async function twoFeeds(t: TestContext, root: MadeBlock): Promise<LiveRig> {
  const rig = await LiveRig.start({ blocks: [root], hasFeed: true, feeds: 2 });
  t.after(() => rig.stop());
  return rig;
}

/** Integers from 0 to below `end`, the same in every run. */
function dice(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * end);
  };
}

/** Frames of two feeds: each loses some that the other one has, and they take turns in being ahead. */
function dealt(frames: readonly string[], roll: (end: number) => number): (readonly [feed: number, frame: string])[] {
  const lost = frames.map(() => roll(3));
  const queues = [0, 1].map((feed) => frames.filter((_, at) => lost[at] !== feed));
  const sent: (readonly [number, string])[] = [];
  while (queues.some(({ length }) => length > 0)) {
    const feed = queues[0]!.length === 0 || (queues[1]!.length > 0 && roll(2) === 1) ? 1 : 0;
    sent.push([feed, queues[feed]!.shift()!]);
  }
  return sent;
}

for (const seed of [1, 2, 3]) {
  test(`increments that one feed loses come from the other, and every block is promoted, seed ${seed}`, async (t) => {
    const root = genesis();
    const rig = await twoFeeds(t, root);
    const roll = dice(seed);
    let parent = root;
    for (let number = 1; number <= BLOCKS; number++) {
      const block = await blockOn(parent);
      for (const [feed, frame] of dealt(framesOf(block, 1), roll)) rig.sendBy(feed, frame);
      await rig.until(rig.isAt(block, WRITES), 'all increments are here');
      assert.equal(toHex(rig.pending.storage(WRITER, SLOT)), toHex(block.state.storage(WRITER, SLOT)));
      await rig.confirm(block);
      parent = block;
    }
    const { counts } = rig.status;
    assert.deepEqual([counts.blocksPromoted, counts.mismatches, counts.fallbacks], [BLOCKS, 0, 0]);
    assert.ok(counts.gapsFilled > 0);
    assert.equal(counts.gapsFilled, counts.gaps);
  });
}

test('a lost connection to one feed has no effect while the other one sends', async (t) => {
  const root = genesis();
  const rig = await twoFeeds(t, root);
  const [one, rest] = [await blockOn(root), [] as MadeBlock[]];
  const frames = framesOf(one, 1);
  rig.sendBy(0, ...frames.slice(0, 2));
  await rig.until(() => rig.newest.coordinates.index === 1, 'begun');
  rig.cut(0);
  await rig.until(() => rig.notes.some((note) => note.startsWith('one of the feeds: next try')), 'the loss is told');
  rest.push(await blockOn(one));
  rig.sendBy(1, ...frames, ...framesOf(rest[0]!, 1));
  await rig.until(rig.isAt(rest[0]!, WRITES), 'built on it');
  for (const block of [one, ...rest]) rig.node.push(block);
  await rig.atHead(rest[0]!);
  assert.deepEqual([rig.status.counts.gaps, rig.status.counts.fallbacks], [0, 0]);
});

test('a lagging feed that sends a replaced attempt changes nothing', async (t) => {
  const root = genesis();
  const rig = await twoFeeds(t, root);
  const [old, block] = [await makeBlock(root, [write(9n), write(8n)], 1), await blockOn(root)];
  const [oldFrames, frames] = [framesOf(old, 1), framesOf(block, 1)];
  rig.sendBy(0, ...oldFrames, ...frames);
  await rig.until(() => rig.newest.coordinates.index === WRITES, 'all increments are here');
  const newest = rig.reader.newest();
  rig.sendBy(1, ...oldFrames, ...frames, framesOf(await blockOn(block), 1)[0]!);
  await rig.until(() => rig.newest.coordinates.block === 2, 'the next one is opened');
  assert.ok(rig.reader.newest() <= newest + 2, 'nothing was built again');
  await rig.confirm(block);
  assert.equal(rig.status.counts.blocksPromoted, 1);
});

/** A server that records the paths of requests. `take` handles each connection, by its number. */
async function listening(
  t: TestContext,
  take: (socket: WebSocket, number: number) => void,
): Promise<[string, string[]]> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  const paths: string[] = [];
  server.on('connection', (socket, request) => take(socket, paths.push(request.url!) - 1));
  await once(server, 'listening');
  t.after(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  return [`ws://127.0.0.1:${address.port}`, paths];
}

test('a reconnect requests the increments after the newest one received', async (t) => {
  const frames = framesOf(await blockOn(genesis()), 1);
  const [url, paths] = await listening(t, (socket, number) => {
    for (const frame of number === 0 ? frames.slice(0, 3) : frames.slice(2)) socket.send(frame);
    if (number === 0) socket.close();
  });
  const reported: number[] = [];
  const tuning = { retryMsMin: 10, retryMsMax: 20, handshakeMsMax: PATIENCE_MS };
  const parts = {
    onEvent: (news: object): void =>
      void ('increment' in news && reported.push((news.increment as { index: number }).index)),
    onDown: () => undefined,
  };
  const feed = connectToFeed(FLASHBLOCKS_FORMAT, { url: `${url}/ws?key=a`, tuning }, parts);
  t.after(() => feed.close());
  await until(
    () => reported.at(-1) === WRITES,
    () => `told ${reported.join()}`,
  );
  assert.deepEqual(paths, ['/ws?key=a', '/ws?key=a&block_number=1&flashblock_index=2']);
  assert.deepEqual(reported, [0, 1, 2, 2, 3, 4, 5, 6]);
});

test('a server that refuses a position in the URL is connected to without one', async (t) => {
  const frames = framesOf(await blockOn(genesis()), 1);
  const paths: string[] = [];
  const server = new WebSocketServer({
    host: '127.0.0.1',
    port: 0,
    verifyClient: ({ req }: { req: IncomingMessage }) => {
      paths.push(req.url!);
      return !req.url!.includes('block_number');
    },
  });
  server.on('connection', (socket) => {
    socket.send(frames[0]!);
    if (paths.length === 1) socket.close();
  });
  await once(server, 'listening');
  t.after(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  const url = `ws://127.0.0.1:${(server.address() as { port: number }).port}/`;
  let reported = 0;
  const tuning = { retryMsMin: 10, retryMsMax: 20, handshakeMsMax: PATIENCE_MS };
  const feed = connectToFeed(
    FLASHBLOCKS_FORMAT,
    { url, tuning },
    { onEvent: () => void reported++, onDown: () => undefined },
  );
  t.after(() => feed.close());
  await until(
    () => reported === 2,
    () => `told ${reported}`,
  );
  assert.deepEqual(paths, ['/', '/?block_number=1&flashblock_index=0', '/']);
});
