// Thresholds of a run, such as `estimates p99 > 5ms`: if the condition holds, the run has failed. Pure.
import { digits, nameOf } from './comparison.js';
import { percent } from './figures.js';
import { countErrors } from '../load/tally.js';
import type { Figures, Row, Side } from './results.js';

export interface Threshold {
  /** The threshold as written. */
  readonly text: string;
  /** Words that name a target, or occur in the name of a scenario or load; none: the first target of every row. */
  readonly words: readonly string[];
  readonly figure: FigureName;
  readonly isAbove: boolean;
  /** Milliseconds, calls a second, a share of calls, or microseconds. */
  readonly value: number;
}

/** A figure: how to read it, how to format it, and its units as factors. */
interface Measure {
  readonly of: (figures: Figures) => number | null;
  readonly text: (value: number) => string;
  readonly units: Readonly<Record<string, number>>;
}

const MS = { ms: 1, us: 0.001, s: 1000 };
const latency = (field: 'p50' | 'p90' | 'p99' | 'p999' | 'max'): Measure => ({
  of: (figures) => figures.latency[field],
  text: (value) => `${digits(value)} ms`,
  units: MS,
});
const MEASURES = {
  p50: latency('p50'),
  p90: latency('p90'),
  p99: latency('p99'),
  'p99.9': latency('p999'),
  max: latency('max'),
  rate: { of: (figures) => figures.callsPerSecond.median, text: (value) => `${digits(value)}/s`, units: { '/s': 1 } },
  errors: {
    of: ({ errors, succeeded }) => countErrors(errors) / Math.max(1, succeeded + countErrors(errors)),
    text: percent,
    units: { '%': 0.01 },
  },
  cpu: { of: ({ cpuUs }) => cpuUs?.median ?? null, text: (value) => `${digits(value)} us`, units: { us: 1, ms: 1000 } },
} satisfies Readonly<Record<string, Measure>>;
type FigureName = keyof typeof MEASURES;

const FORM = /^(?<where>.*?)\s*(?<figure>[a-z][a-z0-9.]*)\s*(?<sign>[<>])\s*(?<number>\d+(?:\.\d+)?)\s*(?<unit>\D*)$/;

/** Throws a one-line message if invalid. */
export function thresholdOf(text: string): Threshold {
  const { where, figure, sign, number, unit } = (FORM.exec(text.trim())?.groups ?? {}) as Record<string, string>;
  const names = Object.keys(MEASURES).join(', ');
  if (figure === undefined || !(figure in MEASURES))
    throw new Error(`--fail-if ${text}: expected [scenario] FIGURE > VALUE or <; figures are ${names}`);
  const units: Readonly<Record<string, number>> = MEASURES[figure as FigureName].units;
  const [first] = Object.values(units);
  const factor = unit === '' ? first : units[unit!.trim()];
  if (factor === undefined) throw new Error(`--fail-if ${text}: ${figure} is in ${Object.keys(units).join(' or ')}`);
  const words = where!.split(/[\s:]+/).filter(Boolean);
  return { text, words, figure: figure as FigureName, isAbove: sign === '>', value: Number(number) * factor };
}

/** One line for each threshold whose condition holds, or that matches no row. */
export function failuresOf(thresholds: readonly Threshold[], rows: readonly Row[]): string[] {
  return thresholds.flatMap((threshold) => {
    const sides = rows.flatMap((row) => sidesFor(threshold, row).map((side) => ({ row, side })));
    if (sides.length === 0) return [`${threshold.text}: no load of that name was measured`];
    return sides.flatMap(({ row, side }) => {
      const fault = faultOf(threshold, side);
      return fault === null ? [] : [`${threshold.text}: ${side.target}, ${nameOf(row)}: ${fault}`];
    });
  });
}

/** Targets of a row that match all words; without a target's name the first one. */
function sidesFor({ words }: Threshold, row: Row): Side[] {
  const named = row.sides.filter(({ target }) => words.includes(target));
  const sides = named.length > 0 ? named : row.sides.slice(0, 1);
  const rest = words.filter((word) => !named.some(({ target }) => target === word));
  return rest.every((word) => nameOf(row).toLowerCase().includes(word.toLowerCase())) ? sides : [];
}

function faultOf({ figure, isAbove, value }: Threshold, side: Side): string | null {
  if (side.void !== null || side.figures === null) return `no numbers: ${side.void}`;
  const measure: Measure = MEASURES[figure];
  const found = measure.of(side.figures);
  if (found === null) return `${figure} is not measurable`;
  return (isAbove ? found > value : found < value) ? `${figure} is ${measure.text(found)}` : null;
}
