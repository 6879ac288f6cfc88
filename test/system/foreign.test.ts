// Code that is not the EVM's behind the whole program: its node answers, with the call as it came; what stays ours is answered here.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { toHex } from '../../src/lib/bytes/hex.js';
import { toBytes } from '../../src/lib/bytes/words.js';
import { genesis, makeBlock, READER, RULES, WRITER, CALLER, type MadeBlock } from '../feed/live/chain-maker.js';
import { Server } from '../support/server.js';
import { NodeError, UpstreamNode } from '../support/upstream-node.js';

const word = (value: bigint): string => toHex(toBytes(value, 32)).slice(2);
/** It calls READER. */
const ASKED = { to: toHex(CALLER), data: `0x${word(3n)}` };
const OVERRIDES = { [toHex(WRITER)]: { stateDiff: { [`0x${word(1n)}`]: `0x${'Ab'.repeat(32)}` } } };

let node: UpstreamNode;
let server: Server;
let head: MadeBlock;

async function start(...flags: readonly string[]): Promise<void> {
  const first = genesis();
  head = await makeBlock(first, [{ from: 0, to: WRITER, words: [1n, 5n] }]);
  node = await UpstreamNode.start({ chainId: RULES.chain.chainId, blocks: [first, head] });
  server = await Server.start('--upstream', node.url, ...flags);
  node.resetCounts();
}

afterEach(async () => {
  await server.stop();
  await node.close();
});

test('what meets a listed account is answered by the node, at the hash of the block and with its overrides', async () => {
  await start('--foreign', `${toHex(READER).slice(0, -2)}*`);
  const asked: unknown[] = [];
  node.methods.set('eth_estimateGas', (params) => {
    asked.push(params);
    return '0x1234';
  });
  node.methods.set('eth_call', () => {
    throw new NodeError(3, 'execution reverted', '0x1122');
  });
  const at = { blockHash: toHex(head.hash) };
  for (const block of ['latest', 'pending', '0x1'])
    assert.equal(await server.result('eth_estimateGas', ASKED, block, OVERRIDES), '0x1234');
  assert.deepEqual(
    asked,
    Array.from({ length: 3 }, () => [ASKED, at, OVERRIDES]),
  );
  const { error } = await server.ask('eth_call', [ASKED]);
  assert.deepEqual(error, { code: -32_000, message: 'execution reverted', data: '0x1122' });
  assert.match(String(await metric('foreign')), /^4$/);
  let many: unknown;
  node.methods.set('eth_callMany', (params) => {
    many = params;
    return [[{ value: '0x77' }]];
  });
  const bundles = [{ transactions: [ASKED] }];
  assert.deepEqual(await server.result('eth_callMany', bundles), [[{ value: '0x77' }]]);
  assert.deepEqual(many, [bundles, { blockNumber: at }]);
});

test('a setting sends estimates and calls to the node, and reads stay here', async () => {
  await start('--estimates', 'node');
  node.methods.set('eth_estimateGas', () => '0xea60');
  node.methods.set('eth_call', () => '0x77');
  assert.equal(await server.result('eth_estimateGas', { to: ASKED.to }), '0xea60');
  assert.equal(await server.result('eth_call', ASKED), '0x77');
  assert.equal(await server.result('eth_getStorageAt', toHex(WRITER), '0x1', 'latest'), `0x${word(5n)}`);
  assert.equal(await metric('setting'), 2);
});

async function metric(reason: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  return Number(new RegExp(`prestate_node_executions_total\\{reason="${reason}"\\} (\\d+)`).exec(text)?.[1]);
}
