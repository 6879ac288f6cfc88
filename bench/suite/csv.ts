// Results as CSV (RFC 4180): one line per load and target. Pure.
import { countErrors } from '../load/tally.js';
import { hasNumbers } from './comparison.js';
import type { Figures, Results, Row, Side } from './results.js';

type Cell = string | number | null;

/** Columns of the figures; empty if a target has none. Times in milliseconds. */
const FIGURES: Readonly<Record<string, (figures: Figures) => Cell>> = {
  calls_per_second: ({ callsPerSecond }) => callsPerSecond.median,
  calls_per_second_low: ({ callsPerSecond }) => callsPerSecond.low,
  calls_per_second_high: ({ callsPerSecond }) => callsPerSecond.high,
  p50_ms: ({ latency }) => latency.p50,
  p90_ms: ({ latency }) => latency.p90,
  p99_ms: ({ latency }) => latency.p99,
  p99_9_ms: ({ latency }) => latency.p999,
  max_ms: ({ latency }) => latency.max,
  cpu_us_per_call: ({ cpuUs }) => cpuUs?.median ?? null,
  calls: ({ calls }) => calls,
  succeeded: ({ succeeded }) => succeeded,
  errors: ({ errors }) => countErrors(errors),
  refused_share: ({ refusedShare }) => refusedShare,
};
const HEAD = ['scenario', 'run', 'load', 'target', 'version', ...Object.keys(FIGURES), 'no_numbers'];

/** All rows. */
export function csvOf({ rows, targets }: Results): string {
  const versions = new Map(targets.map(({ name, version }) => [name, version]));
  const lines = rows.flatMap((row) => row.sides.map((side) => cellsOf(row, side, versions.get(side.target) ?? '')));
  return [HEAD, ...lines].map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');
}

function cellsOf({ scenario, run, load }: Row, side: Side, version: string): readonly Cell[] {
  const figures = Object.values(FIGURES).map((cell) => (hasNumbers(side) ? cell(side.figures!) : null));
  return [scenario, run, load, side.target, version, ...figures, side.void];
}

function quoted(cell: Cell): string {
  const text = String(cell ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
