// web3.js 4 with the running program, over HTTP and over WebSocket.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type ContractAbi, Web3, WebSocketProvider } from 'web3';
import { readDevContractArtifacts } from '../../src/feed/dev/contracts/artifacts.js';
import { DEV_GOLD_TOKEN, DEV_SWAP_POOL, DEV_SILVER_TOKEN } from '../../src/feed/dev/genesis.js';
import { toHex } from '../../src/lib/bytes/hex.js';
import { eventually } from '../support/patience.js';
import { ALICE, ALICE_KEY, BOB } from './accounts.js';
import { Relay } from './relay.js';

const GOLD = toHex(DEV_GOLD_TOKEN);
const POOL = toHex(DEV_SWAP_POOL);
const TOO_MUCH = 2n ** 255n;
const POLLING_MS = 100;

const { token, pool } = readDevContractArtifacts();
const TOKEN_ABI = token.abi as ContractAbi;
const POOL_ABI = pool.abi as ContractAbi;

/** A revert in web3.js: the data, and what the contract's ABI makes of them. */
interface Revert {
  readonly cause: {
    readonly message: string;
    readonly data: string;
    readonly errorName?: string;
    readonly errorArgs?: { readonly message?: string };
  };
}

/** Revert of a call. */
async function revertOf(response: Promise<unknown>): Promise<Revert['cause']> {
  const thrown = await response.then(
    () => null,
    (error: unknown) => error,
  );
  assert.ok(thrown instanceof Error && 'cause' in thrown, String(thrown));
  return (thrown as Revert).cause;
}

/** Sends a transaction and waits for heads, pending transactions and logs. */
async function toldOf(web3: Web3, send: () => Promise<unknown>): Promise<void> {
  const reported = { heads: 0, pending: 0, logs: 0 };
  (await web3.eth.subscribe('newHeads')).on('data', () => void reported.heads++);
  (await web3.eth.subscribe('newPendingTransactions')).on('data', () => void reported.pending++);
  (await web3.eth.subscribe('logs', { address: GOLD })).on('data', () => void reported.logs++);
  await send();
  await eventually(() => (Math.min(reported.heads, reported.pending, reported.logs) > 0 ? true : undefined));
  await web3.eth.clearSubscriptions();
}

