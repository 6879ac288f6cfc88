// Statistics of rounds: medians, spreads, and significance of differences. Pure.

/** The median. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Median, minimum and maximum. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** Zeros if there are no values. */
export function spreadOf(values: readonly number[]): Spread {
  if (values.length === 0) return { median: 0, low: 0, high: 0 };
  return { median: median(values), low: Math.min(...values), high: Math.max(...values) };
}

/** A ratio of two targets with its 99 % confidence interval. */
export interface Ratio {
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
  /** The interval does not contain 1. */
  readonly differs: boolean;
}

/**
 * Student's t for 99 %, by degrees of freedom from 1 on. With few rounds the minimum and maximum ratio would not
 * suffice: of three rounds all are on the same side of 1 in a quarter of the cases without any difference.
 */
const T_99 = [
  63.66, 9.92, 5.84, 4.6, 4.03, 3.71, 3.5, 3.36, 3.25, 3.17, 3.11, 3.05, 3.01, 2.98, 2.95, 2.92, 2.9, 2.88, 2.86, 2.85,
];
const T_99_LIMIT = 2.58;

/** Ratio of `first` to `second` over the same rounds; `null` if undefined: fewer than two rounds, or zeros. */
export function ratioOf(first: readonly number[], second: readonly number[]): Ratio | null {
  const rounds = Math.min(first.length, second.length);
  const logs = Array.from({ length: rounds }, (_, i) => Math.log(first[i]! / second[i]!));
  if (rounds < 2 || !logs.every(Number.isFinite)) return null;
  const mean = logs.reduce((sum, log) => sum + log, 0) / rounds;
  const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (rounds - 1);
  const reach = (T_99[rounds - 2] ?? T_99_LIMIT) * Math.sqrt(variance / rounds);
  const [low, high] = [Math.exp(mean - reach), Math.exp(mean + reach)];
  return { ratio: Math.exp(mean), low, high, differs: low > 1 || high < 1 };
}

/**
 * The order of targets in a round: alternately forwards and backwards, so that drift of the machine affects all alike.
 */
export function orderOf<T>(targets: readonly T[], round: number): readonly T[] {
  return round % 2 === 0 ? targets : targets.toReversed();
}
