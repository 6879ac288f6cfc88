// Rules of the guard: how much is read at a time, which connection is next, and what happens without file descriptors.
import assert from 'node:assert/strict';
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { HTTP_GUARD } from '../../../src/http/uws/load-uws.js';
import type { HttpGuardCounts } from '../../../src/native/addon-types.js';
import { until } from '../../support/patience.js';
import type { Caller } from '../../../src/rpc/answer/request-response-types.js';
import { answerOf, backendTest, echo, inTurn, later, serve } from '../server.js';
import { frame, OPCODE, SocketClient } from '../socket-client.js';
import { Wire, post, request } from '../wire.js';

/** uWebSockets.js reads again in the same tick if a read has filled its buffer. */
const UWS_BUFFER_BYTES = 512 * 1024;
const NO_GUARD = HTTP_GUARD === null && 'there is no guard here: no Linux, or no C++ compiler';
/** The limit that the child's `small-buffers` sets. */
const SMALL_BUFFERS_BYTES = 100_000;
const CHILD = fileURLToPath(new URL('../fixtures/child.js', import.meta.url));
/** A client other than 127.0.0.1: all of 127.0.0.0/8 is this machine. */
const OTHER = '127.0.0.3';

async function connectFrom(port: number, localAddress: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  await once(socket, 'connect');
  return socket;
}

backendTest('a read never fills the buffer behind, however much has come', async (t) => {
  if (!t.isNative) return;
  const { port } = await serve(t, () => answerOf('x'), { bodyBytesMax: 32 * 1024 * 1024 });
  const large = 'y'.repeat(8 * 1024 * 1024);
  const streams = [post(large), post('{"id":1}').repeat(5000), post('z'.repeat(100_000)).repeat(40)];
  for (const bytes of streams) {
    const wire = await Wire.open(port);
    wire.send(bytes);
    // The main thread is busy for a while, and the kernel buffers what it can.
    for (const end = performance.now() + 50; performance.now() < end;);
    const count = bytes.split('POST / ').length - 1;
    assert.equal((await wire.replies(count)).length, count);
    wire.close();
  }
  const { readBytesMax } = HTTP_GUARD!.counts();
  assert.ok(readBytesMax > 0 && readBytesMax < UWS_BUFFER_BYTES, `${readBytesMax}`);
});

backendTest('connections with many requests are heard in turn, and another client between them', async (t) => {
  if (!t.isNative) return;
  const CONNECTIONS = 50;
  let answered = 0;
  const { port } = await serve(t, (body) => {
    answered++;
    return answerOf(Buffer.from(body));
  });
  const wires = await Promise.all(Array.from({ length: CONNECTIONS }, () => Wire.open(port)));
  const other = await connectFrom(port, OTHER);
  for (const wire of wires) wire.send(post('many').repeat(600));
  await until(() => answered > 0);
  other.write(post('one'));
  const before = answered;
  await once(other, 'data');
  // It waits for the event-loop ticks in which it is sent, read and received, each of some milliseconds at most.
  assert.ok(answered - before < 5000, `${answered - before} answers before it`);
  await until(() => answered === 600 * CONNECTIONS + 1);
  for (const wire of wires) {
    assert.equal((await wire.replies(600)).length, 600);
    wire.close();
  }
  other.destroy();
});

backendTest('a new connection goes before those of the same client that have had more', async (t) => {
  if (!t.isNative) return;
  const CONNECTIONS = 30;
  let answered = 0;
  const { port } = await serve(t, (body) => {
    answered++;
    return answerOf(Buffer.from(body));
  });
  const wires = await Promise.all(Array.from({ length: CONNECTIONS }, () => Wire.open(port)));
  for (const wire of wires) wire.send(post('many').repeat(600));
  await until(() => answered > 3000);
  const wire = await Wire.open(port);
  wire.send(post('new'));
  const before = answered;
  assert.equal((await wire.reply()).body, 'new');
  assert.ok(answered - before < 9000, `${answered - before} answers before it`);
  for (const each of [wire, ...wires]) each.close();
});

backendTest('what a connection keeps is bounded, however its reads cut the requests', async (t) => {
  if (!t.isNative) return;
  const { port } = await serve(t, echo());
  const bytes = request('GET', '/livez', [`X: ${'y'.repeat(4096 - 40)}`]);
  assert.equal(bytes.length, 4096);
  const wire = await Wire.open(port);
  wire.send(request('GET', '/livez', []));
  let most = 0;
  await inTurn(Array.from({ length: 200 }), async () => {
    wire.send(bytes.repeat(64));
    await until(() => wire.received().length > 0 && wire.socket.writableLength === 0);
    most = Math.max(most, HTTP_GUARD!.counts().bufferBytes);
  });
  assert.ok(most > 0 && most <= 80 * 1024, `${most} bytes`);
  wire.close();
  await until(() => HTTP_GUARD!.counts().bufferBytes === 0);
});

