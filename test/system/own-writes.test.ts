// Read your writes: a client that has the response to its transaction finds it with its next request: ten accounts at
// once, under more traffic than the chain can execute. OWN_WRITES overrides the number of transactions.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DEV_ACCOUNT_ADDRESSES } from '../../src/feed/dev/accounts-and-contract-addresses.js';
import { toHex, toQuantity } from '../../src/lib/bytes/hex.js';
import { devWallet, signed } from '../feed/keys.js';
import { Server } from '../support/server.js';

/** Transactions per account. */
const COUNT = Number(process.env['OWN_WRITES'] ?? 6);

const METHODS: readonly (readonly [method: string, waitMs?: number])[] = [
  ['eth_sendRawTransaction'],
  ['eth_sendRawTransactionSync', 30_000],
];

describe('an own write is visible to the next request', () => {
  let server: Server;
  before(async () => {
    server = await Server.start('--dev-traffic', '300', '--workers', '1');
  });
  after(() => server.stop());

  const pendingNonce = (address: string): Promise<string> =>
    server.result('eth_getTransactionCount', address, 'pending');

  /** Counts the transactions sent by `send` that were not visible at `pending` right after its response. */
  async function countInvisible(index: number, send: (raw: string) => Promise<unknown>): Promise<number> {
    const wallet = devWallet(index);
    const first = Number(await pendingNonce(wallet.address));
    let late = 0;
    for (let nonce = first; nonce < first + COUNT; nonce++) {
      await send(toHex(signed(wallet, { nonce, maxFeePerGas: 10n ** 13n, maxPriorityFeePerGas: 1n })));
      if ((await pendingNonce(wallet.address)) !== toQuantity(nonce + 1)) late++;
    }
    return late;
  }

  const none = DEV_ACCOUNT_ADDRESSES.map(() => 0);

  for (const [method, ...wait] of METHODS) {
    test(`after ${method}`, async () => {
      const late = DEV_ACCOUNT_ADDRESSES.map((_, index) =>
        countInvisible(index, (raw) => server.result(method, raw, ...wait)),
      );
      assert.deepEqual(await Promise.all(late), none);
    });
  }

  test('and is in the next snapshot, and not in the state after reverting to the previous one', async () => {
    const wallet = devWallet(0);
    const nonce = Number(await pendingNonce(wallet.address));
    const empty = await server.result('evm_snapshot');
    await server.result('eth_sendRawTransaction', toHex(signed(wallet, { nonce, maxFeePerGas: 10n ** 13n })));
    await server.result('evm_snapshot');
    assert.equal(await server.result('eth_getTransactionCount', wallet.address, 'latest'), toQuantity(nonce + 1));
    assert.equal(await server.result('evm_revert', empty), true);
    assert.equal(await pendingNonce(wallet.address), toQuantity(nonce));
  });
});
