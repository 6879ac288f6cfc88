// ethers 6 with the running program: reads, estimates, decoded reverts, several calls in one batch.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  Contract,
  ContractFactory,
  HDNodeWallet,
  type InterfaceAbi,
  JsonRpcProvider,
  NonceManager,
  isError,
  WebSocketProvider,
  parseEther,
} from 'ethers';
import { readDevContractArtifacts } from '../../src/feed/dev/contracts/artifacts.js';
import { DEV_GOLD_TOKEN, DEV_SWAP_POOL, DEV_SILVER_TOKEN } from '../../src/feed/dev/genesis.js';
import { toHex } from '../../src/lib/bytes/hex.js';
import { eventually } from '../support/patience.js';
import { Server } from '../support/server.js';
import { PHRASE } from './accounts.js';
import { Relay } from './relay.js';

const PATH = "m/44'/60'/0'/0/0";

describe('ethers', () => {
  const { token, pool } = readDevContractArtifacts();
  let relay: Relay;
  let provider: JsonRpcProvider;
  let wallet: HDNodeWallet;
  let gold: Contract;
  let market: Contract;

  before(async () => {
    relay = await Relay.start();
    provider = new JsonRpcProvider(relay.url);
    wallet = HDNodeWallet.fromPhrase(PHRASE, '', PATH).connect(provider);
    gold = new Contract(toHex(DEV_GOLD_TOKEN), token.abi as InterfaceAbi, wallet);
    market = new Contract(toHex(DEV_SWAP_POOL), pool.abi as InterfaceAbi, wallet);
  });
  after(async () => {
    provider.destroy();
    await relay.close();
  });

  test('ethers finds the network and the funded account', async () => {
    assert.equal((await provider.getNetwork()).chainId, 31_337n);
    assert.ok((await provider.getBalance(wallet.address)) >= parseEther('9000'));
    assert.equal(await provider.getTransactionCount(wallet.address, 'pending'), 0);
    assert.equal(await provider.getCode(toHex(DEV_GOLD_TOKEN)), token.runtimeCode);
  });

  test('ethers reads storage and blocks', async () => {
    assert.match(await provider.getStorage(toHex(DEV_SWAP_POOL), 0), /^0x[0-9a-f]{64}$/);
    const block = await provider.getBlock('latest');
    assert.ok(block !== null && block.hash !== null);
    assert.equal((await provider.getBlock(block.hash))?.number, block.number);
    assert.ok(await provider.getBlock('pending'));
  });

  test('ethers sends many reads in one batch', async () => {
    const reads = Array.from({ length: 50 }, (_, i) => provider.getStorage(toHex(DEV_SWAP_POOL), i, 'pending'));
    const words = await Promise.all(reads);
    assert.equal(words.length, 50);
    assert.ok(Math.max(...relay.batches) >= 50, `batches of ${relay.batches.join(', ')}`);
  });

  test('ethers estimates a transfer, a token transfer and a swap', async () => {
    assert.equal(await provider.estimateGas({ from: wallet.address, to: wallet.address, value: 1n }), 21_000n);
    const transfer = await gold.getFunction('transfer').estimateGas(toHex(DEV_SWAP_POOL), 5n);
    assert.ok(transfer > 25_000n && transfer < 70_000n, `${transfer}`);
  });

  test('ethers decodes a custom error and a reason string', async () => {
    await assert.rejects(
      gold.getFunction('transfer').staticCall(toHex(DEV_SWAP_POOL), 2n ** 255n),
      (error) => isError(error, 'CALL_EXCEPTION') && error.revert?.name === 'ERC20InsufficientBalance',
    );
    await assert.rejects(
      market.getFunction('quote').staticCall(wallet.address, 5n),
      (error) => isError(error, 'CALL_EXCEPTION') && error.reason === 'Pool: unknown token',
    );
  });

  test('an estimate that reverts carries the error data', async () => {
    await assert.rejects(gold.getFunction('transfer').estimateGas(toHex(DEV_SWAP_POOL), 2n ** 255n), (error) => {
      if (!isError(error, 'CALL_EXCEPTION') || error.data === null) return false;
      return gold.interface.parseError(error.data)?.name === 'ERC20InsufficientBalance';
    });
  });

  test('ethers sends transactions and waits for their receipts', async () => {
    const sender = new NonceManager(wallet);
    const approve = await (gold.connect(sender) as Contract)
      .getFunction('approve')
      .send(toHex(DEV_SWAP_POOL), 10n ** 20n);
    const swap = await (market.connect(sender) as Contract)
      .getFunction('swap')
      .send(toHex(DEV_GOLD_TOKEN), 10n ** 15n, 0n, wallet.address, { gasLimit: 300_000n });
    const receipts = await Promise.all([approve.wait(), swap.wait()]);
    assert.deepEqual(
      receipts.map((receipt) => receipt?.status),
      [1, 1],
    );
    assert.ok(receipts[1]!.logs.some((log) => log.address.toLowerCase() === toHex(DEV_SILVER_TOKEN)));
    const nonce = await eventually(async () => {
      const latest = await provider.getTransactionCount(wallet.address, 'latest');
      return latest === 2 ? latest : undefined;
    });
    assert.equal(nonce, 2);
  });

  test('ethers deploys a contract and calls it', async () => {
    const factory = new ContractFactory(pool.abi as InterfaceAbi, pool.creationCode, wallet);
    const deployed = await factory.deploy(toHex(DEV_GOLD_TOKEN), toHex(DEV_SILVER_TOKEN));
    await deployed.waitForDeployment();
    const first = (await deployed.getFunction('token0').staticCall({ blockTag: 'pending' })) as string;
    assert.equal(first.toLowerCase(), toHex(DEV_GOLD_TOKEN));
    const { hash } = deployed.deploymentTransaction()!;
    // ethers considers a transaction mined once its block has a hash.
    const mined = await eventually(async () => {
      const sent = await provider.getTransaction(hash);
      return sent?.isMined() === true ? sent : undefined;
    });
    assert.equal(mined.from, wallet.address);
  });

  test('ethers suggests fees', async () => {
    const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = await provider.getFeeData();
    assert.ok(gasPrice! > 0n && maxFeePerGas! > maxPriorityFeePerGas!);
  });

  test('ethers calls no other method that is not served', () => {
    assert.deepEqual(relay.unknown, []);
  });

  test('ethers gets a clear error for a method that is not served', async () => {
    await assert.rejects(provider.send('eth_getWork', []));
    assert.deepEqual(relay.unknown, ['eth_getWork']);
  });
});

