// Plots as JSON for the page's script. Types; runs in the bench and in the browser.

/** A line of a plot. `null`: no point. */
export interface Series {
  readonly label: string;
  readonly colour: string;
  readonly dash: readonly number[];
  readonly values: readonly (number | null)[];
}

/** Numbers of an axis: milliseconds, seconds, percentiles (as 100 / (100 - percentile)), shares, rates. */
export type AxisKind = 'ms' | 's' | 'percentile' | 'share' | 'rate';

export interface Plot {
  /** Id of the element that it is drawn into. */
  readonly id: string;
  readonly x: { readonly kind: AxisKind; readonly isLog: boolean; readonly values: readonly number[] };
  readonly y: { readonly kind: AxisKind; readonly isLog: boolean };
  readonly isStepped: boolean;
  readonly series: readonly Series[];
}
