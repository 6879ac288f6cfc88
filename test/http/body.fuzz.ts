// Any body in any pieces comes out as it went in, within both bounds, and every byte lent is given back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Bodies } from '../../src/http/body.js';

const BODY_BYTES_MAX = 600_000;
const ALL_BYTES_MAX = 2_000_000;

type Step = { readonly body: number; readonly act: 'append' | 'close'; readonly bytes: number };

const step: fc.Arbitrary<Step> = fc.record({
  body: fc.nat(4),
  act: fc.constantFrom('append', 'append', 'append', 'append', 'close'),
  bytes: fc.oneof(fc.nat(10), fc.nat(200_000)),
});

const PATTERN = Uint8Array.from({ length: BODY_BYTES_MAX + 8000 }, (_, i) => (i * i * 31) >> 5);

/** Bytes that tell where they stand and whose they are. */
function piece(owner: number, from: number, length: number): Uint8Array {
  return PATTERN.subarray(owner * 1000 + from, owner * 1000 + from + length);
}

void test('bodies are what was appended to them', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), (steps) => {
      const bodies = new Bodies(BODY_BYTES_MAX, ALL_BYTES_MAX);
      const open = Array.from({ length: 5 }, () => bodies.open());
      for (const { body: owner, act, bytes } of steps) {
        const body = open[owner]!;
        const before = body.length;
        if (act === 'close') bodies.close(body);
        else {
          const isTooLarge = before + bytes > BODY_BYTES_MAX;
          const outcome = bodies.append(body, isTooLarge ? new Uint8Array(bytes) : piece(owner, before, bytes));
          assert.equal(outcome === 'too large', isTooLarge);
          assert.equal(body.length, outcome === 'appended' ? before + bytes : before);
        }
        for (const [i, { bytes: held, length }] of open.entries()) {
          assert.equal(Buffer.compare(held.subarray(0, length), piece(i, 0, length)), 0);
        }
        const heldBytes = open.reduce((sum, { bytes: held }) => sum + held.length, 0);
        assert.ok(heldBytes <= ALL_BYTES_MAX);
      }
      for (const body of open) bodies.close(body);
      const largest = bodies.open();
      assert.equal(bodies.append(largest, new Uint8Array(BODY_BYTES_MAX)), 'appended');
    }),
    { seed: 7, numRuns: 100 },
  );
});
