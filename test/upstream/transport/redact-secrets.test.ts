// Secrets in the URL of an upstream never appear in error messages.
import assert from 'node:assert/strict';
import test from 'node:test';
import { LIMITS } from '../../../src/limits/index.js';
import type { RpcErrorObject } from '../../../src/upstream/transport/upstream-error.js';
import { createRedactor, redactAddress } from '../../../src/upstream/transport/redact-secrets.js';
import { parseResponseBody } from '../../../src/upstream/transport/parse-rpc-response.js';

const KEY = '0123456789abcdef0123456789abcdef';
const URLS = [
  `https://me:p%40ss@Node.example:8443/v3/${KEY}?apikey=a1b2c3d4e5&tier=free`,
  `wss://ws.example/v3/${KEY}`,
];
const redact = createRedactor(...URLS);

const TEXTS: readonly (readonly [text: string, shown: string])[] = [
  [`project ${KEY} is over its limit`, 'project *** is over its limit'],
  [`project ${KEY.toUpperCase()}!`, 'project ***!'],
  ['key a1b2c3d4e5 expired', 'key *** expired'],
  ['getaddrinfo ENOTFOUND node.example', 'getaddrinfo ENOTFOUND ***'],
  ['connect NODE.EXAMPLE:8443', 'connect ***'],
  ['wss://ws.example/ is full', 'wss://***/ is full'],
  ['me:p@ss or me:p%40ss is wrong', '***:*** or ***:*** is wrong'],
  [`Basic ${Buffer.from('me:p@ss').toString('base64')}`, 'Basic ***'],
  ['the same method on the v3 tier, free', 'the same method on the v3 tier, free'],
];

for (const [text, shown] of TEXTS) test(shown, () => assert.equal(redact(text), shown));

test('credentials, path and query are removed from a URL', () => {
  assert.equal(redact(URLS[0]!), 'https://***:***@***/v3/***?apikey=***&tier=free');
});

test('a short word of the URL is not removed from inside other words', () => {
  assert.equal(
    createRedactor('http://a:b@node/')('a bad banana, says node b of nodes'),
    '*** bad banana, says *** *** of nodes',
  );
});

test('a message without parts of the URL is unchanged, up to its maximum length', () => {
  assert.equal(createRedactor(null)('http://node/'), 'http://node/');
  assert.equal(createRedactor(null)('x'.repeat(1000)).length, LIMITS.upstreamErrorCharsMax);
});

test('no part of a key remains where a message is truncated', () => {
  const text = `${'x'.repeat(LIMITS.upstreamErrorCharsMax - 10)}${KEY}`;
  assert.equal(redact(text), `${'x'.repeat(LIMITS.upstreamErrorCharsMax - 10)}***`);
});

function errorOf(error: object): { readonly text: string; readonly rpc: RpcErrorObject | null } {
  const parsed = parseResponseBody(JSON.stringify({ jsonrpc: '2.0', id: 1, error }), 1, 1, redact);
  assert.ok(parsed.kind === 'answers');
  const [answer] = parsed.answers;
  assert.ok(answer !== undefined && !answer.ok);
  return { text: answer.error.message, rpc: answer.error.rpc };
}

test('errors of the node are passed on without secrets, and their data only if it is hex and short enough', () => {
  const message = `see https://node.example:8443/v3/${KEY}`;
  assert.deepEqual(errorOf({ code: -32000, message, data: '0x08c379a0' }), {
    text: 'the upstream node answers -32000: see https://***/v3/***',
    rpc: { code: -32000, message: 'see https://***/v3/***', data: '0x08c379a0' },
  });
  const long = `0x${'00'.repeat(LIMITS.upstreamErrorDataBytesMax + 1)}`;
  for (const data of [KEY, `0x${KEY}!`, '0x1', { url: URLS[0] }, [KEY], 7, null, long])
    assert.deepEqual(errorOf({ code: 3, message: 'no', data }).rpc, { code: 3, message: 'no' });
});

test('a URL is shown with host and port, without credentials, keys and query', () => {
  const shown = [
    'https://***@node.example:8443/v3/***?***',
    'wss://ws.example/v3/***',
    'ws://127.0.0.1:8546',
    'nats://***@[::1]:4222',
  ];
  assert.deepEqual([...URLS, 'ws://127.0.0.1:8546/', 'nats://token@[::1]:4222'].map(redactAddress), shown);
});
