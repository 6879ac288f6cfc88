// Runs test files in dist/test: those whose path contains an argument, of one --tier, --changed since main, and with
// --name only the tests whose name contains that text: `node dist/test/run.js state --name "a pin"`. Without arguments
// all run; with --watch they run again when a file that they load is recompiled. Prints the slowest files, the reasons
// of skipped tests and one summary line at the end.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { affectedTests } from './affected.js';

interface TestEvent {
  readonly nesting: number;
  readonly file?: string | undefined;
  readonly details: { readonly duration_ms: number };
}

const TEST_FILE = /\.(test|fuzz|race|io)\.js$/;
/** Ends a file that hangs. It decides no test: waits in tests have their own time limit (support/patience.ts). */
const FILE_MS_MAX = 25 * 60_000;
/** One more than the cores of a small machine: some tests mostly wait. */
const FILES_AT_ONCE = 3;
/** The slowest files, slowest first: they start first, so that no core is idle at the end. */
const LONGEST = [
  'install/package',
  'system/durability',
  'system/market-maker',
  'system/replicas',
  'system/non-evm-code',
  'system/follow',
  'differential/',
  'attack/',
  'system/',
  'io/',
  'api',
  'replicas/replicas',
  'feed/live/',
  'state/',
  'evm/',
  'clients/',
  'execution/',
  'pool/',
];

/** Number of slow files listed at the end, so that growth is noticed. */
const SLOWEST_SHOWN = 10;

/** Tests of the whole program, of its clients and its installation; all others are of the tier `unit`. */
const SYSTEM = /^(attack|clients|deploy|differential|install|io|soak|system)\/|\.race\.js$|^publisher\/replicas/;
/** Tiers and their files: `long` is what only runs with HEAVY=1. */
const TIERS: Readonly<Record<string, (file: string) => boolean>> = {
  unit: (file) => !SYSTEM.test(file),
  system: (file) => SYSTEM.test(file),
  long: (file) => readFileSync(join(root, file), 'utf8').includes("env['HEAVY']"),
};
/** Tests of the project's own rules, run with every change. */
const HOUSE = /^(layers|documents|config\/config|observe\/metrics)\.test\.js$/;
const OPTIONS = {
  name: { type: 'string' },
  tier: { type: 'string' },
  changed: { type: 'boolean' },
  watch: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;
const USAGE = 'node dist/test/run.js [PART ...] [--name TEXT] [--tier unit|system|long] [--changed] [--watch]';

const { values, positionals } = parseArgs({ allowPositionals: true, options: OPTIONS });
if (values.help) {
  process.stdout.write(`${USAGE}\n`);
  process.exit(0);
}
const root = fileURLToPath(new URL('.', import.meta.url));
if (values.tier === 'long') process.env['HEAVY'] = '1';
const files = testFiles();
if (files.length === 0 && !values.changed) fail(`no test file matches ${process.argv.slice(2).join(' ')}\n${USAGE}`);

const startMs = performance.now();
const counts = { passed: 0, failed: 0 };
/** Skipped tests by reason. */
const skipped = new Map<string, number>();
/** Milliseconds per file. */
const tookMs = new Map<string, number>();

run({ files, concurrency: FILES_AT_ONCE, timeout: FILE_MS_MAX, watch: values.watch ?? false, ...named(values.name) })
  .on('test:pass', (event) => {
    const { details, skip } = event;
    addTime(event);
    if (skip !== undefined && values.name === undefined)
      skipped.set(String(skip), (skipped.get(String(skip)) ?? 0) + 1);
    else if (skip === undefined && details.type !== 'suite') counts.passed++;
  })
  .on('test:fail', (event) => {
    const { details } = event;
    addTime(event);
    process.exitCode = 1;
    if (details.type !== 'suite') counts.failed++;
  })
  .compose(new spec())
  .on('end', () => {
    process.stdout.write(summary());
    if (values.name !== undefined && counts.passed + counts.failed === 0) fail(`no test is named ${values.name}`);
  })
  .pipe(process.stdout);

/** Only counts top-level tests. */
function addTime({ nesting, file, details }: TestEvent): void {
  if (nesting > 0 || file === undefined) return;
  const name = file.slice(root.length);
  tookMs.set(name, (tookMs.get(name) ?? 0) + details.duration_ms);
}

function slowest(): string {
  const longest = [...tookMs].toSorted(([, a], [, b]) => b - a).slice(0, SLOWEST_SHOWN);
  const shown = longest.map(([file, ms]) => `${file.replace(/\.js$/, '')} ${Math.round(ms / 1000)}`);
  return files.length > SLOWEST_SHOWN ? `longest, in seconds: ${shown.join(', ')}\n` : '';
}

function fail(line: string): never {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

/** Documents say test/state/table.test.ts; compiled files are state/table.test.js. */
function partOf(argument: string): string {
  return argument.replace(/^(dist\/)?test\//, '').replace(/\.ts$/, '.js');
}

function git(...args: string[]): readonly string[] {
  return execFileSync('git', args, { encoding: 'utf8' }).split('\n');
}

/** Files of `all` that are affected by uncommitted changes or differences from main. */
function affected(all: readonly string[]): readonly string[] {
  const differing = [...git('diff', '--name-only', 'main'), ...git('ls-files', '--others', '--exclude-standard')];
  const concerned = affectedTests(join(root, '..'), all, differing);
  return all.filter((file) => HOUSE.test(file) || concerned.has(file));
}

function testFiles(): string[] {
  const parts = positionals.map(partOf);
  const found = readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && TEST_FILE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
    .filter((file) => (TIERS[values.tier ?? ''] ?? everyTier)(file));
  return (values.changed ? affected(found) : found)
    .toSorted((a, b) => place(a) - place(b) || (a < b ? -1 : 1))
    .map((file) => join(root, file));
}

function everyTier(): boolean {
  return values.tier === undefined || fail(`no tier ${values.tier}: ${USAGE}`);
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
  return `${slowest()}${reasons.join('')}${counts.failed} failed, ${counts.passed} passed, ${files.length} files, ${seconds} s\n`;
}
