// Blob transactions through the whole program: submitted with their blobs, which are not stored, to the dev chain, and
// through a server that follows it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { keccak256 } from 'ethers';
import { toHex } from '../../src/lib/bytes/hex.js';
import { devWallet, signed } from '../feed/keys.js';
import { eventually } from '../support/patience.js';
import { BLOB_HASH, withBlobs } from '../support/blob-sidecar.js';
import { Server } from '../support/server.js';
import type { Json } from './listener.js';

const wallet = devWallet(5);
const GAS_PER_BLOB = 131_072;

function blobTransaction(nonce: number): Uint8Array {
  return signed(wallet, { type: 3, nonce, maxFeePerBlobGas: 10n, blobVersionedHashes: [BLOB_HASH] });
}

describe('blob transactions', () => {
  let server: Server;
  before(async () => {
    server = await Server.start('--dev-traffic', '0');
  });
  after(() => server.stop());

  for (const [nonce, version] of [0, 1].entries()) {
    test(`a blob transaction with sidecar version ${version} is known by the hash it has in the block`, async () => {
      const plain = blobTransaction(nonce);
      const hash = keccak256(plain);
      const raw = toHex(withBlobs(plain, { version: version as 0 | 1 }));
      assert.equal(await server.result('eth_sendRawTransaction', raw), hash);
      const receipt = await server.result<Json>('eth_getTransactionReceipt', hash);
      assert.deepEqual(
        [receipt['type'], receipt['status'], receipt['blobGasUsed'], receipt['blobGasPrice']],
        ['0x3', '0x1', `0x${GAS_PER_BLOB.toString(16)}`, '0x1'],
      );
      assert.equal(await server.result('eth_getRawTransactionByHash', hash), toHex(plain));
      // The block may be confirmed between the two requests.
      const [sent, requested] = [await server.result<Json>('eth_sendRawTransactionSync', raw), await receiptOf(hash)];
      assert.deepEqual({ ...sent, blockHash: requested['blockHash'] }, requested);
    });
  }

  /** The current receipt, pre-confirmed or complete. */
  function receiptOf(hash: string): Promise<Json> {
    return server.result('eth_getTransactionReceipt', hash);
  }

  test('the block counts blob gas', async () => {
    const hash = keccak256(blobTransaction(0));
    const block = await eventually(async () => {
      const { blockNumber } = await receiptOf(hash);
      const found = await server.result<Json>('eth_getBlockByNumber', blockNumber, false);
      return /^0x0*$/.test(found['hash'] as string) ? undefined : found;
    });
    assert.ok(Number(block['blobGasUsed']) >= GAS_PER_BLOB);
  });

  test('a server that follows a chain forwards blob transactions with their blobs', async () => {
    const follower = await Server.start('--upstream', server.url, '--passthrough');
    try {
      const plain = blobTransaction(2);
      const raw = toHex(withBlobs(plain, { version: 1 }));
      assert.equal(await follower.result('eth_sendRawTransaction', raw), keccak256(plain));
      // The node already knows the transaction; sending it again is not an error.
      assert.equal(await server.result('eth_getRawTransactionByHash', keccak256(plain)), toHex(plain));
    } finally {
      await follower.stop();
    }
  });
});