for (const isSocket of [false, true]) {
  describe(`web3.js over ${isSocket ? 'WebSocket' : 'HTTP'}`, () => {
    let relay: Relay;
    let web3: Web3;

    before(async () => {
      relay = await Relay.start();
      web3 = new Web3(isSocket ? new WebSocketProvider(relay.socketUrl, {}, { autoReconnect: false }) : relay.url);
      web3.eth.transactionPollingInterval = POLLING_MS;
      // Receipts arrive with the pre-confirmation, so subsequent reads and nonces use the pending state.
      web3.setConfig({ defaultBlock: 'pending' });
      web3.eth.accounts.wallet.add(ALICE_KEY);
    });
    after(async () => {
      if (isSocket) web3.provider?.disconnect();
      await relay.close();
    });

    test('reads chain, accounts, code and storage', async () => {
      assert.equal(await web3.eth.getChainId(), 31_337n);
      assert.equal(await web3.eth.net.getId(), 31_337n);
      for (const block of ['pending', 'latest'] as const) {
        assert.equal(await web3.eth.getBalance(ALICE, block), 10n ** 22n);
        assert.equal(await web3.eth.getTransactionCount(ALICE, block), 0n);
        assert.equal(await web3.eth.getCode(GOLD, block), token.runtimeCode);
        assert.match(await web3.eth.getStorageAt(POOL, 0, block), /^0x[0-9a-f]{64}$/);
      }
      assert.equal(await new web3.eth.Contract(TOKEN_ABI, GOLD).methods['symbol']!().call(), 'GLD');
    });

    test('reads blocks', async () => {
      const latest = await web3.eth.getBlock('latest');
      assert.deepEqual(await web3.eth.getBlock(latest.hash), latest);
      assert.ok((await web3.eth.getBlock('pending', true)).number >= latest.number);
      assert.ok((await web3.eth.getBlockNumber()) >= latest.number);
    });

    test('suggests fees', async () => {
      assert.ok((await web3.eth.getGasPrice()) > 0n);
      assert.equal(await web3.eth.getMaxPriorityFeePerGas(), 10n ** 6n);
      const { maxFeePerGas, maxPriorityFeePerGas } = await web3.eth.calculateFeeData();
      assert.ok(maxFeePerGas! > maxPriorityFeePerGas!);
      const history = await web3.eth.getFeeHistory(4, 'latest', [25, 75]);
      const [baseFees, ratios] = [history.baseFeePerGas, history.gasUsedRatio] as unknown as [unknown[], unknown[]];
      assert.equal(baseFees.length, ratios.length + 1);
    });

    test('estimates and calls', async () => {
      assert.equal(await web3.eth.estimateGas({ from: ALICE, to: BOB, value: 1n }), 21_000n);
      const transfer = new web3.eth.Contract(TOKEN_ABI, GOLD).methods['transfer']!(BOB, 5n);
      const gas = await transfer.estimateGas({ from: ALICE });
      assert.ok(gas > 25_000n && gas < 70_000n, `${gas}`);
      assert.equal(await transfer.call({ from: ALICE }), true);
    });

    test('decodes a reason and a custom error', async () => {
      const transfer = new web3.eth.Contract(TOKEN_ABI, GOLD).methods['transfer']!(BOB, TOO_MUCH);
      const revert = await revertOf(transfer.call({ from: ALICE }));
      assert.equal(revert.message, 'execution reverted');
      assert.equal(revert.errorName, 'ERC20InsufficientBalance');
      assert.match((await revertOf(transfer.estimateGas({ from: ALICE }))).data, /^0xe450d38c/);
      const quote = new web3.eth.Contract(POOL_ABI, POOL).methods['quote']!(BOB, 5n);
      assert.equal((await revertOf(quote.call())).errorArgs?.message, 'Pool: unknown token');
    });

    test('sends several reads in one batch', async () => {
      const batch = new web3.BatchRequest();
      const response = [
        batch.add<string>({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
        batch.add<string>({ jsonrpc: '2.0', id: 2, method: 'eth_getBalance', params: [ALICE, 'pending'] }),
      ];
      await batch.execute();
      assert.deepEqual(await Promise.all(response), ['0x7a69', `0x${(10n ** 22n).toString(16)}`]);
      assert.ok(relay.batches.includes(2));
    });

    test('sends a transaction and waits for its receipt', async () => {
      const receipt = await web3.eth.sendTransaction({ from: ALICE, to: BOB, value: 7n });
      assert.equal(receipt.status, 1n);
      const transaction = await web3.eth.getTransaction(receipt.transactionHash);
      assert.equal(transaction.blockNumber, receipt.blockNumber);
      assert.equal(await web3.eth.getTransactionCount(ALICE, 'pending'), 1n);
    });

    test('deploys a contract and calls it', async () => {
      const creation = { data: pool.creationCode, arguments: [GOLD, toHex(DEV_SILVER_TOKEN)] };
      const deployed = await new web3.eth.Contract(POOL_ABI).deploy(creation).send({ from: ALICE });
      const first = await deployed.methods['token0']!().call({}, 'pending');
      assert.equal(String(first).toLowerCase(), GOLD);
      assert.equal(await web3.eth.getCode(deployed.options.address!, 'pending'), pool.runtimeCode);
    });

    test(isSocket ? 'receives heads, pending transactions and logs' : 'finds past logs', async () => {
      const transfer = new web3.eth.Contract(TOKEN_ABI, GOLD).methods['transfer']!(BOB, 0n);
      const send = async (): Promise<unknown> => transfer.send({ from: ALICE });
      await (isSocket ? toldOf(web3, send) : send());
      assert.ok((await web3.eth.getPastLogs({ fromBlock: 'earliest', toBlock: 'pending', address: GOLD })).length > 0);
    });

    test('makes an access list', async () => {
      const { gasUsed } = await web3.eth.createAccessList({ from: ALICE, to: BOB }, 'latest');
      assert.equal(Number(gasUsed), 21_000);
    });

    test('calls no other method that is not served', () => {
      assert.deepEqual(relay.unknown, []);
    });

    test('gets a clear error for a method that is not served', async () => {
      await assert.rejects(web3.eth.getProof(ALICE, [`0x${'00'.repeat(32)}`], 'latest'));
      assert.deepEqual(relay.unknown, ['eth_getProof']);
    });
  });
}
