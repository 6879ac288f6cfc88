// Random bodies in random pieces arrive unchanged, within all limits, and the memory reserved for them is released.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { UsageLedger } from '../../src/fairness/usage-ledger.js';
import { ChunkedBuffer } from '../../src/lib/bytes/chunked-buffer.js';
import { LIMITS } from '../../src/limits/index.js';
import { BodyMemory } from '../../src/http/body-memory.js';
import type { IncomingBody } from '../../src/http/body-memory.js';

const BODY_BYTES_MAX = 600_000;
const ALL_BYTES_MAX = 2_000_000;
const CLIENT_BYTES_MAX = 1_200_000;
const OPTIONS = {
  ...LIMITS,
  bodyBytesMax: BODY_BYTES_MAX,
  bodiesBytesMax: ALL_BYTES_MAX,
  bodiesBytesPerClientMax: CLIENT_BYTES_MAX,
  bodiesMax: 5,
  bodiesPerClientMax: 3,
};
/** Bodies 0 to 2 are one client's, 3 and 4 another's. */
const CLIENTS = ['a', 'a', 'a', 'b', 'b'];

type Step = { readonly body: number; readonly act: 'append' | 'close'; readonly bytes: number };

const step: fc.Arbitrary<Step> = fc.record({
  body: fc.nat(4),
  act: fc.constantFrom('append', 'append', 'append', 'append', 'close'),
  bytes: fc.oneof(fc.nat(10), fc.nat(200_000)),
});

const PATTERN = Uint8Array.from({ length: BODY_BYTES_MAX + 8000 }, (_, i) => (i * i * 31) >> 5);

/** Bytes that encode their position and owner. */
function piece(owner: number, from: number, length: number): Uint8Array {
  return PATTERN.subarray(owner * 1000 + from, owner * 1000 + from + length);
}

/** Memory that the open bodies occupy. */
function charged(open: readonly IncomingBody[]): number {
  return open.reduce((sum, { chargedBytes: heldBytes }) => sum + heldBytes, 0);
}

void test('a body holds exactly the bytes that were appended to it', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), (steps) => {
      const bodies = new BodyMemory(OPTIONS, new UsageLedger());
      const open = CLIENTS.map((client) => bodies.open(client)!);
      assert.equal(bodies.open('c'), null);
      for (const { body: owner, act, bytes } of steps) {
        const body = open[owner]!;
        const before = body.length;
        if (act === 'close') {
          bodies.close(body);
          open[owner] = bodies.open(CLIENTS[owner]!)!;
        } else {
          const isTooLarge = before + bytes > BODY_BYTES_MAX;
          const outcome = bodies.append(body, isTooLarge ? new Uint8Array(bytes) : piece(owner, before, bytes));
          assert.equal(outcome === 'too large', isTooLarge);
          assert.equal(body.length, outcome === 'appended' ? before + bytes : before);
        }
        for (const [i, { bytes: own, length }] of open.entries()) {
          const whole = own instanceof ChunkedBuffer ? own.toBytes() : own.subarray(0, length);
          assert.equal(Buffer.compare(whole, piece(i, 0, length)), 0);
        }
        assert.ok(charged(open) <= ALL_BYTES_MAX && charged(open.slice(0, 3)) <= CLIENT_BYTES_MAX);
        assert.ok(open.every(({ chargedBytes: heldBytes, length }) => heldBytes >= length && heldBytes <= 2 * length));
      }
      for (const body of open) bodies.close(body);
      const largest = bodies.open('c')!;
      assert.equal(bodies.append(largest, new Uint8Array(BODY_BYTES_MAX)), 'appended');
    }),
    { seed: 7, numRuns: 100 },
  );
});
