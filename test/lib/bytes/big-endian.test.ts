// Big-endian bytes to and from bigint, compared with hexadecimal.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as fc from 'fast-check';
import { toBigInt, toBytes, writeInteger } from '../../../src/lib/bytes/big-endian.js';

test('an integer that fits is written with leading zeros and reads back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 40 }), fc.bigInt({ min: 0n, max: 2n ** 320n - 1n }), (length, any) => {
      const value = BigInt.asUintN(8 * length, any);
      const bytes = toBytes(value, length);
      assert.equal(
        Buffer.from(bytes).toString('hex'),
        length === 0 ? '' : value.toString(16).padStart(2 * length, '0'),
      );
      assert.equal(toBigInt(bytes), value);
    }),
    { numRuns: 1000 },
  );
});

test('an integer can be written between others', () => {
  const out = new Uint8Array(12).fill(0xee);
  writeInteger(0x0102n, out, 2, 10);
  assert.equal(Buffer.from(out).toString('hex'), 'eeee0000000000000102eeee');
});

test('an integer that does not fit is refused', () => {
  for (const [value, length] of [
    [256n, 1],
    [2n ** 64n, 8],
    [2n ** 256n, 32],
    [-1n, 8],
    [-1n, 1],
    [1n, 0],
  ] as const)
    assert.throws(() => toBytes(value, length), RangeError, `${value} in ${length} bytes`);
});
