// Tables of results, as Markdown: for the terminal, where columns stand in line, and for the READMEs. Pure.
import { type Change, digits, ratioText } from './comparison.js';
import { percent } from './figures.js';
import type { Figures, Results, Row, Side } from './results.js';

const HEAD = [
  'load',
  'target',
  'calls/s',
  'p50 ms',
  'p99 ms',
  'p99.9 ms',
  'max ms',
  'CPU us/call',
  'of raw',
  'refused (p99 ms)',
  'compared',
];
const CHANGE_HEAD = ['load', 'target', 'calls/s', 'p50', 'p99', 'CPU'];

/** All rows. */
export function tableOf({ rows }: Results): string {
  return markdown([HEAD, ...rows.flatMap((row) => row.sides.map((side, i) => cellsOf(row, side, i === 0)))]);
}

/** New beside old: ratios above 1 are more calls a second, or longer. */
export function changeTable(changes: readonly Change[]): string {
  const lines = changes.map(({ row, target, comparison: { callsPerSecond, p50, p99, cpuUs } }) => [
    row,
    target,
    ...[callsPerSecond, p50, p99, cpuUs].map(ratioText),
  ]);
  return markdown([CHANGE_HEAD, ...lines]);
}

/** Lines of a Markdown table whose columns stand in line. */
export function markdown([head = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = head.map((_, i) => Math.max(3, ...[head, ...rows].map((row) => row[i]!.length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |\n`;
  return line(head) + line(widths.map((width) => '-'.repeat(width))) + rows.map(line).join('');
}

/** Of the first of a row's targets to this one: of throughput in a closed loop, else of p99. */
export function comparedText({ comparisons, loadKind }: Row, target: string): string {
  const found = comparisons.find(({ second }) => second === target);
  if (found === undefined) return '';
  const [ratio, of] = loadKind === 'closed' ? [found.callsPerSecond, 'calls/s'] : [found.p99, 'p99'];
  if (ratio === null) return '';
  return ratio.differs ? `${found.first} ${ratioText(ratio)} ${of}` : `no difference in ${of}`;
}

function cellsOf(row: Row, side: Side, isFirst: boolean): string[] {
  const name = isFirst ? `${row.scenario}: ${row.run}` : '';
  const { figures } = side;
  if (figures === null || side.void !== null)
    return [name, side.target, `no numbers: ${side.void}`, ...Array.from({ length: 8 }, () => '')];
  return [name, side.target, ...figureCells(figures), comparedText(row, side.target)];
}

function figureCells(figures: Figures): string[] {
  const { callsPerSecond, latency, cpuUs, shareOfFloor } = figures;
  return [
    Math.round(callsPerSecond.median).toLocaleString('en'),
    digits(latency.p50),
    digits(latency.p99),
    digits(latency.p999),
    digits(latency.max),
    cpuUs === null ? '' : digits(cpuUs.median),
    shareOfFloor === null ? '' : percent(shareOfFloor),
    refusedCell(figures),
  ];
}

/** The share that was refused, and how soon. */
export function refusedCell({ refusals, refusedShare }: Figures): string {
  return refusals.count === 0 ? '' : `${percent(refusedShare)} (${digits(refusals.p99)})`;
}
