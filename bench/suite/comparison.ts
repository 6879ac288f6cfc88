// Compares targets with each other, and this run with an older one. Pure.
import type { Comparison, Results, Row, Rounds, Side } from './results.js';
import { type Ratio, ratioOf } from './statistics.js';

/** Compares the first target with each other one; targets without figures and the floor are omitted. */
export function comparisonsOf(sides: readonly Side[]): Comparison[] {
  const [first, ...others] = sides.filter(({ isFloor }) => !isFloor);
  if (first === undefined) return [];
  return others.flatMap((second) => comparison(first.target, roundsOf(first), second.target, roundsOf(second)) ?? []);
}

/** A row of two runs, and its ratio of the newer to the older run for a target. */
export interface Change {
  readonly row: string;
  readonly target: string;
  readonly comparison: Comparison;
}

/** Changes between two runs, for rows and targets of the same name. */
export function changesOf(older: Results, newer: Results): Change[] {
  return newer.rows.flatMap((row) => {
    const before = older.rows.find((other) => nameOf(other) === nameOf(row));
    return before === undefined ? [] : changesOfRow(before, row);
  });
}

/** Rows that got worse in their main figure, or lost their figures, one line each. */
export function lossesOf(older: Results, newer: Results): string[] {
  const kinds = new Map(newer.rows.map((row) => [nameOf(row), row.loadKind]));
  const slower = changesOf(older, newer).flatMap(({ row, target, comparison: { callsPerSecond, p99 } }) => {
    const isClosed = kinds.get(row) === 'closed';
    const ratio = isClosed ? callsPerSecond : p99;
    const isWorse = ratio !== null && ratio.differs && (isClosed ? ratio.ratio < 1 : ratio.ratio > 1);
    return isWorse ? [`${row}, ${target}: ${ratioText(ratio)} ${isClosed ? 'calls/s' : 'p99'}`] : [];
  });
  return [...slower, ...older.rows.flatMap((row) => goneFrom(row, newer))];
}

function goneFrom(row: Row, newer: Results): string[] {
  const now = newer.rows.find((other) => nameOf(other) === nameOf(row));
  if (now === undefined) return [];
  return row.sides.filter(hasNumbers).flatMap(({ target }) => {
    const side = now.sides.find((other) => other.target === target);
    return side === undefined || hasNumbers(side) ? [] : [`${nameOf(row)}, ${target}: no numbers: ${side.void}`];
  });
}

/** True if the side has valid figures. */
export function hasNumbers({ void: reason, figures }: Side): boolean {
  return reason === null && figures !== null;
}

/** `3.1 x (2.9 to 3.3)`, `no difference`, or '' if unknown. */
export function ratioText(ratio: Ratio | null): string {
  if (ratio === null) return '';
  if (!ratio.differs) return 'no difference';
  return `${digits(ratio.ratio)} x (${digits(ratio.low)} to ${digits(ratio.high)})`;
}

/** Two or three digits. */
export function digits(value: number): string {
  if (value >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toPrecision(value >= 1 ? 3 : 2);
}

export function nameOf({ scenario, run }: Row): string {
  return `${scenario}: ${run}`;
}

function changesOfRow(before: Row, row: Row): Change[] {
  return row.sides.flatMap((side) => {
    const old = before.sides.find(({ target }) => target === side.target);
    if (old === undefined) return [];
    const compared = comparison('new', roundsOf(side), 'old', roundsOf(old));
    return compared === null ? [] : [{ row: nameOf(row), target: side.target, comparison: compared }];
  });
}

function roundsOf({ figures, void: reason }: Side): Rounds | null {
  return reason === null && figures !== null ? figures.rounds : null;
}

function comparison(first: string, one: Rounds | null, second: string, other: Rounds | null): Comparison | null {
  if (one === null || other === null) return null;
  return {
    first,
    second,
    callsPerSecond: ratioOf(one.callsPerSecond, other.callsPerSecond),
    p50: ratioOf(one.p50, other.p50),
    p99: ratioOf(one.p99, other.p99),
    cpuUs: ratioOf(one.cpuUs, other.cpuUs),
  };
}
