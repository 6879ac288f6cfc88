// The upstream node's word of a transaction in a block that has not come here yet: told with the block, or without a
// place.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Arguments } from '../../../src/rpc/params/arguments.js';
import type { Forward } from '../../../src/rpc/view/backing.js';

import { METHODS, type TableParts } from '../../../src/rpc/methods/table.js';
import { ChainEvents } from '../../../src/rpc/push/chain-events.js';
import type { ReadView } from '../../../src/rpc/view/read-view.js';
import type { Placed } from '../../../src/rpc/view/executed-block.js';

const HASH = `0x${'11'.repeat(32)}`;
const placed = (number: number): Placed => {
  const reader = { block: () => null, header: () => null };
  return { number, hash: new Uint8Array(32).fill(number), key: String(number), reader };
};
const answer = (blockNumber: string | null): string =>
  JSON.stringify({ blockHash: HASH, blockNumber, transactionIndex: '0x0', hash: HASH });

/** Answer made of the node's; `events`: as far as the chain here has come. */
async function told(name: string, events: ChainEvents, text: string): Promise<string> {
  const method = METHODS.find((each) => each.name === name)!;
  const executed = { find: () => null };
  const parts = { backing: {}, executed, events } as unknown as TableParts;
  const forward = (await method.run(new Arguments([HASH]), {} as ReadView, parts, { aborted: false })) as Forward;
  return forward.told!(text);
}

for (const name of ['eth_getTransactionReceipt', 'eth_getTransactionByHash']) {
  test(`${name} is told with the block that it names`, async () => {
    const events = new ChainEvents();
    events.confirm(1, placed(7));
    assert.equal(await told(name, events, answer('0x7')), answer('0x7'));
    assert.equal(await told(name, events, 'null'), 'null');
    let isTold = false;
    const ahead = told(name, events, answer('0x9')).then((text) => {
      isTold = true;
      return text;
    });
    events.confirm(2, placed(8));
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(!isTold);
    events.confirm(3, placed(9));
    assert.equal(await ahead, answer('0x9'));
    assert.equal(events.listeners, 0);
  });
}

test('a block that does not come in time: no receipt, and a transaction without a place', async () => {
  const events = new ChainEvents();
  events.confirm(1, placed(7));
  assert.equal(await told('eth_getTransactionReceipt', events, answer('0x9')), 'null');
  const transaction = JSON.parse(await told('eth_getTransactionByHash', events, answer('0x9'))) as object;
  const nowhere = { blockHash: null, blockNumber: null, blockTimestamp: null, transactionIndex: null };
  assert.deepEqual(transaction, { ...nowhere, hash: HASH });
  assert.equal(events.listeners, 0);
});

test('bytes name no block', async () => {
  const events = new ChainEvents();
  events.confirm(1, placed(7));
  assert.equal(await told('eth_getRawTransactionByHash', events, '"0x02"'), '"0x02"');
});
