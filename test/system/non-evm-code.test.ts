// Non-EVM code in the whole program: a call that reaches it is forwarded to the node unchanged; everything else is
// answered locally.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { fromHex, toHex, toQuantity } from '../../src/lib/bytes/hex.js';
import { keccak256 } from '../../src/lib/bytes/keccak-wasm.js';
import { toBytes } from '../../src/lib/bytes/big-endian.js';
import { SENDER } from '../execution/op/blocks.js';
import { BaseChain, ROUTER, RULES as BASE, TOKEN } from '../feed/live/base-chain.js';
import { CALLER, genesis, LOGGER, makeBlock, READER, RULES, WRITER, type MadeBlock } from '../feed/live/chain-maker.js';
import { UnknownTypeBlocks, unknownTypeBlock } from '../feed/live/unknown-type-blocks.js';
import { TracedChain } from '../feed/live/traced-chain.js';
import { until } from '../support/patience.js';
import { Server, metric } from '../support/server.js';
import { Listener } from './listener.js';
import { NatsServer, NO_NATS } from '../support/nats-server.js';
import { blockJson } from '../support/node-json.js';
import { NodeError, UpstreamNode } from '../support/upstream-node.js';

const word = (value: bigint): string => toHex(toBytes(value, 32)).slice(2);
/** Calls CALLER, which calls READER. */
const CALL = { to: toHex(CALLER), data: `0x${word(3n)}` };
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

test('a call that reaches a listed account is answered by the node, at the hash of the block and with its overrides', async () => {
  await start('--foreign', `${toHex(READER).slice(0, -2)}*`);
  const requested: unknown[] = [];
  node.methods.set('eth_estimateGas', (params) => {
    requested.push(params);
    return '0x1234';
  });
  node.methods.set('eth_call', () => {
    throw new NodeError(3, 'execution reverted', '0x1122');
  });
  const at = { blockHash: toHex(head.hash) };
  for (const block of ['latest', 'pending', '0x1'])
    assert.equal(await server.result('eth_estimateGas', CALL, block, OVERRIDES), '0x1234');
  assert.deepEqual(
    requested,
    Array.from({ length: 3 }, () => [CALL, at, OVERRIDES]),
  );
  const { error } = await server.query('eth_call', [CALL]);
  assert.deepEqual(error, { code: -32_000, message: 'execution reverted', data: '0x1122' });
  assert.equal(await executions('foreign'), 4);
  let many: unknown;
  node.methods.set('eth_callMany', (params) => {
    many = params;
    return [[{ value: '0x77' }]];
  });
  const bundles = [{ transactions: [CALL] }];
  assert.deepEqual(await server.result('eth_callMany', bundles), [[{ value: '0x77' }]]);
  assert.deepEqual(many, [bundles, { blockNumber: at }]);
});

test('a setting sends estimates and calls to the node, while reads are served here', async () => {
  await start('--estimates', 'node');
  node.methods.set('eth_estimateGas', () => '0xea60');
  node.methods.set('eth_call', () => '0x77');
  assert.equal(await server.result('eth_estimateGas', { to: CALL.to }), '0xea60');
  assert.equal(await server.result('eth_call', CALL), '0x77');
  assert.equal(await server.result('eth_getStorageAt', toHex(WRITER), '0x1', 'latest'), `0x${word(5n)}`);
  assert.equal(await executions('setting'), 2);
});

