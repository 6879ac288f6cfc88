// The writer of texts: short ASCII goes another way than other text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { TextWriter } from '../../../src/native/json/text-writer.js';

void test('texts of every length and script, bytes and hex digits stand one after the other', () => {
  const text = fc.oneof(
    fc.string({ maxLength: 24 }),
    fc.string({ unit: fc.constantFrom('a', 'é', 'ÿ', '€', '😀'), maxLength: 12 }),
  );
  const part = fc.record({ text, bytes: fc.uint8Array({ maxLength: 100 }) });
  const writer = new TextWriter();
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
      writer.reset();
      for (const each of parts) {
        writer.text(each.text);
        writer.append(each.bytes);
        writer.hex(each.bytes);
      }
      const expected = parts.flatMap(({ text: one, bytes }) => [
        Buffer.from(one),
        bytes,
        Buffer.from(Buffer.from(bytes).toString('hex')),
      ]);
      assert.deepEqual(Buffer.from(writer.bytes()), Buffer.concat(expected));
      assert.equal(writer.length, writer.bytes().length);
    }),
    { seed: 5, numRuns: 300 },
  );
});
