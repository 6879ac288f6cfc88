// Calls for the upstream node: a block that it does not know has our text, every other error its own.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getBalance } from '../../src/rpc/methods/account.js';
import type { Backing, CallResult, Forward } from '../../src/rpc/methods/method.js';
import { sent } from '../../src/rpc/run-when-held.js';

const METHOD = { name: 'eth_getBalance', paramsMax: 2, run: getBalance };

/** What a client is told where the node answers this error. */
async function told(message: string, forward: Forward, code = -32_000): Promise<CallResult> {
  const backing: Backing = {
    epoch: () => 1,
    fill: () => Promise.resolve(null),
    request: () => Promise.resolve({ error: 'passedOn', code, message }),
  };
  return sent(METHOD, forward, backing);
}

const AT_HASH: Forward = { forward: ['0x00', { blockHash: '0xabcd' }], block: '0xabcd' };

for (const message of [
  'header not found',
  'header for hash not found',
  'block not found: hash 0xabcd',
  'Unknown block',
]) {
  test(`a node's "${message}" is "block not found" here`, async () => {
    assert.deepEqual(await told(message, AT_HASH), { error: 'blockNotFound', message: 'block not found: 0xabcd' });
  });
}

test('so is its code -32001, whatever it says', async () => {
  const answer = await told('Resource not found', AT_HASH, -32_001);
  assert.deepEqual(answer, { error: 'blockNotFound', message: 'block not found: 0xabcd' });
});

test('other errors of the node are passed on as they are', async () => {
  const message = 'missing trie node 0xabcd';
  assert.deepEqual(await told(message, AT_HASH), { error: 'passedOn', code: -32000, message });
});

test('so is an unknown block of a method that is not served here', async () => {
  const message = 'header not found';
  assert.deepEqual(await told(message, { forward: [] }), { error: 'passedOn', code: -32000, message });
});
