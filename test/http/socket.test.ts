// WebSocket /: the same service over frames, with the same limits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/patience.js';
import { answerOf, echo, echoLater, inTurn, pause, serve } from './server.js';
import type { Served } from './server.js';
import { OPCODE, SocketClient, frame, handshake } from './socket-client.js';
import { Wire, post } from './wire.js';

void test('messages are answered in order, as text', async (t) => {
  const { port, server } = await serve(t, echo());
  const client = await SocketClient.open(port);
  const messages = ['{"id":1}', 'x'.repeat(125), 'y'.repeat(126), 'z'.repeat(70_000), 'ü€'];
  for (const message of messages) client.sendText(message);
  assert.deepEqual(await client.texts(messages.length), messages);
  assert.ok(client.frames().every(({ opcode }) => opcode === OPCODE.text));
  assert.equal(server.traffic().socketMessages, messages.length);
  client.wire.close();
  await until(() => server.traffic().socketsOpen === 0);
});

void test('a message in fragments and byte by byte is put together', async (t) => {
  const { port } = await serve(t, echo());
  const client = await SocketClient.open(port);
  const fragments = [
    frame(OPCODE.text, Buffer.from('one '), false),
    frame(OPCODE.ping, Buffer.from('p')),
    frame(OPCODE.continuation, Buffer.from('two'), true),
  ];
  await inTurn(Array.from(Buffer.concat(fragments)), async (byte) => {
    client.wire.send(Buffer.from([byte]));
    await pause(1);
  });
  assert.deepEqual(await client.texts(2), ['p', 'one two']);
  assert.deepEqual(
    client.frames().map(({ opcode }) => opcode),
    [OPCODE.pong, OPCODE.text],
  );
  client.wire.close();
});

void test('a binary message is answered, as text', async (t) => {
  const { port } = await serve(t, echo());
  const client = await SocketClient.open(port);
  client.wire.send(frame(OPCODE.binary, Buffer.from('{}')));
  await client.texts(1);
  assert.deepEqual(
    client.frames().map(({ opcode, payload }) => [opcode, payload.toString()]),
    [[OPCODE.text, '{}']],
  );
  client.wire.close();
});

void test('asynchronous answers go out as they are ready, notifications have none', async (t) => {
  const { port } = await serve(t, (body) => {
    const text = Buffer.from(body).toString();
    if (text === 'quiet') return answerOf('', null, 204);
    if (text === 'now') return answerOf('now');
    return pause(30).then(() => answerOf(text));
  });
  const client = await SocketClient.open(port);
  for (const text of ['later', 'quiet', 'now']) client.sendText(text);
  assert.deepEqual(await client.texts(2), ['now', 'later']);
  client.wire.close();
});

void test('answers to a closed connection are dropped', async (t) => {
  const { port, server, faults } = await serve(t, echoLater(60));
  const client = await SocketClient.open(port);
  for (let i = 0; i < 10; i++) client.sendText('x');
  await until(() => server.traffic().inFlight === 10);
  client.wire.close();
  await until(() => server.traffic().inFlight === 0);
  assert.deepEqual([faults, server.traffic().socketsOpen, server.traffic().bytesOut], [[], 0, 0]);
});

void test('a message over the limit closes the connection unread', async (t) => {
  let calls = 0;
  const service = (): ReturnType<typeof answerOf> => {
    calls++;
    return answerOf('ok');
  };
  const { port } = await serve(t, service, { bodyBytesMax: 100_000 });
  const client = await SocketClient.open(port);
  client.sendText('x'.repeat(100_000));
  assert.deepEqual(await client.texts(1), ['ok']);
  client.sendText('x'.repeat(100_001));
  await client.wire.ended();
  assert.equal(calls, 1);
});

void test('text that is not UTF-8 and reserved opcodes close the connection', async (t) => {
  const { port } = await serve(t, echo());
  await inTurn([frame(OPCODE.text, Buffer.from([0xff, 0xfe])), frame(3, Buffer.from('x'))], async (bytes) => {
    const client = await SocketClient.open(port);
    client.wire.send(bytes);
    await client.wire.ended();
    assert.ok(client.frames().every(({ opcode }) => opcode === OPCODE.close));
  });
});

/** Asks for more, without reading, until nothing more is answered. */
async function flood(served: Served, client: SocketClient): Promise<void> {
  client.wire.socket.pause();
  await inTurn(Array.from({ length: 100 }), async () => {
    for (let i = 0; i < 10; i++) client.sendText('more');
    await pause(1);
  });
  assert.ok(served.server.traffic().bytesOut < 50_000_000, `${served.server.traffic().bytesOut} bytes were taken`);
}

