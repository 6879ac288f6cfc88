// The running program on an imported chain of our own, which the library has made: what it answers at every block, by number and
// by hash, is what the library says, in every mode of execution.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { toQuantity } from '../../src/lib/hex.js';
import { makeOwnChain, type OwnBlock, type OwnChain } from '../support/own-chain.js';
import { Server } from '../support/server.js';
import { batch, type Block, type Call } from '../system/batch.js';
import { assertNoMismatch, MODES } from './modes.js';

let chain: OwnChain;
before(async () => {
  chain = await makeOwnChain();
});
after(() => rmSync(chain.folder, { recursive: true }));

/** All that is known of the state after the block. */
function questions({ number, hash, accounts }: OwnBlock): { readonly calls: Call[]; readonly answers: string[] } {
  const name = number % 2 === 0 ? toQuantity(number) : { blockHash: hash };
  const asked = [...accounts].flatMap(([address, { nonce, balance, code, slots }]): (readonly [Call, string])[] => [
    [['eth_getTransactionCount', address, name], nonce],
    [['eth_getBalance', address, name], balance],
    [['eth_getCode', address, name], code],
    ...slots.map((value, slot) => [['eth_getStorageAt', address, toQuantity(slot), name], value] as const),
  ]);
  return { calls: asked.map(([call]) => call), answers: asked.map(([, answer]) => answer) };
}

for (const mode of MODES) {
  describe(`an imported chain of our own, prestate ${mode.join(' ')}`, () => {
    let server: Server;
    before(async () => {
      server = await Server.start('--genesis', chain.genesisFile, '--chain', chain.chainFile, ...mode);
    });
    after(() => server.stop());

    test('the state after every block is what the library says', async () => {
      for (const block of chain.blocks) {
        const { calls, answers } = questions(block);
        assert.deepEqual((await batch(server, ...calls)).results, answers, `block ${block.number}`);
      }
    });

    test('every block is found by number and by hash, with the hashes of its transactions', async () => {
      for (const { number, hash, transactions } of chain.blocks) {
        const byNumber = await server.result<Block>('eth_getBlockByNumber', toQuantity(number), false);
        assert.equal(byNumber.hash, hash);
        assert.deepEqual(
          byNumber.transactions,
          transactions.map((transaction) => `0x${Buffer.from(transaction.hash()).toString('hex')}`),
        );
        assert.deepEqual(await server.result('eth_getBlockByHash', hash, false), byNumber);
      }
    });

    test('calls on the last block return what the library returns, and are estimated at the gas that it uses', async () => {
      for (const { from, to, data, gas, output } of chain.calls) {
        assert.equal(await server.result('eth_call', { from, to, data }, 'latest'), output);
        assert.equal(await server.result('eth_estimateGas', { from, to, data }, 'latest'), gas);
      }
    });

    test('the kernel and the reference do not differ', () => assertNoMismatch(server));
  });
}
