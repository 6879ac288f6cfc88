// The dev chain's WebSocket feed, followed by the project's own client and block tree, and by misbehaving clients.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { brotliDecompressSync } from 'node:zlib';
import { WebSocket } from 'ws';
import { decodeHeader } from '../../../src/chain/block/header.js';
import { createDevChain } from '../../../src/feed/dev/dev-chain.js';
import { listenDevFeedServer, type DevFeedServer } from '../../../src/feed/dev/feed-server.js';
import type { CanonicalBlock, ReportedIncrement } from '../../../src/feed/pre-confirmation-stream-events.js';
import { decodeFlashblock, FLASHBLOCKS_FORMAT } from '../../../src/feed/streams/flashblocks-decoder.js';
import { connectToFeed } from '../../../src/feed/streams/pre-confirmation-feed-connection.js';
import type { FeedSink } from '../../../src/feed/feed.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { LIMITS } from '../../../src/limits/index.js';
import { StartError } from '../../../src/lib/start-error.js';
import type { CompleteBlock } from '../../../src/state/complete-block.js';
import type { StateDiff } from '../../../src/state/state-diff.js';
import { TreeRig } from '../live/tree/tree-rig.js';
import { devWallet, signed } from '../keys.js';
import { FakeClock, RecordingSink, submitAll } from '../recording-sink.js';

const START_MS = 1_700_000_000_000;

async function listening(t: TestContext): Promise<DevFeedServer> {
  const feed = await listenDevFeedServer(0);
  t.after(() => feed.close());
  return feed;
}

/** A client that decompresses and stores every message. */
async function client(t: TestContext, feed: DevFeedServer): Promise<{ socket: WebSocket; messages: Buffer[] }> {
  const socket = new WebSocket(`ws://127.0.0.1:${feed.port}`);
  const messages: Buffer[] = [];
  socket.on('message', (data: Buffer) => messages.push(brotliDecompressSync(data)));
  socket.on('error', () => undefined);
  t.after(() => socket.terminate());
  await once(socket, 'open');
  return { socket, messages };
}

/** Once the pong of a new ping has arrived, every message sent before it has too. */
async function settled(socket: WebSocket): Promise<void> {
  socket.ping();
  await once(socket, 'pong');
}

/** Runs a dev chain on a fake clock over `feed`; every wakeup awaits `gate`. */
async function runChain(
  feed: DevFeedServer,
  ms: number,
  gate: (sink: RecordingSink) => Promise<void>,
): Promise<RecordingSink> {
  const clock = new FakeClock(START_MS);
  const sink = new RecordingSink(clock);
  const chain = createDevChain({ kind: 'dev', trafficTps: 12 }, { clock, contents: () => sink.contents() });
  for (let at = 100; at < ms; at += 200) clock.plan(START_MS + at, () => gate(sink));
  const wallet = devWallet(0);
  const transfers = [0, 1, 2, 3, 4, 5].map((nonce) => signed(wallet, { nonce }));
  transfers.forEach((raw, at) =>
    clock.plan(START_MS + 300 + 500 * at, async () => void (await submitAll(chain, [raw]))),
  );
  let stopped: Promise<void> = Promise.resolve();
  clock.plan(START_MS + ms, () => {
    stopped = chain.stop();
  });
  await chain.run(feed.over(sink), null);
  await stopped;
  await gate(sink);
  return sink;
}

/** Reports of the chain other than complete blocks, as short strings. */
function published(sink: RecordingSink): string[] {
  let gasUsed = 0n;
  return sink.reports.flatMap(({ diff, transactions, block }) => {
    if (block !== null) return [];
    if (diff.coordinates.index === 0) gasUsed = 0n;
    gasUsed = transactions.at(-1)?.receipt.cumulativeGasUsed ?? gasUsed;
    return [
      line(
        diff.coordinates.block,
        diff.coordinates.index,
        gasUsed,
        transactions.map(({ raw }) => raw),
      ),
    ];
  });
}

function line(block: number, index: number, gasUsed: bigint, raws: readonly Uint8Array[]): string {
  return `${block}/${index} ${gasUsed} ${raws.map(toHex).join(',')}`;
}

