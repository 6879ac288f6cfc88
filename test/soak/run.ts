// `npm run soak`: the program behind an upstream with every fault, for SOAK_S seconds. `npm run soak -- month
// [MILLIONS]`: a month of a chain that writes so many million slots, by default 100, on a budget of 512 MiB. `npm run
// soak -- week [SHARE]`: that share of a week of 200 ms blocks, by default all of it, across the point where ordinals
// wrap around. `npm run soak -- replicas`: a fleet whose programs are killed in turn, for SOAK_S seconds. Exits with 1
// if anything differs.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { RECORD_ORDINAL_MASK } from '../../src/state/table/layout/table-layout.js';
import { month, type MonthOptions } from './month.js';
import { soakReplicas } from './replicas.js';
import { LONG_MS, type Slice } from './slice-times.js';

const MIB = 2 ** 20;
/** Blocks of 12 s. */
const MONTH_BLOCKS = 216_000;
/** Blocks of 200 ms. */
const WEEK_BLOCKS = 3_024_000;
/** Lines of progress. */
const LINES = 20;
/** Blocks between two measurements of the process's memory: a measurement takes a fifth of a short block's time. */
const RSS_BLOCKS = 64;

const [part = 'faults', ...rest] = process.argv.slice(2);
switch (part) {
  case 'faults':
    process.exitCode = faults();
    break;
  case 'month':
    process.exitCode = await wholeMonth(Number(rest[0] ?? 100));
    break;
  case 'week':
    process.exitCode = await week(Number(rest[0] ?? 1));
    break;
  case 'replicas':
    process.exitCode = await replicas();
    break;
  default:
    console.error(`there is no soak ${part}: faults, month, week, replicas`);
    process.exitCode = 2;
}

function faults(): number {
  const tests = fileURLToPath(new URL('../run.js', import.meta.url));
  const env = { ...process.env, SOAK_S: process.env['SOAK_S'] ?? '60' };
  return spawnSync(process.execPath, [tests, 'system/live-faults'], { env, stdio: 'inherit' }).status ?? 1;
}

async function replicas(): Promise<number> {
  const report = await soakReplicas(Number(process.env['SOAK_S'] ?? '300'), (line) => console.log(line));
  console.log(report);
  return 0;
}

function wholeMonth(millions: number): Promise<number> {
  const newSlots = 463;
  const blocks = Math.min(MONTH_BLOCKS, Math.ceil((millions * 1e6) / newSlots));
  return run({ blocks, newSlots, memoryBytesMax: 512 * MIB, reads: 1000, threads: 1 });
}

function week(share: number): Promise<number> {
  const blocks = Math.ceil(WEEK_BLOCKS * share);
  const kept = { versionsKept: 4096, blocksKept: 128, firstOrdinal: RECORD_ORDINAL_MASK - Math.floor(blocks / 2) };
  return run({ blocks, newSlots: 2, memoryBytesMax: 128 * MIB, reads: 10, threads: 1, ...kept });
}

/** Prints the results. Returns the exit code. */
async function run(options: MonthOptions): Promise<number> {
  const { blocks } = options;
  const startMs = performance.now();
  let lines = 0;
  const rss = { start: process.memoryUsage.rss(), quarter: 0, most: 0 };
  const report = await month(options, (block) => {
    const isQuarter = block === Math.ceil(blocks / 4);
    if (block % RSS_BLOCKS !== 0 && !isQuarter) return;
    const now = process.memoryUsage.rss();
    rss.most = Math.max(rss.most, now);
    if (isQuarter) rss.quarter = now;
    const line = Math.floor((block * LINES) / blocks);
    if (line === lines) return;
    lines = line;
    const seconds = Math.round((performance.now() - startMs) / 1000);
    console.log(`block ${block} of ${blocks}, ${seconds} s, resident ${Math.round(now / MIB)} MiB`);
  });
  const end = process.memoryUsage.rss();
  row('budget', `${options.memoryBytesMax / MIB} MiB`);
  row('largest table', `${Math.round(report.tableBytesMax / MIB)} MiB`);
  row('resident: start, quarter, end, most', [rss.start, rss.quarter, end, rss.most].map(mib).join(', '));
  row('slots written', report.slots.toLocaleString('en'));
  row('slots held at the end', report.residentSlots.toLocaleString('en'));
  row('tables, given up', `${report.tables}, ${report.evictions.toLocaleString('en')}`);
  row(
    'reads, held',
    `${report.reads.toLocaleString('en')}, ${(100 * (1 - report.misses / report.reads)).toFixed(1)} %`,
  );
  row('codes compared', report.codes.toLocaleString('en'));
  row('answers too late, without room', `${report.stale}, ${report.full}`);
  const { slices, sliceBucketsMax } = report;
  row(`slices, longer than ${LONG_MS} ms`, `${slices.slices.toLocaleString('en')}, ${slices.long}`);
  row('longest slice; most places of one', `${sliceText(slices.longest)}; ${sliceBucketsMax}`);
  row('slices in which the collector ran, longest', `${slices.collected}, ${sliceText(slices.longestCollected)}`);
  row('copies waited for, at once for another hash key', `${report.stalls}, ${report.rebuilds}`);
  row(
    'publications and fills, CPU time: median, 99 of 100, 999 of 1000, longest',
    `${report.callMs.map((ms) => ms.toFixed(1)).join(', ')} ms`,
  );
  row('differences', String(report.differences));
  return report.differences === 0 ? 0 : 1;
}

function row(name: string, value: string): void {
  console.log(`| ${name} | ${value} |`);
}

function sliceText({ ms, places }: Slice): string {
  return `${ms.toFixed(2)} ms for ${places} places`;
}

function mib(bytes: number): string {
  return `${Math.round(bytes / MIB)} MiB`;
}
