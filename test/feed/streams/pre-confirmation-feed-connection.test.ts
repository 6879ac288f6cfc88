// The connection to a feed, with servers that misbehave in every way it must survive. Timeouts are shortened to
// milliseconds.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { WebSocketServer, type WebSocket } from 'ws';
import type { StreamEvent } from '../../../src/feed/pre-confirmation-stream-events.js';
import { FLASHBLOCKS_FORMAT } from '../../../src/feed/streams/flashblocks-decoder.js';
import { connectToFeed } from '../../../src/feed/streams/pre-confirmation-feed-connection.js';
import { BackOff } from '../../../src/upstream/transport/back-off.js';
import type { ReconnectingWebSocket } from '../../../src/upstream/transport/reconnecting-websocket.js';
import { LIMITS } from '../../../src/limits/index.js';
import { PATIENCE_MS } from '../../support/patience.js';
import { FakeClock } from '../recording-sink.js';

const TUNING = {
  pingMs: 20,
  pingsUnansweredMax: 9,
  livedMs: 300,
  retryMsMin: 10,
  retryMsMax: 80,
  handshakeMsMax: PATIENCE_MS,
};
const MESSAGE = JSON.stringify({
  payload_id: '0x0123456789abcdef',
  index: 1,
  diff: { gas_used: '0x1', transactions: ['0x02aa'] },
  metadata: { block_number: 16 },
});

interface Side {
  readonly feed: ReconnectingWebSocket;
  readonly frames: number[];
  readonly faults: string[];
  readonly downs: { readonly reason: string; readonly retryMs: number }[];
  /** Resolves once `condition` holds; evaluated after every event. */
  until(condition: () => boolean): Promise<void>;
  /** The connection's clock, which does not advance by itself. */
  readonly clock: FakeClock;
}

function follow(t: TestContext, port: number, tuning: Partial<typeof TUNING> = {}): Side {
  const waiting: { condition: () => boolean; resolve: () => void }[] = [];
  const look = (): void => {
    for (const each of waiting) if (each.condition()) each.resolve();
  };
  const clock = new FakeClock(1_000_000);
  const frames: number[] = [];
  const faults: string[] = [];
  const downs: { reason: string; retryMs: number }[] = [];
  const tell =
    <Args extends unknown[]>(note: (...args: Args) => unknown) =>
    (...args: Args): void => {
      note(...args);
      look();
    };
  const parts = {
    onEvent: tell((news: StreamEvent) => ('increment' in news ? frames.push(news.block) : faults.push(news.reason))),
    onUp: tell(() => undefined),
    onDown: tell((reason: string, retryMs: number) => downs.push({ reason, retryMs })),
    clock,
    random: () => 0,
  };
  const options = { url: `ws://127.0.0.1:${port}`, tuning: { ...TUNING, ...tuning } };
  const feed = connectToFeed(FLASHBLOCKS_FORMAT, options, parts);
  t.after(() => feed.close());
  const until = (condition: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      waiting.push({ condition, resolve });
      look();
    });
  return { feed, frames, faults, downs, until, clock };
}

/** A WebSocket server; `onSocket` is called for each connection with its number. */
async function server(
  t: TestContext,
  onSocket: (socket: WebSocket, number: number) => void,
  options: { autoPong?: boolean } = {},
): Promise<{ port: number; connections: () => number; sockets: WebSocketServer }> {
  const sockets = new WebSocketServer({ host: '127.0.0.1', port: 0, ...options });
  let count = 0;
  sockets.on('connection', (socket) => {
    socket.on('error', () => undefined);
    onSocket(socket, count++);
  });
  await once(sockets, 'listening');
  t.after(() => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
  });
  return { port: (sockets.address() as AddressInfo).port, connections: () => count, sockets };
}

