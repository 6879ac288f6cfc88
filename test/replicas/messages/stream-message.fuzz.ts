// Messages survive being split and joined; damaged bytes are detected, never applied.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  decodeStreamMessage,
  encodeStreamMessage,
  type StreamMessage,
  type VersionMessage,
} from '../../../src/replicas/messages/stream-message.js';
import { splitIntoFragments, Reassembler } from '../../../src/replicas/messages/fragments.js';
import type { StateChanges } from '../../../src/state/state-diff.js';
import { EMPTY_CODE_HASH } from '../../../src/state/views/state-view.js';
import { blockOf, envOf } from '../../state/archive/blocks.js';
import { addressOf, hashOf } from '../../state/diffs.js';

const bytes = (length: number): fc.Arbitrary<Uint8Array> =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((array) => Uint8Array.from(array));
const small = fc.integer({ min: 0, max: 3 }).map(addressOf);
const word = fc.oneof(
  bytes(32),
  fc.nat().map((n) => hashOf(n % 1000)),
  fc.constant(new Uint8Array(32)),
);
const codeHash = fc.oneof(bytes(32), fc.constant(EMPTY_CODE_HASH));
const state = fc.record({ nonce: fc.bigInt(0n, 2n ** 64n - 1n), balance: fc.bigInt(0n, 2n ** 256n - 1n), codeHash });
const changes: fc.Arbitrary<StateChanges> = fc.record({
  accounts: fc.array(fc.record({ address: fc.oneof(small, bytes(20)), account: fc.option(state) }), { maxLength: 5 }),
  slots: fc.array(fc.record({ address: small, slot: word, value: word }), { maxLength: 8 }),
  codes: fc.array(
    fc.record({ hash: bytes(32), bytes: fc.uint8Array({ maxLength: 300 }).map((a) => Uint8Array.from(a)) }),
    {
      maxLength: 2,
    },
  ),
});
const number = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const version: fc.Arbitrary<VersionMessage> = fc
  .record({ epoch: number, version: number, changes, before: fc.option(changes), block: fc.nat(9999) })
  .chain((base) =>
    fc
      .record({
        hash: fc.option(bytes(32)),
        tag: fc.option(fc.nat()),
        kind: fc.constantFrom('block', 'header', 'increment', 'silent'),
        gasUsed: fc.bigInt(0n, 2n ** 63n),
      })
      .map(({ hash, tag, kind, gasUsed }): VersionMessage => {
        const block = blockOf(base.block);
        const { transactions } = block;
        return {
          kind: 'version',
          epoch: base.epoch,
          version: base.version,
          diff: {
            ...base.changes,
            coordinates: { block: base.block, index: 7, hash, parentHash: hashOf(base.block) },
            env: envOf(base.block),
            heads: { latest: base.block, safe: tag, finalized: null },
          },
          before: base.before,
          details:
            kind === 'block'
              ? { kind, block }
              : kind === 'header'
                ? { kind, header: hashOf(base.block) }
                : {
                    kind: 'increment',
                    announcement:
                      kind === 'silent'
                        ? null
                        : { gasUsed, blobGasUsed: gasUsed >> 1n, extraData: hash ?? hashOf(7), transactions },
                  },
        };
      }),
  );
const message: fc.Arbitrary<StreamMessage> = fc.oneof(
  version,
  fc.record({ kind: fc.constant('epoch' as const), epoch: number, version: number, continues: fc.boolean() }),
);

/** Compares every Uint8Array by its bytes: a Buffer is equal. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_name, each: unknown) => {
      if (typeof each === 'bigint') return `${each}n`;
      return ArrayBuffer.isView(each) ? Buffer.from(each as Uint8Array).toString('hex') : each;
    }).replaceAll(/\{"type":"Buffer","data":\[[\d,]*\]\}/g, (text) => {
      return JSON.stringify(Buffer.from((JSON.parse(text) as { data: number[] }).data).toString('hex'));
    }),
  );
}

function joined(parts: readonly Uint8Array[]): ReturnType<Reassembler['add']> {
  const joiner = new Reassembler();
  return parts.map((part) => joiner.add(part)).at(-1)!;
}

test('a message decodes as it was encoded, in one part or in many', () => {
  fc.assert(
    fc.property(message, fc.integer({ min: 50, max: 5000 }), (written, partBytesMax) => {
      const result = joined(splitIntoFragments(written, encodeStreamMessage(written), partBytesMax));
      assert.ok(result.kind === 'whole');
      assert.deepEqual(plain(decodeStreamMessage(result.bytes)), plain(written));
    }),
    { numRuns: 300 },
  );
});

test('a part with a changed, missing or extra byte is detected as damaged', () => {
  fc.assert(
    fc.property(message, fc.nat(), fc.integer({ min: 1, max: 255 }), (written, place, change) => {
      const part = splitIntoFragments(written, encodeStreamMessage(written), 2 ** 20)[0]!;
      const flipped = Uint8Array.from(part);
      flipped[place % part.length]! ^= change;
      const shorter = part.subarray(0, place % part.length);
      const longer = Buffer.concat([part, Buffer.of(change)]);
      for (const damaged of [flipped, shorter, longer]) assert.equal(joined([damaged]).kind, 'damaged');
    }),
    { numRuns: 300 },
  );
});

test('the decoder returns a message or null for any bytes', () => {
  fc.assert(
    fc.property(
      message,
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }),
      fc.nat(),
      (written, hits, end) => {
        const damaged = Uint8Array.from(encodeStreamMessage(written));
        for (const [place, value] of hits) damaged[place % damaged.length] = value;
        decodeStreamMessage(damaged);
        decodeStreamMessage(damaged.subarray(0, end % damaged.length));
      },
    ),
    { numRuns: 500 },
  );
});

test('a part out of sequence drops the parts before it; a message sent again from its start is complete', () => {
  const [first, second, third] = splitIntoFragments({ epoch: 1, version: 5 }, Buffer.from('abcdef'), 2);
  const joiner = new Reassembler();
  assert.equal(joiner.add(first!).kind, 'waiting');
  assert.equal(joiner.add(third!).kind, 'damaged');
  assert.equal(joiner.add(second!).kind, 'damaged');
  const again = [first, second, third].map((part) => joiner.add(part!)).at(-1)!;
  assert.equal(again.kind === 'whole' && Buffer.from(again.bytes).toString(), 'abcdef');
  const [other] = splitIntoFragments({ epoch: 2, version: 5 }, Buffer.from('xy'), 2);
  joiner.add(first!);
  assert.equal(joiner.add(other!).kind, 'whole');
});
