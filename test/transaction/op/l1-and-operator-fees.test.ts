// Fees of an OP Stack transaction in addition to its gas, fork by fork.
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { fastLzLength } from '../../../src/transaction/op/fastlz.js';
import { daFootprint, l1Fee, operatorFee, readL1FeePrices } from '../../../src/transaction/op/l1-and-operator-fees.js';
import { opRulesAt, type OpFork, type OpRules } from '../../../src/chain/op/forks.js';
import { toHex } from '../../../src/lib/bytes/hex.js';
import { toBytes } from '../../../src/lib/bytes/big-endian.js';
import { l1BlockStorage, opChainAt } from '../../execution/op/blocks.js';

function rulesOf(fork: OpFork): OpRules {
  return opRulesAt(opChainAt(fork).op!, 0)!;
}

const STORAGE = l1BlockStorage({ scalar: 5_000_000n, constant: 11n, footprint: 321n });

function word(slot: Uint8Array): Uint8Array {
  return toBytes(STORAGE[toHex(slot).slice(-2)] ?? 0n, 32);
}

const PRICES = readL1FeePrices(word, rulesOf('jovian'));

/** Pseudo-random numbers, the same on every machine. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    yield state >>> 16;
  }
}

function sample(seed: number, length: number, letters: number): Uint8Array {
  const random = numbers(seed);
  return Uint8Array.from({ length }, () => random.next().value! % letters);
}

test('L1 prices are read from their packed Solidity layout', () => {
  assert.deepEqual(PRICES, {
    bedrock: null,
    baseFee: 9n,
    blobBaseFee: 1n,
    baseFeeScalar: 2000n,
    blobBaseFeeScalar: 900_000n,
    operatorFeeScalar: 5_000_000n,
    operatorFeeConstant: 11n,
    daFootprintGasScalar: 321n,
  });
});

test('the slot of the operator fee is not touched before Isthmus', () => {
  const read: string[] = [];
  const { operatorFeeConstant } = readL1FeePrices((slot) => {
    read.push(toHex(slot).slice(-1));
    return word(slot);
  }, rulesOf('holocene'));
  assert.deepEqual(read.sort(), ['1', '3', '7']);
  assert.equal(operatorFeeConstant, 0n);
});

test('a zero DA footprint scalar means 400', () => {
  assert.equal(readL1FeePrices(() => new Uint8Array(32), rulesOf('jovian')).daFootprintGasScalar, 400n);
});

test('the L1 fee is that of the specification at each fork', async (t) => {
  // Scaled price: 2000 * 9 * 16 + 900000 * 1 = 1188000.
  const cases: readonly (readonly [fork: OpFork, what: string, raw: Uint8Array, fee: bigint])[] = [
    [
      'ecotone',
      '10 zero bytes and 10 others: 200 gas',
      Uint8Array.from([...Array(10).fill(0), ...Array(10).fill(1)]),
      14n,
    ],
    ['ecotone', 'nothing', new Uint8Array(0), 0n],
    ['fjord', 'nothing: 100 bytes', new Uint8Array(0), 118n],
    ['fjord', '160 letters: 165 bytes of FastLZ, less than 100', sample(1, 160, 256), 118n],
    // -42585600 + 836500 * 1032 = 820682400; times 1188000 / 1e12 = 974.97
    ['fjord', '1000 letters: 1032 bytes of FastLZ', sample(1, 1000, 256), 974n],
    ['jovian', '1000 letters', sample(1, 1000, 256), 974n],
    ['fjord', '1000 times the same: 21 bytes of FastLZ', new Uint8Array(1000), 118n],
  ];
  for (const [fork, what, raw, fee] of cases)
    await t.test(`${fork}, ${what}`, () => assert.equal(l1Fee(raw, PRICES, rulesOf(fork)), fee));
});

test('the operator fee is that of the specification at each fork', () => {
  assert.equal(operatorFee(100_000n, PRICES, rulesOf('holocene')), 0n);
  assert.equal(operatorFee(100_000n, PRICES, rulesOf('isthmus')), 500_011n);
  assert.equal(operatorFee(1n, { ...PRICES, operatorFeeScalar: 999_999n }, rulesOf('isthmus')), 11n);
  assert.equal(operatorFee(100_000n, PRICES, rulesOf('jovian')), 50_000_000_000_011n);
  assert.equal(operatorFee(100_000n, PRICES, rulesOf('azul')), 50_000_000_000_011n);
});

test('the DA footprint is the size in whole bytes times the scalar', () => {
  assert.equal(daFootprint(new Uint8Array(0), PRICES), 100n * 321n);
  assert.equal(daFootprint(sample(1, 1000, 256), PRICES), 820n * 321n);
});

test('FastLZ: lengths of simple inputs', () => {
  const cases: readonly (readonly [input: Uint8Array, length: number])[] = [
    [new Uint8Array(0), 0],
    [new Uint8Array(1), 2],
    [sample(3, 32, 256), 33],
    [sample(3, 33, 256), 35],
    [sample(3, 64, 256), 66],
    // Too short for a match, then long enough.
    [new Uint8Array(16), 17],
    [new Uint8Array(17), 12],
    [new Uint8Array(1000), 21],
    [new Uint8Array(1000).fill(1), 21],
  ];
  for (const [input, length] of cases) assert.equal(fastLzLength(input), length, `${input.length} bytes`);
});

test('FastLZ: sums of lengths over random inputs equal those of the reference implementation', () => {
  const sums = [2, 4, 16, 256].map((letters) => {
    let sum = 0;
    for (let length = 0; length < 400; length++) sum += fastLzLength(sample(length + 1, length, letters));
    return sum + fastLzLength(sample(letters, 20_000, letters));
  });
  assert.deepEqual(sums, [54_830, 71_523, 97_355, 103_111]);
});

test('FastLZ: a match is found 8191 bytes back and not 8192', () => {
  const again = sample(5, 20, 256);
  const at = (distance: number): number => {
    const input = new Uint8Array(distance + 40);
    const filler = sample(9, distance + 40, 256);
    input.set(filler);
    input.set(again, 5);
    input.set(again, 5 + distance);
    return fastLzLength(input) - fastLzLength(filler);
  };
  assert.ok(at(8191) < at(8192) - 5);
});