test(
  'the buffers of all connections are bounded, and requests beyond are refused with 503',
  { skip: NO_GUARD },
  async () => {
    const child = fork(CHILD, ['small-buffers'], { silent: true });
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    const wires = await Promise.all(Array.from({ length: 20 }, () => Wire.open(port)));
    for (const wire of wires) wire.send(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(20_000)}`);
    // Data after a refusal may reset the connection before its client has read the response.
    await until(() => wires.filter(({ isEnded }) => isEnded).length >= 15);
    assert.ok(wires.some((wire) => /^HTTP\/1.1 503 [^]*Retry-After: 1/.test(wire.received().toString())));
    child.send('counts');
    const [counts] = (await once(child, 'message')) as [HttpGuardCounts];
    assert.ok(counts.bufferBytes <= SMALL_BUFFERS_BYTES && counts.bufferRefusals >= 15);
    for (const wire of wires) wire.close();
    const last = await Wire.open(port);
    last.send(post('{"id":1}'));
    assert.equal((await last.reply()).body, '{"id":1}');
    last.close();
    const ended = once(child, 'exit');
    child.send('close');
    await ended;
  },
);

backendTest('a client that resets its connection is let go at once, whether it waits or does not read', async (t) => {
  if (!t.isNative) return;
  const never = later('never');
  let caller: Caller | null = null;
  const { port, server } = await serve(t, (body, from) => {
    if (body[0] !== 0x6c) return answerOf('x'.repeat(100_000));
    caller = from;
    return never.answer;
  });
  const waiting = await Wire.open(port);
  waiting.send(post('later'));
  await until(() => caller !== null);
  const unread = await Promise.all(Array.from({ length: 20 }, () => Wire.open(port)));
  for (const wire of unread) wire.socket.pause();
  for (const wire of unread) wire.send(post('unread').repeat(200));
  await until(() => server.counts().unsentBytes > 0);
  for (const wire of [waiting, ...unread]) wire.socket.resetAndDestroy();
  await until(() => caller!.aborted && server.counts().unsentBytes === 0 && server.counts().inFlight <= 1);
  never.give();
  await until(() => server.counts().inFlight === 0);
});

backendTest('a turn of the event loop ends, whatever waits: with requests, messages and small chunks', async (t) => {
  if (!t.isNative) return;
  let answered = 0;
  const { port } = await serve(t, (body) => {
    answered++;
    return answerOf(Buffer.from(body));
  });
  const chunks = `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(100_000)}0\r\n\r\n`;
  const wires = await Promise.all(Array.from({ length: 20 }, () => Wire.open(port)));
  const clients = await Promise.all([1, 2, 3, 4].map(() => SocketClient.open(port)));
  const message = frame(OPCODE.text, Buffer.from('x'));
  for (const [i, wire] of wires.entries()) wire.send(i % 2 === 0 ? post('x').repeat(500) : chunks);
  for (const client of clients) client.wire.send(Buffer.concat(Array.from({ length: 2000 }, () => message)));
  const wanted = 10 * 500 + 10 + 4 * 2000;
  const perTurn: number[] = [];
  const count = async (before: number): Promise<void> => {
    await nextTurn();
    perTurn.push(answered - before);
    if (answered < wanted) await count(answered);
  };
  await count(0);
  assert.ok(Math.max(...perTurn) < wanted / 3, `${Math.max(...perTurn)} of ${wanted} answers in one turn`);
  for (const wire of wires) wire.close();
  for (const client of clients) client.wire.close();
});

backendTest(
  'messages of a WebSocket are answered in their order, those behind the handshake in one piece',
  async (t) => {
    const { port } = await serve(t, echo());
    const client = await SocketClient.open(port);
    const numbers = Array.from({ length: 1000 }, (_, at) => `${at}`);
    client.wire.send(Buffer.concat(numbers.map((number) => frame(OPCODE.text, Buffer.from(number)))));
    assert.deepEqual(await client.texts(1000), numbers);
    client.wire.close();
  },
);

test(
  'connections wait while file descriptors are exhausted, and are accepted once some are free',
  { skip: NO_GUARD },
  async () => {
    const command = `ulimit -n 64; exec "${process.execPath}" "${CHILD}"`;
    const child = spawn('/bin/sh', ['-c', command], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    const counts = async (): Promise<HttpGuardCounts> => {
      child.send('counts');
      return ((await once(child, 'message')) as [HttpGuardCounts])[0];
    };
    const sockets = Array.from({ length: 100 }, () => connect({ port, host: '127.0.0.1' }));
    for (const socket of sockets) socket.on('error', () => undefined);
    await until(async () => (await counts()).acceptPauses > 1);
    for (const socket of sockets) socket.destroy();
    const wire = await Wire.open(port);
    wire.send(post('again'));
    assert.equal((await wire.reply()).body, 'again');
    wire.close();
    const ended = once(child, 'exit');
    child.send('close');
    await ended;
  },
);
