// Runs every test file below dist/test, or those whose path contains an argument: `node dist/test/run.js state`.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';

const TEST_FILE = /\.(test|fuzz|race|io)\.js$/;
const FILE_TIMEOUT_MS = 300_000;

const root = fileURLToPath(new URL('.', import.meta.url));
const wanted = process.argv.slice(2);

function testFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && TEST_FILE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => wanted.length === 0 || wanted.some((part) => file.slice(root.length).includes(part)))
    .sort();
}

const files = testFiles(root);
if (files.length === 0) throw new Error(`no test file matches ${wanted.join(' ')}`);

run({ files, concurrency: 2, timeout: FILE_TIMEOUT_MS })
  .on('test:fail', () => (process.exitCode = 1))
  .compose(new spec())
  .pipe(process.stdout);
