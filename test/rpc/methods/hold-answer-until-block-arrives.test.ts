// A response of the upstream node about a block that has not arrived here yet waits for that block; if it does not
// arrive, the client gets the response for an unknown block.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blockNotFound } from '../../../src/rpc-errors.js';
import { RpcArguments } from '../../../src/rpc/params/arguments.js';
import type { RpcCallOutcome } from '../../../src/rpc/answer/call-result.js';
import type { BackingNode, ForwardedCall } from '../../../src/rpc/view/upstream-node-access.js';
import type { MethodName } from '../../../src/methods.table.js';
import { METHOD_FUNCTIONS, type MethodDeps } from '../../../src/rpc/methods/method-functions.js';
import { ChainEvents } from '../../../src/rpc/push/chain-events.js';
import type { ReadView } from '../../../src/rpc/view/pinned-read-view.js';
import type { CompleteBlockHandle } from '../../../src/rpc/view/executed-block-types.js';

const HASH = `0x${'11'.repeat(32)}`;
const placed = (number: number): CompleteBlockHandle => {
  const reader = { block: () => null, logged: () => null, record: () => null };
  return { number, hash: new Uint8Array(32).fill(number), key: String(number), reader };
};
const answer = (blockNumber: string | null): string =>
  JSON.stringify({ blockHash: HASH, blockNumber, transactionIndex: '0x0', hash: HASH });

/** The response made from the node's; `events` is how far the local chain has got. */
async function reported(name: string, events: ChainEvents, text: string): Promise<RpcCallOutcome> {
  const run = METHOD_FUNCTIONS[name as MethodName];
  const executed = { find: () => null };
  const parts = { backing: {}, executed, events } as unknown as MethodDeps;
  const forward = (await run(new RpcArguments([HASH]), {} as ReadView, parts, { aborted: false })) as ForwardedCall;
  return forward.decorate!(text);
}

for (const name of ['eth_getTransactionReceipt', 'eth_getTransactionByHash']) {
  test(`${name} waits for the block that the response of the node names`, async () => {
    const events = new ChainEvents();
    events.confirm(1, placed(7));
    assert.equal(await reported(name, events, answer('0x7')), answer('0x7'));
    assert.equal(await reported(name, events, 'null'), 'null');
    let isReported = false;
    const ahead = reported(name, events, answer('0x9')).then((text) => {
      isReported = true;
      return text;
    });
    events.confirm(2, placed(8));
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(!isReported);
    events.confirm(3, placed(9));
    assert.equal(await ahead, answer('0x9'));
    assert.equal(events.listeners, 0);
  });
}

test('if that block does not arrive in time there is no receipt, and the transaction has no block', async () => {
  const events = new ChainEvents();
  events.confirm(1, placed(7));
  assert.equal(await reported('eth_getTransactionReceipt', events, answer('0x9')), 'null');
  const transaction = JSON.parse(
    (await reported('eth_getTransactionByHash', events, answer('0x9'))) as string,
  ) as object;
  const nowhere = { blockHash: null, blockNumber: null, blockTimestamp: null, transactionIndex: null };
  assert.deepEqual(transaction, { ...nowhere, hash: HASH });
  assert.equal(events.listeners, 0);
});

test('raw bytes name no block and are passed on at once', async () => {
  const events = new ChainEvents();
  events.confirm(1, placed(7));
  assert.equal(await reported('eth_getRawTransactionByHash', events, '"0x02"'), '"0x02"');
});

/** The response to a request by a hash that is unknown here; on the node, `block` is the block. */
async function decoratedByHash(
  [name, ...params]: readonly [string, ...unknown[]],
  { events, text, block }: { readonly events: ChainEvents; readonly text: string; readonly block: string },
): Promise<RpcCallOutcome> {
  const run = METHOD_FUNCTIONS[name as MethodName];
  const request = (requested: string, [hash]: readonly unknown[]): Promise<string> => {
    assert.deepEqual([requested, hash], ['eth_getBlockByHash', HASH]);
    return Promise.resolve(block);
  };
  const backing = { request } as unknown as BackingNode;
  const readView = {
    preConfirmedNumber: () => null,
    resolve: () => ({ kind: 'upstream', ref: { blockHash: HASH }, isUnknown: true }),
    blocks: { numberOf: () => null },
  } as unknown as ReadView;
  const parts = { backing, events } as unknown as MethodDeps;
  const forward = (await run(new RpcArguments(params), readView, parts, { aborted: false })) as ForwardedCall;
  return forward.decorate!(text);
}

const LOGS = { blockHash: HASH };
const UNKNOWN_BLOCK = blockNotFound(HASH);
const BY_HASH: readonly (readonly [
  call: readonly [string, ...unknown[]],
  answer: (number: string) => string,
  none: RpcCallOutcome,
])[] = [
  [['eth_getBlockByHash', HASH, false], (number) => `{"hash":"${HASH}","number":"${number}"}`, 'null'],
  [['eth_getBlockReceipts', HASH], (number) => `[${answer(number)}]`, 'null'],
  [['eth_getBlockReceipts', HASH], () => '[]', 'null'],
  [['eth_getBlockTransactionCountByHash', HASH], () => '"0x2"', 'null'],
  [['eth_getTransactionByBlockHashAndIndex', HASH, '0x0'], answer, 'null'],
  [['eth_getRawTransactionByBlockHashAndIndex', HASH, '0x0'], () => '"0x02"', '"0x"'],
  [['eth_getUncleCountByBlockHash', HASH], () => '"0x0"', 'null'],
  // An uncle has its own number.
  [['eth_getUncleByBlockHashAndIndex', HASH, '0x0'], () => '{"number":"0x1"}', 'null'],
  [['eth_getLogs', LOGS], (number) => `[${answer(number)}]`, UNKNOWN_BLOCK],
  [['eth_getLogs', LOGS], () => '[]', UNKNOWN_BLOCK],
];

test('a response about a hash unknown here waits for the block of that hash', async () => {
  const cases = BY_HASH.map(async ([call, made, none]) => {
    const events = new ChainEvents();
    events.confirm(1, placed(7));
    const at = (number: string): Promise<RpcCallOutcome> =>
      decoratedByHash(call, { events, text: made(number), block: `{"hash":"${HASH}","number":"${number}"}` });
    assert.equal(await at('0x6'), made('0x6'), call[0]);
    assert.equal(await decoratedByHash(call, { events, text: 'null', block: 'null' }), 'null', call[0]);
    const [never, ahead] = [at('0x9'), at('0x8')];
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(events.listeners, 2, call[0]);
    events.confirm(2, placed(8));
    assert.equal(await ahead, made('0x8'), call[0]);
    assert.deepEqual(await never, none, call[0]);
    assert.equal(events.listeners, 0, call[0]);
  });
  await Promise.all(cases);
});

test('if the node no longer knows the block the result is null', async () => {
  const events = new ChainEvents();
  events.confirm(1, placed(7));
  const call = ['eth_getBlockTransactionCountByHash', HASH] as const;
  assert.equal(await decoratedByHash(call, { events, text: '"0x2"', block: 'null' }), 'null');
});
