// Plots of rows: percentile curves, overlaid histograms, and rising rates. Pure.
import type { CurvePoint } from '../load/histogram.js';
import type { Course } from '../load/timeline.js';
import type { Results, Row, Side, Surge } from '../suite/results.js';
import { perSecond } from '../suite/surge.js';
import type { AxisKind, Plot, Series } from './plot-data.js';
import { COLOURS, FLOOR_COLOUR, REFUSED_COLOUR } from './style.js';

/** Lines also differ by their dashes. */
const DASHES: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [10, 4, 2, 4], [4, 2]];

/** The colour of each target, the same in the whole report. */
export function colours({ targets }: Results): (target: string) => string {
  const names = [...new Set(targets.map(({ name }) => name))].filter((name) => name !== 'raw');
  return (target) => (target === 'raw' ? FLOOR_COLOUR : COLOURS[names.indexOf(target) % COLOURS.length]!);
}

/** Latency by percentile, on a scale by nines. */
export function curvePlot(id: string, row: Row, colourOf: (target: string) => string): Plot {
  const sides = drawn(row);
  const curves = sides.flatMap(curvesOf);
  const places = sorted(curves.flatMap(({ points }) => [...points.keys()]));
  const series = curves.map(({ target, label, points }, i) => ({
    ...line(
      target,
      i,
      colourOf,
      places.map((place) => points.get(place) ?? null),
    ),
    label,
  }));
  return plot(id, { kind: 'percentile', isLog: true, values: places }, { kind: 'ms', isLog: true }, false, series);
}

/** Histograms of latency. */
export function barsPlot(id: string, row: Row, colourOf: (target: string) => string): Plot {
  const sides = drawn(row);
  const places = sorted(sides.flatMap(({ figures }) => figures!.bars.map(([uptoMs]) => uptoMs)));
  const series = sides.map((side, i) => {
    const shares = new Map(side.figures!.bars);
    return line(
      side.target,
      i,
      colourOf,
      places.map((place) => shares.get(place) ?? 0),
    );
  });
  return plot(id, { kind: 'ms', isLog: true, values: places }, { kind: 'share', isLog: false }, true, series);
}

/** Rows of rising rates: rate of results, or their p99, by offered rate. */
export function stepPlot(
  id: string,
  rows: readonly Row[],
  of: 'callsPerSecond' | 'p99',
  colourOf: (target: string) => string,
): Plot {
  const steps = rows.filter(({ offered }) => offered !== null).toSorted((a, b) => a.offered! - b.offered!);
  const values = steps.map(({ offered }) => offered!);
  const names = [...new Set(steps.flatMap(({ sides }) => sides.map(({ target }) => target)))];
  const series = names.map((name, i) =>
    line(
      name,
      i,
      colourOf,
      steps.map((row) => figureOf(row, name, of)),
    ),
  );
  const offered: Series = { label: 'offered', colour: FLOOR_COLOUR, dash: [2, 3], values };
  const kind: AxisKind = of === 'p99' ? 'ms' : 'rate';
  const all = of === 'p99' ? series : [offered, ...series];
  return plot(id, { kind: 'rate', isLog: false, values }, { kind, isLog: of === 'p99' }, false, all);
}

/** Minimum number of windows for a plot. */
const WINDOWS_MIN = 8;

/**
 * Over time, with the turns of each target in sequence: results a second, and p99, by intended start. Empty if there is
 * too little data.
 */
export function coursePlots(id: string, row: Row, colourOf: (target: string) => string): Plot[] {
  const sides = drawn(row).filter(({ figures }) => countOf(figures!.courses) >= WINDOWS_MIN);
  if (sides.length === 0) return [];
  const courses = sides.map(({ figures }) => joined(figures!.courses));
  const windowS = sides[0]!.figures!.courses[0]!.windowMs / 1000;
  const length = Math.max(...courses.map(({ rate }) => rate.length));
  const values = Array.from({ length }, (_, i) => i * windowS);
  const lines = (of: 'rate' | 'p99'): Series[] =>
    sides.map(({ target }, i) =>
      line(
        target,
        i,
        colourOf,
        values.map((_, at) => courses[i]![of][at] ?? null),
      ),
    );
  const x = { kind: 's', isLog: false, values } as const;
  return [
    plot(`${id}-rate`, x, { kind: 'rate', isLog: false }, false, lines('rate')),
    plot(`${id}-p99`, x, { kind: 'ms', isLog: true }, false, lines('p99')),
  ];
}

