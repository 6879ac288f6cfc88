// Answers written byte by byte are the JSON they should be, whatever was in the buffer before.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as fc from 'fast-check';
import { rpcError } from '../../../src/errors.js';
import { AnswerWriter } from '../../../src/rpc/answer/encode.js';
import { ErrorCounts } from '../../../src/rpc/answer/error-counts.js';

const SEED = 7;

interface Expected {
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

const id = fc.oneof(fc.integer(), fc.string(), fc.constant(null));
const answer = fc.oneof(
  fc.record({ kind: fc.constant('written' as const), id, value: fc.string({ unit: 'grapheme' }) }),
  fc.record({ kind: fc.constant('hex' as const), id, value: fc.uint8Array({ maxLength: 300 }) }),
  fc.record({ kind: fc.constant('result' as const), id, value: fc.jsonValue({ maxDepth: 3 }) }),
  fc.record({ kind: fc.constant('error' as const), id, value: fc.string({ unit: 'grapheme' }) }),
);
type Wanted = typeof answer extends fc.Arbitrary<infer T> ? T : never;

/** Writes one answer; the id's text lies in a body at some offset. */
function write(writer: AnswerWriter, wanted: Wanted): Expected {
  const text = JSON.stringify(wanted.id);
  const body = Buffer.from(`  ${text} `);
  const at: readonly [Uint8Array, number, number] = [body, 2, Buffer.byteLength(text)];
  switch (wanted.kind) {
    case 'written':
      writer.append(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: wanted.id, result: wanted.value })));
      return { id: wanted.id, result: wanted.value };
    case 'hex':
      writer.hex(...at, wanted.value);
      return { id: wanted.id, result: `0x${Buffer.from(wanted.value).toString('hex')}` };
    case 'result':
      writer.result(...at, JSON.stringify(wanted.value));
      return { id: wanted.id, result: wanted.value };
    case 'error':
      writer.error(...at, rpcError('execution', wanted.value));
      return { id: wanted.id, error: { code: -32_000, message: wanted.value } };
  }
}

test('random batches of answers parse as what was written', () => {
  const writer = new AnswerWriter(new ErrorCounts());
  const batch = fc.array(answer, { minLength: 1, maxLength: 40 });
  const property = fc.property(batch, (answers) => {
    writer.reset();
    writer.openBatch();
    const expected = answers.map((wanted, i) => {
      if (i > 0) writer.separate();
      return { jsonrpc: '2.0', ...write(writer, wanted) };
    });
    writer.closeBatch();
    const text = Buffer.from(writer.bytes()).toString();
    assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(expected)));
  });
  fc.assert(property, { seed: SEED, numRuns: 500 });
});

test("an answer larger than the writer's buffer is written whole", () => {
  const writer = new AnswerWriter(new ErrorCounts());
  const bytes = new Uint8Array(1_000_000).fill(0xab);
  writer.hex(Buffer.from('1'), 0, 1, bytes);
  const text = Buffer.from(writer.bytes()).toString();
  assert.deepEqual(JSON.parse(text), { jsonrpc: '2.0', id: 1, result: `0x${'ab'.repeat(1_000_000)}` });
});
