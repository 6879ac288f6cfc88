// RLP written as hex digits equals the library's.
import assert from 'node:assert/strict';
import test from 'node:test';
import { RLP } from '@ethereumjs/rlp';
import * as fc from 'fast-check';
import { bytesItem, listItem, numberItem } from '../../../src/lib/bytes/rlp-text.js';
import { rounds } from '../../support/rounds.js';

/** An input of the library, and its encoding as it is written here. */
interface Item {
  readonly input: Parameters<typeof RLP.encode>[0];
  readonly text: string;
}

const digitsOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytes = fc
  .oneof(fc.uint8Array({ maxLength: 70 }), fc.uint8Array({ maxLength: 70_000, size: 'max' }))
  .map((input): Item => ({ input, text: bytesItem(digitsOf(input)) }));
const number = fc
  .tuple(fc.oneof(fc.bigInt(0n, 300n), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })), fc.nat(5))
  .map(([input, zeros]): Item => ({ input, text: numberItem('0'.repeat(zeros) + input.toString(16)) }));
const { item } = fc.letrec<{ item: Item }>((tie) => ({
  item: fc.oneof(
    { maxDepth: 4 },
    bytes,
    number,
    fc.array(tie('item'), { maxLength: 20 }).map((items): Item => ({
      input: items.map(({ input }) => input),
      text: listItem(items.map(({ text }) => text)),
    })),
  ),
}));

test('an item is encoded as the library does it', () => {
  fc.assert(
    fc.property(item, ({ input, text }) => assert.equal(text, digitsOf(RLP.encode(input)))),
    { seed: 11, numRuns: rounds(60) },
  );
});
