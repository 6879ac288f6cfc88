// Headers: encoding and decoding, and the base fee compared with the library's.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBlockHeader } from '@ethereumjs/block';
import { Common, Mainnet } from '@ethereumjs/common';
import { RLP } from '@ethereumjs/rlp';
import * as fc from 'fast-check';
import {
  decodeHeader,
  encodeHeader,
  blockEnvOfHeader,
  nextBaseFee,
  type Header,
} from '../../../src/chain/block/header.js';

const number = fc.maxSafeNat();
const big = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
const bytes = (length: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: length, maxLength: length });

const frontier = {
  parentHash: bytes(32),
  unclesHash: bytes(32),
  coinbase: bytes(20),
  stateRoot: bytes(32),
  transactionsRoot: bytes(32),
  receiptsRoot: bytes(32),
  logsBloom: bytes(256),
  difficulty: big,
  number,
  gasLimit: big,
  gasUsed: big,
  timestamp: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  extraData: fc.uint8Array({ maxLength: 60 }),
  mixHash: bytes(32),
  nonce: bytes(8),
};
const later = {
  baseFeePerGas: big,
  withdrawalsRoot: bytes(32),
  blobGasUsed: big,
  excessBlobGas: big,
  parentBeaconBlockRoot: bytes(32),
  requestsHash: bytes(32),
};
/** Absent if a header ends before them. */
const latest = { blockAccessListHash: bytes(32), slotNumber: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }) };

/** Headers that end after each of the later fields. */
const header: fc.Arbitrary<Header> = fc
  .record({ ...frontier, ...later, ...latest, kept: fc.nat({ max: 8 }) })
  .map(({ kept, blockAccessListHash, slotNumber, ...all }) => ({
    ...all,
    ...Object.fromEntries(
      Object.keys(later)
        .slice(kept)
        .map((name) => [name, null]),
    ),
    ...(kept > 6 ? { blockAccessListHash } : {}),
    ...(kept > 7 ? { slotNumber } : {}),
  }));

void test('a header decodes as it was encoded', () => {
  fc.assert(
    fc.property(header, (original) => {
      assert.deepEqual(decodeHeader(encodeHeader(original)), original);
    }),
    { seed: 3, numRuns: 300 },
  );
});

void test('a malformed header is refused with the name of the field', () => {
  const [sample] = fc.sample(header, { seed: 1, numRuns: 1 });
  const items = RLP.decode(encodeHeader(sample!));
  assert.ok(Array.isArray(items));
  const change = (index: number, value: Uint8Array | Uint8Array[]): Uint8Array => RLP.encode(items.with(index, value));
  assert.throws(() => decodeHeader(RLP.encode(Uint8Array.of(1))), /must be a list/);
  assert.throws(() => decodeHeader(RLP.encode(items.slice(0, 14))), /15 to 31 fields, not 14/);
  assert.throws(() => decodeHeader(RLP.encode([...items, ...items, ...items])), /15 to 31 fields/);
  assert.throws(() => decodeHeader(change(0, new Uint8Array(31))), /parentHash must be 32 bytes long, not 31/);
  assert.throws(() => decodeHeader(change(6, new Uint8Array(255))), /logsBloom must be 256/);
  assert.throws(() => decodeHeader(change(8, Uint8Array.of(0, 1))), /number has leading zeros/);
  assert.throws(() => decodeHeader(change(11, new Uint8Array(9).fill(255))), /timestamp is too large/);
  assert.throws(() => decodeHeader(change(12, [])), /extraData must be a string of bytes/);
});

void test('the base fee of the next block is the library’s', () => {
  const common = new Common({ chain: Mainnet, hardfork: 'london' });
  const gas = fc.bigInt({ min: 5000n, max: 60_000_000n });
  fc.assert(
    fc.property(
      gas,
      fc.integer({ min: 0, max: 1000 }),
      fc.bigInt({ min: 7n, max: 10n ** 12n }),
      (gasLimit, used, baseFeePerGas) => {
        const gasUsed = (gasLimit * BigInt(used)) / 1000n;
        const theirs = createBlockHeader({ number: 20_000_000n, gasLimit, gasUsed, baseFeePerGas }, { common });
        assert.equal(nextBaseFee({ gasLimit, gasUsed, baseFeePerGas }), theirs.calcNextBaseFee());
      },
    ),
    { seed: 5, numRuns: 500 },
  );
  assert.equal(nextBaseFee({ gasLimit: 1n, gasUsed: 0n, baseFeePerGas: null }), 1_000_000_000n);
});

void test('mixHash is prevRandao only if the difficulty is zero', () => {
  const [sample] = fc.sample(header, { seed: 2, numRuns: 1 });
  assert.deepEqual(blockEnvOfHeader({ ...sample!, difficulty: 0n }).prevRandao, sample!.mixHash);
  assert.deepEqual(blockEnvOfHeader({ ...sample!, difficulty: 5n }).prevRandao, new Uint8Array(32));
  const early = blockEnvOfHeader({ ...sample!, baseFeePerGas: null, excessBlobGas: null, parentBeaconBlockRoot: null });
  assert.deepEqual(
    [early.baseFeePerGas, early.excessBlobGas, early.parentBeaconBlockRoot],
    [0n, 0n, new Uint8Array(32)],
  );
});
