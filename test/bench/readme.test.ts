// The tables that the bench writes into the READMEs: their markers exist, and nothing else changes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { filled, shortTable } from '../../bench/own/readme.js';
import { sampleResults } from './fixtures/results.js';

const MARKERS = [
  ['README.md', 'short'],
  ['bench/RESULTS.md', 'precompiles'],
  ['bench/RESULTS.md', 'all'],
] as const;

test('both READMEs have markers for their table, and the rest is unchanged', () => {
  for (const [file, name] of MARKERS) {
    const text = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
    const once = filled(text, name, '| a |');
    assert.ok(once.includes(`<!-- bench: ${name} -->\n| a |\n<!-- bench end -->`));
    assert.equal(filled(once, name, '| a |'), once);
    assert.equal(once.split('<!--')[0], text.split('<!--')[0]);
  }
  assert.throws(() => filled('nothing', 'short', ''), /no markers/);
});

test('the short table has a row for each chosen load that was measured', () => {
  const results = sampleResults();
  const [row] = results.rows;
  const rows = [
    { ...row!, scenario: 'estimates', run: 'compute' },
    { ...row!, run: 'other' },
  ];
  const lines = shortTable({ ...results, rows })
    .trimEnd()
    .split('\n');
  assert.equal(lines.length, 3);
  assert.match(lines[2]!, /^\| estimates: compute \| 1,000 /);
});
