// How long and how often the main thread spins for the result of a single job, counted in polls.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '../../../src/limits/index.js';
import { ResultSpin } from '../../../src/pool/queue/spin-for-result.js';

/** A worker that responds at a given poll of each tick, and what the main thread has done. */
class Worker {
  looks = 0;
  isAttended = false;
  answersAt: number;

  constructor(answersAt: number) {
    this.answersAt = answersAt;
  }

  get mailbox(): this {
    return this;
  }

  attend(): void {
    this.isAttended = true;
  }

  leave(): void {
    this.isAttended = false;
  }

  get hasAnswer(): boolean {
    return ++this.looks >= this.answersAt;
  }
}

/** Polls in a tick with one job in flight. */
function looksOf(worker: Worker, attention: ResultSpin): number {
  worker.looks = 0;
  const hasCome = attention.waitAwake();
  assert.equal(worker.isAttended, false);
  assert.equal(hasCome, worker.looks >= worker.answersAt);
  return worker.looks;
}

test('main does not spin unless one caller waits for one job', () => {
  const worker = new Worker(1);
  assert.equal(looksOf(worker, new ResultSpin([worker], { isLone: false })), 0);
});

test('main spins for a single job until its result is there', () => {
  const worker = new Worker(10);
  const attention = new ResultSpin([worker], { isLone: true });
  assert.deepEqual(
    Array.from({ length: 5 }, () => looksOf(worker, attention)),
    [10, 10, 10, 10, 10],
  );
});

test('a result that arrives between the last poll and the end of spinning is seen', () => {
  const worker = new Worker(LIMITS.answerPollsMax + 1);
  assert.equal(looksOf(worker, new ResultSpin([worker], { isLone: true })), LIMITS.answerPollsMax + 1);
});

test('after vain attempts main spins for only one job in 2, 4, up to 256; after a success for each job again', () => {
  const worker = new Worker(Infinity);
  const attention = new ResultSpin([worker], { isLone: true });
  const waited = Array.from({ length: 2000 }, () => looksOf(worker, attention));
  assert.ok(waited.every((looks) => looks === 0 || looks === LIMITS.answerPollsMax + 1));
  const turns = [...waited.keys()].filter((turn) => waited[turn] !== 0);
  const steps = turns.slice(1).map((turn, i) => turn - turns[i]!);
  assert.deepEqual(steps, [2, 4, 8, 16, 32, 64, 128, 256, 256, 256, 256, 256, 256]);
  worker.answersAt = 3;
  while (looksOf(worker, attention) === 0);
  assert.deepEqual([looksOf(worker, attention), looksOf(worker, attention)], [3, 3]);
});
