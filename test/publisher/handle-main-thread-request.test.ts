// Requests from the main thread to the publisher, by what its feed supports.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handleMainThreadRequest } from '../../src/publisher/handle-main-thread-request.js';
import { devWallet, signed } from '../feed/keys.js';
import type { NumberedRequest } from '../../src/publisher/publisher-protocol.js';
import { UpstreamError } from '../../src/upstream/upstream.js';

const TRANSACTION: NumberedRequest = { kind: 'transaction', id: 1, raw: Uint8Array.of(2) };
const FILL: NumberedRequest = { kind: 'fill', id: 2, missing: { accounts: [], slots: [] } };
const REQUEST: NumberedRequest = { kind: 'request', id: 3, method: 'eth_getLogs', params: [], untilMs: 0 };
const gone = new UpstreamError('unreachable', 'the node is gone');

test('a request that the feed does not support is refused', async () => {
  assert.deepEqual(await handleMainThreadRequest(TRANSACTION, {}), {
    kind: 'rejected',
    id: 1,
    message: 'the chain takes no transactions here',
  });
  assert.deepEqual(await handleMainThreadRequest(FILL, {}), {
    kind: 'refusal',
    id: 2,
    message: 'nothing is missing here',
    rpc: null,
  });
  assert.deepEqual(await handleMainThreadRequest(REQUEST, {}), {
    kind: 'refusal',
    id: 3,
    message: 'there is no upstream node',
    rpc: null,
  });
});

test('a submitted transaction is answered with its hash, or with the reason of its refusal', async () => {
  const hash = new Uint8Array(32).fill(1);
  const taken = await handleMainThreadRequest(TRANSACTION, { submit: () => ({ accepted: true, hash }) });
  assert.deepEqual(taken, { kind: 'response', id: 1, result: `"0x${'01'.repeat(32)}"` });
  const refused = await handleMainThreadRequest(TRANSACTION, {
    submit: async () => ({ accepted: false, message: 'nonce too low' }),
  });
  assert.deepEqual(refused, { kind: 'rejected', id: 1, message: 'nonce too low' });
});

test('sender and nonce are decoded from a raw transaction; other bytes give null', async () => {
  const wallet = devWallet(3);
  for (const type of [0, 1, 2]) {
    const raw = signed(wallet, { type, nonce: 300 });
    const result = JSON.stringify({ from: wallet.address.toLowerCase(), nonce: '0x12c' });
    assert.deepEqual(await handleMainThreadRequest({ kind: 'sender', id: 4, raw }, {}), {
      kind: 'response',
      id: 4,
      result,
    });
    const cut = raw.subarray(0, -1);
    assert.deepEqual(await handleMainThreadRequest({ kind: 'sender', id: 5, raw: cut }, {}), {
      kind: 'response',
      id: 5,
      result: 'null',
    });
  }
});

test('answers and failures of the node are passed on', async () => {
  const node = { fill: async () => undefined, request: async () => undefined };
  assert.deepEqual(await handleMainThreadRequest(FILL, { upstream: node }), { kind: 'response', id: 2, result: '' });
  assert.deepEqual(await handleMainThreadRequest(REQUEST, { upstream: node }), {
    kind: 'response',
    id: 3,
    result: 'null',
  });
  const dead = { fill: () => Promise.reject(gone), request: () => Promise.reject(gone) };
  assert.deepEqual(await handleMainThreadRequest(FILL, { upstream: dead }), {
    kind: 'refusal',
    id: 2,
    message: 'the node is gone',
    rpc: null,
  });
  assert.deepEqual(await handleMainThreadRequest(REQUEST, { upstream: dead }), {
    kind: 'refusal',
    id: 3,
    message: 'the node is gone',
    rpc: null,
  });
});

test('a bug in the feed rejects and is not reported as a refusal', async () => {
  const broken = { fill: () => Promise.reject(new TypeError('a bug')), request: () => Promise.reject(gone) };
  await assert.rejects(handleMainThreadRequest(FILL, { upstream: broken }), TypeError);
});
