// The help text: topics in order, and long lines wrapped to the terminal.
import assert from 'node:assert/strict';
import test from 'node:test';
import { formatHelp } from '../../src/cli/format-help.js';

const ROWS = [
  { topic: 'chain', usage: '--a FILE', doc: 'first' },
  { topic: 'limits', usage: '--b N', doc: 'second '.repeat(12).trim() },
  { topic: 'chain', usage: '--c', doc: 'third' },
];

test('flags are listed under their topics', () => {
  const names = formatHelp(ROWS).map((line) => line.trim().split(' ', 1)[0]);
  assert.deepEqual(names, ['chain:', '--a', '--c', 'limits:', '--b']);
});

test('a line that is too long is wrapped under its own text', () => {
  const lines = formatHelp(ROWS, 80);
  assert.ok(lines.every((line) => line.length <= 80));
  assert.equal(lines.length, 6);
  assert.match(lines[5]!, /^ {35}second/);
  assert.equal(formatHelp(ROWS, 20).length, 5);
});