test('a chain with an unknown fork is served from the start, by diffs and by its node', async () => {
  const blocks = [genesis()];
  for (let number = 1; number <= 4; number++)
    blocks.push(await makeBlock(blocks.at(-1)!, [{ from: 0, to: WRITER, words: [1n, BigInt(number)] }]));
  node = await UpstreamNode.start({ chainId: RULES.chain.chainId, blocks: blocks.slice(0, 2) });
  new TracedChain(blocks).serveOn(node);
  const precompiles = { P256VERIFY: `0x${'100'.padStart(40, '0')}`, NEW_ONE: `0x${'12'.padStart(40, '0')}` };
  const current = { activationTime: 7, blobSchedule: null, forkId: '0x1', precompiles, systemContracts: {} };
  node.methods.set('eth_config', () => ({ current, next: null, last: null }));
  node.methods.set('eth_estimateGas', () => '0x1234');
  server = await Server.start('--upstream', node.url);
  for (const block of blocks.slice(2)) {
    node.push(block);
    await until(
      async () => BigInt(await server.result('eth_blockNumber')) === BigInt(block.number),
      () => 'head',
    );
    assert.equal(
      await server.result('eth_getStorageAt', toHex(WRITER), '0x1', 'latest'),
      `0x${word(BigInt(block.number))}`,
    );
    assert.equal(await server.result('eth_estimateGas', { to: toHex(READER) }), '0x1234');
  }
  const { ready, reason: reported } = await server.readiness();
  assert.ok(ready);
  assert.match(
    reported,
    /nothing is executed, the node answers estimates and calls: the upstream's eth_config has a fork/,
  );
  assert.match(reported, /not known here: fork at 7, precompile NEW_ONE/);
  assert.match(
    server.log.join('\n'),
    /"level":40[^\n]*the rules of block 0 are not known to be right.*NEW_ONE.*nothing is executed/,
  );
  assert.equal(await executions('rules'), 3);
  const text = await server.metrics();
  for (const line of [
    'blocks_by_prestate_total 4',
    'state_restarts_total 0',
    'blocks_executed_total 0',
    'unknown_things{kind="fork"} 1',
  ])
    assert.ok(text.includes(`prestate_${line}`), `${line}: ${text}`);
});

test('blocks with an unknown transaction type are served as the node has them', async () => {
  const first = genesis();
  const made = [first];
  for (let number = 1; number <= 3; number++)
    made.push(unknownTypeBlock(await makeBlock(made.at(-1)!, [{ from: 0, to: LOGGER, words: [BigInt(number)] }])));
  node = await UpstreamNode.start({ chainId: RULES.chain.chainId, blocks: made.slice(0, 1) });
  const chain = new TracedChain(made);
  chain.serveOn(node);
  const odd = UnknownTypeBlocks.on(node, chain, made.slice(1));
  const receiptsOf = node.methods.get('eth_getBlockReceipts')!;
  server = await Server.start('--upstream', node.url);
  const listener = await Listener.open(server);
  const [heads, logs, receipts] = [
    await listener.subscribe('newHeads'),
    await listener.subscribe('logs', { address: toHex(LOGGER) }),
    await listener.subscribe('transactionReceipts'),
  ];
  for (const block of made.slice(1)) {
    node.push(block);
    await listener.until(heads, block.number);
  }
  await listener.until(receipts, 3);
  const theirs: unknown[] = [];
  for (const block of made.slice(1)) theirs.push(await receiptsOf([toHex(block.hash)]));
  assert.deepEqual(listener.reported(receipts), theirs);
  assert.deepEqual(
    (await listener.until(logs, 3)).map(({ topics }) => topics),
    [1n, 2n, 3n].map((topic) => [`0x${word(topic)}`]),
  );
  listener.close();
  node.methods.clear();
  for (const [at, { hash }] of made.slice(1).entries()) {
    const shown = await server.result<{ transactions: readonly { hash: string }[] }>(
      'eth_getBlockByHash',
      toHex(hash),
      true,
    );
    const transaction = odd.transaction(blockJson(made[at + 1]!.block, true));
    assert.deepEqual(shown.transactions, [transaction]);
    assert.deepEqual(await server.result('eth_getTransactionByHash', shown.transactions[0]!.hash), transaction);
    assert.deepEqual(await server.result('eth_getBlockReceipts', toHex(hash)), theirs[at]);
    const raw = await server.result('eth_getRawTransactionByHash', shown.transactions[0]!.hash);
    assert.equal(toHex(keccak256(fromHex(raw))), shown.transactions[0]!.hash);
    assert.equal((await server.result<unknown[]>('eth_getLogs', { blockHash: toHex(hash) })).length, 1);
  }
  assert.ok((await server.metrics()).includes('prestate_unknown_blocks_total 3'));
});

