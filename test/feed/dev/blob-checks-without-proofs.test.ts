// Blob transactions at submission: accepted with a matching sidecar, otherwise refused with go-ethereum's messages.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RLP } from '@ethereumjs/rlp';
import { createChainRules } from '../../../src/evm/reference/fork-rules.js';
import { DEV_CHAIN } from '../../../src/feed/dev/genesis.js';
import {
  checkTransaction,
  type TransactionCheckResult,
} from '../../../src/feed/dev/stateless-transaction-validation.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { BLOB, BLOB_HASH, BLOB_PROOF, CELL_PROOFS, withBlobs } from '../../support/blob-sidecar.js';
import { devWallet, signed } from '../keys.js';

const wallet = devWallet(0);
const context = { chainId: 31337n, rules: createChainRules(DEV_CHAIN).at(1, 1), blockGasLimit: 30_000_000n };

function check(raw: Uint8Array): TransactionCheckResult {
  return checkTransaction(raw, context, () => false);
}

/** The signed transaction as stored in a block, naming the blob `count` times. */
function plain(count = 1, maxFeePerBlobGas = 3n): Uint8Array {
  const blobVersionedHashes = Array.from({ length: count }, () => BLOB_HASH);
  return signed(wallet, { type: 3, value: 5n, maxFeePerBlobGas, blobVersionedHashes });
}

void describe('blob transactions that are accepted', () => {
  for (const [version, count] of [
    [0, 1],
    [0, 6],
    [1, 1],
    [1, 2],
  ] as const) {
    void it(`with ${count} blobs and sidecar version ${version} lose their sidecar`, () => {
      const checked = check(withBlobs(plain(count), { version, count }));
      assert.ok('transaction' in checked, 'refusal' in checked ? checked.refusal : '');
      assert.deepEqual(toHex(checked.transaction.raw), toHex(plain(count)));
      assert.equal(checked.transaction.cost, 21_000n * 10n ** 10n + 5n + 131_072n * BigInt(count) * 3n);
    });
  }
});

void describe('blob transactions that are refused', () => {
  const whole = withBlobs(plain(), { version: 0 });
  const cases: readonly (readonly [name: string, raw: Uint8Array, text: string | RegExp])[] = [
    ['without its blobs', plain(), 'missing sidecar in blob transaction'],
    [
      'no blobs',
      signed(wallet, { type: 3, maxFeePerBlobGas: 1n, blobVersionedHashes: [] }),
      'blobless blob transaction',
    ],
    [
      'seven blobs',
      withBlobs(plain(7), { version: 0, count: 7 }),
      'transaction blob limit exceeded: blob count 7, limit 6',
    ],
    [
      'no fee for blobs',
      withBlobs(plain(1, 0n), { version: 0 }),
      'transaction underpriced: blob fee cap 0, minimum needed 1',
    ],
    ['another version', withBlobs(plain(), { version: 2 }), 'unsupported blob tx version 2'],
    [
      'fewer blobs',
      withBlobs(plain(2), { version: 0 }),
      'invalid number of 1 blob commitments compared to 2 blob hashes',
    ],
    [
      'another commitment',
      withBlobs(plain(), { version: 0, commitment: BLOB_PROOF }),
      /^blob 0: computed hash 0x01[0-9a-f]{62} mismatches transaction one 0x01[0-9a-f]{62}$/,
    ],
    [
      'proofs of version 1 in version 0',
      withBlobs(plain(), { version: 0, proofs: CELL_PROOFS }),
      'Wrong sidecar format: invalid number of 128 blob proofs expected 1',
    ],
    ['a short blob', withBlobs(plain(), { version: 0, blob: BLOB.subarray(1) }), 'rlp: wrong size for kzg4844.Blob'],
    ['cut short', whole.subarray(0, whole.length - 1), /^rlp: /],
    ['parts that are no lists', Uint8Array.from([3, ...RLP.encode([[], 1, 2, 3, 4])]), 'rlp: malformed blob sidecar'],
    ['a version 0 that is stated', withBlobs(plain(), { version: -1 }), 'rlp: malformed blob sidecar'],
    [
      'eight blobs',
      withBlobs(plain(1), { version: 0, count: 8 }),
      /^oversized data: transaction size 10\d{5}, limit 1048576$/,
    ],
    ['a type that is not known, however long', new Uint8Array(200_000).fill(5, 0, 1), 'transaction type not supported'],
  ];
  for (const [name, raw, text] of cases) {
    void it(name, () => {
      const checked = check(raw);
      assert.ok('refusal' in checked, 'should have been refused');
      if (typeof text === 'string') assert.equal(checked.refusal, text);
      else assert.match(checked.refusal, text);
    });
  }
});
