// Bytes on the wire, on both servers: pieces, pipelining, requests in every legal form, and invalid ones (RFC 9112).
import assert from 'node:assert/strict';
import { until } from '../support/patience.js';
import { answerOf, backendTest, echo, echoLater, inTurn, later, pause, serve } from './server.js';
import type { Served } from './server.js';
import { Wire, post, request, type Reply } from './wire.js';

/** Sends `bytes` and waits until the connection is closed; returns what was received. */
async function refusedWith(served: Served, bytes: string): Promise<string> {
  const wire = await Wire.open(served.port);
  wire.send(bytes);
  const received = await wire.ended();
  wire.close();
  return received;
}

/** A service that counts its calls. */
function counted(): {
  readonly calls: () => number;
  readonly answer: (body: Uint8Array) => ReturnType<typeof answerOf>;
} {
  let calls = 0;
  return {
    calls: () => calls,
    answer: (body) => {
      calls++;
      return answerOf(Uint8Array.from(body));
    },
  };
}

/** A chunked POST. */
function chunked(body: string): string {
  return request('POST', '/', ['Transfer-Encoding: chunked'], body);
}

function bodiesOf(replies: readonly Reply[]): readonly string[] {
  return replies.map(({ body }) => body);
}

backendTest('a request byte by byte is one request', async (t) => {
  const service = counted();
  const { port } = await serve(t, service.answer);
  const wire = await Wire.open(port);
  await inTurn(Array.from(post('{"id":1}')), async (byte) => {
    wire.send(byte);
    await pause(1);
  });
  assert.equal((await wire.reply()).body, '{"id":1}');
  assert.equal(service.calls(), 1);
  wire.close();
});

backendTest('pipelined requests are answered in order, wherever they are cut', async (t) => {
  const { port } = await serve(t, echo());
  const bodies = Array.from({ length: 40 }, (_, i) => `{"id":${i},"pad":"${'x'.repeat(i * 7)}"}`);
  const bytes = bodies.map((body) => post(body)).join('');
  await inTurn([1, 17, 97, 1021, bytes.length], async (size) => {
    const wire = await Wire.open(port);
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.slice(i * size, (i + 1) * size),
    );
    await inTurn(pieces, async (piece) => {
      wire.send(piece);
      if (size > 1) await pause(0);
    });
    const replies = await wire.replies(bodies.length);
    assert.deepEqual(
      replies.map((reply) => reply.body),
      bodies,
    );
    wire.close();
  });
});

backendTest('requests behind one whose answer is not ready wait for their turn', async (t) => {
  const slow = echoLater(50);
  const served = await serve(t, (body, caller) =>
    body[0] === 0x6c ? slow(body, caller) : answerOf(Uint8Array.from(body)),
  );
  const wire = await Wire.open(served.port);
  wire.send(post('late'));
  await until(() => served.server.counts().inFlight === 1);
  wire.send(post('first') + post('second') + post('last late'.slice(5)));
  const replies = await wire.replies(4);
  assert.deepEqual(
    replies.map((reply) => reply.body),
    ['late', 'first', 'second', 'late'],
  );
  assert.deepEqual([served.server.counts().aborted, served.faults], [0, []]);
  wire.close();
});

backendTest('requests in the same read as one whose answer is not ready are answered in order', async (t) => {
  const served = await serve(t, echoLater(20));
  const wire = await Wire.open(served.port);
  wire.send(['first', 'second', 'third'].map((body) => post(body)).join(''));
  assert.deepEqual(bodiesOf(await wire.replies(3)), ['first', 'second', 'third']);
  assert.deepEqual([served.server.counts().aborted, served.faults], [0, []]);
  wire.close();
});

backendTest(
  'a request behind one that is waited for in vain waits as well; a client that leaves is seen',
  async (t) => {
    const first = later('first');
    let requested = 0;
    const served = await serve(t, () => (requested++ === 0 ? first.answer : answerOf('second')), {
      answerPatienceMs: 1,
    });
    const wire = await Wire.open(served.port);
    wire.send(post('first'));
    await until(() => served.server.counts().inFlight === 1);
    wire.send(post('second'));
    await pause(20);
    first.give();
    assert.deepEqual(bodiesOf(await wire.replies(2)), ['first', 'second']);
    wire.close();
    const leaver = await serve(t, () => new Promise(() => undefined), { answerPatienceMs: 1 });
    const leaving = await Wire.open(leaver.port);
    leaving.send(post('x'));
    await until(() => leaver.server.counts().inFlight === 1);
    leaving.close();
    await until(() => leaver.server.counts().aborted === 1);
  },
);