test(
  'a replica sends what it cannot run to its own node, or through its executor to that of the executor',
  { skip: NO_NATS },
  async () => {
    const blocks = [genesis()];
    blocks.push(unknownTypeBlock(await makeBlock(blocks[0]!, [{ from: 0, to: LOGGER, words: [7n] }])));
    node = await UpstreamNode.start({ chainId: RULES.chain.chainId, blocks: blocks.slice(0, 1) });
    const chain = new TracedChain(blocks);
    chain.serveOn(node);
    UnknownTypeBlocks.on(node, chain, blocks.slice(1));
    node.methods.set('eth_estimateGas', (params) =>
      JSON.stringify(params[1]) === JSON.stringify(at) ? '0x1234' : '0x1',
    );
    node.methods.set('eth_call', () => {
      throw new NodeError(3, 'execution reverted', '0x1122');
    });
    const nats = await NatsServer.start();
    const executor = await Server.start('--upstream', node.url, '--publish', nats.url, '--foreign', toHex(READER));
    const replicas = [
      await Server.start('--follow', nats.url),
      await Server.start('--follow', nats.url, '--upstream', node.url),
    ];
    server = executor;
    const at = { blockHash: toHex(blocks[1]!.hash) };
    node.push(blocks[1]!);
    for (const replica of replicas) {
      await until(
        async () => (await replica.result('eth_blockNumber')) === '0x1',
        () => 'head',
      );
      assert.equal(await replica.result('eth_estimateGas', CALL), '0x1234');
      assert.deepEqual((await replica.query('eth_call', [CALL])).error, {
        code: -32_000,
        message: 'execution reverted',
        data: '0x1122',
      });
      const { transactions } = await replica.result<{ transactions: readonly { postExec: object }[] }>(
        'eth_getBlockByNumber',
        '0x1',
        true,
      );
      assert.deepEqual(transactions[0]!.postExec, { refund: '0x7' });
      assert.equal((await replica.result<unknown[]>('eth_getLogs', { address: toHex(LOGGER) })).length, 1);
    }
    // A block that the node does not serve in raw form: its header is still announced.
    const listener = await Listener.open(replicas[0]!);
    const heads = await listener.subscribe('newHeads');
    const bare = unknownTypeBlock(await makeBlock(blocks[1]!, [{ from: 0, to: LOGGER, words: [8n] }]));
    node.methods.delete('eth_getRawTransactionByBlockHashAndIndex');
    UnknownTypeBlocks.on(node, chain, [...blocks.slice(1), bare], false);
    node.push(bare);
    const [reported] = await listener.until(heads, 1);
    assert.equal(reported!['hash'], toHex(bare.hash));
    listener.close();
    for (const replica of replicas) await replica.stop();
    await nats.kill();
  },
);

/** Number of executions by the node, for this reason. */
function executions(reason: string): Promise<number> {
  return metric(server, `node_executions_total{reason="${reason}"}`);
}

test('Base with B20: every block is followed, and token transfers are estimated by the node at the newest block', async () => {
  const chain = new BaseChain();
  const blocks = [await chain.next()];
  node = await UpstreamNode.start({ chainId: BASE.chain.chainId, blocks });
  chain.serveOn(node);
  const gasAt = (hash: unknown): string => toQuantity(60_000 + blocks.findIndex((block) => toHex(block.hash) === hash));
  node.methods.set('eth_estimateGas', ([, at]) => gasAt((at as { blockHash: string }).blockHash));
  server = await Server.start('--upstream', node.url, '--upstream-ws', node.wsUrl);
  const moved = { to: ROUTER, data: `0x${word(BigInt(`0x${'bb'.repeat(20)}`))}${word(1n)}` };
  for (let count = 0; count < 12; count++) {
    const block = await chain.next(count % 3 > 0);
    blocks.push(block);
    node.push(block);
    await until(async () => (await server.result('eth_blockNumber')) === toQuantity(block.number));
    for (const to of [ROUTER, TOKEN])
      assert.equal(await server.result('eth_estimateGas', { ...moved, to }, 'latest'), gasAt(toHex(block.hash)));
    const transfer = { to: `0x${'bb'.repeat(20)}`, value: '0x1', from: SENDER };
    assert.equal(
      await server.result('eth_estimateGas', transfer, 'latest'),
      '0x5208',
      'the EVM alone is estimated here',
    );
  }
  const text = await server.metrics();
  assert.match(text, /^prestate_state_restarts_total 0$/m);
  assert.match(text, /^prestate_mismatches_total 0$/m);
});
