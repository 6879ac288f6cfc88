// Progress of long work: a redrawn line at a terminal, occasional log lines elsewhere.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ProgressReport, progressRow } from '../../src/cli/progress-report.js';
import { ScreenWithBottomRow } from '../../src/cli/program-output.js';

test('without a terminal progress is logged at intervals, and other messages at once', () => {
  const lines: string[] = [];
  let now = 0;
  const line = (text: string): void => void lines.push(text);
  const report = new ProgressReport({ line, drawRow: null, columns: () => 80, nowMs: () => now });
  for (; now <= 5000; now += 250) report.report(`at ${now}`, now / 5000);
  report.report('done');
  report.report('next work', null);
  report.end();
  now += 10_000;
  report.report('late', null);
  report.report('late', null);
  assert.deepEqual(lines, ['at 2000', 'at 4000', 'done']);
});

test('at a terminal the progress line is redrawn in place, below the log lines', () => {
  let written = '';
  const screen = new ScreenWithBottomRow((text) => (written += text));
  const report = new ProgressReport({
    line: (text) => screen.print(text),
    drawRow: (row) => screen.drawRow(row),
    columns: () => 20,
    nowMs: () => 0,
  });
  report.report('work', null);
  screen.print('a line');
  report.report('done');
  screen.print('next');
  const erase = '\r\u001b[K';
  assert.equal(written, `${erase}work${erase}a line\nwork${erase}done\nnext\n`);
});

test('a progress line fits the terminal', () => {
  assert.equal(progressRow('half', 0.5, 80), '[############------------] half');
  assert.equal(progressRow('all', 1, 80), '[########################] all');
  assert.equal(progressRow('x'.repeat(100), null, 10), 'x'.repeat(7));
  assert.equal(progressRow('text', 0, 12).length, 9);
});
