// Tables of results: for the terminal, fitted to its width, and as Markdown for the READMEs. Pure.
import { type Change, digits, hasNumbers, nameOf, ratioText } from './comparison.js';
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

/** Columns that are dropped on a narrow terminal, least important first. */
const SPARED = ['max ms', 'p99.9 ms', 'of raw', 'CPU us/call', 'refused (p99 ms)'];
const GAP = '  ';

/** All rows, one line per target below a line with the load's name; empty columns are omitted. */
export function terminalTable({ rows }: Results, columns: number): string {
  const shown = new Set(
    HEAD.slice(2, -1).filter((_, i) => rows.some(({ sides }) => sides.some((side) => cellAt(side, i) !== ''))),
  );
  const spared = [...SPARED];
  while (widthOf(rows, shown) > columns && spared.length > 0) shown.delete(spared.shift()!);
  const widths = widthsOf(rows, shown);
  const line = (first: string, cells: readonly string[]): string =>
    [first.padEnd(widths[0]!), ...cells.map((cell, i) => cell.padStart(widths[i + 1]!))].join(GAP).trimEnd();
  const lines = rows.flatMap((row) => [
    nameOf(row),
    ...row.sides.flatMap((side) => [
      hasNumbers(side)
        ? line(`  ${side.target}`, cellsIn(side, shown))
        : `  ${side.target}${GAP}no numbers: ${side.void}`,
      ...comparedLine(row, side),
    ]),
  ]);
  return [line('', [...shown]), ...lines].map((text) => `${wrapped(text, columns)}\n`).join('');
}

function comparedLine(row: Row, { target }: Side): string[] {
  const text = comparedText(row, target);
  return text === '' ? [] : [`    ${text}`];
}

function cellAt(side: Side, column: number): string {
  return hasNumbers(side) ? figureCells(side.figures!)[column]! : '';
}

function cellsIn(side: Side, shown: ReadonlySet<string>): string[] {
  const cells = figureCells(side.figures!);
  return HEAD.slice(2, -1).flatMap((head, i) => (shown.has(head) ? cells[i]! : []));
}

function widthsOf(rows: readonly Row[], shown: ReadonlySet<string>): number[] {
  const sides = rows.flatMap((row) => row.sides);
  const names = Math.max(0, ...sides.map(({ target }) => target.length + 2));
  const cells = sides.filter(hasNumbers).map((side) => cellsIn(side, shown));
  return [names, ...[...shown].map((head, i) => Math.max(head.length, ...cells.map((own) => own[i]!.length)))];
}

function widthOf(rows: readonly Row[], shown: ReadonlySet<string>): number {
  return widthsOf(rows, shown).reduce((sum, width) => sum + width + GAP.length, -GAP.length);
}

/** Words that go beyond the last column, in lines below. */
function wrapped(text: string, columns: number): string {
  const at = text.lastIndexOf(' ', columns);
  const indent = /^ */.exec(text)![0].length;
  if (text.length <= columns || at <= indent) return text;
  return `${text.slice(0, at)}\n${wrapped(`${' '.repeat(indent + 2)}${text.slice(at + 1)}`, columns)}`;
}

/** All rows. */
export function tableOf({ rows }: Results): string {
  return markdown([HEAD, ...rows.flatMap((row) => row.sides.map((side, i) => cellsOf(row, side, i === 0)))]);
}

/** New compared with old: ratios above 1 are more calls a second, or longer times. */
export function changeTable(changes: readonly Change[]): string {
  const lines = changes.map(({ row, target, comparison: { callsPerSecond, p50, p99, cpuUs } }) => [
    row,
    target,
    ...[callsPerSecond, p50, p99, cpuUs].map(ratioText),
  ]);
  return markdown([CHANGE_HEAD, ...lines]);
}

/** A Markdown table with aligned columns. */
export function markdown([head = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = head.map((_, i) => Math.max(3, ...[head, ...rows].map((row) => row[i]!.length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |\n`;
  return line(head) + line(widths.map((width) => '-'.repeat(width))) + rows.map(line).join('');
}

/** Ratio of the row's first target to this one: throughput in a closed loop, otherwise p99. */
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

/** The rejected share, and the latency of rejections. */
export function refusedCell({ refusals, refusedShare }: Figures): string {
  return refusals.count === 0 ? '' : `${percent(refusedShare)} (${digits(refusals.p99)})`;
}
