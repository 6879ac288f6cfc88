// Progress of an import, by bytes of its file since it started.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ImportProgress } from '../../../src/feed/import/import-progress.js';

interface Report {
  readonly text: string;
  readonly share: number | null | undefined;
}

/** Blocks of 100 bytes, one per second; the first `passed` ones are already in the archive. */
function importOf(bytes: number | null, passed: number, executed: number): Report[] {
  const reported: Report[] = [];
  let now = 0;
  const sink = { progress: (text: string, share?: number | null) => void reported.push({ text, share }) };
  const progress = new ImportProgress(sink, passed, bytes, () => now);
  for (let block = 1; block <= passed + executed; block++) {
    progress.read(100);
    if (block <= passed) continue;
    now += 1000;
    progress.add(2_000_000n);
  }
  progress.end(passed + executed);
  return reported;
}

test('progress has block, percentage, rate and time left', () => {
  assert.deepEqual(importOf(1000, 0, 10)[1], {
    text: 'importing: 20 %, 8 s left, block 2 of about 10, 1 blocks/s, 2.0 Mgas/s',
    share: 0.2,
  });
  assert.equal(importOf(1000, 0, 10).at(-1)!.text, 'imported 10 blocks up to block 10, 2.0 Mgas/s');
});

test('blocks already in the archive do not count for the rate', () => {
  const [first] = importOf(100_000, 500, 1);
  assert.equal(first!.text, 'importing: 50 %, 8 min 19 s left, block 501 of about 1000, 1 blocks/s, 2.0 Mgas/s');
});

test('progress of a pipe has no percentage', () => {
  assert.deepEqual(importOf(null, 0, 1)[0], { text: 'importing: block 1, 1 blocks/s, 2.0 Mgas/s', share: null });
});

test('an import with nothing to do says so', () => {
  assert.deepEqual(importOf(1000, 10, 0), [{ text: 'block 10 is the head, nothing to import', share: undefined }]);
});