/** An HTTP server that refuses WebSocket handshakes: status and headers by the number of the attempt. */
async function refusing(t: TestContext, answer: (number: number) => readonly string[]): Promise<number> {
  let count = 0;
  const http = createServer();
  http.on('upgrade', (_request, socket) => {
    const [status, ...headers] = answer(count++);
    socket.end([`HTTP/1.1 ${status} No`, ...headers, 'Connection: close', '', ''].join('\r\n'));
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  t.after(() => http.close());
  return (http.address() as AddressInfo).port;
}

void describe('the connection to a feed', () => {
  void it('reports text and binary messages as increments, and malformed ones as faults', async (t) => {
    const { port } = await server(t, (socket) => {
      socket.send(MESSAGE);
      socket.send(Buffer.from(MESSAGE));
      socket.send('nonsense');
      socket.send(MESSAGE);
    });
    const side = follow(t, port);
    await side.until(() => side.frames.length === 3 && side.faults.length === 1);
    assert.deepEqual([side.downs, side.feed.status.isUp], [[], true]);
  });

  void it('counts silence from the last message, whether connected or not', async (t) => {
    const { port } = await server(t, (socket) => socket.send(MESSAGE));
    const side = follow(t, port);
    const startedMs = side.clock.now();
    assert.equal(side.feed.silentMs(startedMs + 5000), 5000);
    side.clock.spend(400);
    await side.until(() => side.frames.length === 1);
    assert.equal(side.feed.silentMs(startedMs + 1000), 600);
    assert.equal(side.feed.silentMs(startedMs + 400), 0);
  });

  void it('stays open while its pings are answered', async (t) => {
    const { port, sockets } = await server(t, () => undefined);
    const side = follow(t, port);
    await side.until(() => side.feed.status.isUp);
    const [socket] = sockets.clients;
    for (let pings = 0; pings < 3 * TUNING.pingsUnansweredMax; pings++) await once(socket!, 'ping');
    assert.deepEqual([side.downs, side.feed.status.isUp], [[], true]);
  });

  void it('is reopened if pongs are missing, even if messages come', async (t) => {
    const { port } = await server(
      t,
      (socket) => {
        const sending = setInterval(() => socket.send(MESSAGE), 5);
        socket.on('close', () => clearInterval(sending));
      },
      { autoPong: false },
    );
    const side = follow(t, port);
    await side.until(() => side.downs.length === 2 && side.feed.status.isUp);
    for (const { reason } of side.downs) assert.match(reason, /no pong/);
  });

  void it('is reopened after each close with growing delays, up to a limit', async (t) => {
    const { port } = await server(t, (socket) => socket.close(1000, 'enough'));
    const side = follow(t, port);
    await side.until(() => side.downs.length === 6);
    assert.deepEqual(
      side.downs.map(({ retryMs }) => retryMs),
      [5, 10, 20, 40, 40, 40],
    );
    assert.equal(side.downs[0]!.reason, 'closed with code 1000: enough');
  });

  void it('starts with the shortest delay again after it was open for long enough', async (t) => {
    const { port, sockets } = await server(t, (socket, number) => {
      if (number < 3) socket.terminate();
    });
    const side = follow(t, port);
    await side.until(() => side.downs.length === 3 && side.feed.status.isUp);
    side.clock.spend(TUNING.livedMs);
    for (const socket of sockets.clients) socket.terminate();
    await side.until(() => side.downs.length === 4);
    assert.deepEqual(
      side.downs.map(({ retryMs }) => retryMs),
      [5, 10, 20, 5],
    );
  });

  void it('waits for the longest delay after close code 1013', async (t) => {
    const { port } = await server(t, (socket) => socket.close(1013, 'try again later'));
    const side = follow(t, port);
    await side.until(() => side.downs.length === 1);
    assert.equal(side.downs[0]!.retryMs, 40);
  });

  void it('obeys Retry-After of status 429', async (t) => {
    const port = await refusing(t, () => ['429', 'Retry-After: 2']);
    const side = follow(t, port);
    await side.until(() => side.downs.length === 1);
    assert.deepEqual(side.downs, [{ reason: 'status 429', retryMs: 2040 }]);
  });

  void it('limits a Retry-After that is too long', async (t) => {
    const port = await refusing(t, () => ['429', 'Retry-After: 999999999']);
    const side = follow(t, port);
    await side.until(() => side.downs.length === 1);
    assert.equal(side.downs[0]!.retryMs, LIMITS.feedRetryAfterMsMax + 40);
  });

  void it('waits for the longest delay after status 429 without Retry-After, and for the usual one after other statuses', async (t) => {
    const port = await refusing(t, (number) => [number === 0 ? '404' : '429']);
    const side = follow(t, port);
    await side.until(() => side.downs.length === 2);
    assert.deepEqual(side.downs, [
      { reason: 'status 404', retryMs: 5 },
      { reason: 'status 429', retryMs: 40 },
    ]);
  });

  void it('is closed and reopened by a message that is too large', async (t) => {
    const { port } = await server(t, (socket, number) => {
      if (number === 0) socket.send(Buffer.alloc(LIMITS.feedFrameBytesMax + 1));
      else socket.send(MESSAGE);
    });
    const side = follow(t, port);
    await side.until(() => side.frames.length === 1);
    assert.deepEqual(
      side.downs.map(({ reason }) => reason),
      ['Max payload size exceeded'],
    );
  });

  void it('is opened once a missing server is there', async (t) => {
    const first = await server(t, () => undefined);
    first.sockets.close();
    await once(first.sockets, 'close');
    const side = follow(t, first.port);
    await side.until(() => side.downs.length === 2);
    assert.match(side.downs[0]!.reason, /ECONNREFUSED/);
    const sockets = new WebSocketServer({ host: '127.0.0.1', port: first.port });
    sockets.on('connection', (socket) => socket.send(MESSAGE));
    t.after(() => {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
    });
    await side.until(() => side.frames.length === 1);
  });

  void it('gives up on a server that never answers the handshake', async (t) => {
    const http = createServer();
    http.on('upgrade', () => undefined);
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    t.after(() => http.closeAllConnections());
    t.after(() => http.close());
    const side = follow(t, (http.address() as AddressInfo).port, { handshakeMsMax: 50 });
    await side.until(() => side.downs.length === 1);
    assert.match(side.downs[0]!.reason, /handshake/);
  });

  void it('reports nothing and does not reconnect after close', async (t) => {
    const { port, connections } = await server(t, (socket) => socket.send(MESSAGE));
    const side = follow(t, port);
    await side.until(() => side.feed.status.isUp);
    side.feed.close();
    assert.equal(side.feed.status.isUp, false);
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
    assert.deepEqual([side.downs.length, connections()], [0, 1]);
  });

  void it('stops waiting for the next try at close', async (t) => {
    const { port, connections } = await server(t, (socket) => socket.terminate());
    const side = follow(t, port);
    await side.until(() => side.downs.length === 1);
    side.feed.close();
    const before = connections();
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
    assert.equal(connections(), before);
  });
});

void describe('the retry delay', () => {
  void it('has jitter between half and all of it', () => {
    const options = { retryMsMin: LIMITS.feedRetryMsMin, retryMsMax: LIMITS.feedRetryMsMax };
    const [least, most] = [new BackOff(options, () => 0), new BackOff(options, () => 1 - Number.EPSILON)];
    assert.deepEqual(
      [1, 2, 3, 4, 5, 6, 7, 8, 9].map(() => least.next()),
      [100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000],
    );
    assert.deepEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map(() => Math.round(most.next())),
      [200, 400, 800, 1600, 3200, 6400, 12_800, 20_000],
    );
  });
});
