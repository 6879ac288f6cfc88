import { test } from 'node:test';
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { fromHex, parseHex, toHex } from '../../../src/lib/bytes/hex.js';

const HEX = /^[0-9a-fA-F]*$/;

void test('bytes of any length and case survive a round trip through hex', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, isUpper) => {
      const text = toHex(bytes);
      assert.deepEqual(fromHex(text), bytes);
      assert.deepEqual(parseHex(isUpper ? text.toUpperCase() : text, 2), bytes);
    }),
    { seed: 1 },
  );
});

void test('one character that is no hex digit makes a string invalid', () => {
  const oneWrong = fc.tuple(
    fc.uint8Array({ minLength: 1, maxLength: 120 }),
    fc.nat(),
    // Characters whose lowest byte is that of a hex digit.
    fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
      fc.constantFrom('İ', 'Ŀ', 'š', '٠', 'g', '/'),
    ),
  );
  fc.assert(
    fc.property(oneWrong, ([bytes, at, wrong]) => {
      const digits = Buffer.from(bytes).toString('hex');
      const place = at % digits.length;
      const text = digits.slice(0, place) + wrong[0]! + digits.slice(place + 1);
      assert.equal(parseHex(text, 0) !== null, HEX.test(text));
    }),
    { seed: 2, numRuns: 2000 },
  );
});

void test('a string that was promised to be hex and is not throws', () => {
  for (const text of ['0x0', '0xzz', 'x', '0X00']) assert.throws(() => fromHex(text), /not hex/);
});

void test('long hex is decoded whole, and refused for one wrong digit', () => {
  for (const length of [71, 2047, 2048, 4095, 4096, 8191, 8192, 100_000]) {
    const bytes = Uint8Array.from({ length }, (_, i) => i * 7);
    const text = toHex(bytes);
    assert.deepEqual(parseHex(text, 2), bytes);
    assert.equal(parseHex(`${text.slice(0, -1)}g`, 2), null);
  }
});
