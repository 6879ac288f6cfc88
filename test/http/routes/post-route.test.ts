// POST /: bodies, content types, refusals, responses and their headers.
import assert from 'node:assert/strict';
import { until } from '../../support/patience.js';
import { answerOf, backendTest, echo, echoLater, inTurn, later, pause, serve } from '../server.js';
import { Wire, post, request } from '../wire.js';

const LETTERS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const JSON_TYPE = { 'Content-Type': 'application/json' };

backendTest('a body in one piece is echoed with content type and length', async (t) => {
  const { url, server } = await serve(t, echo());
  const response = await fetch(url, { method: 'POST', body: '{"id":1}', headers: JSON_TYPE });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/json');
  assert.equal(response.headers.get('content-length'), '8');
  assert.equal(await response.text(), '{"id":1}');
  const { answers, bytesIn, bytesOut } = server.counts();
  assert.deepEqual([answers[200], bytesIn, bytesOut], [1, 8, 8]);
});

backendTest('a body in many pieces is put together', async (t) => {
  const { url, server } = await serve(t, echo());
  const body = Buffer.alloc(1024 * 1024, 'abcdefghij');
  const response = await fetch(url, { method: 'POST', body, headers: JSON_TYPE });
  assert.ok(body.equals(Buffer.from(await response.arrayBuffer())));
  assert.equal(server.counts().inFlight, 0);
});

backendTest('bodies in pieces on many connections do not mix', async (t) => {
  const { port } = await serve(t, echo());
  const wires = await Promise.all(LETTERS.map(() => Wire.open(port)));
  const bodies = LETTERS.map((letter) => letter.repeat(50_000));
  for (const [i, wire] of wires.entries()) wire.send(request('POST', '/', [`Content-Length: ${bodies[i]!.length}`]));
  await inTurn([0, 10_000, 20_000, 30_000, 40_000], async (at) => {
    for (const [i, wire] of wires.entries()) wire.send(bodies[i]!.slice(at, at + 10_000));
    await pause(5);
  });
  const replies = await Promise.all(wires.map((wire) => wire.reply()));
  assert.deepEqual(
    replies.map((reply) => reply.body),
    bodies,
  );
  for (const wire of wires) wire.close();
});

backendTest('chunked bodies are read', async (t) => {
  const { port } = await serve(t, echo());
  const wire = await Wire.open(port);
  const chunks = '5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n';
  wire.send(request('POST', '/', ['Transfer-Encoding: chunked'], chunks));
  assert.equal((await wire.reply()).body, 'hello world');
  wire.close();
});

backendTest('an empty body reaches the service', async (t) => {
  const lengths: number[] = [];
  const { url } = await serve(t, (body) => {
    lengths.push(body.length);
    return answerOf('parse error');
  });
  assert.equal(await (await fetch(url, { method: 'POST' })).text(), 'parse error');
  assert.deepEqual(lengths, [0]);
});

backendTest('content types: JSON and none are read, others refused unread', async (t) => {
  let calls = 0;
  const { url } = await serve(t, () => {
    calls++;
    return answerOf('{}');
  });
  const status = async (type: string): Promise<number> =>
    (await fetch(url, { method: 'POST', body: new TextEncoder().encode('{}'), headers: { 'Content-Type': type } }))
      .status;
  const read = [
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json-rpc',
    'application/jsonrequest ; x=y',
  ];
  await inTurn(read, async (type) => assert.equal(await status(type), 200, type));
  assert.equal((await fetch(url, { method: 'POST', body: new TextEncoder().encode('{}') })).status, 200);
  assert.equal(calls, read.length + 1);
  const refused = ['text/plain', 'application/jsonx', 'application/x-www-form-urlencoded', 'x; application/json'];
  await inTurn(refused, async (type) => assert.equal(await status(type), 415, type));
  assert.equal(calls, read.length + 1);
});

