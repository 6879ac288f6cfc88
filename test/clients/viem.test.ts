// viem 2 with the running program, over HTTP and over WebSocket.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  type Abi,
  BaseError,
  ContractFunctionRevertedError,
  type Hex,
  type Transport,
  type WebSocketTransport,
  createPublicClient,
  createWalletClient,
  http,
  numberToHex,
  parseEther,
  parseGwei,
  webSocket,
} from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { readDevContractArtifacts } from '../../src/feed/dev/contracts/artifacts.js';
import { DEV_GOLD_TOKEN, DEV_SWAP_POOL, DEV_SILVER_TOKEN } from '../../src/feed/dev/genesis.js';
import { toHex } from '../../src/lib/bytes/hex.js';
import { eventually } from '../support/patience.js';
import { PHRASE } from './accounts.js';
import { Relay } from './relay.js';

const RECEIVER = '0x00000000000000000000000000000000000000aa';
const GOLD = toHex(DEV_GOLD_TOKEN) as Hex;
const POOL = toHex(DEV_SWAP_POOL) as Hex;

const { token, pool } = readDevContractArtifacts();
const TOKEN = { address: GOLD, abi: token.abi as Abi };
const MARKET = { address: POOL, abi: pool.abi as Abi };

/** A message of the topic `watch`. */
interface Watched {
  readonly answers: readonly { readonly call: number; readonly result: string }[];
}

/** The WebSocket that a client uses. */
function underlying(transport: Transport): ReturnType<WebSocketTransport>['value'] & object {
  return (transport as WebSocketTransport)({ chain: foundry }).value!;
}

/** A decoded revert: the name of a custom error, or the reason. */
async function revertOf(response: Promise<unknown>): Promise<string | undefined> {
  const error = await response.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof BaseError, String(error));
  const revert = error.walk((cause) => cause instanceof ContractFunctionRevertedError);
  assert.ok(revert instanceof ContractFunctionRevertedError, error.message);
  return revert.reason ?? revert.data?.errorName;
}

const TRANSPORTS: readonly { name: string; index: number; open: (relay: Relay) => Transport }[] = [
  { name: 'HTTP', index: 0, open: ({ url }) => http(url) },
  {
    name: 'WebSocket',
    index: 1,
    open: ({ socketUrl }) => webSocket(socketUrl, { reconnect: false, keepAlive: false }),
  },
];

