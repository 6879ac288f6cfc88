// The body that a POST's handler can read at once: it must be the one that uWebSockets.js passes on afterwards, however
// the request's bytes arrive, and there must be none if a header decides how the body is read.
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { array, assert as assertProperty, asyncProperty, constantFrom, integer, tuple } from 'fast-check';
import { chooseBackend, listenTcp } from '../../../src/http/choose-server.js';
import { HTTP_GUARD } from '../../../src/http/uws/load-uws.js';
import { Wire, request, post } from '../wire.js';

const skip = HTTP_GUARD === null && 'there is no guard';
const JSON_TYPE = 'Content-Type: application/json';

interface Bodies {
  /** The body that was complete in the handler; `null` if there was none. */
  readonly atOnce: string | null;
  /** The body that uWebSockets.js passed on. */
  readonly later: string;
}

/** Serves POST requests; each response contains both bodies of its request. */
async function serveBodies(t: TestContext): Promise<number> {
  const backend = await chooseBackend();
  const app = backend.createApp(10);
  app.post('/*', (response) => {
    const plain = backend.served!.plainBody();
    const atOnce = plain === null ? null : Buffer.from(plain).toString();
    let later = '';
    response.onAborted(() => undefined);
    response.onData((chunk, isLast) => {
      later += Buffer.from(chunk).toString();
      if (isLast) response.end(JSON.stringify({ atOnce, later }));
    });
  });
  const listening = await listenTcp(backend, app, '127.0.0.1', 0);
  assert.ok(listening.ok);
  t.after(() => backend.closeListening(listening.token));
  return listening.port;
}

/** Sends the pieces one after another, and returns the bodies of all `count` requests in them. */
async function exchange(port: number, pieces: readonly string[], count: number): Promise<readonly Bodies[]> {
  const wire = await Wire.open(port);
  for (const piece of pieces) {
    wire.send(piece);
    if (pieces.length > 1) await sleep(1);
  }
  const replies = await wire.replies(count);
  wire.close();
  return replies.map(({ body }) => JSON.parse(body) as Bodies);
}

const postWith = (headers: readonly string[], body: string): string =>
  request('POST', '/', [...headers, `Content-Length: ${body.length}`], body);

test('a complete body after a plain head can be read in the handler', { skip }, async (t) => {
  const port = await serveBodies(t);
  for (const headers of [[JSON_TYPE], ['Accept: */*', 'content-type:application/json', 'User-Agent: x']]) {
    const bodies = ['[1]', '[2,3]'];
    const seen = await exchange(port, [bodies.map((body) => postWith(headers, body)).join('')], 2);
    assert.deepEqual(
      seen,
      bodies.map((body) => ({ atOnce: body, later: body })),
    );
  }
});

test('no body can be read in the handler if a header decides how it is read', { skip }, async (t) => {
  const port = await serveBodies(t);
  const special = [
    [],
    ['Content-Type: application/json; charset=utf-8'],
    ['Content-Type: text/plain'],
    [JSON_TYPE, JSON_TYPE],
    ['Content-Type: text/plain', JSON_TYPE],
    [JSON_TYPE, 'Content-Type: text/plain'],
    [JSON_TYPE, 'ORIGIN: http://a'],
    [JSON_TYPE, 'Content-Encoding: gzip'],
    [JSON_TYPE, 'X-Least-Block: 1'],
  ];
  for (const headers of special)
    assert.deepEqual(await exchange(port, [postWith(headers, '[1]')], 1), [{ atOnce: null, later: '[1]' }]);
  const chunked = request('POST', '/', [JSON_TYPE, 'Transfer-Encoding: chunked'], '3\r\n[1]\r\n0\r\n\r\n');
  assert.deepEqual(await exchange(port, [chunked], 1), [{ atOnce: null, later: '[1]' }]);
});

test('requests that arrive in pieces never show the body of another request', { skip }, async (t) => {
  const port = await serveBodies(t);
  const body = tuple(constantFrom('a', 'b', 'c'), constantFrom(1, 2, 700, 40_000));
  const cuts = array(integer({ min: 0, max: 50_000 }), { maxLength: 4 });
  await assertProperty(
    asyncProperty(array(body, { minLength: 1, maxLength: 4 }), cuts, async (bodies, offsets) => {
      const sent = bodies.map(([letter, length]) => letter.repeat(length));
      const bytes = sent.map((text) => post(text)).join('');
      const ends = [...offsets.filter((at) => at < bytes.length).sort((a, b) => a - b), bytes.length];
      const seen = await exchange(
        port,
        ends.map((end, i) => bytes.slice(ends[i - 1] ?? 0, end)),
        sent.length,
      );
      assert.deepEqual(
        seen.map(({ later }) => later),
        sent,
      );
      for (const { atOnce, later } of seen) assert.ok(atOnce === null || atOnce === later);
    }),
    { seed: 20261129, numRuns: 80 },
  );
});
