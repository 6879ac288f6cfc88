// The dev chain under Amsterdam's rules as client libraries use it: estimates with two kinds of gas, deployments,
// access lists; and a data folder that remembers its chain's rules.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Contract, ContractFactory, JsonRpcProvider, type Wallet, type TransactionResponse } from 'ethers';
import { accessListWrites } from '../../src/feed/diffs/decode-verified-access-list.js';
import { DEV_GOLD_TOKEN } from '../../src/feed/dev/genesis.js';
import { fromHex, toHex } from '../../src/lib/bytes/hex.js';
import { devWallet } from '../feed/keys.js';
import { until } from '../support/patience.js';
import { Server } from '../support/server.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Init code that deploys 3 bytes of code. */
const INIT_CODE = '0x625b5b006000526003601df3';
const NEW_ACCOUNT = 183_600n;
const NEW_SLOT = 97_920n;

interface Block {
  readonly number: string;
  readonly hash: string;
  readonly parentHash: string;
  readonly slotNumber: string;
  readonly gasUsed: string;
  readonly blockAccessListHash: string;
  readonly transactions: readonly string[];
}

interface Receipt {
  readonly transactionHash: string;
  readonly transactionIndex: string;
  readonly gasUsed: string;
  readonly cumulativeGasUsed: string;
  readonly logs: readonly unknown[];
}

function writesIn(list: unknown, { blockAccessListHash }: Block): ReturnType<typeof accessListWrites> {
  return accessListWrites(list, fromHex(blockAccessListHash));
}

