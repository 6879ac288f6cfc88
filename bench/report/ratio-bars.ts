// Bars of ratios, one for each row that compares two targets: the bar ends at the ratio, a thin line spans its interval. Pure.
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

const WIDTH = 1100;
const LINE = 24;
const [LEFT, RIGHT] = [330, 760];
const TOP = 26;
/** The axis goes at least this far to both sides of 1. */
const REACH_MIN = 2;

/** Of the first target to the second, better to the right. Empty where nothing is compared. */
export function ratioBars({ rows }: Results, colourOf: (target: string) => string): string {
  const bars = rows.flatMap((row) => barsOf(row, colourOf));
  if (bars.length === 0) return '';
  const reach = Math.max(REACH_MIN, ...bars.map(({ ratio }) => Math.max(ratio.ratio, 1 / ratio.ratio))) * 1.1;
  const place = (ratio: number): number => {
    const share = (Math.log(Math.min(reach, Math.max(1 / reach, ratio))) / Math.log(reach) + 1) / 2;
    return LEFT + share * (RIGHT - LEFT);
  };
  const height = TOP + bars.length * LINE + 6;
  const marks = marksUpTo(reach)
    .map((at) => markAt(at, place(at), height))
    .join('');
  const lines = bars.map((bar, i) => barAt(bar, TOP + i * LINE, place)).join('');
  return `<svg class="bars" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="ratios by row">${marks}${lines}</svg>`;
}

function barsOf(row: Row, colourOf: (target: string) => string): Bar[] {
  return row.comparisons.flatMap(({ first, second, callsPerSecond, p99 }) => {
    const ratio = row.loadKind === 'closed' ? callsPerSecond : inverse(p99);
    if (ratio === null) return [];
    const label = `${row.scenario}: ${row.run}`;
    const text = `${comparedText(row, second)}, beside ${second}`;
    return [{ label, text, ratio, colour: colourOf(ratio.ratio >= 1 ? first : second) }];
  });
}

/** Less time is better. */
function inverse(ratio: Ratio | null): Ratio | null {
  return ratio === null ? null : { ...ratio, ratio: 1 / ratio.ratio, low: 1 / ratio.high, high: 1 / ratio.low };
}

function marksUpTo(reach: number): number[] {
  const ups = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].filter((at) => at <= reach);
  return [...ups.slice(1).map((at) => 1 / at), ...ups];
}

function markAt(ratio: number, x: number, height: number): string {
  const text = ratio >= 1 ? `${ratio} x` : `1/${Math.round(1 / ratio)}`;
  return `<line x1="${x}" y1="18" x2="${x}" y2="${height}"/><text class="faint" x="${x}" y="12" text-anchor="middle">${text}</text>`;
}

function barAt({ label, text, ratio, colour }: Bar, y: number, place: (ratio: number) => number): string {
  const [one, end] = [place(1), place(ratio.ratio)];
  const opacity = ratio.differs ? 1 : 0.35;
  const bar = `<rect x="${Math.min(one, end)}" y="${y + 5}" width="${Math.max(1.5, Math.abs(end - one))}" height="12" rx="2" fill="${colour}" opacity="${opacity}"/>`;
  const span = `<rect x="${place(ratio.low)}" y="${y + 10.5}" width="${Math.max(1, place(ratio.high) - place(ratio.low))}" height="1" fill="currentColor" opacity="0.6"/>`;
  const texts = `<text x="${LEFT - 14}" y="${y + 15}" text-anchor="end">${escaped(label)}</text><text class="faint" x="${RIGHT + 14}" y="${y + 15}">${escaped(text)}</text>`;
  return bar + span + texts;
}
