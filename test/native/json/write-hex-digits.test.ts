// Hex encoding: the addon and its fallback write what Buffer does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { writeHexDigits } from '../../../src/native/json/write-hex-digits.js';

void test('bytes become the same digits as by Buffer, at any offset and length', () => {
  const bytes = fc.uint8Array({ minLength: 0, maxLength: 300 });
  fc.assert(
    fc.property(bytes, fc.nat(7), (all, from) => {
      const some = all.subarray(Math.min(from, all.length));
      for (const native of [undefined, null]) {
        const target = Buffer.alloc(from + 2 * some.length + 1, 'x');
        writeHexDigits(some, target, from, native);
        assert.equal(target.toString(), `${'x'.repeat(from)}${Buffer.from(some).toString('hex')}x`);
      }
    }),
    { seed: 3, numRuns: 300 },
  );
});
