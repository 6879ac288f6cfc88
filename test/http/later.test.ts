// When connections are paused that wait for their answers. Runs on main.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Response } from '../../src/http/app.js';
import { LaterResponses } from '../../src/http/later.js';
import { UNLIMITED_MS } from '../support/patience.js';

/** Requests of one turn from which on nothing stays unpaused. */
const MANY = 256;

function nothing(): void {}

/** A response that notes what is done with it. */
function noting() {
  const notes: string[] = [];
  let abort = nothing;
  const response = {
    onAborted: (handler: () => void) => (abort = handler),
    pause: () => notes.push('pause'),
    resume: () => notes.push('resume'),
    cork: (write: () => void) => write(),
  } as unknown as Response;
  return { response, notes, abort: () => abort(), write: () => notes.push('answer') };
}

void test('what is answered in the turn in which it came is not paused', async () => {
  const later = new LaterResponses(UNLIMITED_MS);
  const { response, notes, write } = noting();
  assert.ok(later.open(response, nothing).send(write));
  await nextTurn();
  assert.deepEqual(notes, ['answer']);
});

void test('what is answered later is paused at the end of the turn until then', async () => {
  const later = new LaterResponses(UNLIMITED_MS);
  const { response, notes, write } = noting();
  const opened = later.open(response, nothing);
  assert.deepEqual(notes, []);
  await nextTurn();
  assert.deepEqual(notes, ['pause']);
  assert.ok(opened.send(write));
  assert.deepEqual(notes, ['pause', 'resume', 'answer']);
});

void test('a client that leaves in the same turn is told of, and not paused', async () => {
  const later = new LaterResponses(UNLIMITED_MS);
  const { response, notes, write, abort } = noting();
  let aborted = 0;
  const opened = later.open(response, () => aborted++);
  abort();
  await nextTurn();
  assert.ok(!opened.send(write));
  assert.deepEqual([aborted, notes], [1, []]);
});

void test('in a turn of many requests they are paused before it ends', () => {
  const later = new LaterResponses(UNLIMITED_MS);
  for (let i = 0; i < MANY; i++) later.arrived();
  const { response, notes, abort } = noting();
  later.open(response, nothing);
  for (let i = 0; i < MANY - 1; i++) later.arrived();
  assert.deepEqual(notes, [], 'requests before it do not count');
  later.arrived();
  assert.deepEqual(notes, ['pause']);
  abort();
});