backendTest('answers that a client does not read hold up its further requests, and nobody else', async (t) => {
  const served = await serve(t, (body) => answerOf(body.length > 5 ? 'y'.repeat(60_000) : 'small'));
  const wire = await Wire.open(served.port);
  wire.socket.pause();
  const count = 400;
  wire.send(post('longer').repeat(count));
  const other = await Wire.open(served.port);
  other.send(post('x'));
  assert.equal((await other.reply()).body, 'small');
  other.close();
  wire.socket.resume();
  assert.ok((await wire.replies(count)).every(({ body }) => body.length === 60_000));
  wire.close();
});

/** Requests that RFC 9112 allows, and the status of their responses. */
const LEGAL: readonly (readonly [what: string, bytes: string, status: number, body?: string])[] = [
  ['an empty line in front', `\r\n${post('hello')}`, 200, 'hello'],
  ['a target in absolute form', post('hello').replace('POST /', 'POST http://test/'), 200, 'hello'],
  ['one without a path', post('hello').replace('POST /', 'POST http://test'), 200, 'hello'],
  ['one with another path', post('hello').replace('POST /', 'POST HTTP://test/livez'), 405],
  ['OPTIONS of the whole server', request('OPTIONS', '*', []), 204],
  ['a chunk extension', chunked('3;a=b\r\nhel\r\n2;c="d"\r\nlo\r\n0\r\n\r\n'), 200, 'hello'],
  ['a trailer', chunked('5\r\nhello\r\n0\r\na:POST / HTTP/1.1\r\nb: c\r\n\r\n'), 200, 'hello'],
  ['a coding in upper case', chunked('5\r\nhello\r\n0\r\n\r\n').replace('chunked', 'Chunked'), 200, 'hello'],
  ['a size with zeros in front', chunked('0005\r\nhello\r\n00\r\n\r\n'), 200, 'hello'],
  ['a body to a path that has none', request('GET', '/livez', ['Content-Length: 5'], 'hello'), 200, 'ok\n'],
  ['an Expect', request('POST', '/', ['Expect: 100-continue', 'Content-Length: 5'], 'hello'), 200, 'hello'],
];

backendTest('what RFC 9112 lets a client send is answered, and so is what comes behind it', async (t) => {
  const { port } = await serve(t, echo());
  await inTurn(LEGAL, async ([what, bytes, status, body]) => {
    const wire = await Wire.open(port);
    wire.send(bytes + post('next'));
    const replies = (await wire.replies(2)).filter((reply) => reply.status !== 100);
    const [first, second] = replies.length === 2 ? replies : (await wire.replies(3)).slice(-2);
    assert.deepEqual([first?.status, second?.body], [status, 'next'], what);
    if (body !== undefined) assert.equal(first?.body, body, what);
    wire.close();
  });
});

backendTest('white space in front of a chunk extension is passed over', async (t) => {
  if (!t.isNative) return;
  const { port } = await serve(t, echo());
  const wire = await Wire.open(port);
  wire.send(chunked('5 ; c="d"\r\nhello\r\n0\r\n\r\n'));
  assert.equal((await wire.reply()).body, 'hello');
  wire.close();
});

backendTest('HTTP/1.0 is answered, with Host or without, and its connection closed', async (t) => {
  const served = await serve(t, echo());
  const keptAlive = t.isNative ? ['Connection: keep-alive\r\n'] : [];
  await inTurn(['', 'Host: test\r\n', ...keptAlive], async (lines) => {
    const received = await refusedWith(served, `POST / HTTP/1.0\r\n${lines}Content-Length: 1\r\n\r\nx${post('next')}`);
    assert.match(received, /^HTTP\/1.1 200 OK\r\n.*\r\n\r\nx$/s);
  });
});

/** A request that another parser might take for the start of two, or for both of them. */
const SMUGGLED = post('smuggled');
const HIDDEN = `Content-Length: ${SMUGGLED.length}`;

/** Header fields that make the end of the body ambiguous. */
const AMBIGUOUS: readonly (readonly string[])[] = [
  ['Content-Length: 0', HIDDEN],
  ['Content-Length: 5', HIDDEN],
  ['Content-Length: 5', 'Content-Length: 5'],
  ['Content-Length:', HIDDEN],
  ['Content-Length: '],
  ...['-5', '+5', '5x', '0x5', '5, 5', '5;', '1e3', '9'.repeat(30)].map((length) => [`Content-Length: ${length}`]),
  ['Transfer-Encoding:', 'Transfer-Encoding: chunked'],
  ['Transfer-Encoding:'],
  ['Content-Length:', 'Transfer-Encoding: chunked'],
  ['Content-Length: 5', 'Transfer-Encoding: chunked'],
  ['Transfer-Encoding: chunked', 'Content-Length: 5'],
  ['Transfer-Encoding: identity', 'Transfer-Encoding: chunked'],
  ...['gzip', 'xchunked', 'gzip, chunked', 'chunked, gzip', 'identity', 'chunked, chunked'].map((coding) => [
    `Transfer-Encoding: ${coding}`,
  ]),
  [': x', 'Content-Length: 5'],
];

