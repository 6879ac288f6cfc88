// eth_getTransactionBySenderAndNonce: on the dev chain for every status of a transaction, and on an imported chain for
// each of its transactions.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { toHex, toQuantity } from '../../src/lib/bytes/hex.js';
import { devWallet, signed } from '../feed/keys.js';
import { makeOwnChain, type OwnChain } from '../support/own-chain.js';
import { eventually } from '../support/patience.js';
import { Server } from '../support/server.js';
import type { Json } from './listener.js';

const METHOD = 'eth_getTransactionBySenderAndNonce';

describe('eth_getTransactionBySenderAndNonce on the dev chain', () => {
  let server: Server;
  const wallet = devWallet(7);
  before(async () => {
    server = await Server.start('--dev-traffic', '0');
  });
  after(() => server.stop());

  const bySender = (nonce: number): Promise<Json | null> => server.result(METHOD, wallet.address, toQuantity(nonce));

  test('finds a pending, a pre-confirmed and a complete transaction, each as by its hash', async () => {
    assert.equal(await bySender(0), null);
    const later = await server.result('eth_sendRawTransaction', toHex(signed(wallet, { nonce: 1 })));
    const waiting = (await bySender(1))!;
    assert.deepEqual([waiting['hash'], waiting['blockNumber']], [later, null]);
    assert.equal(await bySender(0), null);
    const first = await server.result('eth_sendRawTransaction', toHex(signed(wallet, { nonce: 0 })));
    for (const [nonce, hash] of [first, later].entries()) {
      const placed = await eventually(async () => {
        const found = await bySender(nonce);
        return found?.['blockNumber'] == null ? undefined : found;
      });
      assert.equal(placed['hash'], hash);
      const complete = await eventually(async () => {
        const found = await bySender(nonce);
        return /^0x0+$/.test(String(found!['blockHash'])) ? undefined : found;
      });
      assert.deepEqual(complete, await server.result('eth_getTransactionByHash', hash));
    }
    assert.equal(await bySender(2), null);
    const { error } = await server.query(METHOD, [wallet.address]);
    assert.deepEqual(error, { code: -32_602, message: 'missing value for required argument 1' });
  });
});

describe('eth_getTransactionBySenderAndNonce on an imported chain', () => {
  let chain: OwnChain;
  let server: Server;
  before(async () => {
    chain = await makeOwnChain();
    server = await Server.start('--genesis', chain.genesisFile, '--chain', chain.chainFile);
  });
  after(() => server.stop());

  test('finds every transaction, and none for other nonces', async () => {
    const head = Number(await server.result('eth_blockNumber'));
    const used = new Map<string, Set<number>>();
    for (let number = 0; number <= head; number++) {
      const { transactions } = await server.result<{ transactions: Json[] }>(
        'eth_getBlockByNumber',
        toQuantity(number),
        true,
      );
      for (const transaction of transactions) {
        const { from, nonce } = transaction as { from: string; nonce: string };
        assert.deepEqual(await server.result(METHOD, from, nonce), transaction);
        used.set(from, (used.get(from) ?? new Set()).add(Number(nonce)));
      }
    }
    assert.ok(used.size > 0);
    for (const [from, nonces] of used) {
      const next = Number(await server.result('eth_getTransactionCount', from, 'latest'));
      for (let nonce = 0; nonce < next + 2; nonce++)
        assert.equal((await server.result(METHOD, from, toQuantity(nonce))) !== null, nonces.has(nonce), `${nonce}`);
    }
  });
});
