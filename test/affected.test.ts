import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { affectedTests } from './affected.js';
import { temporaryFolder } from './support/temporary-folder.js';

const FILES = ['state/table.test.js', 'rpc/call/send.test.js', 'http/guard.test.js', 'http/fuzz/guard.fuzz.js'];
const SOURCES = {
  'test/state/table.test.js': "import { x } from '../../src/state/table/writer.js';",
  'test/rpc/call/send.test.js': "import { y } from '../../support/made.js';\nimport '../../../src/rpc/call/send.js';",
  'test/http/guard.test.js': "import { y } from '../support/made.js';",
  'test/http/fuzz/guard.fuzz.js': "import { z } from '../../../src/lib/bytes/hex.js';",
  'test/support/made.js': "export { x } from '../../src/state/table/writer.js';",
};

function affectedBy(...changed: string[]): string[] {
  const dist = temporaryFolder();
  for (const [file, text] of Object.entries(SOURCES)) {
    mkdirSync(dirname(join(dist, file)), { recursive: true });
    writeFileSync(join(dist, file), text);
  }
  return [...affectedTests(dist, FILES, changed)];
}

void test('a change concerns the nearest folder of tests, whatever the kind of the file', () => {
  assert.deepEqual(affectedBy('src/rpc/call/node/turn.ts'), ['rpc/call/send.test.js']);
  assert.deepEqual(affectedBy('src/http/native/deep/guard.h'), ['http/guard.test.js', 'http/fuzz/guard.fuzz.js']);
  assert.deepEqual(affectedBy('src/chain/active-forks.ts', 'README.md', 'src/program.ts'), []);
});

void test('a change concerns tests that import the file, also through helpers of tests', () => {
  assert.deepEqual(affectedBy('src/lib/bytes/hex.ts'), ['http/fuzz/guard.fuzz.js']);
  assert.deepEqual(affectedBy('src/state/table/writer.ts'), FILES.slice(0, 3));
  assert.deepEqual(affectedBy('test/support/made.ts'), ['rpc/call/send.test.js', 'http/guard.test.js']);
});
