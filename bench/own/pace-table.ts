// Tables of `npm run pace`: this build against the reference, and the share of its main thread. Pure.
import { digits } from '../suite/comparison.js';
import type { Figures } from '../suite/results.js';
import { markdown } from '../suite/table.js';

/** The figures used: calls with a result a second, microseconds of processor time per call. */
export type PaceFigures = Pick<Figures, 'callsPerSecond' | 'cpuUs' | 'mainCpuUs'>;

export interface PaceRow {
  readonly name: string;
  readonly connections: number;
  readonly calls: number;
  readonly isBusy: boolean;
  /** `null`: wrong responses, or none. */
  readonly ours: PaceFigures | null;
  readonly reference: PaceFigures | null;
}

const HEAD = ['row', 'connections', 'requests/s', 'reference', 'ratio', 'main, us', 'reference', 'ratio'];
const CEILING_HEAD = [
  'request',
  'main, us',
  'requests/s at most',
  'calls/s at most',
  'other threads, us',
  'cores for that',
];

/** Above 1 this build is faster: more requests a second, less of main's time each. */
export function paceTable(rows: readonly PaceRow[]): string {
  return markdown([HEAD, ...rows.map(paceCells)]);
}

/** Names of rows in which this build has fewer requests a second, or no figures. */
export function behind(rows: readonly PaceRow[]): string[] {
  return rows
    .filter((row) => !((ratio(rateOf(row.ours, row), rateOf(row.reference, row)) ?? 0) > 1))
    .map(({ name, connections }) => `${name} at ${connections}`);
}

/**
 * Main's time per request with many connections, and its consequences if cores are free: main's rate is bounded by one
 * core, and the other threads need this many cores at that rate.
 */
export function ceilingTable(rows: readonly PaceRow[]): string {
  const most = Math.max(...rows.map(({ connections }) => connections));
  const chosen = rows.filter(({ connections, isBusy }) => connections === most && !isBusy);
  return markdown([CEILING_HEAD, ...chosen.flatMap((row) => ceilingCells(row) ?? [])]);
}

function paceCells(row: PaceRow): string[] {
  const { name, connections, ours, reference } = row;
  const rates = [rateOf(ours, row), rateOf(reference, row)] as const;
  const mains = [mainUsOf(ours, row), mainUsOf(reference, row)] as const;
  return [
    name,
    `${connections}`,
    ...rates.map((rate) => (rate === null ? 'no numbers' : whole(rate))),
    ratioCell(ratio(rates[0], rates[1])),
    ...mains.map((us) => (us === null ? '' : digits(us))),
    ratioCell(ratio(mains[1], mains[0])),
  ];
}

function ceilingCells(row: PaceRow): [string[]] | null {
  const mainUs = mainUsOf(row.ours, row);
  const allUs = row.ours?.cpuUs?.median ?? null;
  if (mainUs === null || allUs === null) return null;
  const otherUs = Math.max(0, allUs * row.calls - mainUs);
  const perSecond = 1e6 / mainUs;
  const cores = 1 + otherUs / mainUs;
  return [
    [row.name, digits(mainUs), whole(perSecond), whole(perSecond * row.calls), digits(otherUs), cores.toFixed(1)],
  ];
}

function rateOf(figures: PaceFigures | null, { calls }: PaceRow): number | null {
  return figures === null ? null : figures.callsPerSecond.median / calls;
}

function mainUsOf(figures: PaceFigures | null, { calls }: PaceRow): number | null {
  const us = figures?.mainCpuUs?.median ?? null;
  return us === null ? null : us * calls;
}

function ratio(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one / other;
}

function ratioCell(value: number | null): string {
  return value === null ? '' : value.toFixed(2);
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}