describe('ethers over WebSocket', () => {
  let server: Server;
  let provider: WebSocketProvider;

  before(async () => {
    server = await Server.start('--dev-traffic', '0');
    provider = new WebSocketProvider(server.url.replace('http', 'ws'));
  });
  after(async () => {
    await provider.destroy();
    await server.stop();
  });

  test('ethers receives blocks, pending transactions and the events of a contract', async () => {
    const wallet = HDNodeWallet.fromPhrase(PHRASE, '', PATH).connect(provider);
    const gold = new Contract(toHex(DEV_GOLD_TOKEN), readDevContractArtifacts().token.abi as InterfaceAbi, wallet);
    const events = { blocks: [] as number[], pending: [] as string[], transfers: 0 };
    await provider.on('block', (number: number) => events.blocks.push(number));
    await provider.on('pending', (hash: string) => events.pending.push(hash));
    await gold.on('Transfer', () => events.transfers++);
    const sent = (await gold.getFunction('transfer')(wallet.address, 0n)) as { readonly hash: string };
    const receipt = await provider.waitForTransaction(sent.hash, 2);
    assert.equal(receipt?.status, 1);
    assert.ok(receipt !== null && !/^0x0+$/.test(receipt.blockHash));
    await eventually(() => (events.transfers === 1 && events.pending.includes(sent.hash) ? true : undefined));
    assert.ok(events.blocks.length > 0);
    const found = await provider.getLogs({ fromBlock: 'earliest', toBlock: 'pending', address: toHex(DEV_GOLD_TOKEN) });
    assert.deepEqual(
      found.map(({ transactionHash }) => transactionHash),
      [sent.hash],
    );
  });
});