describe('a dev chain of Amsterdam', () => {
  const folder = temporaryFolder();
  let server: Server;
  let wallet: Wallet;
  before(async () => {
    server = await Server.start('--dev-traffic', '0', '--dev-fork', 'amsterdam', '--data-dir', folder);
    const options = { staticNetwork: true, batchMaxCount: 1, cacheTimeout: -1 };
    wallet = devWallet(3).connect(new JsonRpcProvider(server.url, 31337, options));
  });
  after(async () => {
    (wallet.provider as JsonRpcProvider).destroy();
    await server.stop();
  });

  /** The block of a transaction, once it is complete. */
  async function blockOf({ hash }: Pick<TransactionResponse, 'hash'>): Promise<Block> {
    let block: Block | null = null;
    await until(async () => {
      const { blockHash } = await server.result<{ blockHash: string }>('eth_getTransactionByHash', hash);
      block = await server.result<Block | null>('eth_getBlockByHash', blockHash, false);
      return block !== null && BigInt(blockHash) !== 0n;
    });
    return block!;
  }

  test('estimates are the minimum of both kinds of gas, and transactions succeed with them', async () => {
    const { address: from } = wallet;
    const fresh = `0x${'e1'.repeat(20)}`;
    const old = devWallet(4).address;
    for (const [call, gas] of [
      [{ from, to: old }, 15_000n],
      [{ from, to: old, value: '0x1' }, 21_000n],
      [{ from, to: fresh, value: '0x1' }, 21_000n + NEW_ACCOUNT],
    ] as const)
      assert.equal(BigInt(await server.result('eth_estimateGas', call)), gas);
    for (const to of [old, fresh]) {
      const gasLimit = await wallet.estimateGas({ to, value: 1n });
      const receipt = await (await wallet.sendTransaction({ to, value: 1n, gasLimit })).wait();
      assert.equal(receipt!.status, 1);
      assert.equal(receipt!.gasUsed, gasLimit);
    }
  });

  test('a token can be sent to a new holder, and a contract can be deployed', async () => {
    const token = new Contract(toHex(DEV_GOLD_TOKEN), ['function transfer(address,uint256) returns (bool)'], wallet);
    const transfer = token.getFunction('transfer');
    const receiver = `0x${'e2'.repeat(20)}`;
    const gas = await transfer.estimateGas(receiver, 5n);
    assert.ok(gas > NEW_SLOT, `${gas} pays for a slot`);
    const sent = (await transfer.send(receiver, 5n)) as TransactionResponse;
    assert.equal((await sent.wait())!.status, 1);
    const deployed = await new ContractFactory([], INIT_CODE, wallet).deploy();
    await deployed.waitForDeployment();
    assert.equal(await wallet.provider!.getCode(await deployed.getAddress(), 'pending'), '0x5b5b00');
  });

  test('a block whose gas is not the sum of its receipts is executed again for traces and for calls inside the block', async () => {
    const to = `0x${'e5'.repeat(20)}`;
    const { hash } = await wallet.sendTransaction({ to, value: 1n });
    const block = await blockOf({ hash });
    const receipts = await server.result<Receipt[]>('eth_getBlockReceipts', block.hash);
    assert.notEqual(block.gasUsed, receipts.at(-1)!.cumulativeGasUsed);
    const { gasUsed, transactionIndex } = receipts.find(({ transactionHash }) => transactionHash === hash)!;
    assert.equal(BigInt(gasUsed), 21_000n + NEW_ACCOUNT);
    const tracer = { tracer: 'callTracer' };
    const trace = await server.result<{ gasUsed: string; to: string }>('debug_traceTransaction', hash, tracer);
    assert.deepEqual([trace.gasUsed, trace.to], [gasUsed, to]);
    for (const [method, ref] of [
      ['debug_traceBlockByHash', block.hash],
      ['debug_traceBlockByNumber', block.number],
    ] as const) {
      const traces = await server.result<object[]>(method, ref, tracer);
      assert.deepEqual(
        [traces.length, traces[Number(transactionIndex)]],
        [receipts.length, { txHash: hash, result: trace }],
      );
    }
    const reader = { from: wallet.address, to: `0x${'e6'.repeat(20)}` };
    const stateOverrides = { [reader.to]: { code: `0x73${to.slice(2)}315f5260205ff3` } };
    const inside = { ...tracer, txIndex: transactionIndex, stateOverrides };
    const called = await server.result<{ output: string }>('debug_traceCall', reader, block.hash, inside);
    assert.equal(BigInt(called.output), 0n);
    const logger = { [reader.to]: { code: '0x5f5fa000' } };
    const logging = { tracer: 'callTracer', tracerConfig: { withLog: true }, stateOverrides: logger };
    const txIndex = `0x${receipts.length.toString(16)}`;
    const { logs } = await server.result<{ logs: { index: string }[] }>('debug_traceCall', reader, block.hash, {
      ...logging,
      txIndex,
    });
    assert.equal(Number(logs[0]!.index), receipts.flatMap((receipt) => receipt.logs).length);
    const context = { blockNumber: block.hash, transactionIndex: -1 };
    const many = await server.result('eth_callMany', [{ transactions: [reader] }], context, stateOverrides);
    assert.deepEqual(many, [[{ value: `0x${'1'.padStart(64, '0')}` }]]);
  });

  test('every block has its slot and the hash of its access list, which contains its changes', async () => {
    const to = `0x${'e3'.repeat(20)}`;
    const block = await blockOf(await wallet.sendTransaction({ to, value: 7n }));
    const parent = await server.result<Block>('eth_getBlockByHash', block.parentHash, false);
    assert.equal(BigInt(block.slotNumber), BigInt(parent.slotNumber) + 1n);
    for (const ref of [block.hash, block.number]) {
      const writes = writesIn(await server.result('eth_getBlockAccessList', ref), block);
      assert.equal(writes.fieldsOf(fromHex(to)).balance, 7n);
    }
    const empty = await server.result<Block>('eth_getBlockByNumber', 'earliest', false);
    assert.deepEqual(await server.result('eth_getBlockAccessList', 'earliest'), []);
    writesIn([], empty);
    assert.equal(await server.result('eth_getBlockAccessList', 'pending'), null);
    const pending = await server.result<Block>('eth_getBlockByNumber', 'pending', false);
    assert.ok(BigInt(pending.slotNumber) > BigInt(block.slotNumber));
  });

  test('eth_config lists the system contracts of the fork', async () => {
    const { current } = await server.result<{ current: { systemContracts: object } }>('eth_config');
    const names = Object.keys(current.systemContracts);
    for (const name of ['BUILDER_DEPOSIT_CONTRACT_ADDRESS', 'BUILDER_EXIT_CONTRACT_ADDRESS'])
      assert.ok(names.includes(name), name);
  });

  test('a data folder continues by the rules that its chain began with', async () => {
    const { hash } = await blockOf(await wallet.sendTransaction({ to: `0x${'e4'.repeat(20)}`, value: 1n }));
    const list = await server.result('eth_getBlockAccessList', hash);
    await server.stop();
    await assert.rejects(
      Server.start('--dev-traffic', '0', '--data-dir', folder),
      /belongs to another chain or another genesis/,
    );
    server = await Server.start('--dev-traffic', '5', '--dev-fork', 'amsterdam', '--data-dir', folder);
    assert.deepEqual(await server.result('eth_getBlockAccessList', hash), list);
    await until(
      async () => (await server.result<Block>('eth_getBlockByNumber', 'latest', false)).transactions.length > 0,
    );
  });
});
