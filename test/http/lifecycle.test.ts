// Routes other than POST, cross-origin rules, and the life cycle from listening to closed.
import assert from 'node:assert/strict';
import { PATIENCE_MS, until } from '../support/patience.js';
import { answerOf, backendTest, echo, echoLater, inTurn, serve } from './server.js';
import type { Served } from './server.js';
import { SocketClient } from './socket-client.js';
import { Wire, post, request } from './wire.js';

const POSITION_HEADERS = 'x-block-number, x-preconf-index, x-snapshot-age-ms, x-versions-behind, retry-after';

backendTest('pages and refusals by path and method', async (t) => {
  const { url, server } = await serve(t, echo());
  const table: readonly (readonly [string, string, number, string | null])[] = [
    ['GET', '/', 200, null],
    ['GET', '/?key=x', 200, null],
    ['HEAD', '/', 200, null],
    ['OPTIONS', '/', 204, 'POST, GET, HEAD, OPTIONS'],
    ['PUT', '/', 405, 'POST, GET, HEAD, OPTIONS'],
    ['DELETE', '/', 405, 'POST, GET, HEAD, OPTIONS'],
    ['PATCH', '/', 405, 'POST, GET, HEAD, OPTIONS'],
    ['GET', '/livez', 200, null],
    ['POST', '/livez', 405, 'GET, HEAD'],
    ['GET', '/readyz', 200, null],
    ['HEAD', '/readyz', 200, null],
    ['GET', '/metrics', 200, null],
    ['POST', '/metrics', 405, 'GET'],
    ['POST', '/rpc', 404, null],
    ['GET', '/favicon.ico', 404, null],
  ];
  await inTurn(table, async ([method, path, status, allow]) => {
    const response = await fetch(url + path, { method });
    await response.arrayBuffer();
    assert.deepEqual([response.status, response.headers.get('allow')], [status, allow], `${method} ${path}`);
    assert.equal(response.headers.get('access-control-allow-origin'), null);
  });
  const { answers } = server.counts();
  assert.deepEqual([answers[200], answers[204], answers[404], answers[405]], [7, 1, 2, 5]);
});

backendTest('HEAD answers as GET would, without the body', async (t) => {
  const { port, url } = await serve(t, echo());
  const wire = await Wire.open(port);
  wire.send(request('HEAD', '/', []) + request('HEAD', '/livez', []));
  await until(() => wire.received().toString().split('\r\n\r\n').length === 3);
  const lengths = [
    ...wire
      .received()
      .toString()
      .matchAll(/Content-Length: (\d+)/g),
  ].map(([, length]) => Number(length));
  const bodies = await Promise.all([fetch(url), fetch(`${url}/livez`)].map(async (got) => (await got).text()));
  assert.deepEqual(
    lengths,
    bodies.map((body) => body.length),
  );
  wire.close();
});

backendTest('/readyz asks for readiness on every request', async (t) => {
  const states = [
    { ready: false, reason: 'no version yet' },
    { ready: true, reason: 'fresh' },
  ];
  const { url } = await serve(t, echo(), {}, { readiness: () => states.shift()! });
  const seen: unknown[] = [];
  await inTurn([1, 2], async () => {
    const response = await fetch(`${url}/readyz`);
    seen.push([response.status, await response.json()]);
  });
  assert.deepEqual(seen, [
    [503, { ready: false, reason: 'no version yet' }],
    [200, { ready: true, reason: 'fresh' }],
  ]);
});

backendTest('/metrics shows the metrics, and not the text of an exception in them', async (t) => {
  const makes = [
    () => Promise.resolve({ contentType: 'text/x', body: 'ok 1\n' }),
    () => Promise.reject(new Error('secret')),
  ];
  const { url, faults } = await serve(t, echo(), {}, { metrics: () => makes.shift()!() });
  const response = await fetch(`${url}/metrics`);
  assert.deepEqual([response.headers.get('content-type'), await response.text()], ['text/x', 'ok 1\n']);
  const failed = await fetch(`${url}/metrics`);
  assert.deepEqual([failed.status, await failed.text()], [500, 'metrics failed\n']);
  assert.equal(faults.length, 1);
});

function query(served: Served, method: string, origin: string): Promise<Response> {
  return fetch(served.url, { method, headers: { origin }, body: method === 'POST' ? new Uint8Array(2) : null });
}

function corsHeaders(response: Response): (string | null)[] {
  return ['access-control-allow-origin', 'access-control-expose-headers', 'vary'].map((name) =>
    response.headers.get(name),
  );
}

backendTest('no cross-origin headers by default', async (t) => {
  const served = await serve(t, echo());
  assert.deepEqual(corsHeaders(await query(served, 'POST', 'https://a.example')), [null, null, null]);
  assert.deepEqual(corsHeaders(await query(served, 'OPTIONS', 'https://a.example')), [null, null, null]);
});