function countOf(courses: readonly Course[]): number {
  return courses.reduce((sum, { windows }) => sum + windows.length, 0);
}

/** The turns in sequence; windows without results have no point. */
function joined(courses: readonly Course[]): { readonly rate: number[]; readonly p99: (number | null)[] } {
  const rate = courses.flatMap(({ windows, windowMs }) => windows.map((window) => perSecond(window, windowMs).result));
  const p99 = courses.flatMap((course) => course.p99.map((ms) => (ms === 0 ? null : ms)));
  return { rate, p99 };
}

/** Requests offered, answered and rejected during a surge, one plot per target. */
export function surgePlots(id: string, row: Row): { readonly target: string; readonly plot: Plot }[] {
  return drawn(row).flatMap(({ target, figures }, i) =>
    figures!.surge === null ? [] : [{ target, plot: surgePlot(`${id}-${i}`, figures!.surge) }],
  );
}

function surgePlot(id: string, { windows, windowMs }: Surge): Plot {
  const offered = windows.map(({ result, refusal, failure }) => result + refusal + failure);
  const series: Series[] = [
    { label: 'offered', colour: FLOOR_COLOUR, dash: [2, 3], values: offered },
    { label: 'answered', colour: COLOURS[0]!, dash: [], values: windows.map(({ result }) => result) },
    { label: 'refused', colour: REFUSED_COLOUR, dash: [7, 4], values: windows.map(({ refusal }) => refusal) },
  ];
  const values = windows.map((_, place) => place * windowMs);
  return plot(id, { kind: 'ms', isLog: false, values }, { kind: 'rate', isLog: false }, false, series);
}

function figureOf({ sides }: Row, target: string, of: 'callsPerSecond' | 'p99'): number | null {
  const side = sides.find((one) => one.target === target);
  return side === undefined || side.void !== null ? null : (side.figures?.[of].median ?? null);
}

/** A percentile curve: milliseconds by place. */
interface Curve {
  readonly target: string;
  readonly label: string;
  readonly points: ReadonlyMap<number, number>;
}

/** Curves of results, and of rejections if there are any. */
function curvesOf({ target, figures }: Side): Curve[] {
  const { curve, latency, refusalCurve, refusals } = figures!;
  const results = { target, label: target, points: pointsOf(curve, latency.count) };
  if (refusals.count === 0) return [results];
  return [results, { target, label: `${target}, refused`, points: pointsOf(refusalCurve, refusals.count) }];
}

function pointsOf(curve: readonly CurvePoint[], count: number): Map<number, number> {
  return new Map(curve.map(([percentile, ms]) => [placeOf(percentile, count), ms]));
}

/** X position of a percentile; the maximum of a thousand values is at 99.9 %. */
function placeOf(percentile: number, count: number): number {
  return Math.min(count, Math.round(1e6 / (100 - percentile)) / 1e4);
}

/** Sides with figures. */
function drawn({ sides }: Row): Side[] {
  return sides.filter((side) => side.void === null && side.figures !== null && side.figures.curve.length > 0);
}

function line(label: string, i: number, colourOf: (target: string) => string, values: Series['values']): Series {
  return { label, colour: colourOf(label), dash: DASHES[i % DASHES.length]!, values };
}

function plot(id: string, x: Plot['x'], y: Plot['y'], isStepped: boolean, series: readonly Series[]): Plot {
  return { id, x, y, isStepped, series };
}

function sorted(values: readonly number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}
