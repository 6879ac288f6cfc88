// Responses as they arrive on a connection: parsed from bytes split anywhere, and counted by code.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HttpParser } from '../../bench/load/http-parser.js';
import { Tally } from '../../bench/load/tally.js';
import type { Verdict } from '../../bench/load/timeline.js';
import { canonical } from '../../bench/suite/truth.js';

const ANSWERS = [
  'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nx-block-number: 7\r\n\r\nhello',
  'HTTP/1.1 429 Too Many\r\ncontent-length:0\r\n\r\n',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n',
  'HTTP/1.1 204 No Content\r\n\r\n',
];
const EXPECTED = [
  [200, 'hello'],
  [429, ''],
  [200, 'abcde'],
  [204, ''],
];

test('responses parse the same wherever their bytes are split', () => {
  const bytes = Buffer.from(ANSWERS.join(''));
  for (let size = 1; size <= bytes.length; size++) {
    const got: [number, string][] = [];
    const parser = new HttpParser((status, body) => got.push([status, body.toString()]));
    for (let at = 0; at < bytes.length; at += size) {
      // The buffer of a read is reused for the next one.
      const piece = Buffer.from(bytes.subarray(at, at + size));
      parser.feed(piece);
      piece.fill(0);
    }
    assert.deepEqual(got, EXPECTED, `pieces of ${size}`);
  }
});

test('a response without a length is refused', () => {
  const parser = new HttpParser(assert.fail);
  assert.throws(() => parser.feed(Buffer.from('HTTP/1.1 200 OK\r\n\r\n')), /without a length/);
});

test('errors are counted by JSON-RPC code, not by HTTP status', () => {
  const tally = new Tally();
  const add = (status: number, body: unknown, calls = 1): Verdict =>
    tally.add(status, Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), calls);
  assert.equal(add(200, { id: 1, result: '0x1' }), 'result');
  assert.equal(add(200, { id: 1, result: 'an "error" in a text' }), 'result');
  assert.equal(add(200, { id: 1, error: { code: -32_000, message: '' } }), 'failure');
  assert.equal(add(429, { id: 1, error: { code: -32_005, message: '' } }), 'refusal');
  assert.equal(add(503, 'busy'), 'refusal');
  assert.equal(add(200, 'busy'), 'failure');
  assert.equal(add(200, [{ result: 1 }, { error: { code: 3 } }], 2), 'failure');
  assert.equal(add(200, { error: { code: -32_600 } }, 3), 'failure');
  assert.deepEqual(tally.errors, { '-32000': 1, '-32005': 1, 'HTTP 503': 1, 'no JSON': 1, '3': 1, '-32600': 3 });
  assert.equal(tally.succeeded, 3);
});

test('equal values serialize to equal strings, whatever the order of their keys', () => {
  assert.equal(
    canonical({ b: [1, { d: null, c: '2' }], a: true }),
    canonical({ a: true, b: [1, { c: '2', d: null }] }),
  );
  assert.notEqual(canonical([1, 2]), canonical([2, 1]));
});
