// Mutated Flashblock messages, as bytes and as JSON values: the result is always a valid message or a fault.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import * as fc from 'fast-check';
import type { StreamEvent } from '../../../src/feed/pre-confirmation-stream-events.js';
import { decodeFlashblock } from '../../../src/feed/streams/flashblocks-decoder.js';
import { LIMITS } from '../../../src/limits/index.js';
import { OPENING_BASE, repeated as word } from './flashblocks/frames.js';
import { rounds } from '../../support/rounds.js';
import { replacedValues } from './replaced-values.js';

const RUNS = rounds(1000);

function message(index: number): Record<string, unknown> {
  return {
    payload_id: '0x0123456789abcdef',
    index,
    ...(index === 0 ? { base: OPENING_BASE } : {}),
    diff: { receipts_root: word('a'), gas_used: '0x5208', transactions: ['0x7e01', '0xc0'] },
    metadata: { block_number: 16 },
  };
}

function check(news: StreamEvent): void {
  if ('reason' in news) {
    assert.ok(news.reason.length < 500);
    return;
  }
  const { kind, block, attempt, increment } = news;
  const { index, transactions, gasUsed, receiptsRoot } = increment;
  assert.match(attempt, /^0x[0-9a-f]{16}$/);
  assert.ok(Number.isSafeInteger(block) && block >= 0);
  assert.ok(Number.isSafeInteger(index) && index >= 0 && index < LIMITS.feedIncrementsMax);
  assert.equal(kind === 'open', index === 0);
  assert.ok(transactions.every((raw) => raw instanceof Uint8Array && raw.length > 0));
  assert.ok(gasUsed !== null && gasUsed >= 0n && gasUsed < 2n ** 64n);
  assert.ok(receiptsRoot === null || (receiptsRoot.length === 32 && receiptsRoot.some((byte) => byte !== 0)));
  if (kind === 'append') return;
  const { parentHash, env } = news.base;
  assert.equal(env.number, block);
  assert.deepEqual(
    [parentHash, env.prevRandao, env.parentBeaconBlockRoot, env.coinbase].map((bytes) => bytes?.length),
    [32, 32, 32, 20],
  );
}

void it('replaced JSON values give a valid message or a fault', () => {
  const property = fc.property(replacedValues([message(0), message(1)]), (text) => {
    const plain = decodeFlashblock(text);
    check(plain);
    if ('increment' in plain) assert.deepEqual(decodeFlashblock(brotliCompressSync(text)), plain);
  });
  fc.assert(property, { numRuns: RUNS, seed: 1 });
});

void it('flipped, truncated and inserted bytes give a valid message or a fault, in text and in brotli', () => {
  const change = fc.record({ at: fc.nat(), byte: fc.nat({ max: 255 }), how: fc.constantFrom('flip', 'cut', 'insert') });
  const property = fc.property(fc.boolean(), fc.array(change, { minLength: 1, maxLength: 4 }), (packed, changes) => {
    const text = Buffer.from(JSON.stringify(message(0)));
    let bytes: Buffer = packed ? brotliCompressSync(text) : text;
    for (const { at, byte, how } of changes) {
      const place = at % Math.max(1, bytes.length);
      if (how === 'cut') bytes = bytes.subarray(0, place);
      else
        bytes = Buffer.concat([
          bytes.subarray(0, place),
          Buffer.of(byte),
          bytes.subarray(how === 'flip' ? place + 1 : place),
        ]);
    }
    check(decodeFlashblock(bytes));
  });
  fc.assert(property, { numRuns: RUNS, seed: 2 });
});

void it('arbitrary bytes give a valid message or a fault, never an exception', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => check(decodeFlashblock(bytes))),
    { numRuns: RUNS, seed: 3 },
  );
});
