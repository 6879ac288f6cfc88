// Bars of ratios, one per row that compares two targets: the bar ends at the ratio, a thin line spans its interval.
// Pure.
import { comparedText } from '../suite/table.js';
import type { Results, Row } from '../suite/results.js';
import type { Ratio } from '../suite/statistics.js';
import { escaped } from './html.js';

interface Bar {
  readonly label: string;
  readonly text: string;
  /** Above 1: the first target is better. */
  readonly ratio: Ratio;
  readonly colour: string;
}

/** Minimum reach of the axis on both sides of 1. */
const REACH_MIN = 2;
/** Maximum number of ticks on each side of 1: more would overlap. */
const MARKS_MAX = 2;

/** Ratios of the first target to the others, better to the right. Empty without comparisons. */
export function ratioBars({ rows }: Results, colourOf: (target: string) => string): string {
  const bars = rows.flatMap((row) => barsOf(row, colourOf));
  if (bars.length === 0) return '';
  const reach = Math.max(REACH_MIN, ...bars.map(({ ratio }) => Math.max(ratio.ratio, 1 / ratio.ratio))) * 1.1;
  /** Percent from the left. */
  const place = (ratio: number): number =>
    50 * (Math.log(Math.min(reach, Math.max(1 / reach, ratio))) / Math.log(reach) + 1);
  const marks = marksUpTo(reach).map((at) => ({
    text: at >= 1 ? `${at} x` : `1/${Math.round(1 / at)}`,
    at: place(at),
  }));
  const heads = marks.map(({ text, at }) => `<span class="mark" style="left:${shown(at)}">${text}</span>`).join('');
  const lines = marks.map(({ at }) => `<i class="line" style="left:${shown(at)}"></i>`).join('');
  const axis = `<div class="ratio axis"><span></span><div class="track">${heads}</div><span></span></div>`;
  return `<div class="bars">${axis}${bars.map((bar) => barAt(bar, lines, place)).join('')}</div>`;
}

function barsOf(row: Row, colourOf: (target: string) => string): Bar[] {
  return row.comparisons.flatMap(({ first, second, callsPerSecond, p99 }) => {
    const ratio = row.loadKind === 'closed' ? callsPerSecond : inverse(p99);
    if (ratio === null) return [];
    const label = `${row.scenario}: ${row.run}`;
    const text = `${comparedText(row, second)}, against ${second}`;
    return [{ label, text, ratio, colour: colourOf(ratio.ratio >= 1 ? first : second) }];
  });
}

/** Lower times are better. */
function inverse(ratio: Ratio | null): Ratio | null {
  return ratio === null ? null : { ...ratio, ratio: 1 / ratio.ratio, low: 1 / ratio.high, high: 1 / ratio.low };
}

function marksUpTo(reach: number): number[] {
  const ups = [2, 5, 10, 20, 50, 100, 200, 500, 1000].filter((at) => at <= reach);
  const step = Math.ceil(ups.length / MARKS_MAX);
  const some = ups.filter((_, i) => (ups.length - 1 - i) % step === 0);
  return [...some.map((at) => 1 / at), 1, ...some];
}

function barAt({ label, text, ratio, colour }: Bar, lines: string, place: (ratio: number) => number): string {
  const [one, end, low, high] = [1, ratio.ratio, ratio.low, ratio.high].map(place) as [number, number, number, number];
  const opacity = ratio.differs ? 1 : 0.35;
  const bar = `<i class="bar" style="left:${shown(Math.min(one, end))};width:${shown(Math.abs(end - one))};background:${colour};opacity:${opacity}"></i>`;
  const span = `<i class="span" style="left:${shown(low)};width:${shown(high - low)}"></i>`;
  const track = `<div class="track">${lines}${bar}${span}</div>`;
  return `<div class="ratio"><span>${escaped(label)}</span>${track}<span class="faint">${escaped(text)}</span></div>`;
}

function shown(percent: number): string {
  return `${Number(percent.toFixed(2))}%`;
}
