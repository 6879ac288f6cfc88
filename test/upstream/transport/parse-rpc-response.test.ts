// A node's response to a batch: each request gets its own result, or the reason why there is none.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseResponseBody } from '../../../src/upstream/transport/parse-rpc-response.js';

const FIRST_ID = 7;
const result = (id: unknown, value: unknown): object => ({ jsonrpc: '2.0', id, result: value });

/** Results of three requests, or the error message. */
function answersTo(entries: readonly unknown[]): unknown {
  const parsed = parseResponseBody(JSON.stringify(entries), FIRST_ID, 3, (text) => text);
  if (parsed.kind !== 'answers') return parsed;
  return parsed.answers.map((answer) => (answer.ok ? answer.result : answer.error.message));
}

const WRONGLY = 'the upstream node answers wrongly:';

test('results are matched to requests by id, in any order', () => {
  assert.deepEqual(answersTo([result(9, 'c'), result(7, 'a'), result(8, null)]), ['a', null, 'c']);
});

test('a request with two results has none; the others have theirs', () => {
  const entries = [result(7, 'a'), result(8, 'b'), result(8, 'x'), result(9, 'c')];
  assert.deepEqual(answersTo(entries), ['a', `${WRONGLY} a request is answered twice`, 'c']);
});

test('results with unknown ids, or without one, are ignored', () => {
  const none = `${WRONGLY} a request is left without an answer`;
  assert.deepEqual(answersTo([result('7', 'a'), null, [], result(8, 'b'), result(10, 'd')]), [none, 'b', none]);
});
