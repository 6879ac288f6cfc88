// Responses are valid JSON with the right contents, whatever the buffer contained before.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as fc from 'fast-check';
import { rpcError } from '../../../src/rpc-errors.js';
import { answerText, splitAnswerText, encodedSizeOf } from '../../../src/rpc/answer/text-around-bytes.js';
import { AnswerWriter, encodeAnswerText } from '../../../src/rpc/answer/answer-writer.js';
import { type RpcCallOutcome, JsonBytes } from '../../../src/rpc/answer/call-result.js';

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
  fc.record({ kind: fc.constant('bytes' as const), id, value: fc.jsonValue({ maxDepth: 3 }) }),
  fc.record({ kind: fc.constant('error' as const), id, value: fc.string({ unit: 'grapheme' }) }),
);
type Wanted = typeof answer extends fc.Arbitrary<infer T> ? T : never;

/** Writes one response after `lead`. */
function write(writer: AnswerWriter, wanted: Wanted, lead: string): Expected {
  const idText = JSON.stringify(wanted.id);
  switch (wanted.kind) {
    case 'written':
      writer.text(lead);
      writer.append(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: wanted.id, result: wanted.value })));
      return { id: wanted.id, result: wanted.value };
    case 'hex':
      writer.write(answerText(idText, wanted.value, lead));
      return { id: wanted.id, result: `0x${Buffer.from(wanted.value).toString('hex')}` };
    case 'result':
      writer.write(answerText(idText, JSON.stringify(wanted.value), lead));
      return { id: wanted.id, result: wanted.value };
    case 'bytes':
      writer.write(answerText(idText, new JsonBytes(Buffer.from(JSON.stringify(wanted.value))), lead));
      return { id: wanted.id, result: wanted.value };
    case 'error':
      writer.write(answerText(idText, rpcError('execution', wanted.value), lead));
      return { id: wanted.id, error: { code: -32_000, message: wanted.value } };
  }
}

test('random batches of results parse as what was written', () => {
  const writer = new AnswerWriter();
  const batch = fc.array(answer, { minLength: 1, maxLength: 40 });
  const property = fc.property(batch, (answers) => {
    writer.reset();
    const expected = answers.map((wanted, i) => ({ jsonrpc: '2.0', ...write(writer, wanted, i === 0 ? '[' : ',') }));
    writer.text(']');
    const text = Buffer.from(writer.bytes()).toString();
    assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(expected)));
  });
  fc.assert(property, { seed: SEED, numRuns: 500 });
});

const LONG: Readonly<Record<string, RpcCallOutcome>> = {
  'hex digits': new Uint8Array(1_000_000).fill(0xab),
  text: JSON.stringify('aé漢😀'.repeat(60_000)),
  'text of odd parts': JSON.stringify(`a${'😀'.repeat(100_000)}`),
  bytes: new JsonBytes(Buffer.from(JSON.stringify('é'.repeat(100_000)))),
  error: rpcError('revert', 'execution reverted', new Uint8Array(100_000).fill(7)),
};

for (const [name, result] of Object.entries(LONG)) {
  test(`a result larger than the buffer is written whole, at once and in parts: ${name}`, () => {
    const text = answerText('1', result);
    const whole = encodeAnswerText(text);
    const parts = Array.from(splitAnswerText(text), encodeAnswerText);
    assert.ok(parts.length > 4);
    assert.ok(Buffer.concat(parts).equals(whole));
    assert.equal(whole.length, encodedSizeOf(text));
    assert.equal((JSON.parse(whole.toString()) as { id: number }).id, 1);
    const writer = new AnswerWriter();
    writer.write(answerText('1', result, ''));
    assert.ok(whole.equals(writer.bytes()));
  });
}