/** Invalid chunked bodies. */
const NO_CHUNKS = [
  ...['zz', '-5', '0x5', 'f'.repeat(20), '', ' 5', '5 ', '5;\u0001', '5;a\rb'].map(
    (size) => `${size}\r\nhello\r\n0\r\n\r\n`,
  ),
  '5\r\nhello..0\r\n\r\n',
  '5\r\nhello\n0\r\n\r\n',
  '5\nhello\r\n0\r\n\r\n',
  '5\r\nhello\r\n0\r\nno trailer\r\n\r\n',
  '5\r\nhello\r\n0\r\n: nameless\r\n\r\n',
  `5\r\nhello\r\n0\r\na: ${'b'.repeat(33_000)}\r\n\r\n`,
];

/** Invalid heads, and the status of their refusal. */
const REFUSED: readonly (readonly [bytes: string, status: number])[] = [
  ['GET /\r\n\r\n', 400],
  ['POST / HTTP/1.2\r\nHost: test\r\nContent-Length: 1\r\n\r\nx', 505],
  ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505],
  ['POST / HTTP/1.1\n\n', 400],
  ['\u0016\u0003\u0001\u0000', 400],
  ['POST  / HTTP/1.1\r\nHost: test\r\n\r\n', 400],
  ['POST / HTTP/1.1 \r\nHost: test\r\n\r\n', 400],
  ['POST a HTTP/1.1\r\nHost: test\r\n\r\n', 400],
  ['GET * HTTP/1.1\r\nHost: test\r\n\r\n', 400],
  ['CONNECT test:1 HTTP/1.1\r\nHost: test\r\n\r\n', 501],
  ['post / HTTP/1.1\r\nHost: test\r\nContent-Length: 1\r\n\r\nx', 501],
  ['BREW / HTTP/1.1\r\nHost: test\r\n\r\n', 501],
  ['POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400],
  ['POST / HTTP/1.1\r\nHost: test\r\nno colon\r\n\r\n', 400],
  ['POST / HTTP/1.1\r\nHost: test\r\nContent-Length : 5\r\n\r\nhello', 400],
  ['POST / HTTP/1.1\r\nHost: test\r\nX: y\r\n folded\r\n\r\n', 400],
  ['POST / HTTP/1.1\r\nHost: test\r\nX: \u0001\r\n\r\n', 400],
  ['POST / HTTP/1.1\r\nHost: test\r\nX: a\rb\r\n\r\n', 400],
  ['POST / HTTP/1.1\r\nHost: test\nX: y\r\n\r\n', 400],
  ['POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\nx', 400],
  ['POST / HTTP/1.1\r\nHost: a\r\nHost: b\r\nContent-Length: 1\r\n\r\nx', 400],
  ['POST / HTTP/1.1\r\nHost: test\r\nExpect: more\r\nContent-Length: 1\r\n\r\nx', 417],
  [`GET / HTTP/1.1\r\nHost: test\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`, 431],
  [`GET / HTTP/1.1\r\nHost: test\r\n${'a:b\r\n'.repeat(151)}\r\n`, 431],
];

backendTest('what is no message is refused before the service, in order, and ends its connection', async (t) => {
  if (!t.isNative) return;
  const service = counted();
  const served = await serve(t, service.answer);
  const cases: readonly (readonly [bytes: string, status: number])[] = [
    ...REFUSED,
    ...NO_CHUNKS.map((body) => [chunked(body), 400] as const),
    ...['POST', 'GET', 'OPTIONS', 'PUT'].flatMap((method) =>
      AMBIGUOUS.map((fields) => [request(method, '/', fields, SMUGGLED), 400] as const),
    ),
  ];
  await inTurn(cases, async ([bytes, status]) => {
    const received = await refusedWith(served, request('GET', '/livez', []) + bytes);
    const replies = received.match(/^HTTP\/1.1 \d+/gm);
    assert.deepEqual(replies, ['HTTP/1.1 200', `HTTP/1.1 ${status}`], bytes.slice(0, 200));
    assert.match(received, /^Connection: close$/im, bytes.slice(0, 200));
  });
  assert.equal(service.calls(), 0);
});

/** Node.js's parser ignores it if it is empty. */
const EMPTY_CODING = 'Transfer-Encoding:';

