// RLP is encoded and decoded as by @ethereumjs/rlp, including its error messages.
import assert from 'node:assert/strict';
import test from 'node:test';
import { RLP } from '@ethereumjs/rlp';
import * as fc from 'fast-check';
import {
  EncodedRlp,
  encodeRlp,
  rlpListLength,
  rlpStringLength,
  type RlpInput,
} from '../../../src/lib/bytes/encode-rlp.js';
import { decodeRlp } from '../../../src/lib/bytes/rlp-reader.js';
import { rounds } from '../../support/rounds.js';

type LibraryInput = Parameters<typeof RLP.encode>[0];

/** An input for the library, and the equivalent for our encoder. */
interface Item {
  readonly library: LibraryInput;
  readonly ours: RlpInput;
}

const number = fc
  .oneof(fc.nat(), fc.maxSafeNat(), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.bigInt(0n, 300n))
  .map((value): Item => ({ library: value, ours: value }));
const bytes = fc.oneof(
  { weight: 20, arbitrary: fc.uint8Array({ maxLength: 70 }) },
  { weight: 1, arbitrary: fc.constantFrom(255, 256, 65_535, 65_536).map((length) => new Uint8Array(length).fill(7)) },
);
const string = bytes.map((value): Item => ({ library: value, ours: value }));
const digits = bytes.map((value): Item => ({ library: value, ours: Buffer.from(value).toString('hex') }));
const encoded = bytes.map((value): Item => ({ library: value, ours: new EncodedRlp(RLP.encode(value)) }));
const { item } = fc.letrec<{ item: Item }>((tie) => ({
  item: fc.oneof(
    { maxDepth: 3 },
    number,
    string,
    digits,
    encoded,
    fc.array(tie('item'), { maxLength: 8 }).map((items): Item => ({
      library: items.map(({ library }) => library),
      ours: items.map(({ ours }) => ours),
    })),
  ),
}));

test('an item is encoded as the library encodes it, whatever was encoded before', () => {
  const property = fc.property(item, ({ library, ours }) => {
    assert.deepEqual(encodeRlp(ours), new Uint8Array(RLP.encode(library)));
    assert.deepEqual(encodeRlp(ours, 3), new Uint8Array(Buffer.concat([Uint8Array.of(3), RLP.encode(library)])));
  });
  fc.assert(property, { numRuns: rounds(100) });
});

test('lengths are those of what is encoded', () => {
  const property = fc.property(bytes, (value) => {
    assert.equal(rlpStringLength(value), RLP.encode(value).length);
    assert.equal(rlpListLength(rlpStringLength(value)), RLP.encode([value]).length);
  });
  fc.assert(property, { numRuns: rounds(100) });
});

test('an item that cannot be encoded leaves nothing behind', () => {
  const broken = [undefined as unknown as RlpInput, Uint8Array.of(1, 2, 3)];
  assert.throws(() => encodeRlp(broken), TypeError);
  assert.deepEqual(encodeRlp(7), Uint8Array.of(7));
});

/** Bytes that are often almost valid RLP. */
const nearly = fc
  .tuple(
    item,
    fc.array(fc.tuple(fc.nat(), fc.constantFrom(0, 1, 0x7f, 0x80, 0x81, 0xb7, 0xb8, 0xbf, 0xc0, 0xf7, 0xf8, 0xff))),
    fc.nat(9),
  )
  .map(([{ library }, changes, cut]) => {
    const raw = new Uint8Array(RLP.encode(library)).slice(0, 2000);
    // Mostly at the start, where the prefixes are.
    for (const [at, byte] of changes.slice(0, 3)) raw[at % Math.min(raw.length, 40)] = byte;
    return cut < 3 ? raw.subarray(0, raw.length - cut) : raw;
  });
const random = fc.uint8Array({ maxLength: 12 });

/** The decoded value, or the error message. */
function outcome(decode: () => unknown): unknown {
  try {
    return plain(decode());
  } catch (error) {
    return (error as Error).message;
  }
}

function plain(value: unknown): unknown {
  return value instanceof Uint8Array ? [...value] : (value as unknown[]).map((each) => [plain(each)]);
}

test('bytes are decoded as by the library, and refused with its errors', () => {
  const seen = new Set<unknown>();
  const property = fc.property(fc.oneof(nearly, random), (raw) => {
    const expected = outcome(() => RLP.decode(raw));
    seen.add(typeof expected === 'string' ? expected : 'decoded');
    assert.deepEqual(
      outcome(() => decodeRlp(raw)),
      expected,
    );
  });
  fc.assert(property, { seed: 5, numRuns: rounds(3000) });
  assert.equal(seen.size, 9, [...seen].join('\n'));
});
