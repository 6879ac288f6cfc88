// Suggestions for misspelled names: close names are found, distant ones are not offered.
import assert from 'node:assert/strict';
import test from 'node:test';
import { editDistance, nearest } from '../../src/cli/suggestion.js';

test('the edit distance counts insertions, deletions, replacements and swaps', () => {
  for (const [a, b, distance] of [
    ['', '', 0],
    ['port', 'port', 0],
    ['port', '', 4],
    ['prot', 'port', 1],
    ['por', 'port', 1],
    ['pport', 'port', 1],
    ['pert', 'port', 1],
    ['kitten', 'sitting', 3],
  ] as const) {
    assert.equal(editDistance(a, b), distance, `${a} ${b}`);
    assert.equal(editDistance(b, a), distance, `${b} ${a}`);
  }
});

test('a name is suggested only if it is close', () => {
  const names = ['port', 'upstream', 'upstream-ws', 'on', 'off'];
  assert.equal(nearest('prot', names), 'port');
  assert.equal(nearest('upstreamws', names), 'upstream-ws');
  assert.equal(nearest('of', names), 'off');
  assert.equal(nearest('database', names), null);
  assert.equal(nearest('port', []), null);
});
