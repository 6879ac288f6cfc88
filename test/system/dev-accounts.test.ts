// The dev chain's accounts sign for scripts without keys: transactions in order of arrival, messages and typed data as
// ethers signs them. Missing fields of a transaction are filled in from a single version; blocks are also served raw.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { JsonRpcProvider, Transaction, keccak256, toUtf8Bytes, hexlify } from 'ethers';
import { createBlockFromRLP } from '@ethereumjs/block';
import { DEV_ACCOUNT_ADDRESSES } from '../../src/feed/dev/accounts-and-contract-addresses.js';
import { DEV_CHAIN } from '../../src/feed/dev/genesis.js';
import { createChainRules } from '../../src/evm/reference/fork-rules.js';
import { fromHex, toHex, toQuantity } from '../../src/lib/bytes/hex.js';
import { devWallet } from '../feed/keys.js';
import { Server } from '../support/server.js';

const TO = `0x${'5b'.repeat(20)}`;

interface Filled {
  readonly raw: string;
  readonly tx: Readonly<Record<string, string>>;
}

describe('accounts of the dev chain', () => {
  const [from, other] = DEV_ACCOUNT_ADDRESSES.map(toHex) as [string, string];
  let server: Server;
  before(async () => {
    server = await Server.start('--dev-traffic', '0', '--dev-tools', '--workers', '1');
  });
  after(() => server.stop());

  const refusal = async (method: string, ...params: unknown[]): Promise<string> => {
    const { error } = await server.query(method, params);
    return `${error?.code} ${error?.message}`;
  };

  test('send transactions with missing fields filled in and consecutive nonces, even concurrently', async () => {
    const sends = Array.from({ length: 8 }, (_, value) =>
      server.result('eth_sendTransaction', { from, to: TO, value: toQuantity(value) }),
    );
    const hashes = await Promise.all(sends);
    const nonces = await Promise.all(
      hashes.map(async (hash) => (await server.result<{ nonce: string }>('eth_getTransactionByHash', hash)).nonce),
    );
    assert.deepEqual(
      nonces.map(Number).toSorted((a, b) => a - b),
      [0, 1, 2, 3, 4, 5, 6, 7],
    );
    const legacy = await server.result('eth_sendTransaction', { from, to: TO, gasPrice: toQuantity(10n ** 10n) });
    assert.equal((await server.result<{ type: string }>('eth_getTransactionByHash', legacy)).type, '0x0');
  });

  test('sign messages and typed data', async () => {
    const wallet = devWallet(1);
    const message = hexlify(toUtf8Bytes('hello'));
    const signed = await wallet.signMessage('hello');
    assert.equal(await server.result('personal_sign', message, other), signed);
    assert.equal(await server.result('eth_sign', other, message), signed);
    const domain = { name: 'a', chainId: 31337 };
    const types = { Order: [{ name: 'amount', type: 'uint256' }] };
    const typed = await wallet.signTypedData(domain, types, { amount: 5 });
    const provider = new JsonRpcProvider(server.url);
    try {
      const signer = await provider.getSigner(1);
      assert.equal(await signer.signTypedData(domain, types, { amount: 5 }), typed);
      assert.equal(await signer.signMessage('hello'), signed);
    } finally {
      provider.destroy();
    }
  });

  test('refuse unknown senders and transactions that cannot be sent', async () => {
    assert.equal(await refusal('eth_sendTransaction', { from: TO, to: TO }), '-32000 unknown account');
    assert.equal(await refusal('eth_sendTransaction', { to: TO }), '-32000 unknown account');
    assert.equal(await refusal('eth_sign', TO, '0x00'), '-32000 unknown account');
    assert.match(
      await refusal('eth_signTypedData_v4', from, '{'),
      /^-32602 invalid argument 1: typed data is no object$/,
    );
    assert.match(await refusal('eth_sendTransaction', { from }), /contract creation without any data/);
    assert.match(
      await refusal('eth_sendTransaction', { from, to: TO, value: toQuantity(10n ** 30n) }),
      /insufficient funds/,
    );
  });

  test('a transaction is filled in at `pending`, and its raw bytes are those a client would sign', async () => {
    const nonce = await server.result('eth_getTransactionCount', other, 'pending');
    const { raw, tx } = await server.result<Filled>('eth_fillTransaction', { from: other, to: TO, value: '0x1' });
    assert.deepEqual([tx['nonce'], tx['gas'], tx['type'], tx['chainId']], [nonce, '0x5208', '0x2', '0x7a69']);
    const { maxFeePerGas, maxPriorityFeePerGas, gas } = tx;
    const fields = { type: 2, chainId: 31337, to: TO, value: 1n, nonce: Number(nonce), gasLimit: gas! };
    const wanted = { ...fields, maxFeePerGas: maxFeePerGas!, maxPriorityFeePerGas: maxPriorityFeePerGas! };
    const unsigned = Transaction.from(wanted).unsignedSerialized;
    // The same fields, with three zeros in place of the signature.
    assert.equal(keccak256(raw), tx['hash']);
    assert.equal(raw.slice(6, -6), unsigned.slice(6));
    const sent = await server.result('eth_sendRawTransaction', await devWallet(1).signTransaction(wanted));
    assert.match(sent, /^0x[0-9a-f]{64}$/);
    const asGiven = { from: other, to: TO, nonce: '0x7', gas: '0x10000', gasPrice: '0x3b9aca00' };
    const given = await server.result<Filled>('eth_fillTransaction', asGiven);
    assert.deepEqual(
      ['type', 'nonce', 'gas', 'gasPrice', 'maxFeePerGas'].map((name) => given.tx[name]),
      ['0x0', '0x7', '0x10000', '0x3b9aca00', null],
    );
    const { error } = await server.query('eth_fillTransaction', [
      { ...asGiven, gasPrice: null, maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' },
    ]);
    assert.equal(error?.message, 'maxFeePerGas (1) < maxPriorityFeePerGas (2)');
  });

  test('complete blocks, headers, transactions and receipts are available as raw bytes', async () => {
    const { transactionHash, blockNumber } = await server.result<Record<string, string>>(
      'eth_sendRawTransactionSync',
      await devWallet(2).signTransaction({
        type: 2,
        chainId: 31337,
        to: TO,
        gasLimit: 21_000,
        maxFeePerGas: 10n ** 10n,
      }),
      30_000,
    );
    const block = await server.result<Record<string, string>>('eth_getBlockByNumber', blockNumber, false);
    const { common } = createChainRules(DEV_CHAIN).at(Number(blockNumber), BigInt(block['timestamp']!));
    const raw = await server.result('debug_getRawBlock', blockNumber);
    const decoded = createBlockFromRLP(fromHex(raw), { common });
    assert.equal(toHex(decoded.hash()), block['hash']);
    assert.equal(raw.length / 2 - 1, Number(block['size']));
    assert.equal(keccak256(await server.result('debug_getRawHeader', block['hash'])), block['hash']);
    assert.equal(keccak256(await server.result('debug_getRawTransaction', transactionHash)), transactionHash);
    const receipts = await server.result<string[]>('debug_getRawReceipts', blockNumber);
    assert.equal(receipts.length, decoded.transactions.length);
    assert.match(receipts.at(-1)!, /^0x02f9/);
    const { error } = await server.query('debug_getRawBlock', ['pending']);
    assert.equal(error?.message, 'the block is not complete');
  });
});
