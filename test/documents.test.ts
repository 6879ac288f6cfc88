// What the documents name exists: flags, methods, limits, metrics, files.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { helpText } from '../src/config.js';
import { LIMITS } from '../src/limits.js';
import { METHODS } from '../src/rpc/methods/table.js';

const root = new URL('../../', import.meta.url);
const readme = documentOf('README.md');
const security = documentOf('SECURITY.md');

function documentOf(name: string): string {
  return readFileSync(new URL(name, root), 'utf8');
}

test('the README shows the flags as the program does', () => {
  assert.ok(readme.includes(`\n${helpText()}\n`), helpText());
});

test('the README names every method that is served', () => {
  for (const { name } of METHODS) assert.ok(readme.includes(`\`${name}\``), name);
});

test('every limit that SECURITY.md names exists', () => {
  const named = [...security.matchAll(/`([a-z]+[A-Z]\w*(?:Max|Min|Ms|Bytes)\w*)`/g)].map(([, name]) => name!);
  assert.ok(named.length > 20);
  for (const name of named) assert.ok(name in LIMITS, name);
});

test('every metric that the README names exists', () => {
  const metrics = readFileSync(new URL('src/metrics.ts', root), 'utf8');
  for (const [, name] of readme.matchAll(/`prestate_(\w+?)(?:_total)?(?:\{\w+\})?`/g)) {
    assert.ok(metrics.includes(name!), name);
  }
});

test('every file that the documents point to exists', () => {
  for (const text of [readme, security]) {
    for (const [, path] of text.matchAll(/\]\(([^)#:]+)\)/g)) assert.ok(existsSync(new URL(path!, root)), path);
  }
});
