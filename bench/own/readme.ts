// Writes the tables of README.md and bench/RESULTS.md: between a line `<!-- bench: NAME -->` and a line `<!-- bench end
// -->`. Runs in the bench.
import { readFileSync, writeFileSync } from 'node:fs';
import { digits, hasNumbers, nameOf, ratioText } from '../suite/comparison.js';
import { percent } from '../suite/figures.js';
import type { Results, Row, Side } from '../suite/results.js';
import { markdown, tableOf } from '../suite/table.js';

/** Rows of the short table. */
const SHORT = [
  'reads-hot: closed loop',
  'batches: 100 nonces',
  'estimates: plain transfer',
  'estimates: ERC-20 transfer',
  'estimates: V2 router swap',
  'estimates: compute',
];
const SHORT_HEAD = [
  '',
  'ours /s',
  'anvil /s',
  'ratio',
  'ours p50 ms',
  'anvil p50 ms',
  'ours CPU us',
  'anvil CPU us',
  'share of raw',
];

/** Files and names of the tables. */
const PLACES: readonly (readonly [file: string, name: string, table: (results: Results) => string])[] = [
  ['README.md', 'short', shortTable],
  ['bench/RESULTS.md', 'all', (results) => `${circumstances(results)}\n\n${tableOf(results)}`],
];

/** Throws if a file lacks a table's markers. */
export function writeReadmes(results: Results): void {
  for (const [file, name, table] of PLACES) {
    writeTable(file, name, table(results));
  }
}

/** Throws if the file lacks the markers. */
export function writeTable(file: string, name: string, table: string): void {
  writeFileSync(file, filled(readFileSync(file, 'utf8'), name, table));
}

/** Replaces the table between the markers. */
export function filled(text: string, name: string, table: string): string {
  const [begin, end] = [`<!-- bench: ${name} -->\n`, '<!-- bench end -->'];
  const from = text.indexOf(begin) + begin.length;
  const to = text.indexOf(end, from);
  if (from < begin.length || to < 0) throw new Error(`no markers for the table ${name}`);
  return `${text.slice(0, from)}${table.trim()}\n${text.slice(to)}`;
}

/** This build compared with anvil. */
export function shortTable({ rows }: Results): string {
  const chosen = SHORT.flatMap((name) => rows.find((row) => nameOf(row) === name) ?? []);
  return markdown([SHORT_HEAD, ...chosen.map(shortCells)]);
}

function shortCells(row: Row): string[] {
  const [ours, anvil] = ['ours', 'anvil'].map((name) => row.sides.find(({ target }) => target === name));
  const both = (cell: (side: Side) => string): string[] =>
    [ours, anvil].map((side) => (side !== undefined && hasNumbers(side) ? cell(side) : ''));
  const share = ours?.figures?.shareOfFloor ?? null;
  return [
    nameOf(row),
    ...both(({ figures }) => Math.round(figures!.callsPerSecond.median).toLocaleString('en')),
    ratioText(row.comparisons[0]?.callsPerSecond ?? null),
    ...both(({ figures }) => digits(figures!.latency.p50)),
    ...both(({ figures }) => (figures!.cpuUs === null ? '' : digits(figures!.cpuUs.median))),
    share === null ? '' : percent(share),
  ];
}

function circumstances({ startedAt, machine, settings }: Results): string {
  const turns = `medians of ${settings.rounds} turns of ${settings.secondsPerTurn} s`;
  return `${startedAt.slice(0, 10)}, ${machine.cores} cores, Node ${machine.node}, ${turns}, load before ${machine.loadBefore}.`;
}
