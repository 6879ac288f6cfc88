// What bytes on the wire do: pieces, pipelines, and requests that are not well formed. Most of the refusals are the
// server's own: these tests say what each of both does, so that another build is known by what differs.
import assert from 'node:assert/strict';
import { until } from '../support/patience.js';
import { answerOf, backendTest, echo, echoLater, inTurn, later, pause, serve } from './server.js';
import type { Served } from './server.js';
import { Wire, post, request } from './wire.js';

/** Sends `bytes` and waits until the connection is closed; answers what came back. */
async function refusedWith(served: Served, bytes: string): Promise<string> {
  const wire = await Wire.open(served.port);
  wire.send(bytes);
  const received = await wire.ended();
  wire.close();
  return received;
}

/** A refusal of the server's own, as the last thing on its connection. */
const REFUSAL = /^HTTP\/1.1 (400|431|505) .*?\r\nConnection: close\r\n/s;

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
  const served = await serve(t, (body, asker) =>
    body[0] === 0x6c ? slow(body, asker) : answerOf(Uint8Array.from(body)),
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

backendTest(
  'a request in the same read as one whose answer is not ready closes a native connection, and nothing else',
  async (t) => {
    const served = await serve(t, echoLater(50));
    const wire = await Wire.open(served.port);
    wire.send(post('first') + post('second'));
    if (!t.isNative) {
      assert.deepEqual(
        (await wire.replies(2)).map((reply) => reply.body),
        ['first', 'second'],
      );
      wire.close();
      return;
    }
    assert.equal(await wire.ended(), '');
    await until(() => served.server.counts().inFlight === 0);
    assert.deepEqual([served.server.counts().aborted, served.faults], [1, []]);
  },
);

backendTest('once patience is over a further request closes the connection', async (t) => {
  const served = await serve(t, () => new Promise(() => undefined), { answerPatienceMs: 20 });
  const wire = await Wire.open(served.port);
  wire.send(post('first'));
  await until(() => served.server.counts().inFlight === 1);
  wire.send(post('second'));
  assert.equal(await wire.ended(), '');
  assert.equal(served.server.counts().aborted, 1);
});

/** A request that another reader could take for the beginning of two, or for the whole of both. */
const SMUGGLED = post('smuggled');
const HIDDEN = `Content-Length: ${SMUGGLED.length}`;
const AMBIGUOUS: readonly (readonly string[])[] = [
  ['Content-Length: 0', HIDDEN],
  ['Content-Length: 000', HIDDEN],
  ['Content-Length:', HIDDEN],
  ['Content-Length: '],
  ['Content-Length: 0', 'Content-Length: 0'],
  ['Transfer-Encoding:', 'Transfer-Encoding: chunked'],
  ['Transfer-Encoding:'],
  ['Content-Length:', 'Transfer-Encoding: chunked'],
  ['Content-Length:', 'Transfer-Encoding: chunked', HIDDEN],
  ['Transfer-Encoding: identity', 'Transfer-Encoding: chunked'],
];

backendTest('a body whose end is ambiguous is not read, nor what comes behind it', async (t) => {
  const service = counted();
  const served = await serve(t, service.answer);
  const methods = ['POST', 'GET', 'OPTIONS', 'PUT'];
  const cases = methods.flatMap((method) => AMBIGUOUS.map((headers) => [method, headers] as const));
  await inTurn(cases, async ([method, headers]) => {
    const alone = await refusedWith(served, request(method, '/', headers));
    assert.match(alone, /^HTTP\/1.1 400 Bad Request\r\n.*Connection: close/s, `${method} ${headers.join()}`);
    // Closed without an answer where the bytes behind were taken for a request.
    const both = await refusedWith(served, request(method, '/', headers, SMUGGLED));
    assert.ok(both === '' || REFUSAL.test(both), `${method} ${headers.join()}`);
  });
  assert.equal(service.calls(), 0);
});

backendTest(
  'a Transfer-Encoding that is not chunked is refused: uWebSockets.js would take any for chunks',
  async (t) => {
    const service = counted();
    const served = await serve(t, service.answer);
    const chunks = '5\r\nhello\r\n0\r\n\r\n';
    await inTurn(
      ['gzip', 'xchunked', 'gzip, chunked', 'chunked, gzip', 'identity', 'chunked, chunked'],
      async (encoding) => {
        const received = await refusedWith(served, request('POST', '/', [`Transfer-Encoding: ${encoding}`], chunks));
        assert.match(received, /^HTTP\/1.1 400 .*Connection: close/s, encoding);
      },
    );
    assert.equal(service.calls(), 0);
    const wire = await Wire.open(served.port);
    wire.send(request('POST', '/', ['Transfer-Encoding: Chunked'], chunks));
    assert.equal((await wire.reply()).body, 'hello');
    wire.close();
  },
);

backendTest('a POST without a length is refused: a nameless header would hide it from us', async (t) => {
  const service = counted();
  const served = await serve(t, service.answer);
  await inTurn([[], [': x', 'Content-Length: 5'], [': x', 'Transfer-Encoding: chunked']], async (headers) => {
    const received = await refusedWith(served, request('POST', '/', headers));
    const expected = t.isNative || headers.length === 0 ? /^HTTP\/1.1 411 .*Connection: close/s : REFUSAL;
    assert.match(received, expected, headers.join());
  });
  assert.equal(service.calls(), 0);
});

backendTest('Content-Length: a value that is no number is refused before the service is asked', async (t) => {
  const service = counted();
  const served = await serve(t, service.answer);
  const lengths = ['-5', '+5', '5x', '0x5', '5, 5', '5;', '1e3'];
  await inTurn(lengths, async (length) => {
    const received = await refusedWith(served, request('POST', '/', [`Content-Length: ${length}`], 'hello'));
    assert.match(received, REFUSAL, length);
  });
  assert.equal(service.calls(), 0);
});

backendTest('Content-Length: the largest there is gets a 413, one beyond all numbers is refused', async (t) => {
  const service = counted();
  const served = await serve(t, service.answer);
  const wire = await Wire.open(served.port);
  wire.send(request('POST', '/', [`Content-Length: ${'9'.repeat(9)}`], 'hello'));
  assert.equal((await wire.reply()).status, 413);
  wire.close();
  const beyond = request('POST', '/', [`Content-Length: ${'9'.repeat(30)}`], 'hello');
  assert.match(await refusedWith(served, beyond), REFUSAL);
  assert.equal(service.calls(), 0);
});

backendTest('Content-Length twice: the first one counts, or it is refused', async (t) => {
  const { port } = await serve(t, echo());
  const wire = await Wire.open(port);
  wire.send(request('POST', '/', ['Content-Length: 5', 'Content-Length: 7'], 'hello') + post('next'));
  if (!t.isNative) return assert.match(await wire.ended(), REFUSAL);
  const replies = await wire.replies(2);
  assert.deepEqual(
    replies.map((reply) => reply.body),
    ['hello', 'next'],
  );
  wire.close();
});

backendTest('Transfer-Encoding together with Content-Length is refused', async (t) => {
  const service = counted();
  const served = await serve(t, service.answer);
  const [length, chunked] = ['Content-Length: 5', 'Transfer-Encoding: chunked'];
  const body = '5\r\nhello\r\n0\r\n\r\n';
  const orders = [
    [length, chunked],
    [chunked, length],
    [length, 'Transfer-Encoding: identity'],
  ];
  await inTurn(orders, async (headers) => {
    assert.match(await refusedWith(served, request('POST', '/', headers, body)), REFUSAL, headers.join());
  });
  assert.equal(service.calls(), 0);
});

backendTest('chunks whose size is no number are refused, and extensions by the native server', async (t) => {
  const service = counted();
  const served = await serve(t, service.answer);
  await inTurn(['zz', '-5', 'f'.repeat(20), ...(t.isNative ? ['5;x=y'] : [])], async (size) => {
    const bytes = request('POST', '/', ['Transfer-Encoding: chunked'], `${size}\r\nhello\r\n0\r\n\r\n`);
    assert.match(await refusedWith(served, bytes), REFUSAL, size);
  });
  assert.equal(service.calls(), 0);
});

backendTest('methods in lower case and Connection: close', async (t) => {
  const served = await serve(t, echo());
  const lower = await Wire.open(served.port);
  lower.send(post('x').replace('POST', 'post'));
  assert.equal((await lower.reply()).status, t.isNative ? 405 : 400);
  lower.close();
  const closing = request('POST', '/', ['Connection: close', 'Content-Length: 1'], 'x');
  assert.match(await refusedWith(served, closing), /^HTTP\/1.1 200 OK\r\n.*\r\n\r\nx$/s);
});

backendTest('headers of 4 KiB, and 50 of them, are read; endless ones are refused', async (t) => {
  const service = counted();
  const served = await serve(t, service.answer);
  const wire = await Wire.open(served.port);
  const many = Array.from({ length: 40 }, (_, i) => `X-Header-${i}: ${'v'.repeat(50)}`);
  wire.send(request('POST', '/', [...many, 'Content-Length: 2'], 'ok'));
  assert.equal((await wire.reply()).body, 'ok');
  wire.close();
  const endless = await Wire.open(served.port);
  await inTurn(Array.from({ length: 200 }), async () => {
    if (!endless.isEnded) endless.send(`X-Header: ${'v'.repeat(1000)}\r\n`);
    await pause(0);
  });
  endless.close();
  assert.equal(service.calls(), 1);
});

/** None of these is HTTP/1.1; where the native server differs from node:http, its status comes first. */
const REFUSED: readonly (readonly [bytes: string, ...statuses: number[]])[] = [
  ['POST / HTTP/1.0\r\nHost: test\r\nContent-Length: 1\r\n\r\nx', 505],
  ['POST / HTTP/1.0\r\nContent-Length: 1\r\n\r\nx', 505],
  ['GET /\r\n\r\n', 505],
  ['POST / HTTP/1.2\r\nHost: test\r\nContent-Length: 1\r\n\r\nx', 505, 400],
  ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505, 400],
  ['POST / HTTP/1.1\n\n', 505, 400],
  ['\u0016\u0003\u0001\u0000', 505, 400],
  ['POST  / HTTP/1.1\r\nHost: test\r\n\r\n', 505, 411],
  ['POST / HTTP/1.1\r\nHost: test\r\nno colon\r\n\r\n', 400],
  ['POST / HTTP/1.1\r\nHost: test\r\nContent-Length : 5\r\n\r\nhello', 400],
  ['POST / HTTP/1.1\r\nHost: test\r\nX: y\r\n folded\r\n\r\n', 400],
  ['POST / HTTP/1.1\r\nHost: test\r\nX: \u0001\r\n\r\n', 400],
  ['POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\nx', 400],
  [`GET / HTTP/1.1\r\nHost: test\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
];

backendTest(
  'requests that are not HTTP/1.1 are refused before the service, and their connection is closed',
  async (t) => {
    const service = counted();
    const served = await serve(t, service.answer);
    await inTurn(REFUSED, async ([bytes, ...statuses]) => {
      const received = await refusedWith(served, bytes);
      const status = t.isNative ? statuses[0] : statuses.at(-1);
      assert.match(received, new RegExp(`^HTTP/1.1 ${status} .*?Connection: close`, 's'), bytes.slice(0, 40));
    });
    assert.equal(service.calls(), 0);
  },
);

backendTest(
  'a connection on which no request comes to its end is closed, one that waits for its answer is not',
  async (t) => {
    const service = counted();
    const { port } = await serve(t, service.answer);
    const atLast = later('at last');
    const other = await serve(t, () => atLast.answer, { answerPatienceMs: 1 });
    const waiting = await Wire.open(other.port);
    waiting.send(post('x'));
    const begun = ['', 'POST / HTTP/1.1\r\nHost: test\r\n'];
    const wires = await Promise.all(begun.map(() => Wire.open(port)));
    for (const [i, wire] of wires.entries()) wire.send(begun[i]!);
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
  assert.match(await wire.ended(), t.isNative ? /^$/ : REFUSAL);
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
