// When a connection that waits for its response is read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpResponse } from '../../src/http/server-interface.js';
import { DeferredResponse } from '../../src/http/deferred-response.js';
import { UNLIMITED_MS, until } from '../support/patience.js';

function nothing(): void {}

/** A response that records what is done with it. */
function noting() {
  const notes: string[] = [];
  let abort = nothing;
  const response = {
    onAborted: (handler: () => void) => (abort = handler),
    pause: () => notes.push('pause'),
    resume: () => notes.push('resume'),
    cork: (write: () => void) => write(),
  } as unknown as HttpResponse;
  return { response, notes, abort: () => abort(), write: () => notes.push('answer') };
}

void test('a connection is not read until its answer is sent', () => {
  const { response, notes, write } = noting();
  const later = new DeferredResponse(response, UNLIMITED_MS, () => undefined);
  assert.deepEqual(notes, ['pause']);
  assert.ok(later.send(write));
  assert.deepEqual(notes, ['pause', 'resume', 'answer']);
});

void test('a disconnect of the client is reported once, and nothing more is sent', () => {
  const { response, notes, write, abort } = noting();
  let aborted = 0;
  const later = new DeferredResponse(response, UNLIMITED_MS, () => aborted++);
  abort();
  assert.ok(!later.send(write));
  assert.deepEqual([aborted, notes], [1, ['pause']]);
});

void test('after the wait limit the connection is checked for its end', async () => {
  const { response, notes, write } = noting();
  const later = new DeferredResponse(response, 1, () => undefined);
  await until(() => notes.includes('resume'));
  assert.ok(later.send(write));
  assert.deepEqual(notes, ['pause', 'resume', 'resume', 'answer']);
});
