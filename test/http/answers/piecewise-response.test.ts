// A response reaches the kernel complete and in order, however little of it is accepted at a time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { PiecewiseResponse } from '../../../src/http/answers/piecewise-response.js';
import type { HttpResponse } from '../../../src/http/server-interface.js';
import { ChunkedBuffer } from '../../../src/lib/bytes/chunked-buffer.js';

/** A response that accepts as many bytes of each write as `takes` lists, and everything afterwards. */
class SlowResponse {
  readonly written: Uint8Array[] = [];
  readonly #takes: readonly number[];
  #offers = 0;
  #offset: number;

  constructor(takes: readonly number[], offset: number) {
    this.#takes = takes;
    this.#offset = offset;
  }

  getWriteOffset(): number {
    return this.#offset;
  }

  tryEnd(rest: Uint8Array, totalBytes: number): [boolean, boolean] {
    const count = Math.min(rest.length, this.#takes[this.#offers++] ?? Infinity);
    this.written.push(new Uint8Array(rest.subarray(0, count)));
    this.#offset += count;
    return [count === rest.length, this.written.reduce((sum, { length }) => sum + length, 0) === totalBytes];
  }
}

void test('each byte is sent once, in order', () => {
  const takes = fc.array(fc.integer({ min: 0, max: 200_000 }), { maxLength: 12 });
  fc.assert(
    fc.property(
      takes,
      fc.integer({ min: 1, max: 900_000 }),
      fc.boolean(),
      fc.nat(100),
      (written, length, isLong, start) => {
        const body = Buffer.from(Uint8Array.from({ length }, (_, i) => i ^ (i >> 8) ^ (i >> 16)));
        const borrowed = Buffer.from(body);
        const long = new ChunkedBuffer();
        if (isLong) long.append(body);
        const response = new SlowResponse(written, start);
        const sending = new PiecewiseResponse(isLong ? long : borrowed);
        let state = sending.go(response as unknown as HttpResponse);
        sending.keep();
        borrowed.fill(0);
        while (state === 'blocked') {
          const sent = response.getWriteOffset() - start;
          assert.equal(sending.restBytes, length - sent);
          state = sending.go(response as unknown as HttpResponse);
        }
        assert.ok(Buffer.concat(response.written).equals(body));
        sending.end();
      },
    ),
    { seed: 1, numRuns: 100 },
  );
});
