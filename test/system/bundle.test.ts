// Bundles on a running dev chain: their result at `pending` equals that of sending the transactions one by one, for
// ethers and viem alike.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { JsonRpcProvider, Wallet } from 'ethers';
import { createPublicClient, http, rpcSchema } from 'viem';
import { DEV_GOLD_TOKEN } from '../../src/feed/dev/genesis.js';
import { toHex } from '../../src/lib/bytes/hex.js';
import { ALICE_KEY } from '../clients/accounts.js';
import { eventually } from '../support/patience.js';
import { Server } from '../support/server.js';
import { queryAll, batch } from './batch.js';

const GOLD = toHex(DEV_GOLD_TOKEN);
const HOLDER = `0x${'5e'.repeat(20)}`;
const SENDER = new Wallet(ALICE_KEY);
const FROM = SENDER.address.toLowerCase();
/** Creation code that sends its value to the fee recipient, and creation code that reverts. */
const TIPS = '0x5f5f5f5f34415af100';
const REVERTS = '0x5f5ffd';

interface Account {
  readonly balance?: string;
  readonly nonce?: number;
  readonly storage?: Readonly<Record<string, string>>;
}

interface Bundle {
  readonly stateBlockNumber: number;
  readonly totalGasUsed: number;
  readonly results: readonly {
    readonly gasUsed: number;
    readonly gasPrice: string;
    readonly ethSentToCoinbase: string;
    readonly error?: string;
    readonly txHash: string;
    readonly stateDiff: { readonly post: Readonly<Record<string, Account>> };
  }[];
}

interface Receipt {
  readonly gasUsed: string;
  readonly status: string;
  readonly transactionHash: string;
}

let server: Server;
before(async () => {
  server = await Server.startPatient('--dev-traffic', '0');
});
after(() => server.stop());

async function signedOnes(): Promise<string[]> {
  const chainId = Number(await server.result('eth_chainId'));
  const first = Number(await server.result('eth_getTransactionCount', FROM, 'pending'));
  const fees = { maxPriorityFeePerGas: 10n ** 9n, maxFeePerGas: 10n ** 11n };
  const transfer = `0xa9059cbb${HOLDER.slice(2).padStart(64, '0')}${'7'.padStart(64, '0')}`;
  const messages = [
    { to: HOLDER, value: 5n },
    { to: GOLD, data: transfer },
    { data: TIPS, value: 1000n },
    { data: REVERTS },
  ];
  return Promise.all(
    messages.map((message, index) =>
      SENDER.signTransaction({ chainId, type: 2, nonce: first + index, gasLimit: 100_000n, ...fees, ...message }),
    ),
  );
}

/** The bundle on the pending block, selected by tag and by number. */
async function bundleAtPending(txs: readonly string[]): Promise<Bundle> {
  return eventually(async () => {
    const { results } = await batch(server, ['eth_getBlockByNumber', 'pending', false]);
    const { number } = results[0] as { number: string };
    const requested = (state: string): object => ({
      txs,
      blockNumber: number,
      stateBlockNumber: state,
      stateDiff: true,
    });
    const { answers } = await queryAll(server, [
      ['eth_callBundle', requested('pending')],
      ['eth_callBundle', requested(number)],
    ]);
    const [byTag, byNumber] = answers.map(({ result }) => result as Bundle | undefined);
    if (byTag?.stateBlockNumber !== Number(number)) return undefined;
    assert.deepEqual(byNumber, byTag);
    return byTag;
  });
}

test('a bundle at pending has the result of sending its transactions one by one', async () => {
  const txs = await signedOnes();
  const { results, totalGasUsed } = await bundleAtPending(txs);
  let gas = 0;
  for (const [index, raw] of txs.entries()) {
    const receipt = await server.result<Receipt>('eth_sendRawTransactionSync', raw);
    const reported = results[index]!;
    assert.equal(reported.txHash, receipt.transactionHash);
    assert.equal(reported.gasUsed, Number(receipt.gasUsed));
    assert.equal(reported.error === undefined, receipt.status === '0x1');
    assert.equal(reported.gasPrice, index === 2 ? `${10n ** 9n + 1000n / BigInt(reported.gasUsed)}` : '1000000000');
    assert.equal(reported.ethSentToCoinbase, index === 2 ? '1000' : '0');
    gas += Number(receipt.gasUsed);
  }
  assert.equal(totalGasUsed, gas);
  assert.equal(results[3]!.error, 'execution reverted');
  assert.equal(results[0]!.stateDiff.post[HOLDER]!.balance, '0x5');
  const { nonce } = results[3]!.stateDiff.post[FROM]!;
  assert.equal(nonce, Number(await server.result('eth_getTransactionCount', FROM, 'pending')));
  const slots = Object.entries(results[1]!.stateDiff.post[GOLD]!.storage!);
  assert.equal(slots.length, 2);
  for (const [slot, word] of slots) assert.equal(await server.result('eth_getStorageAt', GOLD, slot, 'pending'), word);
});

test('a bundle can be metered on top of pending', async () => {
  const txs = await signedOnes();
  const requested = { txs, blockNumber: '0x100000', stateBlockNumber: 'pending' };
  const { results } = await server.result<Bundle>('eth_callBundle', requested);
  const metered = await server.result<Bundle>('base_meterBundle', { txs, blockNumber: '0x100000' });
  const gas = (each: Bundle['results']): unknown => each.map(({ txHash, gasUsed }) => ({ txHash, gasUsed }));
  assert.deepEqual(gas(metered.results), gas(results));
});

test('ethers and viem can call eth_callBundle', async () => {
  const txs = await signedOnes();
  const bundle = { txs, blockNumber: '0x100000', stateBlockNumber: 'pending' };
  const provider = new JsonRpcProvider(server.url);
  const client = createPublicClient({
    transport: http(server.url),
    rpcSchema: rpcSchema<[{ Method: 'eth_callBundle'; Parameters: [typeof bundle]; ReturnType: Bundle }]>(),
  });
  const byEthers = (await provider.send('eth_callBundle', [bundle])) as Bundle;
  const byViem = await client.request({ method: 'eth_callBundle', params: [bundle] });
  assert.equal(byEthers.results.length, txs.length);
  assert.deepEqual(byViem.results, byEthers.results);
  await assert.rejects(provider.send('eth_callBundle', [{ ...bundle, txs: [] }]));
  provider.destroy();
});
