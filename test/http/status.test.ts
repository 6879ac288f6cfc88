// The status page: who gets it, and what its content security policy permits.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { prefersHtml, STATUS_PAGE } from '../../src/http/status/status-page.js';
import { test } from 'node:test';
import { backendTest, echo, inTurn, serve } from './server.js';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

test('HTML is sent if the Accept header names it and prefers it', () => {
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