backendTest('a request whose end is not certain never comes to the service, and ends its connection', async (t) => {
  if (t.isNative) return;
  const service = counted();
  const served = await serve(t, service.answer);
  const bodies = [
    ...NO_CHUNKS.map((body) => chunked(body)),
    ...AMBIGUOUS.filter(([only]) => only !== EMPTY_CODING).map((fields) => request('POST', '/', fields, SMUGGLED)),
  ];
  await inTurn(bodies, async (bytes) => {
    // Node.js may destroy the connection before its refusal is sent.
    assert.match(await refusedWith(served, bytes), /^$|^HTTP\/1.1 4\d\d /, bytes.slice(0, 200));
  });
  assert.equal(service.calls(), 0);
});

backendTest('a POST whose length is not told is refused', async (t) => {
  const { port } = await serve(t, echo());
  const wire = await Wire.open(port);
  wire.send(request('POST', '/', []) + post('next'));
  const replies = await wire.replies(2);
  assert.deepEqual([replies[0]?.status, replies[1]?.body], [411, 'next']);
  wire.close();
});

backendTest('the largest Content-Length there is gets a 413', async (t) => {
  const { port } = await serve(t, echo());
  const wire = await Wire.open(port);
  wire.send(request('POST', '/', [`Content-Length: ${'9'.repeat(15)}`], 'hello'));
  assert.equal((await wire.reply()).status, 413);
  wire.close();
});

backendTest('Connection: close', async (t) => {
  const served = await serve(t, echo());
  const closing = request('POST', '/', ['Connection: close', 'Content-Length: 1'], 'x');
  assert.match(await refusedWith(served, closing), /^HTTP\/1.1 200 OK\r\n.*\r\n\r\nx$/s);
});

backendTest('headers of 30 KiB, and 140 of them, are read; endless ones are refused', async (t) => {
  const service = counted();
  const served = await serve(t, service.answer);
  const wire = await Wire.open(served.port);
  const many = Array.from({ length: 137 }, (_, i) => `X-Header-${i}: ${'v'.repeat(200)}`);
  wire.send(
    request('POST', '/', [...many, 'Content-Length: 2'], 'ok') + post('ok', [`Cookie: a=${'b'.repeat(30_000)}`]),
  );
  assert.deepEqual(bodiesOf(await wire.replies(2)), ['ok', 'ok']);
  wire.close();
  const endless = await Wire.open(served.port);
  await inTurn(Array.from({ length: 200 }), async () => {
    if (!endless.isEnded) endless.send(`X-Header: ${'v'.repeat(1000)}\r\n`);
    await pause(0);
  });
  endless.close();
  assert.equal(service.calls(), 2);
});

backendTest(
  'a connection on which no request comes to its end is closed, one that waits for its answer is not',
  async (t) => {
    const service = counted();
    const { port } = await serve(t, service.answer);
    const atLast = later('at last');
    const other = await serve(t, () => atLast.answer, { answerPatienceMs: 1 });
    const waiting = await Wire.open(other.port);
    waiting.send(post('x'));
    const partial = ['', 'POST / HTTP/1.1\r\nHost: test\r\n'];
    const wires = await Promise.all(partial.map(() => Wire.open(port)));
    for (const [i, wire] of wires.entries()) wire.send(partial[i]!);
    await Promise.all(wires.map((wire) => wire.ended()));
    assert.equal(service.calls(), 0);
    atLast.give();
    assert.equal((await waiting.reply()).body, 'at last');
    waiting.close();
  },
);

backendTest('a client that closes its side gets its answer, ready or not', async (t) => {
  await inTurn([echo(), echoLater(50)], async (service) => {
    const { port, server } = await serve(t, service);
    const wire = await Wire.open(port);
    wire.socket.end(post('hello'));
    assert.match(await wire.ended(), /hello$/);
    assert.deepEqual([server.counts().inFlight, server.counts().aborted], [0, 0]);
  });
});

backendTest('a client that closes its side in the middle of a body counts as gone', async (t) => {
  const { port, server } = await serve(t, echo());
  const wire = await Wire.open(port);
  wire.socket.end(request('POST', '/', ['Content-Length: 5'], 'he'));
  assert.match(await wire.ended(), /^$|^HTTP\/1.1 400 /);
  assert.deepEqual([server.counts().inFlight, server.counts().aborted], [0, 1]);
});

backendTest('bodies that trickle are given up in time, one by one', async (t) => {
  const { port, server } = await serve(t, echo(), { bodyReceiveMsMax: 150 });
  const wires = await Promise.all([1, 2, 3].map(() => Wire.open(port)));
  for (const wire of wires) wire.send(request('POST', '/', ['Content-Length: 1000']));
  await inTurn(Array.from({ length: 60 }), async () => {
    for (const wire of wires) if (!wire.isEnded) wire.send('x');
    await pause(5);
  });
  const received = await Promise.all(wires.map((wire) => wire.ended()));
  for (const text of received) assert.match(text, /^HTTP\/1.1 408 /);
  assert.equal(server.counts().inFlight, 0);
});