for (const { name, index, open } of TRANSPORTS) {
  describe(`viem over ${name}`, () => {
    const account = mnemonicToAccount(PHRASE, { addressIndex: index });
    let relay: Relay;
    let transport: Transport;

    before(async () => {
      relay = await Relay.start();
      transport = open(relay);
    });
    after(() => relay.close());

    const reader = () => createPublicClient({ chain: foundry, transport, pollingInterval: 100 });
    const writer = () => createWalletClient({ account, chain: foundry, transport, pollingInterval: 100 });

    test('reads chain, accounts, code and storage at every tag', async () => {
      const client = reader();
      assert.equal(await client.getChainId(), 31_337);
      for (const blockTag of ['pending', 'latest', 'safe', 'finalized', 'earliest'] as const) {
        assert.equal(await client.getBalance({ address: account.address, blockTag }), parseEther('10000'));
        assert.equal(await client.getTransactionCount({ address: account.address, blockTag }), 0);
        assert.equal(await client.getCode({ address: GOLD, blockTag }), token.runtimeCode);
        assert.match((await client.getStorageAt({ address: POOL, slot: '0x0', blockTag }))!, /^0x[0-9a-f]{64}$/);
      }
      assert.equal(await client.readContract({ ...TOKEN, functionName: 'symbol' }), 'GLD');
    });

    test('reads blocks', async () => {
      const client = reader();
      const latest = await client.getBlock();
      assert.deepEqual(await client.getBlock({ blockHash: latest.hash }), latest);
      assert.equal((await client.getBlock({ blockNumber: latest.number })).hash, latest.hash);
      const pending = await client.getBlock({ blockTag: 'pending', includeTransactions: true });
      assert.ok(pending.number! >= latest.number);
      assert.ok((await client.getBlockNumber()) >= latest.number);
    });

    test('suggests fees', async () => {
      const client = reader();
      const { maxFeePerGas, maxPriorityFeePerGas } = await client.estimateFeesPerGas();
      assert.equal(maxPriorityFeePerGas, parseGwei('0.001'));
      assert.ok(maxFeePerGas > maxPriorityFeePerGas);
      assert.ok((await client.getGasPrice()) > 0n);
      assert.equal(await client.getBlobBaseFee(), 1n);
      const history = await client.getFeeHistory({ blockCount: 4, rewardPercentiles: [25, 75] });
      assert.equal(history.baseFeePerGas.length, history.gasUsedRatio.length + 1);
      assert.equal(history.reward?.[0]?.length, 2);
    });

    test('estimates and calls', async () => {
      const client = reader();
      assert.equal(await client.estimateGas({ account, to: RECEIVER, value: 1n }), 21_000n);
      const transfer = { ...TOKEN, functionName: 'transfer', args: [RECEIVER, 5n], account };
      const gas = await client.estimateContractGas(transfer);
      assert.ok(gas > 25_000n && gas < 70_000n, `${gas}`);
      assert.equal((await client.simulateContract(transfer)).result, true);
    });

    test('decodes a reason and a custom error', async () => {
      const client = reader();
      const tooMuch = { ...TOKEN, functionName: 'transfer', args: [RECEIVER, 2n ** 255n], account };
      assert.equal(await revertOf(client.simulateContract(tooMuch)), 'ERC20InsufficientBalance');
      assert.equal(await revertOf(client.estimateContractGas(tooMuch)), 'ERC20InsufficientBalance');
      const quote = { ...MARKET, functionName: 'quote', args: [RECEIVER, 5n] };
      assert.equal(await revertOf(client.readContract(quote)), 'Pool: unknown token');
    });

    test('sends many reads in one batch', async () => {
      const socket = name === 'WebSocket';
      const client = createPublicClient({
        chain: foundry,
        transport: socket ? transport : http(relay.url, { batch: true }),
      });
      const reads = Array.from({ length: 50 }, (_, slot) => {
        return client.getStorageAt({ address: POOL, slot: `0x${slot.toString(16)}`, blockTag: 'pending' });
      });
      assert.equal((await Promise.all(reads)).length, 50);
      assert.equal(Math.max(...relay.batches), socket ? 1 : 50);
    });

    test('runs many calls as one call that deploys nothing', async () => {
      const batch = { multicall: { deployless: true } };
      const client = createPublicClient({ chain: foundry, transport, batch });
      const names = await Promise.all([
        client.readContract({ ...TOKEN, functionName: 'symbol' }),
        client.readContract({ ...TOKEN, functionName: 'symbol', address: toHex(DEV_SILVER_TOKEN) as Hex }),
      ]);
      assert.deepEqual(names, ['GLD', 'SLV']);
    });

    test('sends a transaction and waits for its receipt', async () => {
      const client = reader();
      const hash = await writer().sendTransaction({ to: RECEIVER, value: 7n });
      const receipt = await client.waitForTransactionReceipt({ hash });
      assert.equal(receipt.status, 'success');
      // The receipt arrives with the pre-confirmation.
      assert.equal(await client.getBalance({ address: RECEIVER, blockTag: 'pending' }), 7n);
      const transaction = await client.getTransaction({ hash });
      assert.equal(transaction.blockNumber, receipt.blockNumber);
      assert.equal(transaction.transactionIndex, receipt.transactionIndex);
      const confirmed = await client.waitForTransactionReceipt({ hash, confirmations: 2 });
      assert.equal((await client.getBlock({ blockNumber: receipt.blockNumber })).hash, confirmed.blockHash);
      assert.equal(transaction.value, 7n);
    });

    test('sends a transaction and has its receipt in one call', async () => {
      const request = await writer().prepareTransactionRequest({ to: RECEIVER, value: 1n });
      const serializedTransaction = await account.signTransaction(request as never);
      const receipt = await reader().sendRawTransactionSync({ serializedTransaction });
      assert.equal(receipt.status, 'success');
      const again = await reader().sendRawTransactionSync({ serializedTransaction });
      assert.equal(again.transactionHash, receipt.transactionHash);
    });

    test('deploys a contract and calls it', async () => {
      const client = reader();
      const bytecode = pool.creationCode as Hex;
      const args = [GOLD, toHex(DEV_SILVER_TOKEN)];
      const hash = await writer().deployContract({ abi: MARKET.abi, bytecode, args });
      const { contractAddress } = await client.waitForTransactionReceipt({ hash });
      const deployed = { abi: MARKET.abi, address: contractAddress!, blockTag: 'pending' } as const;
      assert.equal(String(await client.readContract({ ...deployed, functionName: 'token0' })).toLowerCase(), GOLD);
      const code = await client.getCode({ address: contractAddress!, blockTag: 'pending' });
      assert.equal(code, pool.runtimeCode);
    });

    test('sees a transaction as soon as it is pre-confirmed', async () => {
      const client = reader();
      const nonce = await client.getTransactionCount({ address: account.address, blockTag: 'pending' });
      const hash = await writer().sendTransaction({ to: RECEIVER, value: 1n });
      const seen = await eventually(() => client.getTransaction({ hash }).catch(() => undefined));
      assert.equal(seen.from, account.address.toLowerCase());
      assert.ok((await client.getTransactionCount({ address: account.address, blockTag: 'pending' })) > nonce);
    });

    test('watches blocks, pending transactions and the events of a contract', async () => {
      const client = reader();
      const seen = { blocks: [] as bigint[], pending: [] as string[], events: [] as string[] };
      const stops = [
        client.watchBlocks({ onBlock: ({ number }) => seen.blocks.push(number) }),
        client.watchPendingTransactions({ onTransactions: (hashes) => seen.pending.push(...hashes) }),
        client.watchContractEvent({
          ...TOKEN,
          onLogs: (found) => seen.events.push(...found.map(({ transactionHash }) => transactionHash!)),
        }),
      ];
      // Watchers start with requests of their own, whose completion cannot be observed.
      await eventually(() => (seen.blocks.length > 0 ? true : undefined));
      const hash = await writer().writeContract({ ...TOKEN, functionName: 'transfer', args: [RECEIVER, 0n] });
      await eventually(() => (seen.events.includes(hash) && seen.pending.includes(hash) ? true : undefined));
      for (const stop of stops) stop();
      const [log] = await client.getContractEvents({ ...TOKEN, fromBlock: 'earliest', toBlock: 'pending' });
      assert.equal(log?.eventName, 'Transfer');
      const block = await client.getBlock();
      assert.equal(await client.getBlockTransactionCount({ blockHash: block.hash }), block.transactions.length);
    });

    if (name !== 'HTTP') {
      test('receives results of a watched estimate and nonce', async () => {
        const reported: Watched[] = [];
        const { subscribe } = underlying(transport);
        const transfer = { from: account.address, to: RECEIVER, value: '0x1' };
        const calls = [
          { method: 'eth_estimateGas', params: [transfer, 'pending'] },
          { method: 'eth_getTransactionCount', params: [account.address, 'pending'] },
        ];
        const { unsubscribe } = await subscribe({
          // viem's type only lists the topics that it knows.
          params: ['watch', { calls }] as unknown as ['newHeads'],
          onData: (data) => reported.push((data as unknown as { readonly result: Watched }).result),
        });
        const [first] = await eventually(() => (reported.length > 0 ? reported : undefined));
        const nonce = await reader().getTransactionCount({ address: account.address, blockTag: 'pending' });
        assert.deepEqual(first!.answers, [
          { call: 0, result: numberToHex(21_000) },
          { call: 1, result: numberToHex(nonce) },
        ]);
        await writer().sendTransaction({ to: RECEIVER, value: 1n });
        const [, second] = await eventually(() => (reported.length > 1 ? reported : undefined));
        assert.deepEqual(second!.answers, [{ call: 1, result: numberToHex(nonce + 1) }]);
        await unsubscribe();
      });
    }

    test('calls no other method that is not served', () => {
      assert.deepEqual(relay.unknown, []);
    });

    test('makes an access list', async () => {
      assert.deepEqual(await reader().createAccessList({ account, to: account.address }), {
        accessList: [],
        gasUsed: 21_000n,
      });
    });

    test('simulates calls', async () => {
      const { results } = await reader().simulateCalls({
        account,
        calls: [{ to: POOL }, { to: account.address, value: 1n }],
      });
      assert.deepEqual(
        results.map(({ status }) => status),
        ['failure', 'success'],
      );
    });

    test('gets a clear error for a method that is not served', async () => {
      const client = reader();
      await assert.rejects(client.getProof({ address: POOL, storageKeys: [] }));
      assert.deepEqual(relay.unknown, ['eth_getProof']);
    });
  });
}