void describe('the feed of the dev chain', () => {
  void it('is followed exactly', async (t) => {
    const feed = await listening(t);
    const rig = new TreeRig();
    const steps: string[] = [];
    const frames: ReportedIncrement[] = [];
    const take = (block: CanonicalBlock): void => {
      if (block.number > 0) return void steps.push(...rig.canonical(block));
      rig.begin(block);
      for (const each of frames) steps.push(...rig.take(each));
    };
    await new Promise<void>((onUp) => {
      const options = { url: `ws://127.0.0.1:${feed.port}` };
      const live = connectToFeed(FLASHBLOCKS_FORMAT, options, {
        onEvent: (news) => {
          if (!('increment' in news)) return assert.fail(news.reason);
          frames.push(news);
          if (rig.tree.tip !== null) steps.push(...rig.take(news));
        },
        onUp,
        onDown: assert.fail,
      });
      t.after(() => live.close());
    });
    let complete = 0;
    // The follower gets a complete block only after half of the next block's increments.
    const sink = await runChain(feed, 7900, async ({ reports, blocks }) => {
      const sent = reports.filter(({ block }) => block === null).length;
      while (frames.length < sent) await setImmediate();
      const { index } = reports.at(-1)!.diff.coordinates;
      if (complete > 0 && index < 5) return;
      for (; complete < blocks.length; complete++) take(canonicalOf(blocks[complete]!));
    });
    const lines = published(sink);
    const reported = frames.map((each) => {
      const { index, gasUsed, transactions } = each.increment;
      return line(each.block, index, gasUsed!, transactions);
    });
    assert.deepEqual(reported, lines);
    const opened = frames.map((each) => {
      return each.kind === 'open' ? `open ${each.block}` : `append ${each.block}/${each.increment.index}`;
    });
    assert.deepEqual(
      steps.filter((step) => !step.startsWith('promote')),
      opened,
    );
    assert.ok(lines.some((text) => text.includes('0x')) && sink.blocks.length === 5);
    checkHeaders(frames, sink);
    assert.equal(rig.tree.tip?.number, 4);
  });

  void it('starts each block with its environment', async (t) => {
    const feed = await listening(t);
    const { socket, messages } = await client(t, feed);
    const sink = await runChain(feed, 3000, () => settled(socket));
    const openings = messages
      .map((data) => JSON.parse(data.toString()) as { index: number })
      .filter(({ index }) => index === 0);
    assert.ok(openings.length >= 2);
    for (const opening of openings) {
      const decoded = decodeFlashblock(Buffer.from(JSON.stringify(opening)));
      assert.ok(decoded.kind === 'open');
      const { base, block: blockNumber } = decoded;
      const { diff } = sink.reports.find(
        ({ diff: { coordinates } }) => coordinates.block === blockNumber && coordinates.index === 0,
      )!;
      assert.deepEqual({ ...base.env, excessBlobGas: diff.env.excessBlobGas }, diff.env);
      assert.equal(toHex(base.parentHash!), toHex(diff.coordinates.parentHash));
      const block = sink.blocks.find(({ number }) => number === blockNumber)!;
      assert.equal(toHex(base.extraData!), toHex(decodeHeader(block.header).extraData));
    }
  });

  void it('gives a late follower only what is new, with totals of the whole block', async (t) => {
    const feed = await listening(t);
    const late: { socket: WebSocket; messages: Buffer[] }[] = [];
    let awakenings = 0;
    const sink = await runChain(feed, 3900, async () => {
      awakenings++;
      if (awakenings === 15) late.push(await client(t, feed));
      if (late[0] !== undefined) await settled(late[0].socket);
    });
    const messages = late[0]!.messages.map((data) => JSON.parse(data.toString()) as Message);
    assert.deepEqual([messages[0]!.metadata.block_number, messages[0]!.index, 'base' in messages[0]!], [2, 6, false]);
    const block = sink.blocks.at(-1)!;
    const header = decodeHeader(block.header);
    const last = messages.findLast(({ metadata }) => metadata.block_number === block.number)!;
    assert.ok(header.gasUsed > 0n);
    assert.deepEqual(
      [BigInt(last.diff.gas_used), last.diff.receipts_root, last.diff.logs_bloom],
      [header.gasUsed, toHex(header.receiptsRoot), toHex(header.logsBloom)],
    );
  });

  void it('drops a follower that does not read, while others receive everything', async (t) => {
    const feed = await listening(t);
    const reader = await client(t, feed);
    const slow = await client(t, feed);
    slow.socket.pause();
    const sink = feed.over(nowhere);
    const raw = randomBytes(100_000);
    const transaction = { hash: new Uint8Array(32), raw, from: new Uint8Array(20), receipt: RECEIPT };
    let sent = 0;
    while (feed.counters.dropped === 0) {
      sink.publish(increment(sent++), {
        gasUsed: 21_000n,
        blobGasUsed: 0n,
        extraData: new Uint8Array(0),
        transactions: [transaction],
      });
      await settled(reader.socket);
      assert.ok(sent < 1000, 'the one that does not read is dropped');
    }
    assert.deepEqual(feed.counters, { followers: 1, dropped: 1 });
    assert.equal(reader.messages.length, sent);
    assert.ok(sent * raw.length > LIMITS.devFeedBacklogBytesMax);
  });

  void it('answers pings, ignores messages, and closes the connection at long ones', async (t) => {
    const feed = await listening(t);
    const { socket } = await client(t, feed);
    socket.send('hello');
    await settled(socket);
    assert.equal(feed.counters.followers, 1);
    socket.send('x'.repeat(100_000));
    const [code] = (await once(socket, 'close')) as [number];
    assert.equal(code, 1009);
  });

  void it('refuses followers beyond the limit and tells them to retry later', async (t) => {
    const feed = await listening(t);
    for (let count = 0; count < LIMITS.devFeedClientsMax; count++) {
      await client(t, feed);
    }
    const { socket } = await client(t, feed);
    const [code] = (await once(socket, 'close')) as [number];
    assert.equal(code, 1013);
  });

  void it('survives a connection that is reset', async (t) => {
    const feed = await listening(t);
    const raw = connect(feed.port, '127.0.0.1');
    await once(raw, 'connect');
    raw.write('GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n');
    raw.resetAndDestroy();
    const { socket, messages } = await client(t, feed);
    feed.over(nowhere).publish(increment(0), NOTHING_NEW);
    await settled(socket);
    assert.equal(messages.length, 1);
  });

  void it('gives each attempt at a block its own payload id', async (t) => {
    const feed = await listening(t);
    const { socket, messages } = await client(t, feed);
    const sink = feed.over(nowhere);
    for (const index of [0, 1, 0, 1]) sink.publish(increment(index), NOTHING_NEW);
    await settled(socket);
    const ids = messages.map((data) => (JSON.parse(data.toString()) as Message).payload_id);
    assert.deepEqual([ids[0] === ids[1], ids[2] === ids[3], ids[0] === ids[2]], [true, true, false]);
  });

  void it('reports a port in use with a one-line error', async (t) => {
    const { port } = await listening(t);
    await assert.rejects(listenDevFeedServer(port), (error) => {
      assert.ok(error instanceof StartError);
      assert.match(error.message, /cannot listen on port \d+/);
      return error.exitCode === 1;
    });
  });
});

