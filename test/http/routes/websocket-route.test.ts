// WebSocket /: the same service as POST, with the same limits.
import assert from 'node:assert/strict';
import { until } from '../../support/patience.js';
import { answerOf, backendTest, echo, echoLater, inTurn, pause, serve } from '../server.js';
import type { Served } from '../server.js';
import { OPCODE, SocketClient, frame, handshake } from '../socket-client.js';
import { Wire, post, request } from '../wire.js';

backendTest('messages are answered in order, as text', async (t) => {
  const { port, server } = await serve(t, echo());
  const client = await SocketClient.open(port);
  const messages = ['{"id":1}', 'x'.repeat(125), 'y'.repeat(126), 'z'.repeat(70_000), 'ü€'];
  for (const message of messages) client.sendText(message);
  assert.deepEqual(await client.texts(messages.length), messages);
  assert.ok(client.frames().every(({ opcode }) => opcode === OPCODE.text));
  assert.equal(server.counts().socketMessages, messages.length);
  client.wire.close();
  await until(() => server.counts().socketsOpen === 0);
});

backendTest('a message in fragments and byte by byte is put together', async (t) => {
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

backendTest('a binary message is answered, as text', async (t) => {
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

backendTest('asynchronous answers go out as they are ready, notifications have none', async (t) => {
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

backendTest('answers to a closed connection are dropped', async (t) => {
  const { port, server, faults } = await serve(t, echoLater(60));
  const client = await SocketClient.open(port);
  for (let i = 0; i < 10; i++) client.sendText('x');
  await until(() => server.counts().inFlight === 10);
  client.wire.close();
  await until(() => server.counts().inFlight === 0);
  assert.deepEqual([faults, server.counts().socketsOpen, server.counts().bytesOut], [[], 0, 0]);
});

backendTest('a message over the limit closes the connection unread', async (t) => {
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

backendTest('text that is not UTF-8 and reserved opcodes close the connection', async (t) => {
  const { port } = await serve(t, echo());
  await inTurn([frame(OPCODE.text, Buffer.from([0xff, 0xfe])), frame(3, Buffer.from('x'))], async (bytes) => {
    const client = await SocketClient.open(port);
    client.wire.send(bytes);
    await client.wire.ended();
    assert.ok(client.frames().every(({ opcode }) => opcode === OPCODE.close));
  });
});

/** Sends requests without reading, until the connection is dropped. */
async function flood(served: Served, client: SocketClient): Promise<void> {
  client.wire.socket.pause();
  while (served.server.counts().slowReaders === 0) {
    for (let i = 0; i < 10; i++) client.sendText('more');
    await pause(1);
  }
}

backendTest(
  'a client that asks on and does not read is cut off at its share, and what waited is forgotten',
  async (t) => {
    const answer = Buffer.alloc(100_000, 'x');
    const served = await serve(t, () => answerOf(answer), { unsentBytesPerClientMax: 5_000_000 });
    const client = await SocketClient.open(served.port);
    await flood(served, client);
    await until(() => served.server.counts().socketsOpen === 0);
    const { slowReaders, unsentBytes, bytesOut } = served.server.counts();
    assert.deepEqual([slowReaders, unsentBytes], [1, 0]);
    assert.ok(bytesOut < 50_000_000, `${bytesOut} bytes were taken`);
    client.wire.close();
  },
);

backendTest('a client that reads is served, however much it asks for at once', async (t) => {
  const answer = Buffer.alloc(2_000_000, 'x');
  const served = await serve(t, () => pause(20).then(() => answerOf(answer)));
  const client = await SocketClient.open(served.port);
  for (let i = 0; i < 12; i++) client.sendText('x');
  const texts = await client.texts(12);
  assert.deepEqual(
    texts.map(({ length }) => length),
    Array.from({ length: 12 }, () => 2_000_000),
  );
  await until(() => served.server.counts().unsentBytes === 0);
  assert.equal(served.server.counts().slowReaders, 0);
  client.wire.close();
});

backendTest('a client that takes nothing for too long is cut off', async (t) => {
  const answer = Buffer.alloc(20_000_000);
  const served = await serve(t, () => answerOf(answer), { unsentStallMsMax: 100 });
  const client = await SocketClient.open(served.port);
  client.wire.socket.pause();
  client.sendText('x');
  await until(() => served.server.counts().slowReaders === 1);
  assert.deepEqual([served.server.counts().unsentBytes, served.server.counts().socketsOpen], [0, 0]);
  client.wire.close();
});

backendTest('a client that reads slowly and steadily gets everything, however long it takes', async (t) => {
  let nowMs = 0;
  const [bounds, clock] = [{ unsentStallMsMax: 4000 }, { nowMs: () => nowMs }];
  const { port, server } = await serve(t, () => answerOf(Buffer.alloc(30_000_000)), bounds, clock);
  const [client, wire] = [await SocketClient.open(port), await Wire.open(port)];
  for (const { socket } of [client.wire, wire]) socket.pause();
  client.sendText('x');
  wire.send(post('x'));
  await until(() => server.counts().unsentBytes > 50_000_000);
  while (server.counts().unsentBytes > 0 && server.counts().slowReaders === 0) {
    for (const { socket } of [client.wire, wire]) socket.read(200_000);
    nowMs += 100;
    await pause(10);
  }
  assert.equal(server.counts().slowReaders, 0);
  assert.ok(nowMs > 2 * bounds.unsentStallMsMax);
  client.wire.close();
  wire.close();
});

backendTest('unsent answers of WebSockets and of HTTP share one bound', async (t) => {
  const answer = Buffer.alloc(20_000_000);
  const { port, server } = await serve(t, () => answerOf(answer), { unsentBytesMax: 25_000_000 });
  const wire = await Wire.open(port);
  wire.socket.pause();
  wire.send(post('x'));
  await until(() => server.counts().unsentBytes > 10_000_000);
  const client = await SocketClient.open(port);
  client.sendText('x');
  const [text] = await client.texts(1);
  assert.equal(text?.length, 20_000_000);
  assert.equal(server.counts().slowReaders, 1, 'the one that does not read made room');
  wire.close();
  client.wire.close();
  await until(() => server.counts().unsentBytes === 0);
});

backendTest('a slow reader within the bound gets everything', async (t) => {
  const answer = Buffer.alloc(5_000_000, 'abc');
  const { port, server } = await serve(t, () => answerOf(answer));
  const client = await SocketClient.open(port);
  client.wire.socket.pause();
  client.sendText('x');
  await until(() => server.counts().unsentBytes > 0);
  client.wire.socket.resume();
  const [text] = await client.texts(1);
  assert.ok(answer.equals(Buffer.from(text ?? '')));
  await until(() => server.counts().unsentBytes === 0);
  client.wire.close();
});

backendTest('more connections than allowed are refused before the handshake', async (t) => {
  const bounds = [{ socketsMax: 2 }, { socketsPerClientMax: 2 }];
  await inTurn(bounds, async (bound) => {
    const { port, server } = await serve(t, echo(), bound);
    const clients = [await SocketClient.open(port), await SocketClient.open(port)];
    const third = await Wire.open(port);
    third.send(handshake());
    const refusal = await third.reply();
    assert.deepEqual([refusal.status, refusal.headers.get('retry-after')], [503, '1']);
    clients[0]!.wire.close();
    await until(() => server.counts().socketsOpen === 1);
    clients.push(await SocketClient.open(port));
    for (const client of clients) client.wire.close();
    third.close();
  });
});

backendTest('clients that a proxy names have shares of their own', async (t) => {
  const { port } = await serve(t, echo(), { socketsPerClientMax: 1, clientHeader: 'X-Forwarded-For' });
  const headers = ['203.0.113.7, 10.0.0.1', '203.0.113.8'].map((value) => [`X-Forwarded-For: ${value}`]);
  const clients = [await SocketClient.open(port, headers[0]), await SocketClient.open(port, headers[1])];
  const wire = await Wire.open(port);
  wire.send(handshake(['X-Forwarded-For: 203.0.113.7']));
  assert.equal((await wire.reply()).status, 503);
  for (const { wire: open } of [...clients, { wire }]) open.close();
});

/** The response to a message of `length` bytes. */
async function query(client: SocketClient, length: number): Promise<string | undefined> {
  const before = client.frames().length;
  client.sendText('x'.repeat(length));
  return (await client.texts(before + 1))[before];
}

backendTest('the first connections may send large messages, further ones small ones', async (t) => {
  const bounds = [{ largeSocketsMax: 2 }, { largeSocketsPerClientMax: 2 }];
  await inTurn(bounds, async (bound) => {
    const { port, server } = await serve(t, echo(), { ...bound, smallMessageBytesMax: 1000 });
    const clients = [
      await SocketClient.open(port),
      await SocketClient.open(port),
      await SocketClient.open(port),
      await SocketClient.open(port),
    ];
    await inTurn(clients, async (client) => assert.equal((await query(client, 1000))?.length, 1000));
    await inTurn(clients.slice(0, 2), async (client) => assert.equal((await query(client, 100_000))?.length, 100_000));
    await inTurn(clients.slice(2), async (client) => {
      client.sendText('x'.repeat(1001));
      await client.wire.ended();
      assert.equal(client.frames().filter(({ opcode }) => opcode === OPCODE.text).length, 1);
    });
    clients[0]!.wire.close();
    await until(() => server.counts().socketsOpen === 1);
    const next = await SocketClient.open(port);
    assert.equal((await query(next, 100_000))?.length, 100_000, 'a large connection that closed made room');
    for (const client of [...clients, next]) client.wire.close();
  });
});

backendTest('unfinished messages of small connections are cut off where they pass their bound', async (t) => {
  const { port, server } = await serve(t, echo(), { largeSocketsMax: 0, smallMessageBytesMax: 1000 });
  const clients = [await SocketClient.open(port), await SocketClient.open(port)];
  for (const client of clients) {
    client.wire.send(frame(OPCODE.text, Buffer.alloc(900, 'x'), false));
    client.wire.send(frame(OPCODE.continuation, Buffer.alloc(101, 'x'), false));
  }
  await Promise.all(clients.map((client) => client.wire.ended()));
  assert.equal(server.counts().socketMessages, 0);
});

backendTest('a handshake that fails gives its place back', async (t) => {
  const { port, server } = await serve(t, echo(), { socketsMax: 1, largeSocketsMax: 1 });
  const wire = await Wire.open(port);
  wire.send(handshake().replace('Sec-WebSocket-Version: 13', 'Sec-WebSocket-Version: 7'));
  const refusal = await wire.reply();
  assert.deepEqual([refusal.status, refusal.headers.get('sec-websocket-version')], [426, '13']);
  wire.close();
  await until(() => server.counts().socketsOpen === 0);
  const client = await SocketClient.open(port);
  assert.equal((await query(client, 5000))?.length, 5000);
  client.wire.close();
});

backendTest('a handshake with a body is refused, one that expects 100 or lists other options is served', async (t) => {
  const { port } = await serve(t, echo());
  const refused = [
    ...['Content-Length: 5', `Content-Length: ${'9'.repeat(15)}`, 'Transfer-Encoding: chunked'].map((line) =>
      handshake([line]),
    ),
    handshake().replace(/Key: .*/, 'Key: short'),
    handshake(['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==']),
  ];
  await inTurn(refused, async (bytes) => {
    const wire = await Wire.open(port);
    wire.send(bytes);
    assert.match(await wire.ended(), /^HTTP\/1.1 400 /, bytes);
    wire.close();
  });
  const served = [handshake(['Expect: 100-continue']), handshake().replace('n: Upgrade', 'n: keep-alive, upgrade')];
  await inTurn(served, async (bytes) => {
    const wire = await Wire.open(port);
    wire.send(Buffer.concat([Buffer.from(bytes), frame(OPCODE.text, Buffer.from('hello'))]));
    await until(() => wire.received().includes('hello'));
    assert.match(wire.received().toString('latin1'), /^HTTP\/1.1 101 /);
    wire.close();
  });
});

backendTest('a GET with a key that asks for no WebSocket is answered as any other', async (t) => {
  const { port } = await serve(t, echo());
  const requests = [
    handshake().replace('Connection: Upgrade', 'Connection: keep-alive'),
    handshake().replace('Upgrade: websocket', 'Upgrade: h2c'),
  ];
  await inTurn(requests, async (bytes) => {
    const wire = await Wire.open(port);
    wire.send(bytes + request('GET', '/livez', []));
    assert.deepEqual(
      (await wire.replies(2)).map(({ status }) => status),
      [200, 200],
    );
    wire.close();
  });
});

backendTest('a frame without a mask ends the connection with the code of a protocol error', async (t) => {
  const { port } = await serve(t, echo());
  const client = await SocketClient.open(port);
  client.wire.send(
    Buffer.concat([frame(OPCODE.text, Buffer.from('first')), Buffer.from('\u0081\u0005plain', 'latin1')]),
  );
  assert.equal((await client.closed())?.code, 1002);
  assert.equal((await client.texts(1))[0], 'first');
  client.wire.close();
});

backendTest('a handshake at another path is answered as any request there', async (t) => {
  const { port, server } = await serve(t, echo());
  const paths: readonly (readonly [string, number])[] = [
    ['/livez', 200],
    ['/other', 404],
  ];
  await inTurn(paths, async ([path, status]) => {
    const wire = await Wire.open(port);
    wire.send(handshake().replace('GET / ', `GET ${path} `));
    assert.equal((await wire.reply()).status, status);
    wire.close();
  });
  assert.equal(server.counts().socketsOpen, 0);
});

backendTest('pages of foreign origins are refused, those allowed and plain clients served', async (t) => {
  const { port } = await serve(t, echo(), { cors: ['https://app.example'] });
  assert.equal(await handshakeStatus(port, []), 101);
  assert.equal(await handshakeStatus(port, ['Origin: https://app.example']), 101);
  const otherOrigins = ['https://evil.example', 'null', 'http://localhost:3000', 'http://127.0.0.1'];
  await inTurn(otherOrigins, async (origin) =>
    assert.equal(await handshakeStatus(port, [`Origin: ${origin}`]), 403, origin),
  );
});

backendTest('a page that comes from here is served; one whose name was bound to this address is not', async (t) => {
  const { port } = await serve(t, echo());
  const own = ['127.0.0.1', `127.0.0.1:${port}`, `localhost:${port}`, '[::1]:8545', '[2001:db8::1]', '10.0.0.5:1'];
  await inTurn(own, async (host) => {
    assert.equal(await handshakeStatus(port, pageAt('http', host)), 101, host);
    assert.equal(await handshakeStatus(port, pageAt('https', host)), 101, host);
  });
  const otherOrigins = [
    pageAt('http', `evil.example:${port}`),
    pageAt('http', `127.0.0.1.evil.example:${port}`),
    pageAt('http', '1.2.3.4.5'),
    pageAt('http', '[evil]'),
    pageAt('http', `127.0.0.1:${port}`, '127.0.0.1:3000'),
    pageAt('http', `127.0.0.1:${port}`, `localhost:${port}`),
    pageAt('ftp', `127.0.0.1:${port}`),
  ];
  await inTurn(otherOrigins, async (headers) =>
    assert.equal(await handshakeStatus(port, headers), 403, headers.join()),
  );
});

backendTest('pages of this machine are served where they may be', async (t) => {
  const { port } = await serve(t, echo(), { localPages: true });
  const local = ['http://localhost', 'http://localhost:3000', 'https://127.0.0.1:5173', 'http://[::1]:8080'];
  await inTurn(local, async (origin) => assert.equal(await handshakeStatus(port, [`Origin: ${origin}`]), 101, origin));
  const otherOrigins = [
    'http://localhost.evil.example',
    'http://evil.example',
    'http://127.0.0.1.evil.example:80',
    'null',
  ];
  await inTurn(otherOrigins, async (origin) =>
    assert.equal(await handshakeStatus(port, [`Origin: ${origin}`]), 403, origin),
  );
});

backendTest('an exception of the service closes the connection as internal error', async (t) => {
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

/** Status of the response to a handshake; a `Host` among the headers replaces the default one. */
async function handshakeStatus(port: number, headers: readonly string[]): Promise<number> {
  const wire = await Wire.open(port);
  const text = handshake(headers);
  wire.send(headers.some((line) => line.startsWith('Host: ')) ? text.replace(/Host: test\r\n/, '') : text);
  const { status } = await wire.reply();
  wire.close();
  return status;
}

/** Headers of a page with this origin that connects to this host. */
function pageAt(scheme: string, host: string, origin = host): string[] {
  return [`Host: ${host}`, `Origin: ${scheme}://${origin}`];
}
