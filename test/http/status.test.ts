// The status page and its WebSocket: who gets the page, what it may run, who may look, and what looking costs. Runs on main.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { prefersHtml, STATUS_PAGE } from '../../src/http/status/page.js';
import { test } from 'node:test';
import { until } from '../support/patience.js';
import { backendTest, echo, inTurn, pause, serve, type Served } from './server.js';
import { handshake, SocketClient } from './socket-client.js';
import { Wire } from './wire.js';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
const OWN = ['Origin: http://test'];

const look = ({ port }: Served, headers: readonly string[] = OWN): Promise<SocketClient> =>
  SocketClient.open(port, headers, '/status');

/** The status that a handshake is answered with. */
async function refusal(port: number, headers: readonly string[]): Promise<number> {
  const wire = await Wire.open(port);
  wire.send(handshake(headers, '/status'));
  const { status } = await wire.reply();
  wire.socket.destroy();
  return status;
}

test('HTML goes to those who name it and like it most', () => {
  for (const accept of [BROWSER, 'text/html', 'TEXT/HTML;q=0.5, application/json;q=0.4'])
    assert.ok(prefersHtml(accept), accept);
  const others = [
    '',
    '*/*',
    'text/*',
    'application/json',
    'application/json, text/html',
    'text/html;q=0',
    'text/html;q=x',
  ];
  for (const accept of others) assert.ok(!prefersHtml(accept), accept);
});

backendTest('a browser gets the page, everybody else the greeting', async (t) => {
  const { url } = await serve(t, echo());
  const get = (headers: Record<string, string>, method = 'GET') => fetch(url, { method, headers });
  const page = await get({ accept: BROWSER });
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(page.headers.get('vary'), 'Accept');
  assert.equal(await page.text(), STATUS_PAGE.body);
  const head = await get({ accept: BROWSER }, 'HEAD');
  assert.equal(head.headers.get('content-length'), `${Buffer.byteLength(STATUS_PAGE.body)}`);
  await inTurn(['application/json', '*/*'], async (accept) => {
    const greeting = await get({ accept });
    assert.match(await greeting.text(), /^prestate: JSON-RPC 2.0/);
    assert.equal(greeting.headers.get('vary'), 'Accept');
  });
});

backendTest('the page may run its own script and style, speak to where it came from, and nothing else', async (t) => {
  const { url } = await serve(t, echo());
  const response = await fetch(url, { headers: { accept: BROWSER } });
  const html = await response.text();
  const hashOf = (name: string): string => {
    const [[, text] = [], ...others] = [
      ...html.matchAll(new RegExp(`<${name}(?: type="module")?>([^]*?)</${name}>`, 'g')),
    ];
    assert.deepEqual(others, []);
    return `'sha256-${createHash('sha256').update(text!).digest('base64')}'`;
  };
  const policy = new Map(
    response.headers
      .get('content-security-policy')!
      .split('; ')
      .map((rule) => [rule.split(' ')[0]!, rule.split(' ').slice(1).join(' ')] as const),
  );
  assert.equal(policy.get('default-src'), "'none'");
  assert.equal(policy.get('script-src'), hashOf('script'));
  assert.equal(policy.get('style-src'), hashOf('style'));
  assert.equal(policy.get('connect-src'), "'self'");
  for (const outside of [/https?:\/\/(?!www\.w3\.org\/2000\/svg)/, / style=/, / on\w+=/, /@import/, /innerHTML/])
    assert.doesNotMatch(html, outside);
});

backendTest('what is told is made once for all who look, and never while nobody does', async (t) => {
  let made = 0;
  const served = await serve(t, echo(), {}, { status: () => `{"made":${++made}}` });
  await pause(0);
  assert.equal(made, 0);
  const [one, other] = [await look(served), await look(served)];
  const told = await Promise.all([one.texts(2), other.texts(2)]);
  assert.deepEqual(told[0].slice(0, 2), ['{"made":1}', '{"made":2}']);
  assert.deepEqual(told[1].slice(0, 2), ['{"made":1}', '{"made":2}']);
  for (const { wire } of [one, other]) wire.socket.destroy();
  // Once both are gone, the next to look finds nothing made since.
  await until(async () => {
    const before = made;
    const next = await look(served);
    const [first] = await next.texts(1);
    next.wire.socket.destroy();
    return first === `{"made":${before + 1}}`;
  });
});

backendTest(
  'pages of other origins are refused, and viewers beyond the bound; a place that is left is free',
  async (t) => {
    const served = await serve(t, echo());
    assert.equal(await refusal(served.port, ['Origin: http://evil.example']), 403);
    const [first] = [await look(served), await look(served, [])];
    assert.equal(await refusal(served.port, OWN), 503);
    first.wire.socket.destroy();
    await until(async () => {
      const status = await refusal(served.port, OWN);
      return status === 101;
    });
    assert.deepEqual(served.faults, []);
  },
);

backendTest('viewers are told when the service stops; the path is no page', async (t) => {
  const served = await serve(t, echo());
  assert.equal((await fetch(`${served.url}/status`)).status, 404);
  const viewer = await look(served);
  await viewer.texts(1);
  served.server.close();
  assert.deepEqual(await viewer.closed(), { code: 1001, reason: 'service stops' });
});
