// Digits of bytes: the addon and the loop in its place write what Buffer does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { HEX_BYTES_MAX, hexDigits, writeHexEach } from '../../../src/rpc/answer/hex-digits.js';

void test('bytes become their digits, wherever they lie and however many they are', () => {
  const bytes = fc.uint8Array({ minLength: 0, maxLength: 300 });
  fc.assert(
    fc.property(bytes, fc.nat(7), (all, from) => {
      const some = all.subarray(Math.min(from, all.length));
      const want = Buffer.from(some).toString('hex');
      const each = Buffer.alloc(2 * some.length + 1, 'x');
      writeHexEach(some, each);
      assert.equal(Buffer.from(hexDigits(some)).toString(), want);
      assert.equal(each.toString(), `${want}x`);
    }),
    { seed: 3, numRuns: 300 },
  );
  const most = Uint8Array.from({ length: HEX_BYTES_MAX }, (_, i) => i * 7);
  assert.equal(Buffer.from(hexDigits(most)).toString(), Buffer.from(most).toString('hex'));
});
