// The README shows the flags as the program does.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { helpText } from '../src/config.js';
import { METHODS } from '../src/rpc/methods.js';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

test('the flags', () => {
  assert.ok(readme.includes(`\n${helpText()}\n`), helpText());
});

test('the methods', () => {
  for (const { name } of METHODS) assert.ok(readme.includes(`\`${name}\``), name);
});
