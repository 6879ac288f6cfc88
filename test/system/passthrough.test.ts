// Calls forwarded to the upstream node, and their responses; the node's URL is full of secrets.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { LIMITS } from '../../src/limits/index.js';
import { genesis, makeBlock, RULES } from '../feed/live/chain-maker.js';
import { Server, type RpcAnswer } from '../support/server.js';
import { NodeError, UpstreamNode } from '../support/upstream-node.js';

const KEY = '0123456789abcdef0123456789abcdef';
const SECRETS = /0123456789abcdef|hunter2|127\.0\.0\.1/;

let node: UpstreamNode;
let server: Server;

before(async () => {
  // Longer than the range that the program starts with below the head: the first block is not cached.
  const blocks = [genesis()];
  for (let n = 0; n < LIMITS.startBelowBlocks + 2; n++) blocks.push(await makeBlock(blocks.at(-1)!, []));
  node = await UpstreamNode.start({ chainId: RULES.chain.chainId, blocks });
  const url = `http://operator:hunter2@127.0.0.1:${node.port}/v3/${KEY}`;
  server = await Server.start('--upstream', url, '--passthrough', '--passthrough-methods', 'standard,trace_*');
});

after(async () => {
  await server.stop();
  await node.close();
});

test('listed methods reach the node, others are unknown', async () => {
  node.methods.set('eth_getHeaderByNumber', () => []);
  node.methods.set('trace_block', () => ['a trace']);
  assert.deepEqual(await server.result('eth_getHeaderByNumber', '0x1'), []);
  assert.deepEqual(await server.result('trace_block', '0x1'), ['a trace']);
  node.resetCounts();
  for (const method of [
    'admin_nodeInfo',
    'personal_listAccounts',
    'debug_traceBlock',
    'eth_sendTransaction',
    'eth_foo',
  ])
    assert.deepEqual((await server.query(method)).error, {
      code: -32601,
      message: `the method ${method} does not exist/is not available`,
    });
  for (const method of Object.keys(node.counts.byMethod)) assert.match(method, /^eth_get/);
});

test('responses of the node about older blocks are validated', async () => {
  const address = `0x${'c0'.repeat(20)}`;
  const requested = [
    ['eth_getBalance', address, '0x0'],
    ['eth_getTransactionCount', address, '0x0'],
    ['eth_getCode', address, '0x0'],
    ['eth_getStorageAt', address, '0x0', '0x0'],
    ['eth_call', { to: address }, '0x0'],
    ['eth_estimateGas', { to: address }, '0x0'],
    ['eth_getBlockByNumber', '0x0', false],
    ['eth_getLogs', { fromBlock: '0x0', toBlock: '0x0' }],
    ['eth_getTransactionReceipt', `0x${'00'.repeat(32)}`],
  ] as const;
  for (const [method, ...params] of requested) {
    for (const wrong of [{}, '0xzz', 5, ...(/Block|Receipt/.test(method) ? [] : [null])]) {
      for (const name of namesOf(method)) node.methods.set(name, () => wrong);
      const { error } = await server.query(method, params);
      assert.equal(error?.code, -32603, `${method} ${JSON.stringify(wrong)}`);
      assert.match(error.message, /^the upstream node answers wrongly: /, method);
    }
    for (const name of namesOf(method)) node.methods.delete(name);
  }
});

test('errors of the node reach clients without secrets of its URL', async () => {
  node.methods.set('eth_getProof', () => {
    throw new NodeError(-32000, `project ${KEY} at http://operator:hunter2@127.0.0.1:${node.port}/ is over`, '0x01');
  });
  node.methods.set('eth_config', () => {
    throw new NodeError(-32000, `no block for ${KEY}${'!'.repeat(10_000)}`, { url: KEY });
  });
  const limited = await server.query('eth_getProof');
  assert.match(limited.error!.message, /^project \*{3} at http:/);
  const unknown = await server.query('eth_config');
  assert.match(unknown.error!.message, /^no block for \*{3}!+$/);
  assert.ok(unknown.error!.message.length <= 300 && unknown.error!.data === undefined);
  for (const answer of [limited, unknown]) assert.doesNotMatch(JSON.stringify(answer), SECRETS);
});

test('a limit of the node is reported in our words, any other error as an error of the node', async () => {
  node.methods.set('eth_getProof', () => {
    throw new NodeError(-32005, `project ${KEY} is over its limit`);
  });
  assert.deepEqual((await server.query('eth_getProof')).error, { code: -32005, message: 'limit exceeded' });
  node.methods.set('eth_getProof', () => {
    throw new NodeError(-32000, 'no proofs today');
  });
  const own = { code: -32000, message: 'no proofs today', source: 'upstream' };
  assert.deepEqual((await server.query('eth_getProof')).error, own);
});

test('a response that is too large is refused', async () => {
  node.methods.set('eth_getHeaderByNumber', () => 'x'.repeat(26_000_000));
  assert.deepEqual((await server.query('eth_getHeaderByNumber')).error, {
    code: -32003,
    message: 'response too large',
  });
});

test('an unreachable node is reported without its URL, to clients and in the log', async () => {
  await node.kill();
  const answers: RpcAnswer[] = [
    await server.query('eth_getHeaderByNumber'),
    await server.query('eth_getBalance', [`0x${'c0'.repeat(20)}`]),
  ];
  for (const { error } of answers) {
    assert.match(
      `${error?.code} ${error?.message}`,
      /^-32603 the upstream node (cannot be reached: [A-Z_]+|has not answered for \d+ ms)$/,
    );
  }
  const reported = server.log.filter((line) => !line.includes('"listening"'));
  assert.doesNotMatch(reported.join('\n'), SECRETS);
});

/** A block whose hash is known may also be requested by hash. */
function namesOf(method: string): readonly string[] {
  return [method, method.replace('Number', 'Hash')];
}