interface Message {
  readonly payload_id: string;
  readonly index: number;
  readonly diff: { readonly gas_used: string; readonly receipts_root: string; readonly logs_bloom: string };
  readonly metadata: { readonly block_number: number };
}

const RECEIPT = {
  type: 2,
  status: 1 as const,
  gasUsed: 21_000n,
  cumulativeGasUsed: 21_000n,
  effectiveGasPrice: 1n,
  contractAddress: null,
  logs: [],
};

const NOTHING_NEW = { gasUsed: 0n, blobGasUsed: 0n, extraData: new Uint8Array(0), transactions: [] };

const nowhere: FeedSink = {
  goBack: () => Promise.reject(new Error('nothing is taken back here')),
  publish: () => {},
  complete: () => Promise.resolve(),
  view: () => assert.fail('not asked for'),
  progress: () => {},
};

function increment(index: number): StateDiff {
  const word = new Uint8Array(32);
  return {
    coordinates: { block: 7, index, hash: null, parentHash: word },
    env: {
      number: 7,
      timestamp: 1n,
      gasLimit: 1n,
      baseFeePerGas: 1n,
      coinbase: new Uint8Array(20),
      prevRandao: word,
      difficulty: 0n,
      excessBlobGas: 0n,
      parentBeaconBlockRoot: word,
    },
    heads: { latest: 6, safe: null, finalized: null },
    accounts: [],
    slots: [],
    codes: [],
  };
}

function canonicalOf({ number, hash, header, transactions }: CompleteBlock): CanonicalBlock {
  const transactionHashes = transactions.map((each) => each.hash);
  return { number, hash, parentHash: decodeHeader(header).parentHash, transactionHashes };
}

/** Each block's last frame agrees with its header. */
function checkHeaders(frames: readonly ReportedIncrement[], sink: RecordingSink): void {
  for (const { number, header } of sink.blocks.slice(1)) {
    const last = frames.findLast(({ block }) => block === number)!.increment;
    const { gasUsed, receiptsRoot } = decodeHeader(header);
    assert.equal(last.gasUsed, gasUsed);
    assert.equal(toHex(last.receiptsRoot!), toHex(receiptsRoot));
  }
}