void test('a client that does not read is served no more, and told so once it reads', async (t) => {
  const answer = Buffer.alloc(100_000, 'x');
  const served = await serve(t, () => answerOf(answer), { socketBacklogBytesMax: 500_000 });
  const client = await SocketClient.open(served.port);
  await flood(served, client);
  const { socketsOpen, unsentBytes } = served.server.traffic();
  assert.equal(socketsOpen, 1);
  assert.ok(unsentBytes > 500_000 && unsentBytes <= 600_014, `${unsentBytes}`);
  client.wire.socket.resume();
  assert.deepEqual(await client.closed(), { code: 1008, reason: 'answers are not read' });
  assert.ok(client.frames().length > 5);
  client.wire.close();
  await until(() => served.server.traffic().socketsOpen === 0);
  assert.deepEqual([served.server.traffic().socketsTooSlow, served.server.traffic().unsentBytes], [1, 0]);
});

void test('a client that does not read at all is cut off, and what waited for it is forgotten', async (t) => {
  const answer = Buffer.alloc(100_000, 'x');
  const served = await serve(t, () => answerOf(answer), { socketBacklogBytesMax: 500_000, socketGraceMsMax: 50 });
  const client = await SocketClient.open(served.port);
  await flood(served, client);
  await until(() => served.server.traffic().socketsOpen === 0);
  assert.deepEqual([served.server.traffic().socketsTooSlow, served.server.traffic().unsentBytes], [1, 0]);
  client.wire.close();
});

void test('what waits for slow readers of WebSockets and of HTTP shares one bound', async (t) => {
  const answer = Buffer.alloc(20_000_000);
  const bounds = { unsentBytesMax: 25_000_000, socketBacklogBytesMax: 1_000_000 };
  const { port, server } = await serve(t, () => answerOf(answer), bounds);
  const wire = await Wire.open(port);
  wire.socket.pause();
  wire.send(post('x'));
  await until(() => server.traffic().unsentBytes > 10_000_000);
  const client = await SocketClient.open(port);
  client.wire.socket.pause();
  client.sendText('x');
  await until(() => server.traffic().socketsTooSlow === 1);
  assert.ok(server.traffic().unsentBytes <= 25_000_000);
  wire.close();
  client.wire.close();
  await until(() => server.traffic().unsentBytes === 0);
});

void test('a slow reader within the bound gets everything', async (t) => {
  const answer = Buffer.alloc(5_000_000, 'abc');
  const { port, server } = await serve(t, () => answerOf(answer));
  const client = await SocketClient.open(port);
  client.wire.socket.pause();
  client.sendText('x');
  await until(() => server.traffic().unsentBytes > 0);
  client.wire.socket.resume();
  const [text] = await client.texts(1);
  assert.ok(answer.equals(Buffer.from(text ?? '')));
  await until(() => server.traffic().unsentBytes === 0);
  client.wire.close();
});

void test('more connections than allowed are refused before the handshake', async (t) => {
  const { port, server } = await serve(t, echo(), { connectionsMax: 2 });
  const clients = [await SocketClient.open(port), await SocketClient.open(port)];
  const third = await Wire.open(port);
  third.send(handshake());
  assert.equal((await third.reply()).status, 503);
  clients[0]!.wire.close();
  await until(() => server.traffic().socketsOpen === 1);
  clients.push(await SocketClient.open(port));
  for (const client of clients) client.wire.close();
  third.close();
});

void test('pages of foreign origins are refused, those allowed and plain clients served', async (t) => {
  const { port } = await serve(t, echo(), { cors: ['https://app.example'] });
  const wire = await Wire.open(port);
  wire.send(handshake(['Origin: https://evil.example']));
  assert.equal((await wire.reply()).status, 403);
  const clients = [await SocketClient.open(port), await SocketClient.open(port, ['Origin: https://app.example'])];
  for (const { wire: open } of [...clients, { wire }]) open.close();
});

void test('an exception of the service closes the connection as internal error', async (t) => {
  const failures = [
    () => {
      throw new Error('secret');
    },
    () => Promise.reject(new Error('secret')),
  ];
  const { port, faults } = await serve(t, () => failures[faults.length]!());
  await inTurn([1, 2], async (count) => {
    const client = await SocketClient.open(port);
    client.sendText('x');
    assert.deepEqual(await client.closed(), { code: 1011, reason: 'internal error' });
    assert.equal(faults.length, count);
    client.wire.close();
  });
});
