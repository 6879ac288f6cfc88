// Suggestions for misspelled names: close names are found, distant ones are not offered.
import assert from 'node:assert/strict';
import test from 'node:test';
import { editDistance, nearestName } from '../../src/cli/did-you-mean.js';

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
  assert.equal(nearestName('prot', names), 'port');
  assert.equal(nearestName('upstreamws', names), 'upstream-ws');
  assert.equal(nearestName('of', names), 'off');
  assert.equal(nearestName('database', names), null);
  assert.equal(nearestName('port', []), null);
});
