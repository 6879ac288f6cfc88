// The dev chain reverts to snapshots, through viem's test client and ethers; all readers see it, also after a restart.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { JsonRpcProvider } from 'ethers';
import { createTestClient, createWalletClient, http, parseEther, publicActions, type Hex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { ALICE, PHRASE } from '../clients/accounts.js';
import { until } from '../support/patience.js';
import { Server } from '../support/server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { Listener } from './listener.js';

const RECEIVER = '0x00000000000000000000000000000000000000aa';
const account = mnemonicToAccount(PHRASE);

interface Block {
  readonly number: Hex;
  readonly hash: Hex;
  readonly parentHash: Hex;
  readonly transactions: readonly Hex[];
}

describe('snapshots of the dev chain', () => {
  const flags = ['--dev-traffic', '0', '--dev-tools', '--data-dir', temporaryFolder(), '--workers', '1'];
  let server: Server;
  let client: ReturnType<typeof testClient>;

  before(async () => {
    server = await Server.start(...flags);
    client = testClient(server);
  });
  after(() => server.stop());

  const send = async (value: string): Promise<Hex> => {
    const wallet = createWalletClient({ account, chain: foundry, transport: http(server.url) });
    const hash = await wallet.sendTransaction({ to: RECEIVER, value: parseEther(value) });
    await client.waitForTransactionReceipt({ hash, pollingInterval: 50 });
    return hash;
  };
  const pendingBalance = (): Promise<bigint> => client.getBalance({ address: RECEIVER, blockTag: 'pending' });
  const blockOf = async (ref: string): Promise<Block> =>
    (await server.query('eth_getBlockByNumber', [ref, false])).result as Block;

  test('a snapshot contains the pre-confirmed state, and the chain reverts to it with its blocks', async () => {
    const kept = await send('1');
    const id = await client.snapshot();
    assert.equal(id, '0x1');
    const original = await blockOf('latest');
    assert.equal(await client.getBalance({ address: RECEIVER, blockTag: 'latest' }), parseEther('1'));
    const gone = [await send('2'), await send('3')];
    await until(async () => Number((await blockOf('latest')).number) > Number(original.number) + 1);
    const left = await blockOf(`0x${(Number(original.number) + 1).toString(16)}`);
    assert.equal(await pendingBalance(), parseEther('6'));

    await client.revert({ id });
    assert.equal(await pendingBalance(), parseEther('1'));
    assert.equal(await client.getTransactionCount({ address: ALICE, blockTag: 'pending' }), 1);
    assert.deepEqual(await blockOf(original.number), original);
    for (const hash of gone) {
      assert.equal((await server.query('eth_getTransactionReceipt', [hash])).result, null);
      assert.equal((await server.query('eth_getTransactionByHash', [hash])).result, null);
    }
    assert.equal((await server.query('eth_getBlockByHash', [left.hash, false])).result, null);
    assert.equal((await client.getTransactionReceipt({ hash: kept })).status, 'success');

    // The chain continues from there, and its block numbers now belong to other blocks.
    const next = await send('5');
    const { blockNumber } = await included(next);
    await until(async () => Number((await blockOf('latest')).number) >= Number(blockNumber));
    const again = await blockOf(left.number);
    assert.equal(again.parentHash, original.hash);
    assert.notEqual(again.hash, left.hash);
    assert.equal(await pendingBalance(), parseEther('6'));
    assert.equal(await client.getBalance({ address: RECEIVER, blockNumber: BigInt(original.number) }), parseEther('1'));
  });

  test('a used snapshot is deleted, and so are later ones', async () => {
    const provider = new JsonRpcProvider(server.url, undefined, { staticNetwork: true });
    const revert = (id: unknown): Promise<unknown> => provider.send('evm_revert', [id]);
    const first: unknown = await provider.send('evm_snapshot', []);
    const original = await pendingBalance();
    await send('1');
    const second: unknown = await provider.send('evm_snapshot', []);
    await send('1');
    assert.equal(await revert(second), true);
    assert.equal(await pendingBalance(), original + parseEther('1'));
    assert.equal(await revert(second), false);
    const third: unknown = await provider.send('evm_snapshot', []);
    assert.equal(await revert(first), true);
    assert.equal(await pendingBalance(), original);
    for (const id of [first, second, third, '0xffff']) assert.equal(await revert(id), false);
    await assert.rejects(revert('first'), /hex string without 0x prefix|invalid/);
    provider.destroy();
  });

  test('subscribers receive the lower heads again', async () => {
    const listener = await Listener.open(server);
    const heads = await listener.subscribe('newHeads');
    const id = await client.snapshot();
    await send('1');
    const reported = await listener.until(heads, 1);
    await client.revert({ id });
    await until(() => {
      const numbers = listener.reported(heads).map(({ number }) => Number(number));
      return numbers.some((number, at) => at >= reported.length && number <= Number(reported[0]!['number']));
    });
    listener.close();
  });

  test('a restart finds the state that was reverted to', async () => {
    const kept = await blockOf('latest');
    const id = await client.snapshot();
    const original = await pendingBalance();
    const gone = await send('7');
    const { blockNumber } = await included(gone);
    await until(async () => Number((await blockOf('latest')).number) > Number(blockNumber));
    await client.revert({ id });
    await server.stop();
    server = await Server.start(...flags);
    client = testClient(server);
    assert.equal(await pendingBalance(), original);
    assert.equal((await blockOf(kept.number)).hash, kept.hash);
    assert.equal((await server.query('eth_getTransactionReceipt', [gone])).result, null);
    assert.equal((await server.query('evm_revert', [id])).result, false);
  });

  const included = (hash: Hex): Promise<{ readonly blockNumber: Hex }> =>
    server.result('eth_getTransactionReceipt', hash);
});

// oxlint-disable-next-line typescript/explicit-function-return-type -- the type is a page long
function testClient(server: Server) {
  return createTestClient({ mode: 'anvil', chain: foundry, transport: http(server.url) }).extend(publicActions);
}
