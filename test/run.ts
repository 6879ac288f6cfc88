// Runs every test file below dist/test, or those whose path contains an argument, and with --name only the tests whose name
// contains that text: `node dist/test/run.js state --name "a pin"`. Ends with what was skipped and one line that counts.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const TEST_FILE = /\.(test|fuzz|race|io)\.js$/;
/** Ends a file that hangs. It decides no test: what tests wait for has a limit of its own (support/patience.ts). */
const FILE_MS_MAX = 25 * 60_000;
/** One more than there are cores on a small machine: some tests wait most of their time. */
const FILES_AT_ONCE = 3;
/** Files that take longest, longest first: they are begun first, so that at the end no core waits for one of them. */
const LONGEST = [
  'system/durability',
  'system/follow',
  'attack/',
  'system/overload',
  'publisher/replicas',
  'execution/block/state-transition.fuzz',
  'io/',
  'system/',
  'feed/live/',
  'evm/kernel/',
  'pool/',
];

const { values, positionals } = parseArgs({ allowPositionals: true, options: { name: { type: 'string' } } });
const root = fileURLToPath(new URL('.', import.meta.url));
const files = testFiles();
if (files.length === 0) throw new Error(`no test file matches ${positionals.join(' ')}`);

const startMs = performance.now();
const counts = { passed: 0, failed: 0 };
/** Tests that were skipped, by the reason. */
const skipped = new Map<string, number>();

run({ files, concurrency: FILES_AT_ONCE, timeout: FILE_MS_MAX, ...named(values.name) })
  .on('test:pass', ({ details, skip }) => {
    if (skip !== undefined && values.name === undefined)
      skipped.set(String(skip), (skipped.get(String(skip)) ?? 0) + 1);
    else if (skip === undefined && details.type !== 'suite') counts.passed++;
  })
  .on('test:fail', ({ details }) => {
    process.exitCode = 1;
    if (details.type !== 'suite') counts.failed++;
  })
  .compose(new spec())
  .on('end', () => process.stdout.write(summary()))
  .pipe(process.stdout);

function testFiles(): string[] {
  return readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && TEST_FILE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .filter((file) => positionals.length === 0 || positionals.some((part) => file.includes(part)))
    .toSorted((a, b) => place(a) - place(b) || (a < b ? -1 : 1))
    .map((file) => join(root, file));
}

function place(file: string): number {
  const at = LONGEST.findIndex((long) => file.startsWith(long));
  return at < 0 ? LONGEST.length : at;
}

function named(text: string | undefined): { testNamePatterns?: string } {
  return text === undefined ? {} : { testNamePatterns: text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') };
}

function summary(): string {
  const reasons = [...skipped].map(([reason, count]) => `skipped ${count}: ${reason}\n`);
  const seconds = Math.round((performance.now() - startMs) / 1000);
  return `${reasons.join('')}${counts.failed} failed, ${counts.passed} passed, ${files.length} files, ${seconds} s\n`;
}
