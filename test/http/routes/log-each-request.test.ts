// The request log: one entry for each body that is answered or refused, over HTTP and WebSocket.
import assert from 'node:assert/strict';
import type { RequestLogEntry } from '../../../src/http/routes/log-each-request.js';
import { until } from '../../support/patience.js';
import { answerOf, backendTest, echo, echoLater, serve } from '../server.js';
import { SocketClient } from '../socket-client.js';

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** The members that do not depend on time. */
function without({ ms, ...entry }: RequestLogEntry): Omit<RequestLogEntry, 'ms'> {
  assert.ok(ms >= 0);
  return entry;
}

/** Log entry of an echo of so many bytes. */
const sent = (bytes: number) => ({ status: 200, client: '127.0.0.1', bytesIn: bytes, bytesOut: bytes });

backendTest('the log line of a request has its methods, sizes and status', async (t) => {
  for (const service of [echo(), echoLater(1)]) {
    const entries: RequestLogEntry[] = [];
    const { url } = await serve(t, service, {}, { logRequest: (entry) => entries.push(entry) });
    const calls = ['eth_call', 'eth_chainId', 'eth_call'].map((method) => ({ method }));
    for (const body of [JSON.stringify(calls[1]), JSON.stringify(calls), 'no json', '[1]']) {
      await (await fetch(url, { method: 'POST', body, headers: JSON_TYPE })).text();
    }
    assert.deepEqual(entries.map(without), [
      { ...sent(24), methods: 'eth_chainId', calls: 1 },
      { ...sent(70), methods: 'eth_call x2, eth_chainId', calls: 3 },
      { ...sent(7), methods: null, calls: 0 },
      { ...sent(3), methods: '?', calls: 1 },
    ]);
  }
});

backendTest('the log line of a refusal has its status', async (t) => {
  const entries: RequestLogEntry[] = [];
  const { url } = await serve(t, echo(), { bodyBytesMax: 10 }, { logRequest: (entry) => entries.push(entry) });
  await (await fetch(url, { method: 'POST', body: '{}', headers: { 'Content-Type': 'text/plain' } })).text();
  await (await fetch(url, { method: 'POST', body: '"0123456789"', headers: JSON_TYPE })).text();
  await (await fetch(url, { method: 'POST', body: '{}', headers: { ...JSON_TYPE, 'x-least-block': '?' } })).text();
  assert.deepEqual(
    entries.map(({ status, methods, client }) => [status, methods, client]),
    [
      [415, null, '127.0.0.1'],
      [413, null, '127.0.0.1'],
      [400, null, '127.0.0.1'],
    ],
  );
});

backendTest(
  'the log line of an exception has status 500, and a WebSocket message has a line as a request has',
  async (t) => {
    const entries: RequestLogEntry[] = [];
    let isBroken = true;
    const { url, port } = await serve(
      t,
      () => {
        if (isBroken) throw new Error('a bug');
        return answerOf('{}');
      },
      {},
      { logRequest: (entry) => entries.push(entry) },
    );
    await (await fetch(url, { method: 'POST', body: '{}', headers: JSON_TYPE })).text();
    isBroken = false;
    const socket = await SocketClient.open(port);
    socket.sendText('{"method":"eth_chainId"}');
    await until(() => entries.length === 2);
    socket.wire.close();
    assert.deepEqual(
      entries.map(({ status, methods, client }) => [status, methods, client]),
      [
        [500, null, '127.0.0.1'],
        [200, 'eth_chainId', '127.0.0.1'],
      ],
    );
  },
);

backendTest('many methods and long names make no long line', async (t) => {
  const entries: RequestLogEntry[] = [];
  const { url } = await serve(t, echo(), {}, { logRequest: (entry) => entries.push(entry) });
  const calls = Array.from({ length: 100 }, (_, i) => ({ method: `${i}${'m'.repeat(1000)}` }));
  await (await fetch(url, { method: 'POST', body: JSON.stringify(calls), headers: JSON_TYPE })).text();
  assert.equal(entries[0]!.calls, 100);
  assert.ok(entries[0]!.methods!.length < 600);
  assert.match(entries[0]!.methods!, /, …$/);
});
