// Every job and outcome unpacks to what was packed, alone and in groups.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import type { Job } from '../../../src/transaction/evm-job.js';
import { ByteReader, ByteWriter } from '../../../src/lib/bytes/byte-reader-writer.js';
import { packJob, unpackJob } from '../../../src/pool/codec/job.js';
import { packOutcome, unpackOutcome } from '../../../src/pool/codec/outcome.js';
import { anyJob, anyOutcome, jobWith } from '../jobs.js';

const SEED = { seed: 20_271, numRuns: 300 };

function packed(jobs: readonly Job[]): Buffer {
  const writer = new ByteWriter(16);
  for (const job of jobs) packJob(job, writer);
  return writer.written;
}

void test('jobs unpack as they were packed, several in one buffer', () => {
  fc.assert(
    fc.property(fc.array(anyJob, { minLength: 1, maxLength: 4 }), (jobs) => {
      const reader = new ByteReader(packed(jobs));
      for (const job of jobs) assert.deepStrictEqual(unpackJob(reader), job);
      assert.equal(reader.offset, packed(jobs).length);
    }),
    SEED,
  );
});

void test('outcomes unpack as they were packed, as copies', () => {
  const writer = new ByteWriter(16);
  fc.assert(
    fc.property(fc.array(anyOutcome, { minLength: 1, maxLength: 4 }), (outcomes) => {
      writer.reset();
      for (const outcome of outcomes) packOutcome(outcome, writer);
      const reader = new ByteReader(writer.written);
      const unpacked = outcomes.map(() => unpackOutcome(reader));
      writer.written.fill(0xff);
      assert.deepStrictEqual(unpacked, outcomes);
    }),
    SEED,
  );
});

void test('jobs that differ in anything differ in their packed bytes', () => {
  fc.assert(
    fc.property(anyJob, anyJob, (one, other) => {
      assert.equal(packed([one]).equals(packed([other])), isDeepStrictEqual(one, other));
      assert.ok(packed([one]).equals(packed([structuredClone(one)])));
    }),
    SEED,
  );
});

void test('truncated bytes are refused', () => {
  fc.assert(
    fc.property(anyJob, fc.double({ min: 0, max: 0.999, noNaN: true }), (job, share) => {
      const whole = packed([job]);
      assert.throws(() => unpackJob(new ByteReader(whole.subarray(0, Math.floor(share * whole.length)))), RangeError);
    }),
    SEED,
  );
});

void test('unpacked call data is a view, not a copy', () => {
  const bytes = packed([jobWith(Uint8Array.of(1, 2, 3))]);
  const { call } = unpackJob(new ByteReader(bytes));
  assert.equal(call.data.buffer, bytes.buffer);
});

void test('packing a negative or too large integer throws', () => {
  const writer = new ByteWriter(16);
  assert.throws(() => writer.integer(-1n), RangeError);
  assert.throws(() => writer.integer(1n << 16_320n), RangeError);
  writer.reset();
  writer.integer((1n << 16_320n) - 1n);
  assert.equal(new ByteReader(writer.written).integer(), (1n << 16_320n) - 1n);
});
