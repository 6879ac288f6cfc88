// The lane's two ends in one thread: every order of begin, answer, close and read that two threads can produce. Runs on
// main.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Outcome } from '../../src/evm/call.js';
import { LIMITS } from '../../src/limits.js';
import { ByteReader, ByteWriter } from '../../src/pool/bytes.js';
import { MainLane, WorkerLane } from '../../src/pool/lane.js';
import { unpackOutcome } from '../../src/pool/packing.js';
import { anyOutcome } from './jobs.js';

function openLane(): { main: MainLane; worker: WorkerLane } {
  const main = new MainLane();
  main.open(16);
  return { main, worker: new WorkerLane(main.buffer, new ByteWriter(64)) };
}

void test('answers are read in order, once each, as soon as they are written', () => {
  fc.assert(
    fc.property(fc.array(anyOutcome, { maxLength: 16 }), fc.array(fc.boolean()), (outcomes, looks) => {
      const { main, worker } = openLane();
      const sent: Outcome[] = [];
      const read: Outcome[] = [];
      const look = (): void => {
        for (let outcome = main.next(); outcome !== null; outcome = main.next()) read.push(outcome);
        assert.deepStrictEqual(read, sent);
      };
      for (const [index, outcome] of outcomes.entries()) {
        assert.ok(worker.begin(index));
        assert.equal(main.begun, index + 1);
        if (looks[index] === true) look();
        const last = worker.answer(outcome);
        if (last === null) sent.push(outcome);
        else return assert.deepStrictEqual(unpackOutcome(new ByteReader(new Uint8Array(last))), outcome);
      }
      look();
    }),
    { seed: 7, numRuns: 300 },
  );
});

void test('a closed lane lets nothing begin and remembers what had', () => {
  const { main, worker } = openLane();
  assert.ok(worker.begin(0));
  assert.ok(worker.begin(1));
  assert.equal(main.close(), 2);
  assert.ok(!worker.begin(2));
  assert.equal(main.begun, 2);
  assert.equal(main.close(), 2);
  assert.equal(worker.answer({ kind: 'gas', gas: 21_000n }), null);
  assert.deepEqual(main.next(), { kind: 'gas', gas: 21_000n });
});

void test('an opened lane has forgotten the task before', () => {
  const { main, worker } = openLane();
  assert.ok(worker.begin(0));
  assert.equal(worker.answer({ kind: 'gas', gas: 1n }), null);
  main.close();
  main.open(16);
  assert.equal(main.begun, 0);
  assert.equal(main.next(), null);
  const next = new WorkerLane(main.buffer, new ByteWriter(64));
  assert.ok(next.begin(0));
  assert.equal(next.answer({ kind: 'gas', gas: 2n }), null);
  assert.deepEqual(main.next(), { kind: 'gas', gas: 2n });
});

void test('answers up to the last byte fit; one more is handed back', () => {
  const header = 5; // kind and length
  const { main, worker } = openLane();
  const filling = { kind: 'return', data: new Uint8Array(LIMITS.laneAnswerBytesMax - 2 * header).fill(9) } as const;
  assert.equal(worker.answer(filling), null);
  assert.ok(worker.answer({ kind: 'revert', data: new Uint8Array(1) }) !== null);
  assert.equal(worker.answer({ kind: 'revert', data: new Uint8Array(0) }), null);
  assert.deepEqual(main.next(), filling);
  assert.deepEqual(main.next(), { kind: 'revert', data: new Uint8Array(0) });
  assert.equal(main.next(), null);
});