backendTest('a page that names no content type is refused unless it may ask: browsers send that unasked', async (t) => {
  let calls = 0;
  const { url, port } = await serve(
    t,
    () => {
      calls++;
      return answerOf('{}');
    },
    { cors: ['https://app.example'] },
  );
  const status = async (origin: string): Promise<number> =>
    (await fetch(url, { method: 'POST', body: new TextEncoder().encode('{}'), headers: { origin } })).status;
  await inTurn(['https://evil.example', 'null', `http://evil.example:${port}`], async (origin) =>
    assert.equal(await status(origin), 415, origin),
  );
  assert.equal(calls, 0);
  await inTurn(['https://app.example', url], async (origin) => assert.equal(await status(origin), 200, origin));
  const named = { ...JSON_TYPE, origin: 'https://evil.example' };
  assert.equal((await fetch(url, { method: 'POST', body: '{}', headers: named })).status, 200);
});

backendTest(
  'content encodings: bodies that are compressed are refused unread, none and identity are served',
  async (t) => {
    const { port } = await serve(t, echo());
    const status = async (...encodings: readonly string[]): Promise<[status: number, accepted: string | undefined]> => {
      const wire = await Wire.open(port);
      wire.send(
        post(
          '{}',
          encodings.map((encoding) => `Content-Encoding: ${encoding}`),
        ),
      );
      const reply = await wire.reply();
      wire.close();
      return [reply.status, reply.headers.get('accept-encoding')];
    };
    await inTurn([[], ['identity'], ['Identity'], ['identity, identity'], ['identity', 'identity']], async (each) =>
      assert.deepEqual(await status(...each), [200, undefined], each.join()),
    );
    await inTurn([['gzip'], ['br'], ['x-none'], ['identity, gzip'], ['identity', 'deflate']], async (each) =>
      assert.deepEqual(await status(...each), [415, 'identity'], each.join()),
    );
  },
);

backendTest('413: by Content-Length before a byte is read, and the connection stays usable', async (t) => {
  const { port } = await serve(t, echo(), { bodyBytesMax: 100_000 });
  const wire = await Wire.open(port);
  wire.send(request('POST', '/', ['Content-Length: 100001']));
  assert.equal((await wire.reply()).status, 413);
  wire.send('x'.repeat(100_001));
  wire.send(post('next'));
  assert.deepEqual(
    (await wire.replies(2)).map((reply) => reply.status),
    [413, 200],
  );
  wire.close();
});

backendTest('413: a chunked body is refused where it passes the bound, one at the bound is not', async (t) => {
  const { port, server } = await serve(t, echo(), { bodyBytesMax: 1000 });
  const wire = await Wire.open(port);
  const head = request('POST', '/', ['Transfer-Encoding: chunked']);
  wire.send(`${head}3e8\r\n${'x'.repeat(1000)}\r\n0\r\n\r\n`);
  assert.equal((await wire.reply()).status, 200);
  wire.send(`${head}3e8\r\n${'x'.repeat(1000)}\r\n1\r\nx\r\n0\r\n\r\n`);
  await wire.ended();
  assert.deepEqual(
    (await wire.replies(2)).map((reply) => reply.status),
    [200, 413],
  );
  assert.equal(server.counts().inFlight, 0);
});

backendTest('413 arrives at a client that sends its whole body first', async (t) => {
  const { url } = await serve(t, echo(), { bodyBytesMax: 100_000 });
  const response = await fetch(url, { method: 'POST', body: Buffer.alloc(3_000_000), headers: JSON_TYPE });
  assert.equal(response.status, 413);
  assert.match(await response.text(), /body over 100000 bytes/);
});

backendTest('503: bodies in pieces share bounds, all together and by client', async (t) => {
  const bounds = [
    { bodiesBytesMax: 400 * 1024 },
    { bodiesBytesPerClientMax: 400 * 1024 },
    { bodiesMax: 1 },
    { bodiesPerClientMax: 1 },
  ];
  await inTurn(bounds, async (bound) => {
    const { port, server } = await serve(t, echo(), { bodyBytesMax: 256 * 1024, ...bound });
    const [first, second] = [await Wire.open(port), await Wire.open(port)];
    first.send(request('POST', '/', ['Content-Length: 200000'], 'x'.repeat(150_000)));
    await until(() => server.counts().inFlight === 1);
    await pause(50);
    second.send(request('POST', '/', ['Content-Length: 200000'], 'x'.repeat(150_000)));
    const refusal = await second.reply();
    assert.deepEqual([refusal.status, refusal.headers.get('retry-after')], [503, '1']);
    first.send('y'.repeat(50_000));
    assert.equal((await first.reply()).body.length, 200_000);
    first.close();
    second.close();
  });
});

