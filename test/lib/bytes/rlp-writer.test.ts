// RLP written from its end to its start equals the library's.
import assert from 'node:assert/strict';
import test from 'node:test';
import { RLP } from '@ethereumjs/rlp';
import * as fc from 'fast-check';
import { RlpWriter, type RlpInput } from '../../../src/lib/bytes/rlp-writer.js';

const integer = fc.oneof(fc.nat(), fc.maxSafeNat(), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.bigInt(0n, 300n));
const string = fc.oneof(fc.uint8Array({ maxLength: 70 }), fc.uint8Array({ maxLength: 3000, size: 'max' }));
const { item } = fc.letrec<{ item: RlpInput }>((tie) => ({
  item: fc.oneof({ maxDepth: 4 }, integer, string, fc.array(tie('item'), { maxLength: 20 })),
}));

test('an item is encoded as the library does it, whatever was encoded before', () => {
  const writer = new RlpWriter();
  fc.assert(
    fc.property(item, (input) => {
      assert.deepEqual(writer.encode(input), RLP.encode(input as Parameters<typeof RLP.encode>[0]));
    }),
    { numRuns: 500 },
  );
});

test('an item that cannot be encoded leaves nothing in the writer', () => {
  const writer = new RlpWriter();
  const broken = [undefined as unknown as RlpInput, Uint8Array.of(1, 2, 3)];
  assert.throws(() => writer.encode(broken), TypeError);
  assert.deepEqual(writer.encode(7), Uint8Array.of(7));
});
