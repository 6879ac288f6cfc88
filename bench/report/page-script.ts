// The report's script: draws the plots from the page's JSON. Runs in the browser, inlined into the page after uPlot.
import type { AxisKind, Plot } from './plot-data.js';

/** The parts of the browser's and uPlot's APIs in use. */
interface PageElement {
  readonly textContent: string;
  readonly clientWidth: number;
}
declare const document: { getElementById(id: string): PageElement | null };
declare const addEventListener: (kind: 'resize', listener: () => void) => void;
declare const uPlot: {
  new (
    options: object,
    data: readonly unknown[],
    target: PageElement,
  ): { setSize(size: { width: number; height: number }): void };
  readonly paths: { stepped(options: { align: 1 | -1 }): unknown };
};

const HEIGHT = 240;
/** Grey that is readable on light and dark backgrounds. */
const AXIS = '#808893';
const GRID = 'rgba(128, 136, 147, 0.22)';
const LOG = 3;

const WRITTEN: Readonly<Record<AxisKind, (value: number) => string>> = {
  ms: (value) => `${plain(value)} ms`,
  s: (value) => `${plain(value)} s`,
  percentile: (value) => `${plain(Math.round((100 - 100 / value) * 1000) / 1000)} %`,
  share: (value) => `${plain(Math.round(value * 1000) / 10)} %`,
  rate: (value) => value.toLocaleString('en', { maximumFractionDigits: 0 }),
};

function plain(value: number): string {
  return String(Number(value.toPrecision(5)));
}

/** The range of a logarithmic scale. uPlot counts ticks from the lower end, so that is one digit and zeros. */
function logRange(_plot: unknown, least: number, most: number): [number, number] {
  if (!(least > 0)) return [1, 10];
  const magnitude = 10 ** Math.floor(Math.log10(least));
  const low = Number((Math.floor(least / magnitude) * magnitude).toPrecision(1));
  return [low, Math.max(most * 1.1, low * 2)];
}

function axis({ kind, isLog }: { readonly kind: AxisKind; readonly isLog: boolean }, size: number): object {
  const decades = (splits: readonly number[]): (number | null)[] =>
    splits.map((value) =>
      !isLog || Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-6 ? value : null,
    );
  const written = (splits: readonly (number | null)[]): string[] =>
    splits.map((value) => (value === null ? '' : WRITTEN[kind](value)));
  const grid = { stroke: GRID, width: 1 };
  return {
    stroke: AXIS,
    grid,
    ticks: grid,
    size,
    filter: (_plot: unknown, splits: readonly number[]) => decades(splits),
    values: (_plot: unknown, splits: readonly (number | null)[]) => written(splits),
  };
}

/** Axes of rates and shares start at zero. */
function scale({ kind, isLog }: { readonly kind: AxisKind; readonly isLog: boolean }, isUpright: boolean): object {
  if (isLog) return { distr: LOG, log: 10, range: logRange, time: false };
  return isUpright && kind !== 'ms' ? { time: false, range: zeroRange } : { time: false };
}

function zeroRange(_plot: unknown, _least: number, most: number): [number, number] {
  return [0, most > 0 ? most * 1.05 : 1];
}

function draw(plot: Plot): void {
  const place = document.getElementById(plot.id);
  if (place === null) return;
  const value = (_plot: unknown, raw: number | null): string => (raw === null ? '' : WRITTEN[plot.y.kind](raw));
  const paths = plot.isStepped ? { paths: uPlot.paths.stepped({ align: -1 }) } : {};
  const series = plot.series.map(({ label, colour, dash }) => ({
    label,
    stroke: colour,
    width: 2,
    dash,
    spanGaps: true,
    points: { show: !plot.isStepped && plot.x.values.length < 30, size: 5 },
    value,
    ...paths,
    ...(plot.isStepped ? { fill: `${colour}2e` } : {}),
  }));
  const first = {
    label: plot.x.kind,
    value: (_plot: unknown, raw: number | null) => (raw === null ? '' : WRITTEN[plot.x.kind](raw)),
  };
  const drawn = new uPlot(
    {
      width: place.clientWidth,
      height: HEIGHT,
      scales: { x: scale(plot.x, false), y: scale(plot.y, true) },
      axes: [axis(plot.x, 34), axis(plot.y, 64)],
      series: [first, ...series],
    },
    [plot.x.values, ...plot.series.map(({ values }) => values)],
    place,
  );
  addEventListener('resize', () => drawn.setSize({ width: place.clientWidth, height: HEIGHT }));
}

for (const plot of JSON.parse(document.getElementById('plots')!.textContent) as readonly Plot[]) draw(plot);
