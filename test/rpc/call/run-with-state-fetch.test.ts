// Forwarded calls: the node's known errors are mapped to our code and message, with the requested block; all others are
// passed on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERRORS } from '../../../src/rpc-errors.js';
import { resultOrErrorMember } from '../../../src/rpc/answer/text-around-bytes.js';
import { OpenPublisherRequests } from '../../../src/publisher/open-requests.js';
import { accountMethods } from '../../../src/rpc/methods/account.js';
import { resultOrForwarded } from '../../../src/rpc/call/run-with-state-fetch.js';
import type { RpcErrorObject } from '../../../src/upstream/upstream.js';
import { type RpcCallOutcome, isError } from '../../../src/rpc/answer/call-result.js';
import type { BackingNode, ForwardedCall } from '../../../src/rpc/view/upstream-node-access.js';

const METHOD = { name: 'eth_getBalance', paramsMax: 2, run: accountMethods.eth_getBalance };

/** The client's response if the node returns this error. */
async function reported(
  rpc: RpcErrorObject,
  forward: ForwardedCall,
  revertErrorCode = -32000,
): Promise<RpcCallOutcome> {
  const questions = new OpenPublisherRequests(({ id }) => queueMicrotask(() => answer(id)));
  const answer = (id: number): void => questions.answer({ kind: 'refusal', id, message: rpc.message, rpc });
  const backing: BackingNode = {
    epoch: () => 1,
    fill: () => Promise.resolve(null),
    request: (method, params, untilMs) => questions.sendUntil(untilMs, { kind: 'request', method, params, untilMs }),
  };
  return resultOrForwarded(METHOD, forward, { backing, revertErrorCode });
}

const AT_HASH: ForwardedCall = { forward: ['0x00', { blockHash: '0xabcd' }], block: '0xabcd' };
const NOWHERE: ForwardedCall = { forward: [] };

for (const [code, message] of [
  [-32000, 'header not found'],
  [-32000, 'header for hash not found'],
  [-32001, 'block not found: hash 0xabcd'],
  [-32000, 'Unknown block'],
  [-32001, 'something is not here'],
] as const) {
  test(`a node's "${message}" is "block not found" here`, async () => {
    const expected = { error: 'blockNotFound', message: 'block not found: 0xabcd' };
    assert.deepEqual(await reported({ code, message }, AT_HASH), expected);
  });
}

test('an error about pruned state names the requested block', async () => {
  const message = 'missing trie node: state at block 0xabcd is not available';
  for (const text of ['missing trie node abcd (path )', 'World state unavailable', 'state at block #12 is pruned'])
    assert.deepEqual(await reported({ code: -32603, message: text }, AT_HASH), { error: 'stateNotKept', message });
});

test('errors about limits, timeouts and tags get our codes, with the details of the node', async () => {
  const text = 'query exceeds max results 20000, retry with the range 1-2';
  for (const [rpc, expected] of [
    [
      { code: -32602, message: text },
      { error: 'tooManyResults', message: `query returned too many results: ${text}` },
    ],
    [
      { code: -32008, message: 'Response is too big' },
      { error: 'responseTooLarge', message: 'response too large' },
    ],
    [
      { code: -32005, message: 'slow down' },
      { error: 'overload', message: 'limit exceeded' },
    ],
    [
      { code: -32002, message: 'request timed out' },
      { error: 'timeout', message: 'execution aborted' },
    ],
    [
      { code: -32000, message: 'execution aborted (timeout = 5s)' },
      { error: 'timeout', message: 'execution aborted (timeout = 5s)' },
    ],
    [
      { code: -32000, message: 'hash is not currently canonical' },
      { error: 'notCanonical', message: 'hash is not currently canonical' },
    ],
  ] as const)
    assert.deepEqual(await reported(rpc, AT_HASH), expected);
});

test('a revert gets the form that clients of this server expect', async () => {
  const data = `0x08c379a0${'20'.padStart(64, '0')}${'2'.padStart(64, '0')}${'6e6f'.padEnd(64, '0')}`;
  const rpc = { code: 3, message: 'execution reverted: no', data };
  const bytes = Uint8Array.from(Buffer.from(data.slice(2), 'hex'));
  assert.deepEqual(await reported(rpc, AT_HASH), { error: 'revert', message: 'execution reverted', data: bytes });
  const withReason = { error: 'revertWithReason', message: 'execution reverted: no', data: bytes };
  assert.deepEqual(await reported(rpc, AT_HASH, 3), withReason);
});

for (const message of ['already known', 'nonce too low: next nonce 9, tx nonce 1', 'execution reverted']) {
  test(`"${message}" is passed on, marked as the error of the node`, async () => {
    const answer = await reported({ code: -32000, message }, NOWHERE);
    assert.deepEqual(answer, { error: 'passedOn', code: -32000, message });
    assert.ok(isError(answer));
    const { head, tail } = resultOrErrorMember(answer);
    assert.deepEqual(JSON.parse(`{${head}${tail}}`), { error: { code: -32000, message, source: 'upstream' } });
  });
}

test('an unknown block in a method not served here is reported without a name', async () => {
  const { code, message } = ERRORS.blockNotFound;
  assert.deepEqual(await reported({ code: -32000, message: 'header not found' }, NOWHERE), {
    error: 'blockNotFound',
    message,
  });
  const own = { code, message: 'transaction not found' };
  assert.deepEqual(await reported(own, NOWHERE), { error: 'passedOn', ...own });
});