backendTest('many bodies that have hardly begun do not lock out others', async (t) => {
  const bound = {
    bodiesBytesMax: 1024 * 1024,
    bodiesBytesPerClientMax: 1024 * 1024,
    bodiesMax: 1000,
    bodiesPerClientMax: 1000,
  };
  const { port, server } = await serve(t, echo(), bound);
  const partial = await Promise.all(Array.from({ length: 300 }, () => Wire.open(port)));
  for (const wire of partial) wire.send(request('POST', '/', ['Content-Length: 10000'], 'x'.repeat(95)));
  await until(() => server.counts().inFlight === partial.length);
  const wire = await Wire.open(port);
  wire.send(request('POST', '/', ['Content-Length: 100000'], 'x'.repeat(50_000)));
  await until(() => server.counts().inFlight === partial.length + 1);
  wire.send('y'.repeat(50_000));
  assert.equal((await wire.reply()).body.length, 100_000);
  for (const { close } of [...partial, wire].map((open) => ({ close: () => open.close() }))) close();
});

backendTest('408: a body that comes too slowly, whose memory is given back', async (t) => {
  const { port, server } = await serve(t, echo(), { bodyReceiveMsMax: 100 });
  const wire = await Wire.open(port);
  wire.send(request('POST', '/', ['Content-Length: 1000'], 'x'));
  assert.match(await wire.ended(), /^HTTP\/1.1 408 Request Timeout\r\n.*Connection: close/s);
  assert.equal(server.counts().inFlight, 0);
});

backendTest('an asynchronous answer is sent when it is ready', async (t) => {
  const { url } = await serve(t, echoLater(20));
  const bodies = ['a', 'b', 'c'.repeat(300_000)];
  const texts = await Promise.all(
    bodies.map(async (body) => (await fetch(url, { method: 'POST', body, headers: JSON_TYPE })).text()),
  );
  assert.deepEqual(texts, bodies);
});

backendTest('a client that leaves before its asynchronous answer is counted, once, and nothing breaks', async (t) => {
  const { port, server, faults } = await serve(t, echoLater(100), { answerPatienceMs: 10 });
  const wire = await Wire.open(port);
  wire.send(post('x'));
  await until(() => server.counts().inFlight === 1);
  wire.close();
  await until(() => server.counts().inFlight === 0);
  assert.equal(server.counts().aborted, 1);
  assert.deepEqual(faults, []);
});

backendTest('a client that leaves in the middle of its body is counted, once', async (t) => {
  const { port, server } = await serve(t, echo());
  const wire = await Wire.open(port);
  wire.send(request('POST', '/', ['Content-Length: 1000'], 'x'));
  await until(() => server.counts().inFlight === 1);
  wire.close();
  await until(() => server.counts().inFlight === 0);
  assert.equal(server.counts().aborted, 1);
});

backendTest('a huge answer arrives whole at a slow reader, and its memory is given back', async (t) => {
  const buffer = Buffer.alloc(20_000_000);
  const { port, server } = await serve(t, (body) => answerOf(buffer.fill(body)));
  const [wire, other] = [await Wire.open(port), await Wire.open(port)];
  wire.socket.pause();
  wire.send(post('0123456789abcde'));
  await until(() => server.counts().unsentBytes > 0);
  other.send(post('x'));
  assert.equal((await other.reply()).body, 'x'.repeat(20_000_000));
  wire.socket.resume();
  const { body } = await wire.reply();
  assert.ok(Buffer.alloc(20_000_000, '0123456789abcde').equals(Buffer.from(body, 'latin1')));
  assert.deepEqual([server.counts().unsentBytes, server.counts().inFlight], [0, 0]);
  wire.close();
  other.close();
});

backendTest('a reader that never reads and leaves gives its memory back', async (t) => {
  const { port, server } = await serve(t, () => answerOf(Buffer.alloc(20_000_000)));
  const wire = await Wire.open(port);
  wire.socket.pause();
  wire.send(post('x'));
  await until(() => server.counts().unsentBytes > 0);
  wire.close();
  await until(() => server.counts().unsentBytes === 0);
  assert.equal(server.counts().aborted, 1);
});