backendTest('cross-origin headers for any origin', async (t) => {
  const served = await serve(t, echo(), { cors: ['*'] });
  assert.deepEqual(corsHeaders(await query(served, 'POST', 'https://a.example')), ['*', POSITION_HEADERS, null]);
  const preflight = await query(served, 'OPTIONS', 'https://a.example');
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get('access-control-allow-origin'), '*');
  assert.equal(preflight.headers.get('access-control-allow-methods'), 'POST, GET, OPTIONS');
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /content-type/i);
});

backendTest('cross-origin headers for listed origins, on answers and refusals alike', async (t) => {
  const served = await serve(t, echo(), { cors: ['https://a.example', 'http://localhost:3000'], bodyBytesMax: 1 });
  const refused = await query(served, 'POST', 'http://localhost:3000');
  assert.equal(refused.status, 413);
  assert.deepEqual(corsHeaders(refused), ['http://localhost:3000', POSITION_HEADERS, 'Origin']);
  assert.deepEqual(corsHeaders(await query(served, 'POST', 'https://a.example.evil')), [null, null, 'Origin']);
  const preflight = await query(served, 'OPTIONS', 'https://a.example');
  assert.equal(preflight.headers.get('access-control-allow-origin'), 'https://a.example');
  const otherOrigin = await query(served, 'OPTIONS', 'https://b.example');
  assert.equal(otherOrigin.headers.get('access-control-allow-origin'), null);
});

backendTest('a port in use and a foreign address are refused with a reason', async (t) => {
  const [first, second, third] = [await serve(t, echo()), await serve(t, echo()), await serve(t, echo())];
  first.server.close();
  const again = await second.server.listen('127.0.0.1', first.port);
  assert.ok(again.ok && again.port === first.port);
  const inUse = await third.server.listen('127.0.0.1', first.port);
  assert.match(inUse.ok ? '' : inUse.reason, new RegExp(`cannot listen on 127.0.0.1:${first.port}: .*EADDRINUSE`));
  const unusable = await third.server.listen('192.0.2.1', 0);
  assert.match(unusable.ok ? '' : unusable.reason, /cannot listen on 192.0.2.1:0: .*EADDRNOTAVAIL/);
});

backendTest(
  'after stopListening nobody new is served, what is in flight is finished and its connection closed',
  async (t) => {
    const { server, port } = await serve(t, echoLater(50));
    const [busy, idle] = [await Wire.open(port), await Wire.open(port)];
    busy.send(post('last'));
    await until(() => server.counts().inFlight === 1);
    server.stopListening();
    await assert.rejects(Wire.open(port));
    assert.equal(await server.drained(PATIENCE_MS), true);
    assert.match(await busy.ended(), /^HTTP\/1.1 200 OK\r\n.*Connection: close.*last$/s);
    idle.send(post('still open'));
    assert.match(await idle.ended(), /Connection: close.*still open$/s);
  },
);

backendTest('while it drains, answers without a body tell the right length or none', async (t) => {
  const { server, port } = await serve(t, () => answerOf('', null, 204));
  const wires = [await Wire.open(port), await Wire.open(port), await Wire.open(port)] as const;
  server.stopListening();
  wires[0].send(request('HEAD', '/livez', []));
  assert.match(await wires[0].ended(), /^HTTP\/1.1 200 OK\r\n.*Content-Length: 3\r\n/s);
  wires[1].send(post('x'));
  wires[2].send(request('OPTIONS', '/', []));
  await inTurn(wires.slice(1), async (wire) => {
    const { status, headers } = await wire.reply();
    const reported = ['connection', 'content-length'].map((name) => headers.get(name));
    assert.deepEqual([status, ...reported], [204, 'close', undefined]);
    wire.close();
  });
});

backendTest('drained is true at once when nothing is in flight, false when it takes too long', async (t) => {
  const { server, port } = await serve(t, echoLater(400));
  assert.equal(await server.drained(PATIENCE_MS), true);
  const wire = await Wire.open(port);
  wire.send(post('x'));
  await until(() => server.counts().inFlight === 1);
  assert.equal(await server.drained(20), false);
  assert.equal(await server.drained(PATIENCE_MS), true);
  wire.close();
});

backendTest('a body still arriving is waited for', async (t) => {
  const { server, port } = await serve(t, echo());
  const wire = await Wire.open(port);
  wire.send(request('POST', '/', ['Content-Length: 10'], 'hello'));
  await until(() => server.counts().inFlight === 1);
  server.stopListening();
  const drained = server.drained(PATIENCE_MS);
  wire.send('world');
  assert.equal(await drained, true);
  assert.match(await wire.ended(), /helloworld$/);
});

backendTest('close ends idle connections, and tells WebSocket clients that the service goes away', async (t) => {
  const { server, port } = await serve(t, () => answerOf('ok'));
  const idle = await Wire.open(port);
  const client = await SocketClient.open(port);
  idle.send(post('x'));
  await idle.reply();
  server.close();
  assert.deepEqual(await client.closed(), { code: 1001, reason: 'service stops' });
  await idle.ended();
  await until(() => server.counts().socketsOpen === 0);
  server.close();
});
