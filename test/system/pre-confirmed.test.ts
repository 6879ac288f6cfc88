// The block in a receipt is served by number in every method before it is complete, and in full.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DEV_GOLD_TOKEN } from '../../src/feed/dev/genesis.js';
import { toHex } from '../../src/lib/bytes/hex.js';
import { devWallet, signed } from '../feed/keys.js';
import { eventually } from '../support/patience.js';
import { Server } from '../support/server.js';
import { batch, type Call } from './batch.js';
import { Listener, type Json } from './listener.js';

const ZERO_HASH = `0x${'0'.repeat(64)}`;
const RECEIVER = `0x${'5b'.repeat(20)}`;
/** `transfer(address,uint256)`, which emits a log. */
const TRANSFER = `0xa9059cbb${RECEIVER.slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}`;
/** Returns NUMBER. */
const NUMBER = { [RECEIVER]: { code: '0x435f5260205ff3' } };
const wallet = devWallet(6);

describe('a pre-confirmed block', () => {
  let server: Server;
  let nonce = 0;
  before(async () => {
    server = await Server.start('--dev-traffic', '0');
  });
  after(() => server.stop());

  /** Sends a token transfer; returns its pre-confirmed receipt. */
  async function transfer(): Promise<Json> {
    const fields = { nonce: nonce++, to: toHex(DEV_GOLD_TOKEN), data: TRANSFER, gasLimit: 100_000n };
    const hash = await server.result('eth_sendRawTransaction', toHex(signed(wallet, fields)));
    return server.result<Json>('eth_getTransactionReceipt', hash);
  }

  /**
   * Responses to `requested` from a snapshot in which a new receipt's block is still pre-confirmed, after the block's
   * number.
   */
  function ahead(requested: (number: string) => readonly Call[]): Promise<readonly unknown[]> {
    return eventually(async () => {
      const { blockNumber } = await transfer();
      const { results } = await batch(server, ['eth_blockNumber'], ...requested(blockNumber as string));
      return Number(results[0]) < Number(blockNumber) ? [blockNumber, ...results.slice(1)] : undefined;
    });
  }

  test('every method accepts its number and the zero hash like `pending`', async () => {
    const call = { to: RECEIVER, data: '0x' };
    const methods: readonly ((block: unknown) => Call)[] = [
      (block) => ['eth_call', call, block, NUMBER],
      (block) => ['eth_estimateGas', call, block, NUMBER],
      (block) => ['eth_createAccessList', call, block],
      (block) => ['eth_getBalance', wallet.address, block],
      (block) => ['eth_getTransactionCount', wallet.address, block],
      (block) => ['eth_getCode', toHex(DEV_GOLD_TOKEN), block],
      (block) => ['eth_getStorageAt', toHex(DEV_GOLD_TOKEN), '0x0', block],
      (block) => ['eth_getStorageValues', { [toHex(DEV_GOLD_TOKEN)]: [ZERO_HASH] }, block],
      (block) => ['eth_simulateV1', { blockStateCalls: [{ calls: [call], stateOverrides: NUMBER }] }, block],
      (block) => ['eth_callMany', [{ transactions: [call] }], { blockNumber: block }, NUMBER],
      (block) => ['eth_callMany', [{ transactions: [call] }], { blockNumber: block, transactionIndex: 0 }, NUMBER],
      (block) => ['eth_getBlockReceipts', block],
    ];
    for (const method of methods) {
      const [, ...answers] = await ahead((number) =>
        ['pending', number, { blockNumber: number }, ZERO_HASH, { blockHash: ZERO_HASH }].map(method),
      );
      for (const answer of answers) assert.deepEqual(answer, answers[0], method('')[0]);
    }
    const [number, ran] = await ahead((block) => [['eth_call', call, block, NUMBER]]);
    assert.equal(Number(ran), Number(number));
  });

  test('its logs are found by its number, by a range starting at it, and by the zero hash', async () => {
    const [number, ...answers] = await ahead((block) => [
      ['eth_getLogs', { fromBlock: 'pending', toBlock: 'pending' }],
      ['eth_getLogs', { fromBlock: block }],
      ['eth_getLogs', { fromBlock: block, toBlock: block }],
      ['eth_getLogs', { fromBlock: block, toBlock: 'pending' }],
      ['eth_getLogs', { blockHash: ZERO_HASH }],
    ]);
    assert.equal((answers[0] as Json[])[0]!['blockNumber'], number);
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
  });

  test('its fees are the last entry of the fee history', async () => {
    interface History {
      readonly oldestBlock: string;
      readonly baseFeePerGas: readonly string[];
      readonly gasUsedRatio: readonly number[];
      readonly reward: readonly (readonly string[])[];
    }
    const [number, block, ...histories] = await ahead((at) => [
      ['eth_getBlockByNumber', at, false],
      ['eth_feeHistory', '0x2', at, [50]],
      ['eth_feeHistory', '0x2', 'pending', [50]],
    ]);
    const { baseFeePerGas, gasUsed, gasLimit } = block as Record<string, string>;
    for (const history of histories as readonly History[]) {
      assert.equal(Number(history.oldestBlock), Number(number) - 1);
      assert.deepEqual([history.baseFeePerGas[1], history.baseFeePerGas.length], [baseFeePerGas, 3]);
      assert.equal(history.gasUsedRatio[1], Number(gasUsed) / Number(gasLimit));
      assert.deepEqual(history.reward[1], ['0x3b9aca00']);
    }
  });

  test('roots, bloom and extra data are those of the complete block; hash and nonce are null by tag and zero by number', async () => {
    const [number, byTag, byNumber, byHash] = await ahead((at) => [
      ['eth_getBlockByNumber', 'pending', true],
      ['eth_getBlockByNumber', at, true],
      ['eth_getBlockByHash', ZERO_HASH, true],
    ]);
    const { hash: noHash, nonce: noNonce, ...tagged } = byTag as Json;
    assert.deepEqual([noHash, noNonce], [null, null]);
    assert.deepEqual(byNumber, { ...tagged, hash: ZERO_HASH, nonce: '0x0000000000000000' });
    assert.deepEqual(byHash, byNumber);
    const complete = await eventually(async () => {
      const block = await server.result<Json>('eth_getBlockByNumber', number, true);
      return block['hash'] === ZERO_HASH ? undefined : block;
    });
    assert.equal((tagged['transactions'] as Json[]).length, (complete['transactions'] as Json[]).length);
    const same = [
      'extraData',
      'transactionsRoot',
      'receiptsRoot',
      'withdrawalsRoot',
      'logsBloom',
      'gasUsed',
      'blobGasUsed',
    ];
    for (const name of same) assert.deepEqual(tagged[name], complete[name], name);
    assert.notEqual(tagged['logsBloom'], `0x${'0'.repeat(512)}`);
  });

  test('an empty one has the empty roots', async () => {
    const empty = await eventually(async () => {
      const block = await server.result<Json>('eth_getBlockByNumber', 'pending', false);
      return (block['transactions'] as unknown[]).length === 0 && block['hash'] === null ? block : undefined;
    });
    // keccak-256 of RLP of the empty string: the root of an empty trie.
    const nothing = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';
    for (const name of ['transactionsRoot', 'receiptsRoot', 'withdrawalsRoot'])
      assert.equal(empty[name], nothing, name);
  });

  test('a log subscription or filter with `pending` in its range includes pre-confirmed logs, others do not', async () => {
    const listener = await Listener.open(server);
    const filter = { address: toHex(DEV_GOLD_TOKEN) };
    const pending = { ...filter, fromBlock: 'pending', toBlock: 'pending' };
    const [reported, all, far] = [
      await listener.subscribe('logs', pending),
      await listener.subscribe('logs', { ...filter, toBlock: 'pending' }),
      await listener.subscribe('logs', { ...filter, fromBlock: '0xffffff' }),
    ];
    const polled = await server.result('eth_newFilter', pending);
    const { transactionHash, logs } = await transfer();
    assert.deepEqual(await server.result('eth_getFilterChanges', polled), logs);
    assert.deepEqual(await listener.until(reported, 1), logs);
    const [first, second] = await listener.until(all, 2);
    assert.deepEqual([first!['blockHash'], first!['transactionHash']], [ZERO_HASH, transactionHash]);
    assert.deepEqual([second!['transactionHash'], second!['removed']], [transactionHash, false]);
    assert.notEqual(second!['blockHash'], ZERO_HASH);
    assert.deepEqual([listener.reported(reported).length, listener.reported(far)], [1, []]);
    for (const range of [{ fromBlock: '0x5', toBlock: '0x1' }, { toBlock: '0x1' }, { fromBlock: 'pending' }]) {
      const { error } = await listener.query('eth_subscribe', 'logs', range);
      assert.deepEqual(error, { code: -32_602, message: 'invalid block range params' });
    }
    const unknown = await listener.query('eth_subscribe', 'logs', { adress: toHex(DEV_GOLD_TOKEN) });
    assert.match(unknown.error?.message ?? '', /unknown field "adress"/);
    listener.close();
  });

  test('a filter with a block range reports only logs of those blocks', async () => {
    const head = Number(await server.result('eth_blockNumber'));
    const filters = await Promise.all(
      [{}, { fromBlock: '0x0', toBlock: `0x${head.toString(16)}` }, { fromBlock: '0xffffff' }].map((range) =>
        server.result('eth_newFilter', { address: toHex(DEV_GOLD_TOKEN), ...range }),
      ),
    );
    const { transactionHash } = await transfer();
    const changes = await eventually(async () => {
      const found = await server.result<Json[]>('eth_getFilterChanges', filters[0]);
      return found.some((log) => log['transactionHash'] === transactionHash) ? found : undefined;
    });
    assert.equal(changes.at(-1)!['removed'], false);
    for (const id of filters.slice(1)) assert.deepEqual(await server.result('eth_getFilterChanges', id), []);
  });

  test('a subscription to `syncing` reports once that nothing is being synced', async () => {
    const listener = await Listener.open(server);
    const id = await listener.subscribe('syncing');
    assert.deepEqual(await listener.until(id, 1), [false]);
    listener.close();
  });
});