backendTest('a reader gets its large answer whole while others that do not read fill the bound', async (t) => {
  const bounds = [{ unsentBytesMax: 60_000_000 }, { unsentBytesPerClientMax: 60_000_000 }];
  await inTurn(bounds, async (bound) => {
    const { port, server } = await serve(t, () => answerOf(Buffer.alloc(20_000_000)), bound);
    const slow = await Promise.all(Array.from({ length: 8 }, () => Wire.open(port)));
    for (const wire of slow) {
      wire.socket.pause();
      wire.send(post('x'));
    }
    await until(() => server.counts().answers[200] === slow.length);
    assert.ok(server.counts().unsentBytes <= 60_000_000);
    const reader = await Wire.open(port);
    reader.send(post('x'));
    assert.equal((await reader.reply()).body.length, 20_000_000);
    assert.ok(server.counts().slowReaders >= 5);
    for (const wire of [...slow, reader]) wire.close();
    await until(() => server.counts().unsentBytes === 0);
  });
});

backendTest('a large answer for a client that has left unseen is given up, and its memory given back', async (t) => {
  const ready = later(Buffer.alloc(20_000_000));
  const { port, server, faults } = await serve(t, () => ready.answer);
  const wires = [await Wire.open(port), await Wire.open(port)];
  for (const wire of wires) wire.send(post('x'));
  await until(() => server.counts().inFlight === 2);
  wires[0]!.close();
  wires[1]!.socket.resetAndDestroy();
  await pause(20);
  ready.give();
  await until(() => server.counts().inFlight === 0);
  assert.deepEqual([server.counts().unsentBytes, server.counts().slowReaders, faults], [0, 0, []]);
});

backendTest('a reader that takes nothing for too long is cut off', async (t) => {
  const { port, server } = await serve(t, () => answerOf(Buffer.alloc(20_000_000)), { unsentStallMsMax: 100 });
  const wire = await Wire.open(port);
  wire.socket.pause();
  wire.send(post('x'));
  await until(() => server.counts().slowReaders === 1);
  assert.deepEqual([server.counts().unsentBytes, server.counts().inFlight], [0, 0]);
  wire.close();
});

backendTest('requests without end from a client that never reads do not fill memory', async (t) => {
  await inTurn([60_000, 40], async (answerBytes) => {
    const { port, server } = await serve(t, () => answerOf(Buffer.alloc(answerBytes)));
    const wire = await Wire.open(port);
    wire.socket.pause();
    const flood = post('x').repeat(1000);
    await inTurn(Array.from({ length: 50 }), async () => {
      if (!wire.isEnded) wire.send(flood);
      await pause(1);
    });
    const buffered = server.counts().answers[200] * (answerBytes + 256);
    assert.ok(buffered < 120_000_000, `${buffered} bytes were buffered`);
    wire.close();
  });
});

backendTest('the coordinates of the snapshot are in the headers', async (t) => {
  let nowMs = 1_700_000_000_250;
  let position = { block: 23_456_789, index: 4, publishedAtMs: 1_700_000_000_213 };
  const { url } = await serve(t, () => answerOf('{}', position), {}, { nowMs: () => nowMs });
  const coordinates = async (): Promise<(string | null)[]> => {
    const { headers } = await fetch(url, { method: 'POST', body: '{}', headers: JSON_TYPE });
    assert.equal(headers.get('content-type'), 'application/json');
    return ['x-block-number', 'x-preconf-index', 'x-snapshot-age-ms'].map((name) => headers.get(name));
  };
  assert.deepEqual(await coordinates(), ['23456789', '4', '37']);
  nowMs += 2;
  assert.deepEqual(await coordinates(), ['23456789', '4', '39']);
  position = { ...position, index: 5, publishedAtMs: nowMs + 10 };
  assert.deepEqual(await coordinates(), ['23456789', '5', '0']);
});

backendTest('204 has no body and no length, and the connection goes on', async (t) => {
  const { port } = await serve(t, () => answerOf('', null, 204));
  const wire = await Wire.open(port);
  wire.send(post('x') + post('y'));
  const replies = await wire.replies(2);
  assert.deepEqual(
    replies.map((reply) => [reply.status, reply.headers.has('content-length'), reply.body]),
    [
      [204, false, ''],
      [204, false, ''],
    ],
  );
  wire.close();
});

backendTest('429 says when to come back', async (t) => {
  const { url } = await serve(t, () => answerOf('{"error":1}', null, 429));
  const response = await fetch(url, { method: 'POST', body: '{}', headers: JSON_TYPE });
  assert.deepEqual([response.status, response.headers.get('retry-after')], [429, '1']);
  assert.equal(response.headers.get('content-type'), 'application/json');
  assert.equal(await response.text(), '{"error":1}');
});

backendTest('an exception of the service is an internal error without its text, and is reported', async (t) => {
  const secret = new Error('secret');
  const answers: (() => never | Promise<never>)[] = [
    () => {
      throw secret;
    },
    () => Promise.reject(secret),
  ];
  const { url, faults } = await serve(t, () => answers.shift()!());
  await inTurn([1, 2], async () => {
    const response = await fetch(url, { method: 'POST', body: '{}', headers: JSON_TYPE });
    assert.equal(response.status, 500);
    const expected = { jsonrpc: '2.0', id: null, error: { code: -32603, message: 'internal error' } };
    assert.deepEqual(await response.json(), expected);
  });
  assert.deepEqual(faults, [secret, secret]);
});

backendTest('Expect: 100-continue is answered at once', async (t) => {
  const { port } = await serve(t, echo());
  const wire = await Wire.open(port);
  wire.send(request('POST', '/', ['Content-Length: 5', 'Expect: 100-continue']));
  assert.equal((await wire.reply()).status, 100);
  wire.send('hello');
  assert.equal((await wire.replies(2))[1]?.body, 'hello');
  wire.close();
});

backendTest('an Upgrade header on a POST is ignored, and the request served', async (t) => {
  const { port } = await serve(t, echo());
  const wire = await Wire.open(port);
  const wishes = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA'];
  wire.send(request('POST', '/', [...wishes, 'Content-Length: 5'], 'hello') + post('next'));
  const replies = await wire.replies(2);
  assert.deepEqual(
    replies.map(({ status, body }) => [status, body]),
    [
      [200, 'hello'],
      [200, 'next'],
    ],
  );
  wire.close();
});

backendTest('once patience is over the service learns that a client has left', async (context) => {
  const callers: { readonly aborted: boolean }[] = [];
  const { url } = await serve(
    context,
    (_body, caller) => {
      callers.push(caller);
      return new Promise(() => undefined);
    },
    { answerPatienceMs: 50 },
  );
  const gone = new AbortController();
  const requested = fetch(url, { method: 'POST', body: '{}', headers: JSON_TYPE, signal: gone.signal });
  await until(() => callers.length === 1);
  assert.equal(callers[0]!.aborted, false);
  gone.abort();
  await assert.rejects(requested);
  await until(() => callers[0]!.aborted);
});

backendTest('the caller names its client while the service is asked and until the answer is ready', async (t) => {
  const seen: (string | undefined)[] = [];
  const { port } = await serve(t, async (_body, caller) => {
    if (seen.length === 0) seen.push(caller.client);
    await pause(10);
    seen.push(caller.client);
    return answerOf('ok');
  });
  const wire = await Wire.open(port);
  wire.send(post('x'));
  await wire.reply();
  assert.deepEqual(seen, ['127.0.0.1', '127.0.0.1']);
  wire.close();
});

backendTest('behind a proxy that names clients, its name counts, and the address where it names none', async (t) => {
  const seen: (string | undefined)[] = [];
  const service = (_body: Uint8Array, caller: { readonly client?: string }): ReturnType<typeof answerOf> => {
    seen.push(caller.client);
    return answerOf('ok');
  };
  const { port } = await serve(t, service, { clientHeader: 'X-Client' });
  const wire = await Wire.open(port);
  const names = ['203.0.113.7', ' 2001:db8::1 , 10.0.0.1', 'x'.repeat(200), '', ', y'];
  wire.send(names.map((name) => request('POST', '/', [`X-Client: ${name}`, 'Content-Length: 1'], 'x')).join(''));
  await wire.replies(names.length);
  assert.deepEqual(seen, ['203.0.113.7', '2001:db8::1', 'x'.repeat(64), '127.0.0.1', '127.0.0.1']);
  wire.close();
});
